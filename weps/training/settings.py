"""How examples are divided, and by which seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Settings", "folds"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How learning divides the names that it learns from."""

    folds: int = 5
    """Parts of the training names; each is judged by a classifier that has not seen it."""
    repeats: int = 3
    """Different divisions into parts; a threshold learnt from one of them varies too much."""
    seed: int = 0


def folds(size: int, parts: int, seed: int) -> list[list[int]]:
    """Divide ``range(size)`` into at most ``parts`` parts at random, none empty."""
    shuffled = np.random.default_rng(seed).permutation(size)
    return [sorted(shuffled[part::parts].tolist()) for part in range(min(parts, size))]
