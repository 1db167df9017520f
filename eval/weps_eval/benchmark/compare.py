"""Two systems compared by their recorded runs: JSON, and tables for the terminal.

Differences are stated by measure and by name, with the uncertainty over names and seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import isnan, nan
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from weps._formatting import (
    cut_text,
    format_number,
    format_p_value,
    format_signed,
    join_items,
)
from weps.errors import ValuesError
from weps_eval.clustering.measures import MEASURES
from weps_eval.clustering.scorers import Scores, mean_scores, standard_errors
from weps_eval.stats.significance import (
    DIFFERENCE_HEADINGS,
    Difference,
    compare,
    difference_cells,
    difference_data,
    difference_interval,
)

if TYPE_CHECKING:  # pydantic is imported only where runs are read or written
    from weps_eval.benchmark.runs import Run

COMPARED_MEASURES = ("bcubed_f05", "bcubed_f02", "bcubed_precision", "bcubed_recall", "purity_f05")
"""The measures compared, the main one first."""
_LEVEL = 0.05
_FEWEST = 6
"""Names that must differ before the sign test can fall below the level: 2 / 2⁶ < 0.05 < 2 / 2⁵."""
_EQUAL = 1e-9
"""Differences no larger are none: the same answers, added up in another order."""
_VISIBLE = 5e-4
"""Smaller differences are zero in three decimals."""
_MOST = 10
"""Names in the table of the largest differences."""
_WIDTH = 100
"""Characters of a fact in a message."""
_COMPARABLE = {
    "corpus": "run both on the same names of the same corpus",
    "list of names": "run both on the same names of the same corpus",
    "scorer": "score both with the same --scorer",
}
"""What two sides must have in common, and what to do if they have not."""


@dataclass(frozen=True, slots=True)
class Side:
    """A system to compare, made by :func:`side_of`."""

    label: str
    """What it is called in tables."""
    runs: tuple[Run, ...]
    """In the order of their seeds."""
    scores: Scores
    """Name → measure → mean over the seeds."""


class SeedSpread(NamedTuple):
    """How far one seed is from another on one measure: mean absolute difference of two runs."""

    mean: float
    """Of the mean over names."""
    names: Mapping[str, float]
    """Of the score of each name."""


def side_of(runs: Sequence[Run], label: str) -> Side:
    """The runs of one system as a side; their scores are averaged name by name.

    Raises:
        ValuesError: if there is no run, two have one seed, or they differ in more than seeds.
    """
    if not runs:
        raise ValuesError("there are no runs", where=label, remedy="record some")
    _check_alike(runs, label)
    ordered = tuple(sorted(runs, key=lambda run: run.seed))
    scores = {
        name: {measure: fmean(run.scores[name][measure] for run in ordered) for measure in of_name}
        for name, of_name in sorted(ordered[0].scores.items())
    }
    return Side(label, ordered, scores)


def seed_spread(side: Side, measure: str) -> SeedSpread | None:
    """How far the seeds of a side are apart, None if there is but one."""
    if len(side.runs) == 1:
        return None
    by_seed = [{name: each[measure] for name, each in run.scores.items()} for run in side.runs]
    return SeedSpread(
        _mean_distance([fmean(scores.values()) for scores in by_seed]),
        {name: _mean_distance([scores[name] for scores in by_seed]) for name in side.scores},
    )


def _mean_distance(values: Sequence[float]) -> float:
    return fmean(abs(one - other) for one, other in combinations(values, 2))


def _check_alike(runs: Sequence[Run], label: str) -> None:
    all_facts = [_facts(run) for run in runs]
    found = {
        fact: sorted({facts.get(fact, "none") for facts in all_facts})
        for fact in dict.fromkeys(chain(*all_facts))
    }
    if different := {fact: values for fact, values in found.items() if len(values) > 1}:
        differing = (
            f"{fact} ({join_items(cut_text(value, _WIDTH) for value in values)})"
            for fact, values in different.items()
        )
        raise ValuesError(
            f"its runs differ in more than their seed: {join_items(differing)}",
            where=label,
            remedy="give one file, or a folder of runs that differ in their seed only",
        )
    (seed, times), *_ = Counter(run.seed for run in runs).most_common()
    if times > 1:
        raise ValuesError(
            f"two of its runs have the seed {seed}",
            where=label,
            remedy="take one of them out of the folder",
        )


def _check_comparable(first: Side, second: Side, measures: Sequence[str]) -> None:
    """Check that two sides answer for the same names and were scored the same way."""
    one, other = (_facts(side.runs[0]) for side in (first, second))
    for fact, remedy in _COMPARABLE.items():
        if one[fact] != other[fact]:
            raise ValuesError(
                f"{first.label} and {second.label} cannot be compared, the {fact} differs "
                f"({_describe_fact(first, one[fact])} and {_describe_fact(second, other[fact])})",
                remedy=remedy,
            )
    for side in (first, second):
        scored = next(iter(side.scores.values()))
        if missing := [each for each in measures if each not in scored]:
            raise ValuesError(
                f"its runs are not scored by {join_items(missing)}",
                where=side.label,
                remedy="choose a measure that they have, or record them again with this weps",
            )


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
    return f"{corpus.title} {fact}" if fact == corpus.digest else cut_text(fact, _WIDTH)


class DifferenceVerdict(NamedTuple):
    """What a difference amounts to."""

    word: Literal["better", "worse", "within the noise"]
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
    better, worse = difference.better, difference.worse
    interval = (difference.low > _EQUAL) - (difference.high < -_EQUAL)
    signs = (better > worse) - (better < worse) if difference.p < _LEVEL else 0
    certain = interval == signs and abs(difference.mean) > max(between_seeds, _EQUAL)
    remarks = tuple(_doubts(difference, interval, signs, between_seeds))
    if not certain or not interval:
        return DifferenceVerdict("within the noise", remarks)
    return DifferenceVerdict("better" if interval > 0 else "worse", remarks)


def _doubts(
    difference: Difference, interval: int, signs: int, between_seeds: float
) -> Iterator[str]:
    """Remarks on a difference whose interval and sign test have these directions, 0 for none."""
    if interval != signs:
        lies = {1: "lies above 0", -1: "lies below 0", 0: "includes 0"}[interval]
        means = {1: "says better", -1: "says worse", 0: "finds no direction"}[signs]
        yield (
            f"Interval and sign test disagree: the interval {lies}, the sign test {means} (p "
            f"{format_p_value(difference.p)}; {difference.better} names better, {difference.worse} "
            "worse)."
        )
    if isnan(difference.low):
        yield "A single name has no interval."
    if 0 < (differing := difference.better + difference.worse) < _FEWEST:
        names = "1 name differs" if differing == 1 else f"{differing} names differ"
        yield f"{names}; the sign test needs {_FEWEST} to show anything."
    if _EQUAL < abs(difference.mean) <= between_seeds:
        yield (
            f"The difference ({format_signed(difference.mean, minus='-')}) is no larger than that "
            f"between two seeds of one system ({format_number(between_seeds)})."
        )


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

    @property
    def title(self) -> str:
        """What is compared."""
        return f"{self.second.label} against {self.first.label}"


def compare_sides(
    first: Side, second: Side, measure: str = COMPARED_MEASURES[0]
) -> SystemComparison:
    """Compare two systems, paired by name.

    The names are the sample, see :func:`weps_eval.stats.significance.compare`; seeds are averaged
    beforehand, and how far they are apart is compared with the difference.

    Args:
        first: the baseline.
        second: what is compared with it.
        measure: what the verdict is about.

    Raises:
        ValuesError: if the sides answer for other names, were scored differently, or lack one of
            the measures.
    """
    measures = tuple(dict.fromkeys((measure, *COMPARED_MEASURES)))
    _check_comparable(first, second, measures)
    pairs = [(of_first, second.scores[name]) for name, of_first in first.scores.items()]
    differences = {
        each: compare([one[each] for one, _ in pairs], [other[each] for _, other in pairs])
        for each in measures
    }
    moved = (other[measure] - one[measure] for one, other in pairs)
    by_name = zip(first.scores, moved, strict=True)
    spreads = seed_spread(first, measure), seed_spread(second, measure)
    noise = max((each.mean for each in spreads if each), default=0.0)
    return SystemComparison(
        first,
        second,
        measure,
        differences,
        dict(sorted(by_name, key=lambda item: (item[1], item[0]))),
        spreads,
        assess_difference(differences[measure], noise),
        tuple(_cautions(first, second)),
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


def comparisons_data(sides: Sequence[Side], found: Sequence[SystemComparison], measure: str) -> Any:
    """The JSON form of the sides, the first of which is the baseline, and their differences."""
    first = sides[0].runs[0]
    return {
        "signature": first.scorer,
        "corpus": first.as_data()["corpus"],
        "measure": measure,
        "systems": {side.label: _side_data(side, measure) for side in sides},
        "comparisons": [
            {
                "first": each.first.label,
                "second": each.second.label,
                "verdict": each.verdict.word,
                "remarks": [*each.verdict.remarks, *each.cautions],
                "differences": [difference_data(*item) for item in each.differences.items()],
                "names": dict(each.names),
            }
            for each in found
        ],
    }


def _side_data(side: Side, measure: str) -> dict[str, Any]:
    first, spread = side.runs[0], seed_spread(side, measure)
    return {
        "system": first.system,
        "configuration": dict(sorted(first.configuration.items())),
        "how": first.how,
        "weps": first.weps,
        "seeds": [run.seed for run in side.runs],
        "names": {name: dict(scores) for name, scores in side.scores.items()},
        "mean": mean_scores(side.scores),
        "standard_error": {
            each: None if isnan(error) else error
            for each, error in standard_errors(side.scores).items()
        },
        "between_seeds": spread and spread._asdict(),
    }


def side_rows(sides: Sequence[Side]) -> list[list[str]]:
    """Heading, then a row per system: seeds, mean ± standard error, spread over seeds."""
    headings = map(_heading, COMPARED_MEASURES)
    rows = [["mean ± standard error", "seeds", *headings, "between seeds"]]
    for side in sides:
        means, errors = mean_scores(side.scores), standard_errors(side.scores)
        spread = seed_spread(side, COMPARED_MEASURES[0])
        cells = (
            f"{format_number(means[each])} ±{format_number(errors[each])}"
            for each in COMPARED_MEASURES
        )
        between = format_number(spread.mean if spread else nan)
        rows.append([side.label, str(len(side.runs)), *cells, between])
    return rows


def measure_difference_rows(compared: SystemComparison) -> list[list[str]]:
    """Heading, then a row per measure: difference, interval, sign test, names better and worse."""
    rows = [
        [_heading(measure), *difference_cells(each)]
        for measure, each in compared.differences.items()
    ]
    return [[compared.title, "difference", *DIFFERENCE_HEADINGS], *rows]


def name_difference_rows(compared: SystemComparison, most: int = _MOST) -> list[list[str]]:
    """Heading, then a row for each of the names with the largest differences, from worst to best.

    Precision and recall show whether pages of several people were put together or those of one
    kept apart; the last column, how far seeds move the name.
    """
    visible = [name for name, value in compared.names.items() if abs(value) >= _VISIBLE]
    largest = set(sorted(visible, key=lambda name: -abs(compared.names[name]))[:most])
    main, labels = _heading(compared.measure), (compared.first.label, compared.second.label)
    heading = [main, *labels, f"Δ{main}", "ΔBEP", "ΔBER", "between seeds"]
    rows = [_name_row(compared, name) for name in visible if name in largest]
    return [heading, *rows]


def _name_row(compared: SystemComparison, name: str) -> list[str]:
    before, after = compared.first.scores[name], compared.second.scores[name]
    measures = (compared.measure, "bcubed_precision", "bcubed_recall")
    moved = max((each.names[name] for each in compared.spreads if each), default=nan)
    return [
        name,
        *(format_number(scores[compared.measure]) for scores in (before, after)),
        *(format_signed(after[measure] - before[measure], minus="-") for measure in measures),
        format_number(moved),
    ]


def verdict_line(compared: SystemComparison) -> str:
    """The verdict as a sentence."""
    each = compared.main
    return (
        f"{compared.title}: {compared.verdict.word} ({_heading(compared.measure)} "
        f"{format_signed(each.mean, minus='-')}, 95 % interval {difference_interval(each)}, "
        f"sign test p {format_p_value(each.p)})"
    )


def _heading(measure: str) -> str:
    return MEASURES[measure].heading if measure in MEASURES else measure
