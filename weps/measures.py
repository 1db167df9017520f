"""Measures: how alike the bags of two documents are, for all pairs of a name at once.

Pairs are kept as condensed vectors in the order of ``scipy.spatial.distance.pdist``:
(0, 1), (0, 2), …, (0, n-1), (1, 2), …
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.features import Bags

__all__ = [
    "MEASURES",
    "PAPER_MEASURES",
    "agree",
    "condensed",
    "contradict",
    "cosine",
    "dice",
    "overlap",
    "tf_idf",
]

Vector = NDArray[np.float64]


def dice(bags: Bags) -> Vector:
    """Dice's coefficient of the sets, 2·|A ∩ B| / (|A| + |B|); 0 where both are empty."""
    present = _present(bags)
    sizes = np.asarray(present.sum(axis=1), dtype=np.float64)
    return _divide(2 * condensed(present @ present.T), _pairwise(np.add, sizes))


def overlap(bags: Bags) -> Vector:
    """Size of the intersection, |A ∩ B|."""
    present = _present(bags)
    return condensed(present @ present.T)


def cosine(bags: Bags) -> Vector:
    """Cosine of the tf·idf vectors; 0 where either is empty. See :func:`tf_idf`."""
    weighted = tf_idf(bags)
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1), dtype=np.float64))
    return _divide(condensed(weighted @ weighted.T), _pairwise(np.multiply, norms))


def agree(bags: Bags) -> Vector:
    """1 where the two share a string, else 0."""
    return np.minimum(overlap(bags), 1.0)


def contradict(bags: Bags) -> Vector:
    """1 where both hold a string and they share none, else 0.

    Other measures are 0 there, and 0 too where one of the two says nothing.
    """
    holds = (np.diff(bags.counts.indptr) > 0).astype(np.float64)
    return _pairwise(np.multiply, holds) * (1 - agree(bags))


def tf_idf(bags: Bags) -> sparse.csr_array:
    """Shape (documents, strings): tf · (1 + ln((1 + N) / (1 + df))) within the name.

    The added ones keep strings that every page has from vanishing, which for a name with two
    pages would be all shared evidence.
    """
    counts = bags.counts.astype(np.float64)
    idf = 1 + np.log((1 + counts.shape[0]) / (1 + bags.frequency))
    return sparse.csr_array(counts.multiply(idf[np.newaxis, :]))


def condensed(square: sparse.csr_array) -> Vector:
    """Shape (n(n-1)/2,): the upper triangle of a symmetric sparse matrix, row by row."""
    size = square.shape[0]
    upper = sparse.triu(square, k=1).tocoo()
    row, column = (index.astype(np.int64) for index in upper.coords)
    vector = np.zeros(size * (size - 1) // 2)
    vector[row * (2 * size - row - 1) // 2 + column - row - 1] = upper.data
    return vector


MEASURES: dict[str, Callable[[Bags], Vector]] = {
    "dice": dice,
    "cosine": cosine,
    "overlap": overlap,
    "agree": agree,
    "contradict": contradict,
}
PAPER_MEASURES = ("dice", "cosine", "overlap")
"""Those that the paper compares (EMNLP 2009, section 4.1)."""


def _present(bags: Bags) -> sparse.csr_array:
    """The bags as sets: 1 where the string occurs."""
    present = bags.counts.copy()
    present.data = np.ones_like(present.data)
    return present


def _pairwise(combine: np.ufunc, per_document: Vector) -> Vector:
    """Shape (n(n-1)/2,): ``combine`` of the two documents' values, pair by pair."""
    first, second = np.triu_indices(len(per_document), k=1)
    return np.asarray(combine(per_document[first], per_document[second]))


def _divide(above: Vector, below: Vector) -> Vector:
    """The quotient, 0 where the denominator is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
