"""Pair probabilities for the tests of links and of what stands on them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from weps.clustering.dendrogram import Dendrogram, Threshold

GRID = 8
"""Probabilities are multiples of 1/8, exact in binary, so that ties are ties."""
THRESHOLDS = [step / (2 * GRID) for step in range(1, 2 * GRID + 3)]


def cut(tree: Dendrogram, threshold: float) -> list[list[int]]:
    """The clusters that are left when merges less probable than the threshold are undone."""
    return tree.clusters(Threshold(threshold).merges(tree))


@st.composite
def tied_probabilities(draw: st.DrawFn, least: int = 0, grid: int = GRID) -> tuple[int, np.ndarray]:
    """The number of pages and a probability for each pair, many of them alike."""
    size = draw(st.integers(least, 8))
    pairs = size * (size - 1) // 2
    steps = draw(st.lists(st.integers(0, grid), min_size=pairs, max_size=pairs))
    return size, np.array(steps, dtype=np.float64) / grid


@st.composite
def distinct_probabilities(draw: st.DrawFn, least: int = 0) -> tuple[int, np.ndarray]:
    """The number of pages and a probability for each pair, so odd that no means are alike."""
    size = draw(st.integers(least, 12))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    return size, generator.random(size * (size - 1) // 2)
