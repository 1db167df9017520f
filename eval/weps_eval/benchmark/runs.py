"""Recorded runs, one system on one corpus with one seed each, and systems compared by them.

Each run is a JSON file that no other run replaces; it is checked when read, since it may be written
by other programs. Differences of systems are stated by measure and by name, with the uncertainty
over names and seeds. Imports pydantic, so commands import this module when they read or record
runs.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, Literal
from unicodedata import category

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from weps._files import atomic_write, make_folder, read_bytes
from weps._schema import JsonModel, parse_json
from weps.errors import SourceError, told_as

KIND = "weps run"
_LONGEST_TEXT = 10_000
"""Characters; command lines can be long."""


def _printable(text: str) -> str:
    if any(category(character) == "Cc" for character in text):
        raise ValueError("has characters that cannot be printed")
    return text


Text = Annotated[str, Field(min_length=1, max_length=_LONGEST_TEXT), AfterValidator(_printable)]
"""A text on one line."""
Plain = (
    Annotated[str, Field(max_length=_LONGEST_TEXT), AfterValidator(_printable)] | bool | int | float
)
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

    model_config = ConfigDict(title=KIND)

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
    date: Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
    machine: dict[Text, Plain]
    """Machine that it ran on: Python, libraries, cores."""
    seconds: dict[Text, Annotated[float, Field(ge=0)]]
    """Seconds that each part of the work took."""
    scores: Annotated[
        dict[Text, Annotated[dict[Text, Score], Field(min_length=1)]], Field(min_length=1)
    ]
    """Name searched for, measure, score; every name has the same measures."""

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


_LARGEST = 10 << 20
_LONGEST_NAME = 40
"""Characters of each part of a file name."""


def file_name(text: str) -> str:
    """A name of at most 40 letters, digits and hyphens, which every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST_NAME].strip("-") or "x"


def write_run(run: Run, folder: Path) -> Path:
    """Write a run to a file of its own; recorded before, it replaces its earlier recording.

    Runs are the same if they differ in command, date, machine and seconds at most. A file that
    holds another run, or none, is left alone: a number is added to the name.

    Returns:
        The file, named after system, corpus, way of learning, and seed.
    """
    make_folder(folder)
    name = "_".join(map(file_name, (run.system, run.corpus.title, run.how, f"seed{run.seed}")))
    circumstances = run.model_dump(include={"date", "machine", "made", "seconds"})
    for number in chain([""], map("_{}".format, count(2))):
        path = folder / f"{name}{number}.json"
        if not path.exists():
            break
        with suppress(SourceError):
            if _read(path).model_copy(update=circumstances) == run:
                break
    content = json.dumps(run.model_dump(), ensure_ascii=False, indent=1)
    atomic_write({path: f"{content}\n".encode()})
    return path


def read_runs(path: Path) -> list[Run]:
    """The run of a file, or the runs of all JSON files of a folder, by file name.

    Raises:
        SourceError: if there is none, or one of the files is damaged, foreign or of another
            format.
    """
    with told_as(SourceError, "cannot be read", path):
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise SourceError(
            "no recorded runs found", where=path, remedy="give a file of a run, or their folder"
        )
    return list(map(_read, files))


def _read(path: Path) -> Run:
    return parse_json(
        Run,
        read_bytes(path, _LARGEST, SourceError),
        lambda faults: SourceError(
            faults, where=path, remedy="take it out of the folder, or record the run again"
        ),
    )
