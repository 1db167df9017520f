"""Measures: how alike two documents are by their bags of strings, or by their vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.features.bags import Bags
from weps.features.registry import Feature, FeatureKind
from weps.language.rarity import general_idf
from weps.language.sentence_encoder import Vectors
from weps.similarity.pairs import Pairs

Vector = NDArray[np.float64]


def dice(bags: Bags, pairs: Pairs) -> Vector:
    """Dice's coefficient of the sets, 2·|A ∩ B| / (|A| + |B|); 0 where both are empty."""
    sizes = np.diff(bags.counts.indptr).astype(np.float64)
    return _safe_divide(2 * overlap(bags, pairs), pairs.combine(np.add, sizes))


def overlap(bags: Bags, pairs: Pairs) -> Vector:
    """Size of the intersection, |A ∩ B|."""
    shared = bags.shared.counts
    return pairs.products(_with_data(shared, np.ones_like(shared.data)))


def cosine(bags: Bags, pairs: Pairs) -> Vector:
    """Cosine of the tf·idf vectors; 0 where either is empty. See :func:`tf_idf`."""
    return _cosine_of_rows(tf_idf(bags), bags, pairs)


def rarity(bags: Bags, pairs: Pairs) -> Vector:
    """Cosine of (1 + ln tf) · general idf; 0 where either is empty.

    The idf is that of the language, not of the name: :func:`weps.language.rarity.general_idf`.
    """
    idf = general_idf(bags.strings)[bags.counts.indices]
    weighted = _with_data(bags.counts, (1 + np.log(bags.counts.data)) * idf)
    return _cosine_of_rows(weighted, bags, pairs)


def _cosine_of_rows(weighted: sparse.csr_array, bags: Bags, pairs: Pairs) -> Vector:
    """The cosine of the weighted bags of two documents, pair by pair."""
    squares = _with_data(weighted, weighted.data**2)
    norms = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64))
    # Strings of one page alone add nothing to the products, and most are.
    products = pairs.products(weighted[:, bags.shared_columns])
    return _safe_divide(products, pairs.combine(np.multiply, norms))


def agree(bags: Bags, pairs: Pairs) -> Vector:
    """1 where the two share a string, else 0."""
    return np.minimum(overlap(bags, pairs), 1.0)


def contradict(bags: Bags, pairs: Pairs) -> Vector:
    """1 where both have strings and share none, else 0.

    Other measures are 0 there, and also where one of the two has no strings.
    """
    holds = (np.diff(bags.counts.indptr) > 0).astype(np.float64)
    return pairs.combine(np.multiply, holds) * (1 - agree(bags, pairs))


def tf_idf(bags: Bags) -> sparse.csr_array:
    """Shape (documents, strings): tf · (1 + ln((1 + N) / (1 + df))) within the name.

    The added ones keep a positive weight for strings on every page, which for a name with two
    pages are all shared evidence.
    """
    idf = 1 + np.log((1 + bags.counts.shape[0]) / (1 + bags.frequency))
    return _with_data(bags.counts, bags.counts.data * idf[bags.counts.indices])


def _with_data(counts: sparse.csr_array, data: NDArray[Any]) -> sparse.csr_array:
    """A matrix with other data in the same places, which it shares."""
    return sparse.csr_array((data, counts.indices, counts.indptr), shape=counts.shape)


MEASURES: dict[str, Callable[[Bags, Pairs], Vector]] = {
    "dice": dice,
    "cosine": cosine,
    "overlap": overlap,
    "agree": agree,
    "contradict": contradict,
    "rarity": rarity,
}


def vector_cosine(vectors: Vectors, pairs: Pairs) -> Vector:
    """Cosine of vectors of length 1 or 0, from -1 to 1; 0 where either is 0."""
    return pairs.dense_products(vectors).astype(np.float64).clip(-1, 1)


def centred_cosine(vectors: Vectors, pairs: Pairs) -> Vector:
    """Cosine after the mean of the vectors that are not 0 has been subtracted from these.

    What all pages of a name have in common, their genre and their language, is no evidence.
    """
    given = vectors.any(axis=1, keepdims=True)
    mean = vectors.sum(axis=0) / max(int(given.sum()), 1)
    centred = np.where(given, vectors - mean, 0)
    norms = np.linalg.norm(centred, axis=1, keepdims=True)
    unit = np.where(norms > _MIN_NORM, centred / norms.clip(_MIN_NORM), 0)
    return vector_cosine(unit, pairs)


_MIN_NORM = 1e-3
"""Shorter vectors are rounding errors."""
VECTOR_MEASURES: dict[str, Callable[[Vectors, Pairs], Vector]] = {
    "cosine": vector_cosine,
    "centred_cosine": centred_cosine,
}
PAPER_MEASURES = ("dice", "cosine", "overlap")
"""Those that the paper compares (EMNLP 2009, section 4.1)."""


def measures_of(compared: Feature) -> Mapping[str, Callable[[Any, Pairs], Vector]]:
    """Name → measure for what the feature extracts; a flag has none."""
    by_kind: dict[FeatureKind, Mapping[str, Callable[[Any, Pairs], Vector]]] = {
        FeatureKind.BAGS: MEASURES,
        FeatureKind.VECTORS: VECTOR_MEASURES,
    }
    return by_kind.get(compared.kind, {})


def _safe_divide(above: Vector, below: Vector) -> Vector:
    """The quotient, 0 where the denominator is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
