"""Two systems compared by their recorded runs, which differ in their seed only.

Differences are stated measure by measure and name by name, with the uncertainty over names and
seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations
from math import isnan
from statistics import fmean

from eval.benchmark.runs import Run, Scores
from eval.stats.significance import Difference, compare
from weps._formatting import format_number, format_p_value, format_signed, join_items
from weps.errors import ValuesError

__all__ = [
    "COMPARED_MEASURES",
    "DifferenceVerdict",
    "SeedSpread",
    "Side",
    "SystemComparison",
    "VerdictWord",
    "assess_difference",
    "check_comparable",
    "compare_sides",
    "seed_spread",
    "side_of",
]

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
class SeedSpread:
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


def seed_spread(side: Side, measure: str) -> SeedSpread | None:
    """How far the seeds of a side are apart, None if there is but one."""
    if len(side.runs) == 1:
        return None
    by_seed = [{name: each[measure] for name, each in run.scores.items()} for run in side.runs]
    return SeedSpread(
        names={name: _mean_distance([scores[name] for scores in by_seed]) for name in side.scores},
        mean=_mean_distance([fmean(scores.values()) for scores in by_seed]),
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
                f"({_describe_fact(first, one[fact])} and {_describe_fact(second, other[fact])})",
                remedy=remedy,
            )


def _check_alike(runs: Sequence[Run], label: str) -> None:
    all_facts = [_facts(run) for run in runs]
    found = {
        fact: sorted({facts.get(fact, "none") for facts in all_facts})
        for fact in dict.fromkeys(chain(*all_facts))
    }
    if different := {fact: values for fact, values in found.items() if len(values) > 1}:
        differing = (
            f"{fact} ({join_items(map(_shorten, values))})" for fact, values in different.items()
        )
        raise ValuesError(
            f"its runs differ in more than their seed: {join_items(differing)}",
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


def _describe_fact(side: Side, fact: str) -> str:
    corpus = side.runs[0].corpus
    return f"{corpus.title} {fact}" if fact == corpus.digest else _shorten(fact)


def _shorten(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def _mean_distance(values: Sequence[float]) -> float:
    """Mean absolute difference of two of the values."""
    return fmean(abs(one - other) for one, other in combinations(values, 2))


_LEVEL = 0.05
_FEWEST = 6
"""Names that must differ before the sign test can fall below the level: 2 / 2⁶ < 0.05 < 2 / 2⁵."""
_EQUAL = 1e-9
"""Differences no larger are none: the same answers, added up in another order."""


class VerdictWord(StrEnum):
    """The verdict in short: of the second system against the first."""

    BETTER = "better"
    WORSE = "worse"
    NOISE = "within the noise"


@dataclass(frozen=True, slots=True)
class DifferenceVerdict:
    """What a difference amounts to."""

    word: VerdictWord
    remarks: tuple[str, ...]
    """Why it is no more than that, one sentence each."""


def assess_difference(difference: Difference, between_seeds: float = 0.0) -> DifferenceVerdict:
    """Better or worse only if interval, sign test and seeds leave no other reading.

    The 95 % interval must exclude 0, the sign test must fall below .05 in the same direction, and
    the difference must be larger than that between two seeds of one system.

    Args:
        difference: of the second system from the first.
        between_seeds: how far the mean of a system moves with its seed, 0 if that is not known.
    """
    interval, signs = _of_interval(difference), _of_signs(difference)
    large = abs(difference.mean) > max(between_seeds, _EQUAL)
    held = interval == signs and large
    word = {1: VerdictWord.BETTER, -1: VerdictWord.WORSE}.get(
        interval if held else 0, VerdictWord.NOISE
    )
    remarks = [*_disagreement(difference, interval, signs), *_few_names(difference)]
    if _EQUAL < abs(difference.mean) <= between_seeds:
        remarks.append(
            f"The difference ({format_signed(difference.mean, minus='-')}) is no larger than that "
            f"between two seeds of one system ({format_number(between_seeds)})."
        )
    return DifferenceVerdict(word, tuple(remarks))


def _of_interval(difference: Difference) -> int:
    """1 if the interval lies above 0, -1 if below, 0 if it does not exclude 0 or is not known."""
    return (difference.low > _EQUAL) - (difference.high < -_EQUAL)


def _of_signs(difference: Difference) -> int:
    """1 if more names are better than chance explains, -1 if worse, else 0."""
    better, worse = difference.better, difference.worse
    return (better > worse) - (better < worse) if difference.p < _LEVEL else 0


def _disagreement(difference: Difference, interval: int, signs: int) -> Iterator[str]:
    if interval != signs:
        lies = {1: "lies above 0", -1: "lies below 0", 0: "includes 0"}[interval]
        means = {1: "says better", -1: "says worse", 0: "finds no direction"}[signs]
        yield (
            f"Interval and sign test disagree: the interval {lies}, the sign test {means} (p "
            f"{format_p_value(difference.p)}; {difference.better} names better, {difference.worse} "
            "worse)."
        )


def _few_names(difference: Difference) -> Iterator[str]:
    if isnan(difference.low):
        yield "A single name has no interval."
    if 0 < (differing := difference.better + difference.worse) < _FEWEST:
        names = "1 name differs" if differing == 1 else f"{differing} names differ"
        yield f"{names}; the sign test needs {_FEWEST} to show anything."


COMPARED_MEASURES = ("bcubed_f05", "bcubed_f02", "bcubed_precision", "bcubed_recall", "purity_f05")
"""The measures compared, the main one first."""


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """How the second of two sides differs from the first."""

    first: Side
    second: Side
    measure: str
    """The measure that the verdict is about."""
    differences: Mapping[str, Difference]
    """Measure → difference, the main one first."""
    names: Mapping[str, float]
    """Name → difference on the main measure, from worst to best."""
    spreads: tuple[SeedSpread | None, SeedSpread | None]
    """Of the seeds of either side on the main measure; None where there is but one seed."""
    verdict: DifferenceVerdict
    cautions: tuple[str, ...]
    """What else may lie behind the difference, one sentence each."""

    @property
    def main(self) -> Difference:
        """The difference on the main measure."""
        return self.differences[self.measure]


def compare_sides(
    first: Side, second: Side, measure: str = COMPARED_MEASURES[0]
) -> SystemComparison:
    """Compare two systems, paired by name.

    Intervals and sign tests: see :func:`eval.stats.significance.compare`. The names are the
    sample; seeds are averaged beforehand, and how far they are apart is compared with the
    difference.

    Args:
        first: the baseline.
        second: what is compared with it.
        measure: what the verdict is about.

    Raises:
        ValuesError: if the sides answer for other names, were scored differently, or lack one of
            the measures.
    """
    check_comparable(first, second)
    measures = tuple(dict.fromkeys((measure, *COMPARED_MEASURES)))
    for side in (first, second):
        _check_measures(side, measures)
    differences = {each: _difference(first, second, each) for each in measures}
    spreads = seed_spread(first, measure), seed_spread(second, measure)
    noise = max((each.mean for each in spreads if each), default=0.0)
    return SystemComparison(
        first,
        second,
        measure,
        differences,
        _by_name(first, second, measure),
        spreads,
        assess_difference(differences[measure], noise),
        tuple(_cautions(first, second)),
    )


def _difference(first: Side, second: Side, measure: str) -> Difference:
    before = [scores[measure] for scores in first.scores.values()]
    return compare(before, [second.scores[name][measure] for name in first.scores])


def _by_name(first: Side, second: Side, measure: str) -> dict[str, float]:
    found = {
        name: second.scores[name][measure] - of_first[measure]
        for name, of_first in first.scores.items()
    }
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def _check_measures(side: Side, measures: tuple[str, ...]) -> None:
    held = next(iter(side.scores.values()))
    if missing := [each for each in measures if each not in held]:
        raise ValuesError(
            f"its runs are not scored by {join_items(missing)}",
            where=side.label,
            remedy="choose a measure that they have, or record them again with this weps",
        )


def _cautions(first: Side, second: Side) -> Iterator[str]:
    one, other = first.runs[0], second.runs[0]
    if one.how != other.how:
        yield (
            f"The systems learnt from different names ({one.how}, {other.how}): the difference is "
            "also one of what there was to learn."
        )
    if one.weps != other.weps:
        yield f"The runs are of different versions of weps ({one.weps}, {other.weps})."
    if single := [side.label for side in (first, second) if len(side.runs) == 1]:
        yield (
            f"One seed only of {' and '.join(single)}: how far another would move the scores is "
            "not known."
        )
