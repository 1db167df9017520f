"""Bags of strings for all documents of a name, as one sparse matrix.

Each distinct text of a layer is normalised once. Stop words and the words of the searched name,
which all pages share, are not evidence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, count, groupby, islice
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from weps._files import word_list
from weps._text import has_alphanumeric
from weps.errors import ValuesError
from weps.language.analysis import Analysis, Marks, TokenTable, function_words


@dataclass(frozen=True, eq=False)
class Bags:
    """One bag (multiset) of strings per document."""

    counts: scipy.sparse.csr_array
    """Shape (documents, distinct strings), int32: how often the string occurs."""
    strings: Sequence[str]
    """The string of each column."""

    @cached_property
    def frequency(self) -> NDArray[np.int32]:
        """Shape (strings,): in how many documents each string occurs."""
        return np.bincount(self.counts.indices, minlength=self.counts.shape[1]).astype(np.int32)

    @classmethod
    def of(cls, bags: Iterable[Iterable[str]]) -> Bags:
        """Count the strings of each document."""
        vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
        columns = [list(map(vocabulary.__getitem__, bag)) for bag in bags]
        rows = np.repeat(np.arange(len(columns)), list(map(len, columns)))
        column = np.array(list(chain.from_iterable(columns)), dtype=np.int64)
        shape = len(columns), len(vocabulary)
        return cls(_count_matrix(rows, column, shape), tuple(vocabulary))

    @classmethod
    def of_ids(
        cls,
        rows: NDArray[np.integer],
        ids: NDArray[np.integer],
        documents: int,
        spell: Callable[[int], str],
        places: NDArray[np.integer] | None = None,
    ) -> Bags:
        """Count integer-coded strings.

        Args:
            rows: shape (k,), document row of each occurrence.
            ids: shape (k,), what occurs there: small numbers, not negative.
            documents: number of documents.
            spell: the string of a number, or at a place if places are given.
            places: shape (k,), where each is; any one of a string's is passed to ``spell``.
        """
        some = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.int32)
        some[ids] = np.arange(len(ids), dtype=np.int32)
        present = np.bincount(ids, minlength=len(some)) > 0
        column = (np.cumsum(present, dtype=np.int32) - 1)[ids]
        counts = _count_matrix(rows, column, (documents, int(present.sum())))
        return cls(counts, LazyStrings((ids if places is None else places)[some[present]], spell))

    @cached_property
    def in_several(self) -> NDArray[np.bool_]:
        """Shape (entries of ``counts``,): whether two documents or more have the string."""
        found: NDArray[np.bool_] = (self.frequency > 1)[self.counts.indices]
        return found

    @cached_property
    def shared(self) -> Bags:
        """The strings that two documents or more have; most n-grams are in one alone."""
        counts, kept, strings = self.counts, self.in_several, self.strings
        columns = np.flatnonzero(self.frequency > 1)
        place_of = np.cumsum(self.frequency > 1, dtype=counts.indices.dtype) - 1
        starts = np.append(0, kept.cumsum(dtype=counts.indptr.dtype))[counts.indptr]
        entries = counts.data[kept], place_of[counts.indices[kept]], starts
        selected = _unchecked(entries, (counts.shape[0], len(columns)))
        if isinstance(strings, LazyStrings):
            return Bags(selected, strings.select(columns))
        return Bags(selected, [strings[column] for column in columns.tolist()])


class LazyStrings(Sequence[str]):
    """Strings built on access, because most n-grams are counted and few are shown."""

    def __init__(self, places: NDArray[np.integer], spell: Callable[[int], str]) -> None:
        self._places = places
        self._spell = spell

    def select(self, columns: NDArray[np.integer]) -> LazyStrings:
        """Some of the strings."""
        return LazyStrings(self._places[columns], self._spell)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return map(self._spell, self._places.tolist())

    def __getitem__(self, index: Any) -> Any:  # a string; nobody takes slices
        return self._spell(int(self._places[index]))


_FEW_DOCUMENTS, _FEW_ENTRIES = 16, 500
"""Sizes up to which matrices of SciPy take ten times as long to make as what is in them."""


def _count_matrix(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> scipy.sparse.csr_array:
    if len(rows) <= _FEW_ENTRIES:
        cells, times = np.unique(rows * np.int64(shape[1]) + columns, return_counts=True)
        starts = np.searchsorted(cells, np.arange(shape[0] + 1) * shape[1]).astype(np.int32)
        places = (cells % max(shape[1], 1)).astype(np.int32)
        return _unchecked((times.astype(np.int32), places, starts), shape)
    entries = np.ones(len(rows), dtype=np.int32), (rows, columns)
    # By column, then by row: what is in order of rows needs no sorting.
    return scipy.sparse.coo_array(entries, shape=shape).tocsc().tocsr()


def number_forms(reduced: Iterable[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct strings, and for each string its place among them; -1 for an empty one."""
    numbers = {"": -1}
    places = [numbers.setdefault(string, len(numbers) - 1) for string in reduced]
    return tuple(numbers)[1:], np.array(places, dtype=np.int32)


