"""Clustering under corrections, which also change the probabilities of other pairs of the name.

Namesakes of one trade share much, others little; a model knows only the average. Where a user says
that two groups of pages are different people, the model's probability was too high, and it usually
is for other pages of the name as well. So all logits of the name are shifted, by the most probable
shift if shifts are normally distributed with mean 0 and variance 1 and every *different* is one
observation: the mean logit between its sides, labelled as not coreferent. An *apart* says the same
of its pages and nothing of others, and is none.

Where a user says that pages are one person, no shift follows: that they share little says less
about other pages. But pages that resemble any of them, which may resemble one another little, are
then probably of this person, too. With s(x) for the mean probability that page x and each of them
are about one person, the probability p of two pages becomes 1 − (1 − p)(1 − (s(x) · s(y))²). The
idea is that of space-level constraints (Klein, Kamvar and Manning 2002, ICML), the form is not from
the literature. With either, simulated users need fewer corrections (``weps evaluate
--corrections``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import Linkage
from weps.corrections.model import CORRECTION_KINDS, Correction, Ranks, build_constraints
from weps.similarity.pairs import condensed_rows, pairs_between

Vector = NDArray[np.float64]
_EPSILON = 1e-4
"""No pair is taken to be more certain than this, either way."""


def shift_probabilities(
    probability: Vector, corrections: Sequence[Correction], ranks: Sequence[int]
) -> Vector:
    """The probabilities of all pairs of a name, shifted by the corrections.

    Args:
        probability: shape (n(n-1)/2,), the model's, condensed.
        corrections: of the name.
        ranks: of the n rows.

    Returns:
        Shape (n(n-1)/2,); the same probabilities if there is no *different*.
    """
    sides = [
        each.different
        for each in corrections
        if each.different and not CORRECTION_KINDS[each.kind].local
    ]
    if not sides:
        return probability
    logits = logit(probability.clip(_EPSILON, 1 - _EPSILON))
    observed = np.array(list(_mean_logits(logits, sides, ranks)))
    if not len(observed):
        return probability
    return np.asarray(expit(logits + most_probable_shift(observed)))


def join_resembling(
    probability: Vector, corrections: Sequence[Correction], ranks: Sequence[int]
) -> Vector:
    """The probabilities of all pairs of a name, raised where both pages resemble one person's.

    Args:
        probability: shape (n(n-1)/2,), the model's, condensed.
        corrections: of the name.
        ranks: of the n rows.

    Returns:
        Shape (n(n-1)/2,); the same probabilities if no two pages are said to be one person.
    """
    row_of = {rank: row for row, rank in enumerate(ranks)}
    together = ([row_of[rank] for rank in each.same if rank in row_of] for each in corrections)
    size, raised = len(ranks), probability
    for rows in (rows for rows in together if len(rows) > 1):
        likeness = np.zeros(size)
        for row in rows:
            others = np.delete(np.arange(size), row)
            likeness[others] += probability[pairs_between(np.array([row]), others, size)[0]]
            likeness[row] += 1
        likeness /= len(rows)
        raised = raised.copy() if raised is probability else raised
        for row, values in enumerate(condensed_rows(raised, size)):
            values[:] += (1 - values) * (likeness[row] * likeness[row + 1 :]) ** 2
    return raised


def most_probable_shift(logits: Vector) -> float:
    """The shift, at most 0, for logits of pairs that were said to be different.

    Args:
        logits: shape (observations,).
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import, and few answers need it

    def slope(shift: float) -> float:
        """Of the log posterior, sign reversed."""
        return shift + float(expit(logits + shift).sum())

    return float(brentq(slope, -len(logits), 0.0))


def _mean_logits(
    logits: Vector, separated: Iterable[tuple[Ranks, Ranks]], ranks: Sequence[int]
) -> Iterator[np.float64]:
    """The mean logit between two sides, as far as their pages are there."""
    row_of = {rank: row for row, rank in enumerate(ranks)}
    for sides in separated:
        left, right = (
            np.array([row_of[rank] for rank in side if rank in row_of]) for side in sides
        )
        if len(left) and len(right):
            yield logits[pairs_between(left, right, len(ranks))].mean()


def constrained_dendrogram(
    corrections: Sequence[Correction],
    linkage: Linkage,
    probability: Vector,
    ranks: Sequence[int],
    preference: Vector | None = None,
) -> Dendrogram:
    """The dendrogram of a name under corrections; without any, what the link gives.

    Args:
        corrections: of the name.
        linkage: of :data:`weps.clustering.linkage.LINKAGES`.
        probability: shape (n(n-1)/2,), the model's, condensed.
        ranks: of the n rows.
        preference: same shape as the probability, see :class:`weps.clustering.linkage.Linkage`.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    taught = shift_probabilities(
        join_resembling(probability, corrections, ranks), corrections, ranks
    )
    return linkage(
        taught,
        len(ranks),
        preference,
        build_constraints(corrections, ranks) if corrections else None,
    )
