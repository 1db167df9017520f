"""Reliability and sensitivity: is an improvement that all measures of a set confirm a real one?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.heterogeneity.sets import packed, two_by_two
from eval.meta.heterogeneity.verdicts import Bits, Stretch, Verdicts
from eval.meta.judged import as_judged
from eval.meta.shares import share
from eval.ordering.values import as_groups
from weps.errors import ValuesError

__all__ = ["Corroboration", "additive_gains", "corroboration", "corroboration_by_group"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Corroboration:
    """What sets of measures and people say of pairs of instances, each pair both ways round."""

    corroborated: Ints
    """Shape (sets,): comparisons with x(s) ≥ x(s') for all measures x of the set."""
    real: Ints
    """Shape (sets,): those of them with Q(s) ≥ Q(s')."""
    improvements: int
    """All comparisons with Q(s) ≥ Q(s')."""

    @property
    def reliability(self) -> Floats:
        """R(X) = P(Q(s) ≥ Q(s') | x(s) ≥ x(s') ∀x ∈ X), nan if nothing is corroborated."""
        return share(self.real, self.corroborated)

    @property
    def sensitivity(self) -> Floats:
        """S(X) = P(x(s) ≥ x(s') ∀x ∈ X | Q(s) ≥ Q(s'))."""
        return share(self.real, self.improvements)


def corroboration(verdicts: Verdicts, quality: Verdicts, sets: ArrayLike) -> Corroboration:
    """Count what R(X) and S(X) are shares of (EMNLP 2011, sections 5 and 7).

    Ties count as the paper writes it: ≥ on both sides, so that two instances of equal quality are
    an improvement whichever way round. The paper leaves open how pairs are drawn; here each pair
    is compared both ways.

    Args:
        verdicts: of the measures.
        quality: what people say of the same pairs, as one measure.
        sets: bool, shape (sets, measures); the empty set corroborates everything.

    Raises:
        ValuesError: if the sets do not fit, or the quality is not of one criterion and the same
            pairs.
    """
    if quality.pairs != verdicts.pairs or quality.measures != 1:
        what = f"{quality.measures} criteria of {quality.pairs:,} pairs do not fit"
        remedy = f"give one criterion of the {verdicts.pairs:,} pairs that are compared"
        raise ValuesError(what, where="quality", remedy=remedy)
    better, worse = quality.higher[0], quality.lower[0]

    def count(stretch: Stretch) -> list[Bits]:
        onward, back = (stretch.seen & ~each for each in (stretch.lower, stretch.higher))
        return [onward, back, onward & ~worse[stretch.words], back & ~better[stretch.words]]

    counts = verdicts.count(packed(sets, verdicts.measures), count)
    unequal = int(np.bitwise_count(better).sum() + np.bitwise_count(worse).sum())
    return Corroboration(
        corroborated=counts[0] + counts[1],
        real=counts[2] + counts[3],
        improvements=2 * verdicts.pairs - unequal,
    )


def corroboration_by_group(
    values: ArrayLike, quality: ArrayLike, sets: ArrayLike, group: ArrayLike
) -> list[Corroboration]:
    """:func:`corroboration` over all pairs of each group, for intervals over groups.

    Their counts add up to those over all groups, and :func:`eval.ordering.tally.share_of` draws
    groups anew.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), as people judged.
        sets: bool, shape (sets, measures).
        group: shape (instances,), the topic of each, whole numbers from 0.

    Returns:
        Of every group that has two instances, in ascending order.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    measures, truth = as_judged(values, quality)
    groups = as_groups(group, len(truth), "group")
    parts = [np.flatnonzero(groups == each) for each in np.unique(groups)]
    return [
        corroboration(Verdicts.exact(measures[:, part]), Verdicts.exact(truth[part]), sets)
        for part in parts
        if len(part) > 1
    ]


def additive_gains(verdicts: Verdicts, quality: Verdicts) -> Floats:
    """R({x, x'}) − max(R({x}), R({x'})) of every two measures (EMNLP 2011, section 5, figure 1).

    Additive reliability, R(X ∪ {x}) ≥ R(X), holds where this is not negative.

    Returns:
        Shape (n(n-1)/2,), in the order of :func:`eval.meta.heterogeneity.sets.two_by_two`; nan
        where the two measures never agree.

    Raises:
        ValuesError: as :func:`corroboration`.
    """
    pairs, singles = two_by_two(verdicts.measures), np.eye(verdicts.measures, dtype=np.bool_)
    together, alone = (corroboration(verdicts, quality, each) for each in (pairs, singles))
    best = np.where(pairs, alone.reliability, -np.inf).max(axis=1)
    gains: Floats = together.reliability - best
    return gains
