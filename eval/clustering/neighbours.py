"""What B-Cubed and the pair measures need to know about the neighbours of every item."""

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.clustering.membership import Signatures
from eval.clustering.neighbour_sums import neighbour_sums

__all__ = ["Neighbours"]

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

# The least common multiple of 1 to 10: times this, the shares of items in up to ten groups are
# whole numbers, their sums exact, and a perfect answer scores 1 and not 0.9999999999999999.
WHOLE = 2520


@dataclass(frozen=True, slots=True)
class Neighbours:
    """For one item of each signature, sums over all items that share a group with it, and itself.

    With c answer groups and k key groups in common with the other item. Arrays of shape
    (signatures,), one row per signature.
    """

    items: Floats
    """How many items have the signature."""
    correct: Floats
    """Σ min(c, k) / c: what the answer puts together and the key bears out."""
    found: Floats
    """Σ min(c, k) / k: what the key puts together and the answer has."""
    in_answer: Floats
    """How many items share an answer group with it."""
    in_key: Floats
    """How many share a key group."""
    in_both: Floats
    """How many share one of each."""

    @classmethod
    def of(cls, signatures: Signatures) -> Self:
        """Count the neighbours of the items that the key holds."""
        functions = (_correct, _found, _in_answer, _in_key, _in_both)
        correct, found, *neighbours = neighbour_sums(signatures, functions)
        return cls(signatures.weights, correct / WHOLE, found / WHOLE, *neighbours)


def _correct(c: Ints, k: Ints) -> NDArray[Any]:
    return WHOLE * np.minimum(c, k) / np.maximum(c, 1)


def _found(c: Ints, k: Ints) -> NDArray[Any]:
    return WHOLE * np.minimum(c, k) / np.maximum(k, 1)


def _in_answer(c: Ints, _k: Ints) -> NDArray[Any]:
    return c > 0


def _in_key(_c: Ints, k: Ints) -> NDArray[Any]:
    return k > 0


def _in_both(c: Ints, k: Ints) -> NDArray[Any]:
    return (c > 0) & (k > 0)
