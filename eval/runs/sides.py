"""A side of a comparison: the runs of one system that differ in their seed only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from statistics import fmean

from eval.runs.record import Run, Scores
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = ["Side", "Spread", "check_comparable", "side_of", "spread"]

_WIDTH = 100
"""Characters of a fact in a message."""


@dataclass(frozen=True, slots=True)
class Side:
    """A system to compare, made by :func:`side_of`."""

    label: str
    """What it is called in tables."""
    runs: tuple[Run, ...]
    """In the order of their seeds."""
    scores: Scores
    """Name → measure → mean over the seeds."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far one seed is from another on one measure: mean absolute difference of two runs."""

    names: Mapping[str, float]
    """Of the score of each name."""
    mean: float
    """Of the mean over names."""


def side_of(runs: Sequence[Run], label: str) -> Side:
    """The runs of one system as a side; their scores are averaged name by name.

    Raises:
        ValuesError: if there is no run, two have one seed, or they differ in more than seeds.
    """
    if not runs:
        raise ValuesError("there are no runs", where=label, remedy="record some")
    _check_alike(runs, label)
    ordered = tuple(sorted(runs, key=lambda run: run.seed))
    first = ordered[0].scores
    scores = {
        name: {measure: fmean(run.scores[name][measure] for run in ordered) for measure in of_name}
        for name, of_name in sorted(first.items())
    }
    return Side(label, ordered, scores)


def spread(side: Side, measure: str) -> Spread | None:
    """How far the seeds of a side are apart, None if there is but one."""
    if len(side.runs) == 1:
        return None
    by_seed = [{name: each[measure] for name, each in run.scores.items()} for run in side.runs]
    return Spread(
        names={name: _apart([scores[name] for scores in by_seed]) for name in side.scores},
        mean=_apart([fmean(scores.values()) for scores in by_seed]),
    )


def check_comparable(first: Side, second: Side) -> None:
    """Make sure that two sides answer for the same names and were scored the same way.

    Raises:
        ValuesError: if not.
    """
    one, other = (_facts(side.runs[0]) for side in (first, second))
    for fact, remedy in _COMPARABLE.items():
        if one[fact] != other[fact]:
            raise ValuesError(
                f"{first.label} and {second.label} cannot be compared, the {fact} differs "
                f"({_told(first, one[fact])} and {_told(second, other[fact])})",
                remedy=remedy,
            )


def _check_alike(runs: Sequence[Run], label: str) -> None:
    all_facts = [_facts(run) for run in runs]
    found = {
        fact: sorted({facts.get(fact, "none") for facts in all_facts})
        for fact in dict.fromkeys(chain(*all_facts))
    }
    if different := {fact: values for fact, values in found.items() if len(values) > 1}:
        told = (f"{fact} ({listed(map(_cut, values))})" for fact, values in different.items())
        raise ValuesError(
            f"its runs differ in more than their seed: {listed(told)}",
            where=label,
            remedy="give one file, or a folder of runs that differ in their seed only",
        )
    seeds = Counter(run.seed for run in runs)
    if twice := sorted(seed for seed, times in seeds.items() if times > 1):
        raise ValuesError(
            f"two of its runs have the seed {twice[0]}",
            where=label,
            remedy="take one of them out of the folder",
        )


_COMPARABLE = {
    "corpus": "run both on the same names of the same corpus",
    "list of names": "run both on the same names of the same corpus",
    "scorer": "score both with the same --scorer",
}
"""What two sides must have in common, and what to do if they have not."""


def _facts(run: Run) -> dict[str, str]:
    """What the runs of a side have in common."""
    return {
        "system": run.system,
        "corpus": run.corpus.digest,
        "list of names": ", ".join(sorted(run.scores)),
        "list of measures": ", ".join(sorted(next(iter(run.scores.values())))),
        "scorer": run.scorer,
        "way of learning": run.how,
        "version of weps": run.weps,
        **{f"configuration of {key}": str(value) for key, value in run.configuration.items()},
    }


def _told(side: Side, fact: str) -> str:
    corpus = side.runs[0].corpus
    return f"{corpus.title} {fact}" if fact == corpus.digest else _cut(fact)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def _apart(values: Sequence[float]) -> float:
    """Mean absolute difference of two of the values."""
    return fmean(abs(one - other) for one, other in combinations(values, 2))
