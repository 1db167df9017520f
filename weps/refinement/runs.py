"""Words and runs of words as refinements (ACL-IJCNLP 2009, section 2.2)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from weps.features.bags import Bags
from weps.features.runs import Sequences
from weps.language import Analysis
from weps.resources import word_list

__all__ = ["word_runs"]

Flags = NDArray[np.bool_]


def word_runs(analysis: Analysis, n: int) -> Bags:
    """Runs of ``n`` words within a sentence, in lower case; punctuation is passed over.

    Dropped are runs that begin or end with an English stop word, as in the paper, and runs that
    add nothing to the query: all of their words are stop words or words of the name. Others may
    hold words of the name (``thomas j baker``).
    """
    words = _words_of(analysis)
    starts = words.sequences.starts(n)
    ends = starts + (n - 1)
    before = np.concatenate([[0], np.cumsum(words.telling)])
    chosen = ~words.stop[starts] & ~words.stop[ends] & (before[ends + 1] > before[starts])
    return words.sequences.bags(starts[chosen], n)


class _Words:
    """The words of a name's pages, and what they are worth."""

    def __init__(self, analysis: Analysis) -> None:
        tokens = analysis.tokens
        reduced = [word.lower() if word[0].isalnum() else "" for word in tokens.surface]
        forms = list(dict.fromkeys(filter(None, reduced)))
        number = {form: index for index, form in enumerate(forms)}
        code = np.array([number.get(form, -1) for form in reduced], dtype=np.int64)[tokens.token]
        kept = code >= 0
        form, sentence = code[kept], tokens.sentence[kept]
        self.sequences = Sequences(
            forms, form, sentence, tokens.document[sentence], len(analysis.documents)
        )
        stop = _flags(forms, word_list("stopwords/english.txt"))
        self.stop: Flags = stop[form]
        """Shape (words,)."""
        self.telling: Flags = ~(stop | _flags(forms, frozenset(analysis.name.tokens)))[form]
        """Shape (words,): neither stop words nor words of the name."""


def _flags(forms: list[str], listed: frozenset[str]) -> Flags:
    return np.fromiter((form in listed for form in forms), dtype=bool, count=len(forms))


@lru_cache(maxsize=1)
def _words_of(analysis: Analysis) -> _Words:
    """The words of a name, shared by runs of all lengths."""
    return _Words(analysis)
