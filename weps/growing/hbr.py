"""Choosing rivals for heterogeneity based ranking: nothing is learnt of the similarities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.calibration import fit_calibration
from weps.coreference import HeterogeneityRanking
from weps.growing.values import comparable

__all__ = ["draw_rivals"]


def draw_rivals(  # noqa: PLR0913 - the pairs, and how to draw
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    *,
    rivals: int,
    samples: int,
    shown: int,
    seed: int,
) -> HeterogeneityRanking:
    """Draw pairs to compare others with; the key only makes probabilities of scores.

    Args:
        values: shape (pairs, columns), finite, at least one pair; read in single precision.
        coreferent: shape (pairs,); two numbers are fitted to them, slope and shift of the log odds.
        weights: shape (pairs,), positive: how likely a pair is drawn.
        rivals: pairs that others are compared with.
        samples: pairs of rivals over which heterogeneity is a share.
        shown: pairs that the calibration is fitted to.
        seed: for all that is drawn.

    Raises:
        ValuesError: if a value is infinite or NaN.
    """
    pairs = comparable(values)
    generator = np.random.default_rng(seed)
    chance = weights / weights.sum()
    chosen = generator.choice(len(pairs), rivals, p=chance)
    apart = generator.integers(1, max(rivals, 2), samples)
    first = generator.integers(0, rivals, samples)
    drawn = np.stack([first, (first + apart) % rivals], axis=1).astype(np.int32)
    ranking = HeterogeneityRanking(pairs[chosen], drawn)
    some = generator.choice(len(pairs), min(shown, len(pairs)), replace=False)
    scores = ranking.scores(pairs[some])
    calibration = fit_calibration(scores, coreferent[some], weights[some].astype(np.float64))
    return HeterogeneityRanking(pairs[chosen], drawn, calibration)
