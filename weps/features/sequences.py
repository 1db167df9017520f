"""Runs of consecutive tokens: the arithmetic behind words, n-grams and capitalised phrases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from weps._text import has_alphanumeric
from weps.features.bags import (
    Bags,
    foreign_stop_words,
    is_content_word,
    number_forms,
    stop_words,
)
from weps.language.analysis import Analysis, cached_for_features, page_languages

Flags = NDArray[np.bool_]
Codes = NDArray[np.int32]
Numbers = NDArray[np.integer]
PUNCTUATION = "·"
"""Replaces every punctuation token."""


class Sequences:
    """Coded strings in reading order, and the runs of them that stay within their sentence."""

    def __init__(
        self,
        forms: Sequence[str],
        form: Codes,
        sentence: Numbers,
        document: Numbers,
        documents: int,
    ) -> None:
        """Store coded strings.

        Args:
            forms: the distinct strings.
            form: shape (T,), index into ``forms``.
            sentence: shape (T,), never decreasing; no run crosses from one number to another.
            document: shape (T,), row of the document.
            documents: number of documents.
        """
        self._forms, self._form = forms, form
        self._sentence, self._document, self._documents = sentence, document, documents
        self._last_run_ids = 1, form

    def starts(self, length: int) -> Codes:
        """Positions where a run of ``length`` begins that stays within its sentence."""
        last = self._sentence[length - 1 :]
        return np.flatnonzero(self._sentence[: len(last)] == last).astype(np.int32)

    def bags(self, starts: Numbers, length: int) -> Bags:
        """Count the runs of one length that begin at ``starts``, document by document."""
        ids = self._run_ids(length)[starts]
        rows = self._document[starts]
        forms, form = self._forms, self._form  # all that bags keep in memory
        if length == 1:
            return Bags.of_ids(rows, ids, self._documents, forms.__getitem__)

        def spell(first: int) -> str:
            return " ".join(map(forms.__getitem__, form[first : first + length].tolist()))

        return Bags.of_ids(rows, ids, self._documents, spell, starts)

    def _run_ids(self, length: int) -> Codes:
        """Shape (T,): a number below T for the run of ``length`` that begins there.

        Runs are equal if their numbers are; each length is joined from the one before, of which the
        last is kept. Where that occurs once, so does the longer run, which need not be sorted.
        """
        known, ids = self._last_run_ids
        if known > length:
            known, ids = 1, self._form
        for longer in range(known + 1, length + 1):
            ids = self._extended(ids, self._form[longer - 1 :])
        self._last_run_ids = length, ids
        return ids

    def _extended(self, ids: Codes, last: Codes) -> Codes:
        """Numbers of the runs that are longer by their last token."""
        shorter = ids[: len(last)]
        repeated = np.bincount(shorter)[shorter] > 1
        joined = shorter[repeated].astype(np.int64) * len(self._forms) + last[repeated]
        extended = np.empty(len(last), dtype=np.int32)
        found, extended[repeated] = np.unique(joined, return_inverse=True)
        extended[~repeated] = np.arange(len(found), len(found) + len(last) - len(joined))
        return extended


class TokenRuns(Sequences):
    """The token table of a name with every token reduced to its lower-case form."""

    def __init__(self, analysis: Analysis) -> None:
        self._tokens = analysis.tokens
        self._name = analysis.name
        forms, of_surface = number_forms(
            word.lower() if has_alphanumeric(word) else PUNCTUATION for word in self._tokens.surface
        )
        sentence = self._tokens.sentence
        super().__init__(
            forms,
            of_surface[self._tokens.token],
            sentence,
            self._tokens.document[sentence],
            len(analysis.documents),
        )
        self._foreign = foreign_stop_words(self._tokens, page_languages(analysis))

    @cached_property
    def content(self) -> Flags:
        """Shape (T,): whether the token is a word that carries evidence."""
        dropped = stop_words().union(self._name.tokens)
        flags = (is_content_word(form, dropped) for form in self._forms)
        content = np.fromiter(flags, dtype=bool, count=len(self._forms))
        return np.asarray(content[self._form] & ~self._foreign)

    @cached_property
    def local(self) -> Flags:
        """Shape (T,): whether the token's sentence mentions the name."""
        return self._tokens.mentions[self._tokens.sentence]

    def any_content(self, starts: Numbers, length: int) -> Flags:
        """For each run, whether any of its tokens carries evidence."""
        before = np.concatenate([[0], np.cumsum(self.content)])
        return np.asarray(before[starts + length] > before[starts])


@cached_for_features
def token_runs(analysis: Analysis) -> TokenRuns:
    """The runs of a name."""
    return TokenRuns(analysis)
