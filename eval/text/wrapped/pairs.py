"""Outputs by references, and what an empty text scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps.errors import ValuesError

__all__ = ["Floats", "Score", "every_pair", "pooled"]

Floats: TypeAlias = NDArray[np.float64]
Score: TypeAlias = Callable[[str, Sequence[str]], float]
"""The score of an output by one or more references, none of them empty."""


def every_pair(outputs: Sequence[str], references: Sequence[str], score: Score) -> Floats:
    """Every output by every reference alone.

    Returns:
        Shape (outputs, references).
    """
    scores = [_ruled(output, [reference], score) for output in outputs for reference in references]
    return np.array(scores, dtype=np.float64).reshape(len(outputs), len(references))


def pooled(outputs: Sequence[str], references: Sequence[str], score: Score) -> Floats:
    """Every output by all references together; empty ones are left out unless all are.

    Returns:
        Shape (outputs,).

    Raises:
        ValuesError: if there are no references.
    """
    if not references:
        raise ValuesError("no reference to compare with", remedy="give the topic one or more")
    return np.array([_ruled(output, references, score) for output in outputs], dtype=np.float64)


def _ruled(output: str, references: Sequence[str], score: Score) -> float:
    written = [reference for reference in references if not _empty(reference)]
    if _empty(output) or not written:
        return float(_empty(output) and not written)
    return score(output, written)


def _empty(text: str) -> bool:
    return not text.strip()
