"""From distances to similarities, and the score of texts that hold nothing."""

from __future__ import annotations

import math
from collections.abc import Sized

import numpy as np
from numpy.typing import NDArray

__all__ = ["closeness", "distance", "of_empty"]

Floats = NDArray[np.float64]


def distance(first: Floats, second: Floats) -> float:
    """The Euclidean distance of two vectors, shape (dimensions,).

    Their order changes no digit of it.
    """
    return math.sqrt(math.fsum(np.square(first - second)))


def closeness(apart: float) -> float:
    """1 / (1 + d), in (0, 1], of a distance d, which is not negative.

    The papers take "the inverse of the Euclidean distance", 1 / d, which divides by zero where
    two texts are the same. This orders all other pairs of texts as 1 / d does, and is 1 for
    distance 0 alone.
    """
    return 1 / (1 + apart)


def of_empty(output: Sized, reference: Sized) -> float:
    """The similarity of two texts of which one at least is empty.

    The papers are silent. As in :class:`eval.text.overlap.Overlap`, two empty texts are the same,
    1, and an empty one is like no other, 0.
    """
    return float(len(output) == len(reference))
