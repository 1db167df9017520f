"""The systems of a benchmark as recorded runs."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from eval.benchmark.runs import Plain, Run, RunCorpus, safe_file_name, write_run
from eval.benchmark.scoring import ScoredBenchmark
from weps.similarity import required_layers
from weps.training.fitting import FITTERS

__all__ = ["record_runs"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn")


def record_runs(scored: ScoredBenchmark, folder: Path, made: str) -> list[Path]:
    """Record a run of every system, those of each in a folder of its own.

    Args:
        scored: what the systems did.
        folder: where these folders are, or are made.
        made: the command line.

    Raises:
        OutputError: if a run cannot be written.
    """
    return [write_run(each, folder / _folder(each.system)) for each in _runs(scored, made)]


def _runs(scored: ScoredBenchmark, made: str) -> Iterator[Run]:
    outcome, corpus = scored.outcome, scored.outcome.corpus
    for system, trial in outcome.trials.items():
        yield Run(
            system=system,
            configuration=_configuration(scored, system),
            corpus=RunCorpus(corpus.title, corpus.source.layout, corpus.digest),
            how=outcome.how,
            seed=outcome.settings.seed,
            signature=scored.results.signature,
            made=made,
            date=datetime.now(tz=UTC).date().isoformat(),
            machine=_machine(),
            seconds={
                "learning": round(trial.learning, 2),
                "answering": round(trial.answering, 2),
            },
            scores=scored.results.systems[system],
        )


def _configuration(scored: ScoredBenchmark, system: str) -> dict[str, Plain]:
    """What was chosen about the system, the seed excepted."""
    outcome = scored.outcome
    configuration = outcome.systems.configurations[system]
    chosen = {
        **asdict(outcome.settings),
        **FITTERS[configuration.classifier].choices,
        **configuration.as_data(),
    }
    del chosen["seed"]
    if outcome.systems.common:
        chosen["features_shared_by"] = "all names"
    if required_layers(outcome.systems.wanted[system]):
        chosen["language"] = outcome.language
    return chosen


def _machine() -> Mapping[str, Plain]:
    """Where it ran."""
    libraries = {each: version(each) for each in _LIBRARIES}
    return {
        "python": platform.python_version(),
        **libraries,
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
    }


def _folder(system: str) -> str:
    """Its name as a folder, with a digest where it had to be cut."""
    name = safe_file_name(system)
    whole = len(system) <= len(name)
    return name if whole else f"{name}-{sha256(system.encode()).hexdigest()[:8]}"
