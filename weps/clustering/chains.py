"""Which clusters merge, by chains of nearest neighbours.

From any cluster go to its nearest, from there to the nearest of that one, and so on: nearness only
grows, so the chain ends in two clusters that are each other's nearest. Under a link that never
brings a union nearer to a third cluster than its parts were, these two merge sooner or later
whatever else does, and the chain before them still holds. Merging them at once and sorting in the
end takes O(n²) time (Murtagh 1983, The Computer Journal 26; Müllner 2011, arXiv:1109.2378).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Join", "Union", "agglomerate", "maximum", "mean", "minimum"]

Row = NDArray[np.float64]
Union = Callable[[Row, Row, int, int], Row]
"""How near a union is to every cluster: from how near each part is, and the pages of each."""


@dataclass(frozen=True, slots=True)
class Join:
    """Two clusters that merge, each known by its first row."""

    nearness: float
    first: int
    """Stands for the union from here on."""
    second: int


def agglomerate(nearness: NDArray[np.float64], union: Union) -> list[Join]:
    """All n - 1 merges, nearest first; where clusters are equally near, the rows' order decides.

    Args:
        nearness: shape (n, n), symmetric, -inf on the diagonal; it is overwritten.
        union: gives none nearer than the nearer part, not even by a rounding error.
    """
    pages = [1] * len(nearness)
    chain: list[int] = []
    joins: list[Join] = []
    while len(joins) < len(nearness) - 1:
        _extend(chain, nearness)
        first, second = sorted((chain.pop(), chain.pop()))
        joins.append(Join(float(nearness[first, second]), first, second))
        united = union(nearness[first], nearness[second], pages[first], pages[second])
        pages[first] += pages[second]
        _replace(nearness, first, second, united)
    return sorted(joins, key=lambda join: -join.nearness)


def maximum(first: Row, second: Row, _first_pages: int, _second_pages: int) -> Row:
    """The nearest pages count: single link."""
    return np.maximum(first, second)


def minimum(first: Row, second: Row, _first_pages: int, _second_pages: int) -> Row:
    """The farthest pages count: complete link."""
    return np.minimum(first, second)


def mean(first: Row, second: Row, first_pages: int, second_pages: int) -> Row:
    """All pairs of pages count alike: average link."""
    summed = first * first_pages + second * second_pages
    united = summed / (first_pages + second_pages)
    return np.clip(united, np.minimum(first, second), np.maximum(first, second))


def _extend(chain: list[int], nearness: NDArray[np.float64]) -> None:
    """Go on until the last two clusters are each other's nearest; on ties go no further."""
    chain += [] if chain else [0]  # the first row stands for its cluster to the end
    row = nearness[chain[-1]]
    nearest = int(row.argmax())
    while len(chain) == 1 or row[nearest] > row[chain[-2]]:
        chain.append(nearest)
        row = nearness[nearest]
        nearest = int(row.argmax())


def _replace(nearness: NDArray[np.float64], first: int, second: int, united: Row) -> None:
    """Let the first row stand for the union, and the second for nothing."""
    united[[first, second]] = -np.inf
    nearness[first] = nearness[:, first] = united
    nearness[:, second] = -np.inf
