"""Which pairs of a name's pages are compared, and the arithmetic that runs over all of them.

All pairs of n pages are kept as condensed vectors of shape (n(n-1)/2,), in the order of
``scipy.spatial.distance.pdist``: (0, 1), (0, 2), …, (0, n-1), (1, 2), … Rows are those of pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Vector = NDArray[np.float64]
Rows = NDArray[np.integer]
Row = TypeVar("Row", int, NDArray[np.int64])

_ROWS_AT_ONCE = 256
"""Rows that are multiplied with all others at once: of 10,000 pages 20 MB."""
_FEW_PAIRS = 1 / 70
"""Share of n² up to which listed pairs of dense rows are multiplied one by one, a pair for the time
of some 35 in a block."""
_PAIRS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Some pairs of n pages, none of them twice, in condensed order."""

    size: int
    """Number of pages, n."""
    first: Rows
    """Shape (pairs,): the row of the first page of each."""
    second: Rows
    """Shape (pairs,)."""
    sample: Rows
    """Rows of the pages that second-order similarity takes for all of them."""
    complete: bool = False
    """Whether these are all pairs."""

    @classmethod
    def of_all(cls, size: int) -> Pairs:
        """All pairs of so many pages."""
        return cls(size, *np.triu_indices(size, k=1), np.arange(size), complete=True)

    def __len__(self) -> int:
        return len(self.first)

    def positions(self, first: Rows, second: Rows) -> NDArray[np.int64]:
        """Shape (k,): where pairs of rows, ``first < second``, are among these; -1 if nowhere."""
        ours, theirs = first.astype(np.int64), second.astype(np.int64)
        if self.complete:
            return pair_position(ours, theirs, self.size)
        numbers = self.first.astype(np.int64) * self.size + self.second
        wanted = ours * self.size + theirs
        places = np.searchsorted(numbers, wanted)
        # One more number, so that there is one at each of the places.
        return np.where(np.append(numbers, -1)[places] == wanted, places, -1)

    def combine(self, function: np.ufunc, of_pages: NDArray[Any]) -> Vector:
        """Shape (pairs,): a function of the two pages' values, which have shape (n,)."""
        return np.asarray(function(of_pages[self.first], of_pages[self.second]), np.float64)

    def products(self, rows: sparse.csr_array) -> Vector:
        """Shape (pairs,): the inner product of two pages' rows of a matrix, shape (n, k)."""
        return self._select_products(rows, np.empty(len(self)))

    def dense_products(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """Products of a dense matrix, in its precision."""
        if self.complete:
            return condense_matrix(rows @ rows.T)
        found = np.empty(len(self), rows.dtype)
        if len(self) > _FEW_PAIRS * self.size**2:
            return self._select_products(rows, found)
        for start in range(0, len(self), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            of_pairs = rows[self.first[part]], rows[self.second[part]]
            np.einsum("ij,ij->i", *of_pairs, out=found[part])
        return found

    def _select_products(
        self, rows: sparse.csr_array | NDArray[np.floating], found: NDArray[Any]
    ) -> NDArray[Any]:
        """Set the products; most may not be needed, but blocks are multiplied fastest."""
        columns = rows.T if isinstance(rows, np.ndarray) else rows.T.tocsr()
        parts = condensed_rows(found, self.size)
        for start in range(0, self.size, _ROWS_AT_ONCE):  # some rows with these and all later ones
            product = rows[start : start + _ROWS_AT_ONCE] @ columns[:, start:]
            block = product if isinstance(product, np.ndarray) else product.toarray()
            if self.complete:
                for row, values in enumerate(block):
                    next(parts)[:] = values[row + 1 :]
            else:
                part = slice(*np.searchsorted(self.first, [start, start + len(block)]))
                found[part] = block[self.first[part] - start, self.second[part] - start]
        return found


class SampledPairs(Pairs):
    """Each of n pages with each page of a sample, page by page."""

    @classmethod
    def of(cls, size: int, sample: Rows) -> SampledPairs:
        """All of so many pages with those of these rows."""
        pages = np.arange(size, dtype=np.int32)
        return cls(size, np.repeat(pages, len(sample)), np.tile(sample, size), sample)

    def products(self, rows: sparse.csr_array) -> Vector:
        """See :class:`Pairs`."""
        return np.asarray((rows @ rows[self.sample].T).toarray().ravel(), dtype=np.float64)

    def dense_products(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """See :class:`Pairs`."""
        return np.asarray((rows @ rows[self.sample].T).ravel())


def pair_position(first: Row, second: Row, size: int) -> Row:
    """Index of the pair of two rows, ``first < second``, in a condensed vector."""
    return first * (2 * size - first - 1) // 2 + second - first - 1


def pairs_between(
    first: NDArray[np.int64], second: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Shape (k, m): indices in a condensed vector of the pairs of k rows and m other rows."""
    ours = first[:, np.newaxis]
    return pair_position(np.minimum(ours, second), np.maximum(ours, second), size)


def square_matrix(vector: NDArray[Any], size: int, diagonal: float = 0.0) -> NDArray[np.floating]:
    """Shape (size, size): the symmetric matrix of a condensed vector, in single precision if it is.

    Other vectors become matrices in double precision.
    """
    dtype = np.float32 if vector.dtype == np.float32 else np.float64
    square = np.full((size, size), diagonal, dtype)
    for row, part in enumerate(condensed_rows(vector, size)):
        square[row, row + 1 :] = square[row + 1 :, row] = part
    return square


def condense_matrix(square: NDArray[Any]) -> NDArray[Any]:
    """Shape (n(n-1)/2,): the upper triangle of a matrix, row by row."""
    size = len(square)
    condensed = np.empty(size * (size - 1) // 2, square.dtype)
    for row, part in enumerate(condensed_rows(condensed, size)):
        part[:] = square[row, row + 1 :]
    return condensed


def condensed_rows(vector: NDArray[Any], size: int) -> Iterator[NDArray[Any]]:
    """For each of n rows the values of its pairs with later rows, as views of a condensed vector.

    Row by row, large names need no list of all pairs, which is larger than their values.
    """
    start = 0
    for row in range(size):
        end = start + size - row - 1
        yield vector[start:end]
        start = end


def condensed_part(vector: NDArray[Any], rows: NDArray[np.int64], size: int) -> NDArray[Any]:
    """The condensed vector of some of the n rows, ascending, from that of all of them."""
    if len(rows) == size:
        return vector
    part = np.empty(len(rows) * (len(rows) - 1) // 2, vector.dtype)
    values = list(condensed_rows(vector, size))
    for at, found in enumerate(condensed_rows(part, len(rows))):
        found[:] = values[rows[at]][rows[at + 1 :] - rows[at] - 1]
    return part
