"""Recorded runs: one system on one corpus with one seed, its scores and provenance.

Each run is a JSON file that no other run replaces; it is checked when read, since it may be written
by other programs. Imports pydantic, so commands import this module when they read or record runs.
"""

from __future__ import annotations

import json
import math
import os
import platform
import re
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, date, datetime
from hashlib import sha256
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal
from unicodedata import category

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from weps._files import atomic_write, make_folder, read_bytes
from weps._formatting import error_reason
from weps._schema import JsonModel, parse_json, validate_data
from weps._version import VERSION
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import SourceError, ValuesError
from weps.records import HtmlReader
from weps.similarity.columns import need_encoder, required_layers
from weps_eval.benchmark.scoring import Benchmark

FORMAT = 1
"""Version of the file format; a reader refuses every other."""
_KIND = "weps run"
_LONGEST_TEXT = 10_000
"""Characters; command lines can be long."""
_UNPRINTABLE = ("Cc", "Cs")
"""Unicode categories of control characters, and of halves of characters."""


def _printable(text: str) -> str:
    if any(category(character) in _UNPRINTABLE for character in text):
        raise ValueError("has characters that cannot be printed")
    return text


def _plain(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= _LONGEST_TEXT:
        return _printable(value)
    if not isinstance(value, int | float) or not -math.inf < value < math.inf:
        raise ValueError("expected text, a finite number, true or false")
    return value


def _iso_date(text: str) -> str:
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("expected a date such as 2026-11-21")
    return text


Text = Annotated[str, Field(min_length=1, max_length=_LONGEST_TEXT), AfterValidator(_printable)]
"""A text on one line."""
Plain = Annotated[
    Any, AfterValidator(_plain), WithJsonSchema({"type": ["string", "number", "boolean"]})
]
Score = Annotated[float, Field(ge=0, le=1, description="1 is best.")]


class RunCorpus(JsonModel):
    """Whose names were answered for."""

    title: Text
    layout: Text
    digest: Annotated[str, Field(pattern="^[0-9a-f]{8,64}$")]
    """Digest of names, ranks and keys; runs are compared if it is the same."""
    names: Annotated[int, Field(ge=1)]
    """Number of names; as many as in scores."""


class Run(JsonModel):
    """One system on one corpus with one seed: what it scored, and how it came about."""

    model_config = ConfigDict(title=_KIND)

    kind: Literal["weps run"]
    format: Literal[1]
    """A reader refuses every other."""
    system: Text
    """Name of the system in tables."""
    configuration: dict[Text, Plain]
    """Choices about the system, the seed excepted."""
    corpus: RunCorpus
    how: Text
    """Names that the system learnt from, e.g. cv:5, or train:sha256- and the digits of a corpus."""
    seed: Annotated[int, Field(ge=0)]
    signature: Text
    """Way in which scores were computed: key:value pairs joined by |."""
    weps: Text
    """The version of weps."""
    made: Text
    """The command line."""
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_iso_date)]
    machine: dict[Text, Plain]
    """Machine that it ran on: Python, libraries, cores."""
    seconds: dict[Text, Annotated[float, Field(ge=0)]]
    """Seconds that each part of the work took."""
    scores: Annotated[
        dict[Text, Annotated[dict[Text, Score], Field(min_length=1)]], Field(min_length=1)
    ]
    """Name searched for, measure, score; every name has the same measures."""

    @model_validator(mode="before")
    @classmethod
    def _check_format(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("kind") != _KIND:
            raise ValueError("expected a recorded run of weps")
        if data.get("format") != FORMAT:
            raise ValueError(f"the run has another format than {FORMAT}, which this weps reads")
        return data

    @field_validator("scores")
    @classmethod
    def _check_scores(cls, scores: Any, info: ValidationInfo) -> Any:
        measures = next(iter(scores.values())).keys()
        if others := [name for name, of_name in scores.items() if of_name.keys() != measures]:
            raise ValueError(f"{others[0]!r} is not scored by the measures of the other names")
        if "corpus" in info.data and info.data["corpus"].names != len(scores):
            raise ValueError("the corpus has another number of names than the scores")
        return scores

    @property
    def scorer(self) -> str:
        """Way from answers to scores: the signature without version and way of learning."""
        return self.signature.partition("|weps:")[0]

    def as_data(self) -> dict[str, Any]:
        """The run in JSON form, names and configuration in alphabetical order."""
        return {
            **self.model_dump(),
            "configuration": dict(sorted(self.configuration.items())),
            "scores": {
                name: dict(sorted(each.items())) for name, each in sorted(self.scores.items())
            },
        }


_LIBRARIES = ("numpy", "scipy", "scikit-learn")
_LARGEST = 10 << 20
_LONGEST_NAME = 40
"""Characters of each part of a file name."""
_REMEDY = "take it out of the folder, or record the run again"


def record_runs(benchmark: Benchmark, folder: Path, made: str) -> list[Path]:
    """Record a run of every system of a benchmark, those of each in a folder of its own.

    Args:
        benchmark: what the systems did.
        folder: where these folders are, or are made.
        made: the command line.

    Raises:
        OutputError: if a run cannot be written.
        ValuesError: if the name of a system or the command line is no text of a run.
    """
    machine = {
        "python": platform.python_version(),
        **{each: version(each) for each in _LIBRARIES},
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
    }
    corpus, paths = benchmark.corpus, []
    for system, trial in benchmark.trials.items():
        run = {
            "kind": _KIND,
            "format": FORMAT,
            "system": system,
            "configuration": _configuration(benchmark, system),
            "corpus": {
                "title": corpus.title,
                "layout": corpus.source.layout,
                "digest": corpus.digest,
                "names": len(corpus.forms),
            },
            "how": benchmark.how,
            "seed": benchmark.settings.seed,
            "signature": benchmark.signature,
            "weps": VERSION,
            "made": made,
            "date": datetime.now(tz=UTC).date().isoformat(),
            "machine": machine,
            "seconds": {
                "learning": round(trial.learning, 2),
                "answering": round(trial.answering, 2),
            },
            "scores": benchmark.scores[system],
        }
        # A name that had to be cut is told apart by its digest.
        short = _file_name(system)
        if len(system) > len(short):
            short += f"-{sha256(system.encode()).hexdigest()[:8]}"
        paths.append(write_run(validate_data(Run, run, ValuesError), folder / short))
    return paths


def _configuration(benchmark: Benchmark, system: str) -> dict[str, Any]:
    """The choices about a system, the seed excepted."""
    configuration = benchmark.systems.configurations[system]
    choices = {
        **asdict(benchmark.settings),
        **CLASSIFIERS[configuration.classifier].choices,
        **configuration.as_data(),
    }
    for key, value in configuration.by_form:
        form, _, part = key.partition(".")
        if part == "classifier":
            of_form = CLASSIFIERS[str(value)].choices.items()
            choices |= {f"{form}.{choice}": number for choice, number in of_form}
    del choices["seed"]
    wanted = benchmark.systems.wanted[system]
    if benchmark.systems.common:
        choices["features_shared_by"] = "all names"
    if required_layers(wanted):
        choices["language"] = benchmark.language
    if need_encoder(wanted):
        choices["encoder"] = benchmark.encoder
    if benchmark.html is not HtmlReader.FAST:
        choices["html"] = str(benchmark.html)
    return choices


def _file_name(text: str) -> str:
    """A name of at most 40 letters, digits and hyphens, which every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST_NAME].strip("-") or "x"


def write_run(run: Run, folder: Path) -> Path:
    """Write a run to a file of its own; recorded before, it replaces its earlier recording.

    Runs are the same if they differ in command, date, machine and seconds at most. A file that
    holds another run, or none, is left alone: a number is added to the name.

    Returns:
        The file, named after system, corpus, way of learning, and seed.

    Raises:
        OutputError: if it cannot be written.
    """
    make_folder(folder)
    parts = (run.system, run.corpus.title, run.how, f"seed{run.seed}")
    name = "_".join(map(_file_name, parts))
    circumstances = {"date", "machine", "made", "seconds"}
    for number in count(1):
        path = folder / f"{name}{'' if number == 1 else f'_{number}'}.json"
        if not path.exists():
            break
        with suppress(SourceError):
            one, other = (each.model_dump(exclude=circumstances) for each in (_read(path), run))
            if one == other:
                break
    content = json.dumps(run.as_data(), ensure_ascii=False, indent=1) + "\n"
    atomic_write({path: content.encode()})
    return path


def read_runs(path: Path) -> tuple[Run, ...]:
    """The run of a file, or the runs of all JSON files of a folder, by file name.

    Raises:
        SourceError: if there is none, or one of the files is damaged, foreign or of another
            format.
    """
    try:
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    except OSError as error:
        raise SourceError(f"cannot be read ({error_reason(error)})", where=path) from None
    if not files:
        what, remedy = "no recorded runs found", "give a file of a run, or their folder"
        raise SourceError(what, where=path, remedy=remedy)
    return tuple(map(_read, files))


def _read(path: Path) -> Run:
    raw = read_bytes(path, _LARGEST, SourceError)
    return parse_json(Run, raw, lambda faults: SourceError(faults, where=path, remedy=_REMEDY))
