"""Where along its line a label is best understood."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["anchors"]

_APART = 9.0
"""How far a line is from the others where nobody takes one for another."""
_INSIDE, _BESIDE_THE_END = 12.0, 20.0
"""What an anchor within a line is worse than its end, and what more if a dot is there."""
_DOUBT = 2.0
"""What it is worse, times the square of how much nearer another line is."""

Points = NDArray[np.float64]


def anchors(paths: Sequence[Points], number: int, ends: bool) -> tuple[Points, Points]:
    """Points of a line and what speaks against them: that others are near, or a better end.

    Args:
        paths: shape (points, 2) each, the lines as they are drawn.
        number: of the line.
        ends: whether it ends in a dot, of which there is no doubt.
    """
    points, *others = [paths[number], *paths[:number], *paths[number + 1 :]]
    costs = np.full(len(points), _INSIDE)
    costs[-1] = 0
    if others:
        near = np.maximum(_APART - _distance(points, np.concatenate(others)), 0)
        costs += _DOUBT * near**2
    if ends:
        costs[:-1] += _BESIDE_THE_END
        costs[-1] = 0
    return points, costs


def _distance(points: Points, others: Points) -> Points:
    """Shape (points,): how far each is from the nearest of the others."""
    apart = points[:, np.newaxis] - others
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1))
