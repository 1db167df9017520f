"""Keys that were filed under two names: one of the two says nothing true of its pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from weps.records import Clustering

__all__ = ["doubled_keys"]

_SMALLEST = 3
"""Ranks in a group by which keys are told apart; smaller groups are alike by chance."""
_FEWEST = 2
"""Groups alike that are no chance."""


def doubled_keys(keys: Mapping[str, Clustering]) -> Iterator[tuple[str, str]]:
    """Pairs of names whose keys group the same ranks, for the most part.

    Args:
        keys: name → key.
    """
    telling = {name: _telling(key) for name, key in keys.items()}
    for first, second in combinations(sorted(telling), 2):
        alike = len(telling[first] & telling[second])
        if alike >= _FEWEST and 2 * alike > max(len(telling[first]), len(telling[second])):
            yield first, second


def _telling(key: Clustering) -> frozenset[frozenset[int]]:
    return frozenset(group for group in key.groups if len(group) >= _SMALLEST)
