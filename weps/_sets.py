"""Sparse matrices of documents: sets of them, such as the clusters of a name, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.errors import ValuesError

_SETS_AT_ONCE = 64
"""Bounds the memory, which what all sets together hold would fill where these are large."""


def membership_matrix(sets: Sequence[Sequence[int]], documents: int) -> sparse.csr_array:
    """Shape (sets, documents), int32: 1 where the document is in the set.

    Raises:
        ValuesError: if there is no such document.
    """
    distinct = [sorted(set(rows)) for rows in sets]
    columns = np.array([row for rows in distinct for row in rows], dtype=np.int64)
    if len(columns) and not (columns.min() >= 0 and columns.max() < documents):
        raise ValuesError(
            f"there is no document {columns.max() if columns.min() >= 0 else columns.min()}",
            remedy=f"take rows from 0 to {documents - 1}",
        )
    ends = np.cumsum([0, *map(len, distinct)])
    ones = np.ones(len(columns), np.int32)
    return sparse.csr_array((ones, columns, ends), shape=(len(sets), documents))


def sets_of_like_size(sets: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of sets that are worked on together: none is over twice as large as another."""
    by_size = sorted(range(len(sets)), key=lambda at: len(sets[at]))
    for _, alike in groupby(by_size, key=lambda at: len(sets[at]).bit_length()):
        while places := list(islice(alike, _SETS_AT_ONCE)):
            yield places


def sums_of_sets(
    sets: Sequence[Sequence[int]], counts: sparse.csr_array | sparse.csc_array
) -> sparse.csr_array:
    """Shape (sets, k): for each set of documents the sum of their rows; indices ascend.

    Args:
        sets: rows of ``counts``.
        counts: shape (documents, k); by columns, if several sums are wanted.

    Raises:
        ValuesError: if there is no such document.
    """
    member = membership_matrix(sets, counts.shape[0])
    # The product of the transposes has few columns, so that ordering its entries costs little.
    return sparse.csr_array((counts.T.tocsr() @ member.T.tocsr()).T.tocsr())


def with_data(matrix: sparse.csr_array, data: NDArray[Any]) -> sparse.csr_array:
    """Same shape: other numbers in the same places, which both share from then on."""
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
