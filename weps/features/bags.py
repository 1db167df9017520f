"""Bags of strings for all documents of a name, as one sparse matrix."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["Bags", "LazyStrings"]


@dataclass(frozen=True, eq=False)
class Bags:
    """One bag (multiset) of strings per document."""

    counts: sparse.csr_array
    """Shape (documents, distinct strings), int32: how often the string occurs."""
    strings: Sequence[str]
    """The string of each column."""

    @cached_property
    def frequency(self) -> NDArray[np.intp]:
        """Shape (strings,): in how many documents each string occurs."""
        return np.bincount(self.counts.indices, minlength=self.counts.shape[1])

    @classmethod
    def of(cls, bags: Iterable[Iterable[str]]) -> Bags:
        """Count the strings of each document."""
        vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
        columns: list[int] = []
        ends = [0]
        for bag in bags:
            columns += map(vocabulary.__getitem__, bag)
            ends.append(len(columns))
        rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        shape = (len(ends) - 1, len(vocabulary))
        return cls(_count(rows, np.array(columns, dtype=np.int64), shape), tuple(vocabulary))

    @classmethod
    def of_ids(
        cls,
        rows: NDArray[np.integer],
        ids: NDArray[np.integer],
        documents: int,
        spell: Callable[[int], str],
    ) -> Bags:
        """Count integer-coded strings.

        Args:
            rows: shape (k,), document row of each occurrence.
            ids: shape (k,), what occurs there, any integers.
            documents: number of documents.
            spell: the string at an occurrence, given its index among the k.
        """
        _, first, column = np.unique(ids, return_index=True, return_inverse=True)
        counts = _count(rows, column, (documents, len(first)))
        return cls(counts, LazyStrings(first, spell))


class LazyStrings(Sequence[str]):
    """Strings spelled only when somebody reads them: most n-grams are counted, few are shown."""

    def __init__(self, occurrence: NDArray[np.integer], spell: Callable[[int], str]) -> None:
        self._occurrence = occurrence
        self._spell = spell

    def __len__(self) -> int:
        return len(self._occurrence)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._spell(int(at)) for at in self._occurrence[index]]
        return self._spell(int(self._occurrence[index]))


def _count(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> sparse.csr_array:
    ones = np.ones(len(rows), dtype=np.int32)
    return sparse.coo_array((ones, (rows, columns)), shape=shape).tocsr()
