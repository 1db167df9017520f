"""Recorded runs: one system on one corpus with one seed, its scores and provenance.

Each run is a JSON file that no other run replaces; it is checked when read, since it may be written
by other programs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any
from unicodedata import category

from weps._files import atomic_write, make_folder
from weps._formatting import error_reason, join_items, quote_text
from weps._version import VERSION
from weps.errors import SourceError, ValuesError

__all__ = [
    "CIRCUMSTANCES",
    "FORMAT",
    "Plain",
    "Run",
    "RunCorpus",
    "Scores",
    "check_date",
    "check_digest",
    "check_fields",
    "check_numbers",
    "check_plain",
    "check_scores",
    "check_text",
    "check_whole",
    "read_runs",
    "safe_file_name",
    "write_run",
]

_LONGEST_TEXT = 10_000
"""Characters of a text: command lines can be long."""
_UNSEEN = ("Cc", "Cs")
"""Control characters, and halves of characters, which cannot be written."""


def check_fields(data: Any, fields: Collection[str], where: str) -> None:
    """An object with these fields and no other."""
    _check_table(data, where)
    for fault, found in (
        ("lacks", [each for each in fields if each not in data]),
        ("has unknown fields:", [each for each in data if each not in fields]),
    ):
        if found:
            raise ValuesError(f"the {where} {fault} {join_items(map(quote_text, found))}")


def check_text(value: Any, where: str) -> None:
    """A text on one line, not empty."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT:
        raise ValuesError(f"expected 1 to {_LONGEST_TEXT:,} characters for the {where}")
    if any(category(character) in _UNSEEN for character in value):
        raise ValuesError(f"the {where} has characters that cannot be printed")


def check_whole(value: Any, where: str) -> None:
    """A whole number from 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValuesError(f"expected a whole number from 0 for the {where}")


def check_digest(value: Any) -> None:
    """A digest as sources give it."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{8,64}", value):
        raise ValuesError("the digest of the corpus is not 8 to 64 hexadecimal digits")


def check_date(value: Any) -> None:
    """A date as 2026-11-21."""
    check_text(value, "date")
    try:
        sound = date.fromisoformat(value).isoformat() == value
    except ValueError:
        sound = False
    if not sound:
        raise ValuesError(f"expected a date such as 2026-11-21, got {quote_text(value)}")


def check_plain(value: Any, where: str) -> None:
    """Text → text, which may be empty, finite number, or truth value."""
    for key, entry in _check_table(value, where).items():
        if isinstance(entry, str):
            check_text(entry or "-", f"{where} of {quote_text(key)}")
        elif not isinstance(entry, bool):
            _check_number(entry, f"{where} of {quote_text(key)}", least=-math.inf)


def check_numbers(value: Any, where: str) -> None:
    """Text → finite number from 0."""
    for key, entry in _check_table(value, where).items():
        _check_number(entry, f"{where} of {quote_text(key)}")


def check_scores(value: Any) -> None:
    """Name → measure → score from 0 to 1, at least one, every name with the same measures."""
    names = _check_table(value, "scores")
    if not names:
        raise ValuesError("no scores found")
    measures = set(_check_table(next(iter(names.values())), "scores"))
    for name, scores in names.items():
        if set(_check_table(scores, f"scores of {quote_text(name)}")) != measures or not measures:
            raise ValuesError(
                f"{quote_text(name)} is not scored by the measures of the other names"
            )
        for measure, score in scores.items():
            _check_number(score, f"{quote_text(measure)} of {quote_text(name)}", most=1)


def _check_table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValuesError(f"expected an object for the {where}")
    for key in value:
        check_text(key, f"name of a field in the {where}")
    return value


