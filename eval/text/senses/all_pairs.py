"""Weighted overlap of all pairs of many vectors at once.

Most pairs share few dimensions. Hence vectors are found by dimension, and only what is shared is
ever added up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.text.senses.signatures import normalised
from eval.text.wordnet.ranks import Vector

__all__ = ["all_pairs"]


def all_pairs(vectors: Sequence[Vector]) -> NDArray[np.float32]:
    """Equation 3.2 between all vectors.

    Returns:
        Shape (vectors, vectors), float32 since they may be many; symmetric, in [0, 1].
    """
    matrix = np.zeros((len(vectors), len(vectors)), dtype=np.float32)
    if not vectors:
        return matrix
    lengths = [len(vector.synsets) for vector in vectors]
    synsets = np.concatenate([vector.synsets for vector in vectors])
    by_synset = np.argsort(synsets, kind="stable")
    owners = np.repeat(np.arange(len(vectors)), lengths)[by_synset]
    ranks = np.concatenate([np.arange(1, length + 1) for length in lengths])[by_synset]
    bounds = np.searchsorted(synsets[by_synset], np.arange(synsets.max(initial=-1) + 2))
    for row, vector in enumerate(vectors):
        starts, ends = bounds[vector.synsets], bounds[vector.synsets + 1]
        held = _ranges(starts, ends)
        sums = ranks[held] + np.repeat(np.arange(1, len(starts) + 1), ends - starts)
        gained = np.bincount(owners[held], 1 / sums, minlength=len(vectors))
        shared = np.bincount(owners[held], minlength=len(vectors))
        matrix[row, row:] = matrix[row:, row] = normalised(gained, shared)[row:]
    return matrix


def _ranges(starts: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """The numbers from each start to its end, one after another."""
    lengths = ends - starts
    offsets = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
    return offsets + np.arange(len(offsets))
