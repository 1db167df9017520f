"""Quality against heterogeneity: what corroborates an increase, and how often it is real."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.heterogeneity.pairs import ordered_pairs
from eval.meta.heterogeneity.ranking import contradicting
from eval.meta.heterogeneity.verdicts import Verdicts
from eval.meta.judged import as_judged
from eval.ordering.values import as_groups
from weps.errors import ValuesError
from weps.progress import Progress, silent

__all__ = ["Increase", "Levels", "levels_by_group", "quality_increase"]

_WORK = "comparing instances"
Floats = NDArray[np.float64]


class Increase(NamedTuple):
    """Comparisons from the least to the most heterogeneously corroborated, in equal parts."""

    heterogeneity: Floats
    """Shape (intervals,): mean of H({x: x(s) ≥ x(s')})."""
    probability: Floats
    """Shape (intervals,): P(Q(s) ≥ Q(s'))."""


def quality_increase(
    values: ArrayLike,
    quality: ArrayLike,
    verdicts: Verdicts,
    group: ArrayLike | None = None,
    intervals: int = 100,
) -> Increase:
    """The heterogeneity principle put to the test (workshop 2012, section 5.1, figure 1).

    Every two instances of one group are compared both ways round, sorted by the heterogeneity of
    what corroborates that the first is better, and cut into intervals of equal size. Comparisons
    of the same heterogeneity are alike, so where a cut falls among them each side gets its share;
    the order of instances does not matter. Memory grows with the pairs of the verdicts only.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), as people judged.
        verdicts: over which heterogeneity is a share (the paper: 10,000 samples).
        group: shape (instances,), the topic of each; None for one.
        intervals: how many, the paper's 100 by default.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together; if there is
            nothing to compare, or no interval.
    """
    together = np.zeros(np.shape(quality), dtype=np.int64)
    return _levels(values, quality, verdicts, group, together).cut(intervals)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Comparisons by group and by the heterogeneity of what corroborates them."""

    total: Floats
    """Shape (groups, levels): level c is a heterogeneity of c / (levels − 1)."""
    real: Floats
    """Shape (groups, levels): those of them with Q(s) ≥ Q(s')."""

    def cut(self, intervals: int = 100, times: ArrayLike | None = None) -> Increase:
        """What :func:`quality_increase` tells.

        Args:
            intervals: how many.
            times: shape (groups,), how often each group counts; None for once.

        Raises:
            ValuesError: if there is nothing to compare, or no interval.
        """
        if intervals < 1:
            raise ValuesError(f"{intervals} intervals are none", where="intervals")
        often = np.ones(len(self.total)) if times is None else np.asarray(times, dtype=np.float64)
        total, real = often @ self.total, often @ self.real
        if not total.any():
            raise ValuesError("no group has two instances", where="group")
        heterogeneity = np.arange(len(total)) / (len(total) - 1)
        return Increase(*(_means(total, each, intervals) for each in (total * heterogeneity, real)))


def levels_by_group(
    values: ArrayLike,
    quality: ArrayLike,
    verdicts: Verdicts,
    group: ArrayLike | None = None,
    progress: Progress = silent,
) -> Levels:
    """Count the comparisons of :func:`quality_increase`, for intervals over groups.

    Memory grows with groups times the pairs of the verdicts. ``progress`` hears how many
    comparisons are done.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    groups = as_groups(group, np.size(quality), "group")
    return _levels(values, quality, verdicts, group, groups, progress)


def _levels(  # noqa: PLR0913, PLR0917 - what is judged, where it is counted, and how it is told
    values: ArrayLike,
    quality: ArrayLike,
    verdicts: Verdicts,
    group: ArrayLike | None,
    row: NDArray[np.int64],
    progress: Progress = silent,
) -> Levels:
    """Count comparisons within groups in the rows that are given for the instances."""
    measures, truth = as_judged(values, quality)
    width = verdicts.pairs + 1
    shape = (int(row.max(initial=0)) + 1, width)
    total, real = np.zeros((2, shape[0] * width))
    sizes = np.bincount(as_groups(group, len(truth), "group"))
    done, every = 0, int((sizes * (sizes - 1)).sum())
    for pairs in ordered_pairs(len(truth), group):
        progress(_WORK, done, every)
        done += len(pairs.first)
        cell = row[pairs.first] * width + contradicting(measures, verdicts, pairs)
        held = truth[pairs.first] >= truth[pairs.second]
        total += np.bincount(cell, minlength=len(total))
        real += np.bincount(cell, held, len(total))
    progress(_WORK, every, every)
    return Levels(total.reshape(shape), real.reshape(shape))


def _means(total: Floats, sums: Floats, intervals: int) -> Floats:
    """Means over intervals of equal size of what adds up to these sums, level by level."""
    known = total > 0
    reached, added = (np.append(0, np.cumsum(each[known])) for each in (total, sums))
    cuts = np.linspace(0, reached[-1], intervals + 1)
    means: Floats = np.diff(np.interp(cuts, reached, added)) / (reached[-1] / intervals)
    return means
