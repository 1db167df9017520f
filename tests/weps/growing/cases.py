"""Pairs to grow classifiers on."""

from __future__ import annotations

import numpy as np


def some_pairs(
    seed: int, size: int = 200, parts: int = 16
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values in so many parts of 1, who is coreferent (mostly by column 0), and weights."""
    random = np.random.default_rng(seed)
    values = (random.integers(0, parts + 1, (size, 3)) / parts).astype(np.float32)
    coreferent = random.random(size) < 0.1 + 0.8 * values[:, 0] * values[:, 1]
    coreferent[:2] = True, False
    return values, coreferent, random.random(size) + 0.1


def unseen(values: np.ndarray, seed: int) -> np.ndarray:
    """The values, and as many again at random between 0 and 1."""
    random = np.random.default_rng(seed)
    return np.concatenate([values, random.random(values.shape, dtype=np.float32)])