def _check_number(value: Any, where: str, *, least: float = 0, most: float = math.inf) -> None:
    """A number of this range; infinity, NaN and truth values are none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValuesError(f"expected a number for the {where}")
    if not (least <= value <= most and -math.inf < value < math.inf):
        limits = " from 0 to 1" if most == 1 else ""
        raise ValuesError(f"expected a number{limits} for the {where}")


FORMAT = 1
"""Version of the file format; a reader refuses every other."""
CIRCUMSTANCES = ("date", "machine", "made", "seconds")
"""Fields in which two recordings of one run may differ."""
_KIND = "weps run"
_CORPUS = ("title", "layout", "digest", "names")
_FIELDS = (
    *("kind", "format", "system", "configuration", "corpus", "how", "seed", "signature"),
    *("weps", "made", "date", "machine", "seconds", "scores"),
)

Plain = str | int | float
Scores = Mapping[str, Mapping[str, float]]
"""Name searched for → measure → score from 0 to 1."""


@dataclass(frozen=True, slots=True)
class RunCorpus:
    """The corpus whose names were answered for."""

    title: str
    layout: str
    digest: str
    """See :meth:`weps.sources.base.Source.digest`."""


@dataclass(frozen=True, slots=True)
class Run:
    """One system on one corpus with one seed (docs/schema/run.schema.json).

    Raises:
        ValuesError: if a part is missing, of the wrong type or out of range, or if the names are
            not all scored by the same measures.
    """

    system: str
    configuration: Mapping[str, Plain]
    """What was chosen about the system, the seed excepted."""
    corpus: RunCorpus
    how: str
    """What the system learnt from, the seed excepted: ``cv:5``, or ``train:sha256-`` and digits."""
    seed: int
    signature: str
    """That of the scorer, which ends in the version of weps; more may follow."""
    made: str
    """The command line."""
    date: str
    """As 2026-11-21."""
    machine: Mapping[str, Plain]
    seconds: Mapping[str, float]
    scores: Scores
    weps: str = VERSION

    def __post_init__(self) -> None:
        for part in ("system", "how", "signature", "made", "weps"):
            check_text(getattr(self, part), part)
        check_text(self.corpus.title, "title of the corpus")
        check_text(self.corpus.layout, "layout of the corpus")
        check_digest(self.corpus.digest)
        check_whole(self.seed, "seed")
        check_date(self.date)
        check_plain(self.configuration, "configuration")
        check_plain(self.machine, "machine")
        check_numbers(self.seconds, "seconds")
        check_scores(self.scores)

    @property
    def scorer(self) -> str:
        """How answers became scores: the signature without version and way of learning."""
        return self.signature.partition("|weps:")[0]

    def as_data(self) -> dict[str, Any]:
        """The run in JSON form, names and configuration in alphabetical order."""
        corpus, scores = self.corpus, sorted(self.scores.items())
        return {
            "kind": _KIND,
            "format": FORMAT,
            "system": self.system,
            "configuration": dict(sorted(self.configuration.items())),
            "corpus": {
                "title": corpus.title,
                "layout": corpus.layout,
                "digest": corpus.digest,
                "names": len(scores),
            },
            "how": self.how,
            "seed": self.seed,
            "signature": self.signature,
            "weps": self.weps,
            "made": self.made,
            "date": self.date,
            "machine": dict(self.machine),
            "seconds": dict(self.seconds),
            "scores": {
                name: {measure: float(score) for measure, score in sorted(of_name.items())}
                for name, of_name in scores
            },
        }

    @classmethod
    def from_data(cls, data: Any) -> Run:
        """The run that JSON holds.

        Raises:
            ValuesError: if it holds none, one of another format, or a damaged one.
        """
        _check_format(data)
        check_fields(data, _FIELDS, "run")
        check_fields(data["corpus"], _CORPUS, "corpus")
        about = {field: data[field] for field in _FIELDS if field not in ("kind", "format")}
        corpus = {field: data["corpus"][field] for field in _CORPUS if field != "names"}
        run = cls(**{**about, "corpus": RunCorpus(**corpus)})
        if data["corpus"]["names"] != len(run.scores):
            raise ValuesError("the corpus has another number of names than the scores")
        return run


def _check_format(data: Any) -> None:
    if not isinstance(data, dict) or data.get("kind") != _KIND:
        raise ValuesError("expected a recorded run of weps")
    if data.get("format") != FORMAT:
        raise ValuesError(
            f"the run has another format than {FORMAT}, which this weps reads",
            remedy="record it again, or install the weps that recorded it",
        )


_LARGEST = 10_000_000
_LONGEST_NAME = 40
"""Characters of each part of a file name."""
_RUN_REMEDY = "take it out of the folder, or record the run again"


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
    content = json.dumps(run.as_data(), ensure_ascii=False, indent=1) + "\n"
    path = next(
        path
        for path in _candidate_paths(run, folder)
        if not path.exists() or _contains_run(path, run)
    )
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


def _candidate_paths(run: Run, folder: Path) -> Iterator[Path]:
    """The files that the run may go to, the best one first."""
    parts = (run.system, run.corpus.title, run.how, f"seed{run.seed}")
    name = "_".join(map(safe_file_name, parts))
    yield folder / f"{name}.json"
    yield from (folder / f"{name}_{number}.json" for number in count(2))


def safe_file_name(text: str) -> str:
    """At most 40 letters, digits and hyphens, which every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST_NAME].strip("-") or "x"


def _contains_run(path: Path, run: Run) -> bool:
    try:
        return _content(_read(path)) == _content(run)
    except SourceError:
        return False


def _content(run: Run) -> dict[str, Any]:
    return {key: value for key, value in run.as_data().items() if key not in CIRCUMSTANCES}


def _read(path: Path) -> Run:
    try:
        return Run.from_data(json.loads(_text(path)))
    except ValuesError as error:
        raise SourceError(error.what, where=path, remedy=error.remedy or _RUN_REMEDY) from None
    except (ValueError, RecursionError):
        raise SourceError("invalid JSON", where=path, remedy=_RUN_REMEDY) from None


def _text(path: Path) -> str:
    """The text of a file; devices and pipes, which may never end, are none."""
    if not path.is_file():
        raise SourceError("file not found", where=path, remedy="check its name")
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        what, remedy = f"cannot be read ({error_reason(error)})", "check that you may read it"
        raise SourceError(what, where=path, remedy=remedy) from None
    if len(raw) > _LARGEST:
        raise SourceError("this is far too large for a run", where=path, remedy=_RUN_REMEDY)
    return raw.decode()
