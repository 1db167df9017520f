"""Two systems compared by their recorded runs: measure by measure, name by name, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from eval.comparison import Difference, compare
from eval.runs.sides import Side, Spread, check_comparable, spread
from eval.runs.verdicts import Verdict, verdict
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = ["COMPARED", "Compared", "compare_sides"]

COMPARED = ("bcubed_f05", "bcubed_f02", "bcubed_precision", "bcubed_recall", "purity_f05")
"""The measures compared, the main one first."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How the second of two sides differs from the first."""

    first: Side
    second: Side
    measure: str
    """The measure that the verdict is about."""
    differences: Mapping[str, Difference]
    """Measure → difference, the main one first."""
    names: Mapping[str, float]
    """Name → difference on the main measure, from worst to best."""
    spreads: tuple[Spread | None, Spread | None]
    """Of the seeds of either side on the main measure; None where there is but one seed."""
    verdict: Verdict
    cautions: tuple[str, ...]
    """What else may lie behind the difference, one sentence each."""

    @property
    def main(self) -> Difference:
        """The difference on the main measure."""
        return self.differences[self.measure]


def compare_sides(first: Side, second: Side, measure: str = COMPARED[0]) -> Compared:
    """Compare two systems, paired by name.

    Intervals and sign tests: see :func:`eval.comparison.compare`. The names are the sample; seeds
    are averaged beforehand, and how far they are apart is held against the difference.

    Args:
        first: the baseline.
        second: what is compared with it.
        measure: what the verdict is about.

    Raises:
        ValuesError: if the sides answer for other names, were scored differently, or lack one of
            the measures.
    """
    check_comparable(first, second)
    measures = tuple(dict.fromkeys((measure, *COMPARED)))
    for side in (first, second):
        _check_measures(side, measures)
    differences = {each: _difference(first, second, each) for each in measures}
    spreads = spread(first, measure), spread(second, measure)
    noise = max((each.mean for each in spreads if each), default=0.0)
    return Compared(
        first,
        second,
        measure,
        differences,
        _by_name(first, second, measure),
        spreads,
        verdict(differences[measure], noise),
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
    if lacking := [each for each in measures if each not in held]:
        raise ValuesError(
            f"its runs are not scored by {listed(lacking)}",
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
