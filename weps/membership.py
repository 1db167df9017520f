"""Which documents belong to which sets, as a matrix to multiply counts with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from weps.errors import ValuesError

__all__ = ["membership"]


def membership(sets: Sequence[Sequence[int]], documents: int) -> sparse.csr_array:
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
