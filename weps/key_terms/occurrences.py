"""How often each content word occurs in each document of a name, anywhere and by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.errors import FeatureError
from weps.features.words import content_word_bags, token
from weps.language.analysis import Analysis

if TYPE_CHECKING:
    from weps.key_terms.clauses import Positions

_BEFORE_VERB = -1
"""Distance of the last content word before a verb."""
_BITS = 32
"""Enough for the words of a page."""


class Position(StrEnum):
    """Where in a sentence a word stands (COLING 2004, section 4)."""

    ANYWHERE = "anywhere"
    VERB = "verb"
    """Immediately before a verb, words without content not counted."""
    SUBJECT = "subject"
    HEAD = "head"
    """The noun phrase that a subject begins with."""
    MODIFIER = "modifier"
    """What follows the head of a subject."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Counts of the w distinct content words of the documents of a name or topic."""

    words: tuple[str, ...]
    """w words in lower case, sorted."""
    counts: Mapping[Position, sparse.csr_array]
    """Position → shape (documents, w), int32: how often the word occurs there."""

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self.counts[Position.ANYWHERE].shape[0])

    def at(self, position: Position) -> sparse.csr_array:
        """Shape (documents, w), int32: the counts at a position.

        Raises:
            FeatureError: if the documents were read without their parts of speech.
        """
        if position not in self.counts:
            raise FeatureError(
                f"positions of words ({position!s}) are unknown in these pages",
                remedy="choose a weighting that needs no tags, such as likelihood_ratio",
            )
        return self.counts[position]

    @classmethod
    def of(cls, positions: Positions, documents: int) -> Occurrences:
        """Count content words by where they stand.

        Args:
            positions: those of all words of the documents.
            documents: how many there are, those without a word among them.
        """
        content = positions.content
        words, column = _sorted_words(positions.forms, positions.form[content])
        chosen = {
            Position.ANYWHERE: content,
            Position.VERB: content & (positions.distance == _BEFORE_VERB),
            Position.SUBJECT: content & positions.subject,
            Position.HEAD: content & positions.head,
            Position.MODIFIER: content & positions.modifier,
        }
        counts = {}
        for position, where in chosen.items():
            places = positions.document[where], column[positions.form[where]]
            ones, shape = np.ones(len(places[0]), np.int32), (documents, len(words))
            counts[position] = sparse.coo_array((ones, places), shape=shape).tocsr()
        return cls(words, counts)

    @classmethod
    def without_positions(cls, analysis: Analysis) -> Occurrences:
        """Count content words anywhere; a page without text has those of title and snippet."""
        text = token(analysis)
        without_text = np.diff(text.counts.indptr) == 0
        texts = (
            f"{page.title} {page.snippet}" if empty else ""
            for page, empty in zip(analysis.documents, without_text, strict=True)
        )
        shown = content_word_bags(analysis, texts)
        both = sparse.hstack([text.counts, shown.counts]).tocoo()
        rows, strings = both.coords
        words, column = _sorted_words([*text.strings, *shown.strings], strings)
        places, shape = (rows, column[strings]), (len(analysis.documents), len(words))
        counts = sparse.coo_array((both.data, places), shape=shape).tocsr()
        return cls(words, {Position.ANYWHERE: counts})


def binary_counts(counts: sparse.csr_array) -> sparse.csr_array:
    """Same shape, int32: 1 where there is something."""
    present = counts.copy()
    present.data = np.ones_like(present.data, dtype=np.int32)
    return present


def with_data(sorted_rows: sparse.csr_array, data: NDArray[np.number]) -> sparse.csr_array:
    """Same shape: other numbers in the same places, which both share from then on."""
    entries = data, sorted_rows.indices, sorted_rows.indptr
    return sparse.csr_array(entries, shape=sorted_rows.shape)


def count_near(
    document: NDArray[np.integer],
    string: NDArray[np.integer],
    near: NDArray[np.bool_],
    shape: tuple[int, int],
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """How often strings occur in documents, and whether they do near the name.

    Args:
        document: of each occurrence.
        string: its number.
        near: whether it is near the name.
        shape: the number of documents and that of strings.

    Returns:
        Two of that shape, int32, with entries in the same places, 0 and 1 those of the latter.
    """
    times = 1 + (near.astype(np.int64) << _BITS)  # both at once
    both = sparse.coo_array((times, (document, string)), shape=shape).tocsr()
    counts = with_data(both, (both.data & ((1 << _BITS) - 1)).astype(np.int32))
    return counts, with_data(both, (both.data >> _BITS > 0).astype(np.int32))


def _sorted_words(
    forms: Sequence[str], used: NDArray[np.integer]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The distinct forms that are used, sorted, and for each form its place among them."""
    words = sorted({forms[form] for form in np.unique(used).tolist()})
    place = {word: number for number, word in enumerate(words)}
    return tuple(words), np.array([place.get(form, -1) for form in forms], dtype=np.int64)
