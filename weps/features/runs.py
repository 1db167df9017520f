"""Runs of consecutive tokens: the arithmetic behind words, n-grams and capitalised phrases."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from weps.features.bags import Bags
from weps.features.vocabulary import is_content, stop_words
from weps.language import Analysis

__all__ = ["Runs", "runs_of"]

Flags = NDArray[np.bool_]
PUNCTUATION = "·"
"""What every punctuation token is generalised to."""


class Runs:
    """The token table of a name with every token reduced to its lower-case form."""

    def __init__(self, analysis: Analysis) -> None:
        self._tokens = analysis.tokens
        self._name = analysis.name
        self._documents = len(analysis.documents)
        generalised = [
            word.lower() if any(map(str.isalnum, word)) else PUNCTUATION
            for word in self._tokens.surface
        ]
        self._forms = list(dict.fromkeys(generalised))
        number = {form: index for index, form in enumerate(self._forms)}
        of_surface = np.array([number[form] for form in generalised], dtype=np.int64)
        self._form = of_surface[self._tokens.token]
        self._identities: dict[int, NDArray[np.int64]] = {1: self._form}

    @cached_property
    def content(self) -> Flags:
        """Shape (T,): whether the token is a word that carries evidence."""
        dropped = stop_words().union(self._name.tokens)
        flags = (is_content(form, dropped) for form in self._forms)
        return np.fromiter(flags, dtype=bool, count=len(self._forms))[self._form]

    @cached_property
    def local(self) -> Flags:
        """Shape (T,): whether the token's sentence mentions the name."""
        return self._tokens.mentions[self._tokens.sentence]

    def starts(self, length: int) -> NDArray[np.intp]:
        """Positions where a run of ``length`` tokens begins that stays within its sentence."""
        sentence = self._tokens.sentence
        last = sentence[length - 1 :]
        return np.flatnonzero(sentence[: len(last)] == last)

    def any_content(self, starts: NDArray[np.intp], length: int) -> Flags:
        """For each run, whether any of its tokens carries evidence."""
        before = np.concatenate([[0], np.cumsum(self.content)])
        return np.asarray(before[starts + length] > before[starts])

    def bags(self, starts: NDArray[np.intp], length: int) -> Bags:
        """Count the runs of one length that begin at ``starts``, document by document."""
        rows = self._tokens.document[self._tokens.sentence[starts]]
        ids = self._identity(length)[starts]
        return Bags.of_ids(rows, ids, self._documents, lambda k: self._spell(starts[k], length))

    def _identity(self, length: int) -> NDArray[np.int64]:
        """Shape (T,): a number for the run of ``length`` tokens that begins there.

        Runs are equal if their numbers are; each length is joined from the one before, so that
        numbers stay below T times the number of forms.
        """
        if length not in self._identities:
            shorter, last = self._identity(length - 1), self._form[length - 1 :]
            joined = shorter[: len(last)] * len(self._forms) + last
            self._identities[length] = np.unique(joined, return_inverse=True)[1]
        return self._identities[length]

    def _spell(self, start: int, length: int) -> str:
        return " ".join(self._forms[form] for form in self._form[start : start + length])


@lru_cache(maxsize=1)
def runs_of(analysis: Analysis) -> Runs:
    """The runs of a name, shared by all features of the name that is being worked on."""
    return Runs(analysis)
