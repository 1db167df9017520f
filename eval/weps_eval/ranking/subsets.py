"""The best sets of measures: greedy and exhaustive search by MaxPWA, and the gain of each measure.

MaxPWA counts the comparisons that at least one measure gets right, so a measure never adds more
to a larger set than to a smaller one (it is submodular). An earlier gain of a measure is therefore
an upper bound of its current gain, and both searches skip what the bounds rule out; results are
those of trying everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from weps.errors import ValuesError
from weps_eval.ranking.dominance import Comparisons
from weps_eval.stats.arrays import Flags, Ints
from weps_eval.stats.estimate import PairCounts

_BATCH = 8
"""Measures tried in one pass over the comparisons."""


class Step(NamedTuple):
    """One measure more."""

    measure: int
    max_pwa: float
    """MaxPWA of the measures up to and including this one."""
    gain: float
    """Gain by this measure."""


class Subset(NamedTuple):
    """Some measures, in ascending order, and what they reach together."""

    measures: tuple[int, ...]
    max_pwa: float


def greedy_subsets(
    positives: ArrayLike, negatives: ArrayLike, size: int | None = None
) -> list[Step]:
    """Add, one after another, the measure with which MaxPWA is highest; the first one if tied.

    Reaches at least 1 − 1/e of the best subset's MaxPWA (Nemhauser, Wolsey and Fisher 1978).

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives).
        size: how many measures to add; None for all.

    Raises:
        ValuesError: as :func:`weps_eval.ranking.pwa.max_pwa`, or for a size that cannot be.
    """
    compared = Comparisons(positives, negatives)
    total = int(compared.total.sum())
    steps: list[Step] = []
    failed = total
    for measure, failing in _greedy_choice(compared, _checked(size, compared.measures)):
        steps.append(Step(measure, 1 - failing / total, (failed - failing) / total))
        failed = failing
    return steps


def best_subset(positives: ArrayLike, negatives: ArrayLike, size: int) -> Subset:
    """The subset of that size with the highest MaxPWA, by branch and bound.

    Of several equally good ones it is the one that greedy search finds, else the first found.

    Args:
        positives: shape (measures, positives).
        negatives: shape (measures, negatives).
        size: how many measures.

    Raises:
        ValuesError: as :func:`greedy_subsets`.
    """
    compared = Comparisons(positives, negatives)
    chosen = list(_greedy_choice(compared, _checked(size, compared.measures)))
    start = tuple(sorted(measure for measure, _ in chosen)), chosen[-1][1]
    found = start if size < 2 else _Search(compared, size, start).run()
    return Subset(found[0], 1 - found[1] / int(compared.total.sum()))


def gain_counts(
    positives: ArrayLike,
    negatives: ArrayLike,
    positive_groups: ArrayLike | None = None,
    negative_groups: ArrayLike | None = None,
) -> list[PairCounts]:
    """For each measure the comparisons that it alone decides right, by groups.

    Their pooled share is how much MaxPWA falls if this measure is taken away from all.
    """
    compared = Comparisons(positives, negatives, positive_groups, negative_groups)
    total = compared.total
    return [PairCounts.of(alone, total) for alone in compared.all_but_one()]


def _checked(size: int | None, measures: int) -> int:
    if size is None:
        return measures
    if not 1 <= size <= measures:
        raise ValuesError(f"no subset of {size} can be chosen from {measures} measures")
    return size


def _greedy_choice(compared: Comparisons, size: int) -> Iterator[tuple[int, int]]:
    """The measures that greedy search adds, and how many comparisons still fail with each.

    Lazy evaluation (Minoux 1978): a measure is tried again only while the bound of what it adds
    leads the field.
    """
    chosen: list[int] = []
    failed = int(compared.total.sum())
    bounds = dict.fromkeys(range(compared.measures), failed)
    while len(chosen) < size:
        leader = _best_addition(compared, chosen, failed, bounds)
        failed -= bounds.pop(leader)
        chosen.append(leader)
        yield leader, failed


def _best_addition(
    compared: Comparisons, chosen: Sequence[int], failed: int, bounds: dict[int, int]
) -> int:
    """The measure that adds most to the chosen; the bounds of those that are tried are updated."""
    tried: set[int] = set()
    while True:
        field = sorted(bounds, key=lambda measure: (-bounds[measure], measure))
        if field[0] in tried:
            return field[0]
        batch = [measure for measure in field[:_BATCH] if measure not in tried]
        failing = _failing(compared, chosen, batch)
        bounds.update(zip(batch, (failed - failing).tolist(), strict=True))
        tried.update(batch)


def _failing(compared: Comparisons, base: Sequence[int], others: Sequence[int]) -> Ints:
    """Shape (others,): comparisons that neither the base nor this other measure decides right."""
    return np.asarray(compared.extended(base, others).sum(axis=(1, 2)))


class _Search:
    """Branch and bound over subsets, each reached by its members in ascending order."""

    def __init__(
        self, compared: Comparisons, size: int, start: tuple[tuple[int, ...], int]
    ) -> None:
        self._compared, self._size, self._best = compared, size, start
        self._total = int(compared.total.sum())
        self._alone = self._total - _failing(compared, [], range(compared.measures))
        self._added: dict[int, Ints] = {}

    def run(self) -> tuple[tuple[int, ...], int]:
        """The best subset and how many comparisons fail with it."""
        every = np.arange(self._compared.measures)
        self._extend((), self._total, every, self._alone)
        return self._best

    def _extend(self, chosen: tuple[int, ...], failed: int, rest: Ints, gain: Ints) -> None:
        """Try the subsets that add to the chosen some of the rest, whose gains are known."""
        wanted = self._size - len(chosen)
        for place in np.argsort(-gain, kind="stable").tolist():
            measure, failing = int(rest[place]), failed - int(gain[place])
            extended = (*chosen, measure)
            if wanted == 1:  # none of the others gains more
                self._best = min(self._best, (extended, failing), key=lambda each: each[1])
                return
            later = rest > measure
            bound = np.minimum(gain[later], self._added_to(measure)[rest[later]])
            members = rest[later][self._promising(bound, failing, wanted - 1)]
            if len(members) >= wanted - 1:
                if chosen:
                    gains = failing - _failing(self._compared, extended, members.tolist())
                else:
                    gains = np.asarray(self._added_to(measure)[members])
                self._extend(extended, failing, members, gains)

    def _promising(self, bound: Ints, failing: int, wanted: int) -> Flags:
        """Shape (rest,): which may be part of a subset better than the best so far."""
        others = int(np.sort(bound)[::-1][: wanted - 1].sum())
        return bound > failing - others - self._best[1]

    def _added_to(self, first: int) -> Ints:
        """Shape (measures,): what each later one adds to the first; more if that rules it out."""
        if first not in self._added:
            failing, added = self._total - int(self._alone[first]), self._alone.copy()
            later = np.arange(len(added)) > first
            tried = np.flatnonzero(later & self._promising(added, failing, self._size - 1))
            if len(tried):
                added[tried] = failing - _failing(self._compared, [first], tried.tolist())
            self._added[first] = added
        return self._added[first]
