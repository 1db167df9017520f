"""Systems compared by their recorded runs: JSON, and tables for the terminal.

Differences are stated by measure and by name, with the uncertainty over names and seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import isnan, nan
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from weps._formatting import (
    cut_text,
    format_number,
    format_p_value,
    format_signed,
    join_items,
)
from weps.errors import ValuesError
from weps_eval.clustering.measures import MEASURES
from weps_eval.clustering.scorers import Scores, mean_scores, scores_data, standard_errors
from weps_eval.stats import estimate

if TYPE_CHECKING:  # pydantic is imported only where runs are read or written
    from weps_eval.benchmark.runs import Run

COMPARED_MEASURES = ("bcubed_f05", "bcubed_f02", "bcubed_precision", "bcubed_recall", "purity_f05")
"""The measures compared, the main one first."""
_MAIN = COMPARED_MEASURES[0]
_LEVEL = 0.05
_FEWEST = 6
"""Names that must differ before the sign test can fall below the level: 2 / 2⁶ < 0.05 < 2 / 2⁵."""
_EQUAL = 1e-9
"""Differences no larger are none: the same answers, added up in another order."""
_VISIBLE = 5e-4
"""Smaller differences are zero in three decimals."""
_WIDTH = 100
"""Characters of a fact in a message."""
_COMPARABLE = {
    "corpus": "run both on the same names of the same corpus",
    "list of names": "run both on the same names of the same corpus",
    "scorer": "score both with the same --scorer",
}
"""Facts that two sides must have in common → the remedy if they differ."""

Verdict = Literal["better", "worse", "within the noise"]
Rows = list[list[str]]
"""Cells of a table; the first row is the heading."""


@dataclass(frozen=True, slots=True)
class Side:
    """A system to compare, made by :func:`side_of`."""

    label: str
    """Name of the system in tables."""
    runs: tuple[Run, ...]
    """Its runs in the order of their seeds."""
    scores: Scores
    """Name → measure → mean over the seeds."""


def side_of(runs: Sequence[Run], label: str) -> Side:
    """The runs of one system as a side; their scores are averaged name by name.

    Raises:
        ValuesError: if there is no run, two have one seed, or they differ in more than seeds.
    """
    if not runs:
        raise ValuesError("there are no runs", where=label, remedy="record some")
    all_facts = [_facts(run) for run in runs]
    values = {
        fact: sorted({facts.get(fact, "none") for facts in all_facts})
        for fact in dict.fromkeys(chain(*all_facts))
    }
    differing = [
        f"{fact} ({join_items(cut_text(value, _WIDTH) for value in several)})"
        for fact, several in values.items()
        if len(several) > 1
    ]
    if differing:
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
    ordered = tuple(sorted(runs, key=lambda run: run.seed))
    scores = {
        name: {measure: fmean(run.scores[name][measure] for run in ordered) for measure in of_name}
        for name, of_name in sorted(ordered[0].scores.items())
    }
    return Side(label, ordered, scores)


def seed_spread(side: Side) -> dict[str, Any] | None:
    """Distance between seeds on the main measure, None if there is but one.

    Returns:
        Mean absolute difference of two runs, ``mean`` of their means over names, ``names`` of their
        scores of each name.
    """
    if len(side.runs) == 1:
        return None
    by_seed = [{name: each[_MAIN] for name, each in run.scores.items()} for run in side.runs]

    def distance(values: Sequence[float]) -> float:
        return fmean(abs(one - other) for one, other in combinations(values, 2))

    return {
        "mean": distance([fmean(scores.values()) for scores in by_seed]),
        "names": {name: distance([scores[name] for scores in by_seed]) for name in side.scores},
    }


def _facts(run: Run) -> dict[str, str]:
    """The properties that the runs of a side have in common."""
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


def _check_comparable(first: Side, second: Side) -> None:
    """Check that two sides answer for the same names and were scored the same way."""
    one, other = (_facts(side.runs[0]) for side in (first, second))
    for fact, remedy in _COMPARABLE.items():
        if one[fact] != other[fact]:
            texts = [cut_text(each[fact], _WIDTH) for each in (one, other)]
            if fact == "corpus":
                corpora = (side.runs[0].corpus for side in (first, second))
                texts = [f"{corpus.title} {corpus.digest}" for corpus in corpora]
            raise ValuesError(
                f"{first.label} and {second.label} cannot be compared, the {fact} differs "
                f"({' and '.join(texts)})",
                remedy=remedy,
            )
    for side in (first, second):
        scored = next(iter(side.scores.values()))
        if missing := [each for each in COMPARED_MEASURES if each not in scored]:
            raise ValuesError(
                f"its runs are not scored by {join_items(missing)}",
                where=side.label,
                remedy="record them again with this weps",
            )


def assess_difference(
    difference: estimate.Difference, between_seeds: float = 0.0
) -> tuple[Verdict, list[str]]:
    """Better or worse only if interval, sign test and seeds leave no other reading.

    The 95 % interval must exclude 0, the sign test must fall below .05 in the same direction, and
    the difference must be larger than that between two seeds of one system.

    Args:
        difference: of the second system from the first.
        between_seeds: how far the mean of a system moves with its seed, 0 if that is not known.

    Returns:
        The verdict, and why it is no more than that, one sentence each.
    """
    better, worse = difference.better, difference.worse
    interval = (difference.low > _EQUAL) - (difference.high < -_EQUAL)
    signs = (better > worse) - (better < worse) if difference.p < _LEVEL else 0
    remarks = []
    if interval != signs:
        lies = {1: "lies above 0", -1: "lies below 0", 0: "includes 0"}[interval]
        means = {1: "says better", -1: "says worse", 0: "finds no direction"}[signs]
        remarks.append(
            f"Interval and sign test disagree: the interval {lies}, the sign test {means} (p "
            f"{format_p_value(difference.p)}; {better} names better, {worse} worse)."
        )
    if isnan(difference.low):
        remarks.append("A single name has no interval.")
    if 0 < (differing := better + worse) < _FEWEST:
        names = "1 name differs" if differing == 1 else f"{differing} names differ"
        remarks.append(f"{names}; the sign test needs {_FEWEST} to show anything.")
    if _EQUAL < abs(difference.mean) <= between_seeds:
        remarks.append(
            f"The difference ({format_signed(difference.mean, minus='-')}) is no larger than that "
            f"between two seeds of one system ({format_number(between_seeds)})."
        )
    if not interval or interval != signs or abs(difference.mean) <= max(between_seeds, _EQUAL):
        return "within the noise", remarks
    return "better" if interval > 0 else "worse", remarks


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """The differences of the second of two sides from the first, the baseline."""

    first: Side
    second: Side
    differences: Mapping[str, estimate.Difference]
    """One of :data:`COMPARED_MEASURES` → difference."""
    names: Mapping[str, float]
    """Name → difference on the main measure, from worst to best."""
    verdict: Verdict
    """The verdict on the main measure."""
    remarks: tuple[str, ...]
    """Doubts about the verdict, and what else may lie behind the difference, one sentence each."""

    @property
    def title(self) -> str:
        """What is compared."""
        return f"{self.second.label} against {self.first.label}"


def compare_sides(first: Side, second: Side) -> SystemComparison:
    """Compare two systems, paired by name.

    The names are the sample, see :func:`weps_eval.stats.estimate.compare`; seeds are averaged
    beforehand, and how far they are apart is compared with the difference.

    Args:
        first: the baseline.
        second: what is compared with it.

    Raises:
        ValuesError: if the sides answer for other names, were scored differently, or lack one of
            the measures.
    """
    _check_comparable(first, second)
    pairs = [(before, second.scores[name]) for name, before in first.scores.items()]
    differences = {
        measure: estimate.compare(
            [before[measure] for before, _ in pairs], [after[measure] for _, after in pairs]
        )
        for measure in COMPARED_MEASURES
    }
    moved = {
        name: second.scores[name][_MAIN] - before[_MAIN] for name, before in first.scores.items()
    }
    spreads = (seed_spread(first), seed_spread(second))
    noise = max((spread["mean"] for spread in spreads if spread), default=0.0)
    verdict, doubts = assess_difference(differences[_MAIN], noise)
    return SystemComparison(
        first,
        second,
        differences,
        dict(sorted(moved.items(), key=lambda item: (item[1], item[0]))),
        verdict,
        (*doubts, *_cautions(first, second)),
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


def comparisons_data(sides: Sequence[Side], comparisons: Sequence[SystemComparison]) -> Any:
    """The JSON form of the sides, the first of which is the baseline, and their differences."""
    first = sides[0].runs[0]
    return {
        "signature": first.scorer,
        "corpus": first.as_data()["corpus"],
        "measure": _MAIN,
        "systems": {
            side.label: {
                "system": (run := side.runs[0]).system,
                "configuration": dict(sorted(run.configuration.items())),
                "how": run.how,
                "weps": run.weps,
                "seeds": [run.seed for run in side.runs],
                **scores_data(side.scores),
                "between_seeds": seed_spread(side),
            }
            for side in sides
        },
        "comparisons": [
            {
                "first": each.first.label,
                "second": each.second.label,
                "verdict": each.verdict,
                "remarks": list(each.remarks),
                "differences": [
                    estimate.difference_data(*item) for item in each.differences.items()
                ],
                "names": dict(each.names),
            }
            for each in comparisons
        ],
    }


def side_rows(sides: Sequence[Side]) -> Rows:
    """A row for each system: seeds, mean ± standard error, spread over seeds."""
    headings = [MEASURES[measure].heading for measure in COMPARED_MEASURES]
    rows = [["mean ± standard error", "seeds", *headings, "between seeds"]]
    for side in sides:
        means, errors = mean_scores(side.scores), standard_errors(side.scores)
        cells = (
            f"{format_number(means[each])} ±{format_number(errors[each])}"
            for each in COMPARED_MEASURES
        )
        spread = seed_spread(side)
        between = format_number(spread["mean"] if spread else nan)
        rows.append([side.label, str(len(side.runs)), *cells, between])
    return rows


def measure_difference_rows(compared: SystemComparison) -> Rows:
    """A row for each measure: difference, interval, sign test, names better and worse."""
    rows = [
        [MEASURES[measure].heading, *estimate.difference_cells(each)]
        for measure, each in compared.differences.items()
    ]
    return [[compared.title, "difference", *estimate.DIFFERENCE_HEADINGS], *rows]


def name_difference_rows(compared: SystemComparison, most: int = 10) -> Rows:
    """A row for each of the names with the largest differences, from worst to best.

    Precision and recall show whether pages of several people were put together or those of one
    kept apart; the last column, how far seeds move the name.
    """
    sides = (compared.first, compared.second)
    visible = [name for name, value in compared.names.items() if abs(value) >= _VISIBLE]
    largest = set(sorted(visible, key=lambda name: -abs(compared.names[name]))[:most])
    spreads = [spread["names"] for side in sides if (spread := seed_spread(side))]
    labels = (side.label for side in sides)
    rows = [["F0.5", *labels, "ΔF0.5", "ΔBEP", "ΔBER", "between seeds"]]
    for name in visible:
        if name in largest:
            before, after = (side.scores[name] for side in sides)
            moved = max((names[name] for names in spreads), default=nan)
            rows.append(
                [
                    name,
                    *(format_number(scores[_MAIN]) for scores in (before, after)),
                    *(
                        format_signed(after[measure] - before[measure], minus="-")
                        for measure in (_MAIN, "bcubed_precision", "bcubed_recall")
                    ),
                    format_number(moved),
                ]
            )
    return rows


def verdict_line(compared: SystemComparison) -> str:
    """The verdict as a sentence."""
    difference = compared.differences[_MAIN]
    return (
        f"{compared.title}: {compared.verdict} (F0.5 "
        f"{format_signed(difference.mean, minus='-')}, 95 % interval "
        f"{estimate.difference_interval(difference)}, sign test p "
        f"{format_p_value(difference.p)})"
    )
