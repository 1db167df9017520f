"""Overlaps of many outputs and references, and the part of them that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.measures.parameters import Choice, Number
from eval.text.overlap import Overlap
from weps.expressions import Value

__all__ = ["BETA", "PART", "Overlaps", "part_of", "pooled"]

Floats: TypeAlias = NDArray[np.float64]
Overlaps: TypeAlias = Sequence[Sequence[Overlap]]
"""For each output its overlap with each reference."""

PART = Choice(("f", "recall", "precision"), "which share of the two texts is meant")
BETA = Number(1.0, 0.0, 100.0, "how many times more recall counts than precision in f")

_PARTS: dict[Value, Callable[[Overlap, float], float]] = {
    "f": lambda overlap, beta: overlap.f(beta),
    "recall": lambda overlap, _: overlap.recall,
    "precision": lambda overlap, _: overlap.precision,
}


def part_of(overlaps: Overlaps, part: Value, beta: float) -> Floats:
    """Shape (outputs, references): recall, precision or F of each overlap."""
    drawn = _PARTS[part]
    return np.array([[drawn(each, beta) for each in row] for row in overlaps], dtype=np.float64)


def pooled(overlaps: Overlaps, part: Value, beta: float) -> Floats:
    """Shape (outputs,): the same of the overlaps with all references added up."""
    return part_of([[reduce(add, row)] for row in overlaps], part, beta)[:, 0]
