"""The voted regression model (VRM): the mean of all good regressions on subsets of measures.

Hirao, Okumura, Yasuda and Isozaki, “Supervised automatic evaluation for summarization with voted
regression model”, Information Processing and Management 43 (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_judged
from eval.meta.regression.linear import Learner, Linear
from eval.meta.regression.subsets import MOST, Subsets

__all__ = ["WITHIN", "Voted", "aicc", "best_aicc", "candidates", "voted", "voted_regression"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

WITHIN = 2.0
"""ΔAICc up to which a model is as good as the best (Burnham and Anderson 2002, section 2.6)."""
_EXACT = 1e-12
"""Share of the squares: fits that leave less are perfect, and float64 cannot tell them apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Voted:
    """The candidates, and their mean."""

    model: Linear
    """Its estimates are the means of the candidates' estimates, as all of them are linear."""
    subsets: Ints
    """Shape (candidates,): measure m is in a candidate if bit m is set; rising AICc."""
    difference: Floats
    """Shape (candidates,): ΔAICc, from 0."""
    support: Floats
    """Shape (measures,): share of the candidates that have the measure."""


def aicc(residual: ArrayLike, parameters: ArrayLike, size: int) -> Floats:
    """N ln(RSS / N) + 2K + 2K(K+1) / (N-K-1) (Sugiura 1978; VRM, section 3.3).

    Args:
        residual: RSS, any shape, as a share of the squares about the mean; less than 10⁻¹², where
            rounding errors rule, counts as 10⁻¹².
        parameters: K, the same shape: the weights, the intercept and the variance of the errors.
        size: N, the instances.

    Returns:
        The same shape; inf where N-K-1 < 1, NaN where the residual is.
    """
    floored = np.maximum(np.asarray(residual, dtype=np.float64), _EXACT)
    count = np.asarray(parameters, dtype=np.float64)
    spare = size - count - 1
    correction = 2 * count * (count + 1) / np.where(spare > 0, spare, np.nan)
    value = size * np.log(floored / size) + 2 * count + correction
    return np.where((spare > 0) | np.isnan(floored), value, np.inf)


def candidates(criterion: Floats, within: float = WITHIN) -> Ints:
    """The models whose criterion is at most so far above the best, by rising criterion.

    Args:
        criterion: shape (models,); inf or NaN for models that are no candidates.
        within: ΔAICc; 0 gives the best alone, and with it those that equal it.
    """
    known = np.where(np.isfinite(criterion), criterion, np.inf)
    best = known.min(initial=np.inf)
    if best == np.inf:
        return np.zeros(0, dtype=np.int64)
    chosen = np.flatnonzero(known <= best + within)
    return np.asarray(chosen[np.argsort(known[chosen], kind="stable")])


def voted_regression(
    values: ArrayLike, human: ArrayLike, *, within: float = WITHIN, most: int = MOST
) -> Voted:
    """The mean of all regressions whose AICc is at most so far above the best (VRM, section 3.3).

    Every subset of the measures but the empty one is fitted by least squares. The paper leaves
    open how many parameters a model has; as in Sugiura, the variance is one of them. Subsets with
    a constant measure or one that depends on the others are no candidates. If no subset is one
    (there are fewer than five instances, or all measures are constant), the mean score is the
    model.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        within: the greatest ΔAICc; the text of the paper that we have leaves it open.
        most: of how many measures all subsets may be looked at.

    Raises:
        ValuesError: if values are missing, NaN, infinite, no numbers, or not equally many, or
            there are more measures.
    """
    measures, people = as_judged(values, human, finite=True)
    return _voted(measures, people, within, most)


def voted(within: float = WITHIN, most: int = MOST) -> Learner:
    """:func:`voted_regression` as a learner."""
    return partial(_learned, within=within, most=most)


def best_aicc(most: int = MOST) -> Learner:
    """The single regression of the best AICc as a learner (VRM, section 4.2: “1-best”)."""
    return partial(_learned, within=None, most=most)


def _learned(values: Floats, human: Floats, _: Ints, *, within: float | None, most: int) -> Linear:
    return _voted(values, human, within, most).model


def _voted(values: Floats, human: Floats, within: float | None, most: int) -> Voted:
    subsets = Subsets.of(values, human, most)
    criterion = aicc(subsets.residual, subsets.sizes + 2, len(human))
    criterion[0] = np.inf  # no measure at all
    chosen = candidates(criterion, within or 0.0)
    if within is None:
        chosen = chosen[:1]
    if not len(chosen):
        return _mean(values, human)
    weights = subsets.weights(chosen)
    model = Linear(float(subsets.centre[-1] - weights @ subsets.centre[:-1]), weights)
    held = (chosen[:, None] >> np.arange(len(values))) & 1
    above = criterion[chosen] - criterion[chosen[0]]
    return Voted(model, chosen, above, held.mean(axis=0))


def _mean(values: Floats, human: Floats) -> Voted:
    nothing = np.zeros(len(values))
    empty = np.zeros(0, dtype=np.int64)
    return Voted(Linear(float(human.mean()), nothing), empty, np.zeros(0), nothing)
