"""The words of a name's pages by how well they say which of the namesakes a page is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.candidates import Candidates, PageWords, candidates, page_words
from weps.key_terms import (
    Occurrences,
    Position,
    Reference,
    Terms,
    Weighting,
    ranked_of_all,
)
from weps.language import Analysis
from weps.membership import membership
from weps.resources import gazetteer

__all__ = ["Vocabulary"]

_NEAR = 2.0
"""What a word gains that stands near the name on all pages of the person."""
_ROLE = 5.0
"""What a word gains that names an occupation."""
_WEIGHED, _BEST = 300, 30
"""Terms of each person that are weighed once more, and of these those that are kept."""

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The w words of a name's pages that could stand in a label, and the phrases that hold them."""

    occurrences: Occurrences
    near: sparse.csr_array
    """Shape (documents, w), float64: 1 where the word stands near the name."""
    standing: Floats
    """Shape (w,): what a word is worth whoever it is about."""
    form: Integers
    """Shape (w,): their places among the forms of the pages."""
    phrases: tuple[Candidates, ...]
    """By length."""
    pages: PageWords

    @classmethod
    def of(cls, analysis: Analysis) -> Vocabulary:
        """Look at the text, the title and the snippet of every page."""
        words = page_words(analysis)
        single, *phrases = candidates(analysis)
        form = single.parts[:, 0]
        order = np.argsort(np.array(words.forms, dtype=object)[form])
        form = form[order]
        counts = _counted(words, ~words.address, len(analysis.documents))[:, form]
        near = _counted(words, ~words.address & words.near, len(analysis.documents))[:, form]
        told = tuple(words.forms[at] for at in form.tolist())
        return cls(
            Occurrences(told, {Position.ANYWHERE: counts}),
            near.minimum(1),
            _standing(words, form, single.worth[order]),
            form,
            tuple(phrases),
            words,
        )

    def terms(self, people: Sequence[Sequence[int]], weighting: Weighting) -> list[Terms]:
        """For each person the best words, see :func:`weps.key_terms.key_terms`.

        Weights are multiplied by what words are worth anyhow, and by how much they are near the
        name.
        """
        ranked = ranked_of_all(
            self.occurrences,
            people,
            weighting,
            Reference.packaged(),
            namesakes=True,
            most=_WEIGHED,
        )
        near = sparse.csr_array(membership(people, self.occurrences.documents) @ self.near)
        return [
            self._best(*of_person, self.standing * (1 + _NEAR * pages / max(len(rows), 1)))
            for of_person, pages, rows in zip(ranked, _dense_rows(near), people, strict=True)
        ]

    def _best(self, word: Integers, weights: Floats, factors: Floats) -> Terms:
        """Those of positive weight, best first, equals in alphabetical order."""
        weights = weights * factors[word]
        order = np.lexsort((word, -weights))[:_BEST]
        told = zip(word[order].tolist(), weights[order].tolist(), strict=True)
        return [(self.occurrences.words[at], weight) for at, weight in told if weight > 0]


def _dense_rows(matrix: sparse.csr_array) -> Iterator[Floats]:
    """Shape (columns,) each: the rows of a sparse matrix with their zeros."""
    for begin, end in pairwise(matrix.indptr.tolist()):
        row = np.zeros(matrix.shape[1])
        row[matrix.indices[begin:end]] = matrix.data[begin:end]
        yield row


def _counted(words: PageWords, chosen: NDArray[np.bool_], documents: int) -> sparse.csr_array:
    """Shape (documents, forms), int32: how often each form stands where it is to be counted."""
    places = words.document[chosen], words.form[chosen]
    ones = np.ones(len(places[0]), dtype=np.int32)
    return sparse.coo_array((ones, places), shape=(documents, len(words.forms))).tocsr()


def _standing(words: PageWords, form: Integers, worth: Floats) -> Floats:
    """Shape (w,): the root of how well a word names anything; more for occupations."""
    roles = words.flags(_roles())[form]
    return np.asarray(np.sqrt(worth) * np.where(roles, 1 + _ROLE, 1.0))


def _roles() -> frozenset[str]:
    """The words that occupations end with."""
    return frozenset(name.lower().split()[-1] for name in gazetteer("occupations"))
