"""A run: one system on one corpus with one seed, what it scored and how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eval.runs.checks import (
    check_date,
    check_digest,
    check_fields,
    check_numbers,
    check_plain,
    check_scores,
    check_text,
    check_whole,
)
from weps.errors import ValuesError
from weps.version import VERSION

__all__ = ["CIRCUMSTANCES", "FORMAT", "Plain", "Run", "RunCorpus", "Scores"]

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
    """See :meth:`weps.sources.Source.digest`."""


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
    """That of the judge, which ends in the version of weps; more may follow."""
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
        """The run as JSON holds it, names and configuration in alphabetical order."""
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
        raise ValuesError("this is no recorded run of weps")
    if data.get("format") != FORMAT:
        raise ValuesError(
            f"the run has another format than {FORMAT}, which this weps reads",
            remedy="record it again, or install the weps that recorded it",
        )
