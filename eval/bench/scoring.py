"""The answers of a benchmark scored: how good they are, and how far they are to be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from eval.bench.outcome import Outcome
from eval.bench.trust import Trust, trust, trust_data
from eval.benchmark import baselines, judge_all
from eval.comparison import Difference
from eval.judge import judge_for
from eval.results import Results, as_data, differences, differences_data

__all__ = ["Scored", "score", "scored_data"]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """An outcome and all figures about it."""

    outcome: Outcome
    results: Results
    """Of the systems and of the baselines."""
    differences: Mapping[str, Difference]
    """System → how its F0.5 differs from that of the first."""
    trust: Mapping[str, Mapping[str, Trust]]
    """System → subject → how good its forecasts are."""

    @property
    def systems(self) -> list[str]:
        """The systems under test; the first is what the others are compared with."""
        return list(self.outcome.systems.wanted)


def score(outcome: Outcome, scorer: str | None = None) -> Scored:
    """Score the answers beside the baselines.

    Args:
        outcome: the answers.
        scorer: see :func:`eval.judge.judge_for`.
    """
    source, names = outcome.corpus.source, outcome.corpus.names
    judge = judge_for(source, scorer)
    answers = {system: trial.answers for system, trial in outcome.trials.items()}
    scores = {
        system: judge_all({name: given[name].clustering for name in names}, source, judge)
        for system, given in answers.items()
    }
    signature = "|".join([judge.signature(source, names), *_circumstances(outcome)])
    results = Results(signature, {**scores, **baselines(names, source, judge)})
    return Scored(
        outcome,
        results,
        differences(results, list(answers)),
        {system: trust(outcome.examples, given) for system, given in answers.items()},
    )


def scored_data(scored: Scored) -> dict[str, Any]:
    """The figures as JSON holds them, with what each system is and used (docs/output.md)."""
    outcome, data = scored.outcome, as_data(scored.results)
    systems = outcome.systems
    for system, configuration in systems.configurations.items():
        data["systems"][system] |= {
            "configuration": configuration.as_data(),
            "similarities": {
                str(form): list(map(str, systems.used(form)[system])) for form in outcome.forms
            },
            "absent": {
                str(form): list(map(str, systems.absent(form)[system])) for form in outcome.forms
            },
            "calibration": trust_data(scored.trust[system]),
        }
    forms = {name: str(form) for name, form in sorted(outcome.corpus.forms.items())}
    comparisons = differences_data(scored.differences, scored.systems[0])
    return {**data, "forms": forms, "comparisons": comparisons}


def _circumstances(outcome: Outcome) -> Iterator[str]:
    """What the signature says of how the systems came about."""
    yield outcome.how
    yield f"seed:{outcome.settings.seed}"
    if outcome.systems.common:
        yield "features:common"
    if outcome.language:
        yield f"language:{outcome.language}"