def bags_from_marks(
    analysis: Analysis, marks: Marks, strings: Sequence[str], *, local: bool = False
) -> Bags:
    """Count what is marked, document by document.

    Args:
        analysis: the pages of a name.
        marks: in their sentences.
        strings: for each of the d distinct entries the string it counts as; empty to ignore the
            entry.
        local: whether to count only in sentences that mention the name.
    """
    distinct, of_entry = number_forms(strings)
    ids = of_entry[marks.entry]
    chosen = ids >= 0
    if local:
        chosen &= analysis.tokens.mentions[marks.sentence]
    rows = analysis.tokens.document[marks.sentence[chosen]]
    return Bags.of_ids(rows, ids[chosen], len(analysis.documents), distinct.__getitem__)


def common_values(ours: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
    """The values that two arrays share, each of which ascends without repeats; ascending."""
    # Two runs in order are merged in linear time, in a seventh of that of intersect1d.
    both = np.sort(np.concatenate((ours, theirs)), kind="stable")
    found: NDArray[Any] = both[:-1][both[1:] == both[:-1]]
    return found


@cache
def stop_words(language: str = "") -> frozenset[str]:
    """English and Web stop words (EMNLP 2009, section 3.2), and function words of the language.

    Those of other languages than English are stop words on pages in that language alone, since
    elsewhere they are other words, and names: *war*, *die*, *son*, *Allen*, *Van*.
    """
    return word_list("stopwords/english.txt", "stopwords/web.txt") | function_words(language)


@lru_cache(maxsize=256)
def dropped_words(name: frozenset[str], language: str = "") -> frozenset[str]:
    """Stop words of a page in the language, and the words of the name."""
    return stop_words(language) | name


def foreign_stop_words(table: TokenTable, languages: Sequence[str]) -> NDArray[np.bool_]:
    """Shape (tokens,): whether the token is a function word of the language of its page.

    Args:
        table: tokens of pages.
        languages: of each page; English ones are passed over.
    """
    found = np.zeros(len(table.token), dtype=bool)
    lower, language_of = list(map(str.lower, table.surface)), np.array(languages, dtype=object)
    for language in set(languages) - {"", "en"}:
        known = np.fromiter(map(function_words(language).__contains__, lower), bool, len(lower))
        places = np.flatnonzero((language_of == language)[table.document[table.sentence]])
        found[places] = known[table.token[places]]
    return found


def is_content_word(word: str, dropped: Collection[str]) -> bool:
    """Whether a lower-case token is a word of two letters or more that is not dropped."""
    return len(word) > 1 and word not in dropped and has_alphanumeric(word)


SETS_AT_ONCE = 64
"""Bounds the memory, which what all sets together hold would fill where these are large."""


def membership_matrix(sets: Sequence[Sequence[int]], documents: int) -> scipy.sparse.csr_array:
    """Shape (sets, documents), int32: 1 where the document is in the set.

    Raises:
        ValuesError: if there is no such document.
    """
    distinct = _distinct_rows(sets, documents)
    columns = np.array([row for rows in distinct for row in rows], dtype=np.int64)
    parts = (np.ones(len(columns), np.int32), columns, np.cumsum([0, *map(len, distinct)]))
    return scipy.sparse.csr_array(parts, shape=(len(sets), documents))


def _distinct_rows(sets: Sequence[Sequence[int]], documents: int) -> list[list[int]]:
    """The rows of each set, ascending, each once; a ValuesError if there is no such document."""
    distinct = [sorted(set(rows)) for rows in sets]
    for row in (at for rows in distinct if rows for at in (rows[0], rows[-1])):
        if not 0 <= row < documents:
            raise ValuesError(
                f"there is no document {row}", remedy=f"take rows from 0 to {documents - 1}"
            )
    return distinct


def sets_of_like_size(sets: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of sets that are worked on together: none is over twice as large as another."""
    by_size = sorted(range(len(sets)), key=lambda at: len(sets[at]))
    for _, alike in groupby(by_size, key=lambda at: len(sets[at]).bit_length()):
        while places := list(islice(alike, SETS_AT_ONCE)):
            yield places


def sums_of_sets(
    sets: Sequence[Sequence[int]],
    counts: scipy.sparse.csr_array,
    columns: NDArray[np.integer] | slice = slice(None),
) -> scipy.sparse.csr_array:
    """Shape (sets, k): for each set of documents the sum of their rows; indices ascend.

    Args:
        sets: rows of ``counts``.
        counts: shape (documents, all columns).
        columns: the k columns, ascending.

    Raises:
        ValuesError: if there is no such document.
    """
    documents = counts.shape[0]
    if documents <= _FEW_DOCUMENTS and counts.nnz <= _FEW_ENTRIES:
        dense = counts.toarray()[:, columns]
        found = np.zeros((len(sets), dense.shape[1]), dense.dtype)
        for number, own in enumerate(_distinct_rows(sets, documents)):
            for row in own:  # one after the other, as sparse products are summed: the same bits
                found[number] += dense[row]
        of_set, column = np.nonzero(found)
        starts = np.searchsorted(of_set, np.arange(len(sets) + 1)).astype(np.int32)
        return _unchecked((found[of_set, column], column.astype(np.int32), starts), found.shape)
    member = membership_matrix(sets, documents)
    rows = np.unique(member.indices)  # a few of very many, where a correction changed few people
    part = counts[rows][:, columns]
    # The product of the transposes has few columns, so that ordering its entries costs little.
    return scipy.sparse.csr_array((part.T.tocsr() @ member[:, rows].T.tocsr()).T.tocsr())


_DOCUMENT = np.int64(1 << 32)
"""Added to how often a string occurs in a document, so that a sum counts documents as well: one
product of matrices takes half the time of two."""


def occurrences_of_sets(
    sets: Sequence[Sequence[int]],
    counts: scipy.sparse.csr_array,
    columns: NDArray[np.integer] | slice = slice(None),
) -> list[scipy.sparse.csr_array]:
    """How often strings occur in sets of documents, and in how many documents of each.

    Both as of :func:`sums_of_sets`, entries in the same places; no count is 0.
    """
    both = sums_of_sets(sets, with_data(counts, counts.data + _DOCUMENT), columns)
    return [with_data(both, each) for each in (both.data % _DOCUMENT, both.data // _DOCUMENT)]


def _unchecked(
    entries: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], shape: tuple[int, int]
) -> scipy.sparse.csr_array:
    """A matrix of data, column indices that ascend, and row starts, which are not checked."""
    matrix = copy(_empty_matrix(shape))
    matrix.data, matrix.indices, matrix.indptr = entries
    return matrix


@lru_cache(maxsize=1_000)
def _empty_matrix(shape: tuple[int, int]) -> scipy.sparse.csr_array:
    return scipy.sparse.csr_array(shape, dtype=np.int32)


def with_data(matrix: scipy.sparse.csr_array, data: NDArray[Any]) -> scipy.sparse.csr_array:
    """Same shape: other numbers in the same places, which both share from then on."""
    other = copy(matrix)  # a tenth of the time of a new matrix, whose places would be checked
    other.data = data
    return other


def safe_divide(
    above: NDArray[np.float64] | float, below: NDArray[np.float64] | float, empty: float = 0
) -> NDArray[np.float64]:
    """The quotient, ``empty`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(np.asarray(above, np.float64), below)
    quotient: NDArray[np.float64] = np.full(numerator.shape, float(empty))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
