"""NIST: n-grams in common by how much they tell, by nltk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eval.text.optional import optional
from eval.text.wrapped.pairs import Floats, Score, every_pair, pooled
from eval.text.wrapped.tokens import lower_tokens
from weps.errors import ValuesError

__all__ = ["nist", "nist_pooled"]

_MOST = 10


def nist(outputs: Sequence[str], references: Sequence[str], n: int = 5) -> Floats:
    """The NIST score of single texts (Doddington 2002) with each reference alone.

    Tokens are words and punctuation marks in lower case. What an n-gram tells, in bits, is counted
    in the reference itself, where Doddington counts in those of a whole corpus. Orders that the
    output is too short for add nothing.

    Args:
        outputs: texts.
        references: texts.
        n: the longest n-grams.

    Returns:
        Shape (outputs, references), at least 0, without upper bound: of the same text it grows with
        the text's length, and is 0 if that is one word, which tells nothing. Of two empty texts it
        is 1.

    Raises:
        ValuesError: if n is not from 1 to 10.
        LanguageError: if nltk is not installed.
    """
    return every_pair(outputs, references, _score(n))


def nist_pooled(outputs: Sequence[str], references: Sequence[str], n: int = 5) -> Floats:
    """The NIST score with all references at once, as nltk has it.

    N-grams are counted in all references. For each order the reference that fits best is taken, and
    the length penalty is by the lengths of these; Doddington matches n-grams of any reference, and
    takes the mean of their lengths.

    Returns:
        Shape (outputs,), at least 0.

    Raises:
        ValuesError: as :func:`nist`, or if there are no references.
        LanguageError: if nltk is not installed.
    """
    return pooled(outputs, references, _score(n))


def _score(n: int) -> Score:
    if not 1 <= n <= _MOST:
        raise ValuesError(f"NIST of {n}-grams", remedy=f"n is from 1 to {_MOST}")
    corpus_nist: Callable[..., Any] = optional("nltk.translate.nist_score").corpus_nist

    def score(output: str, references: Sequence[str]) -> float:
        words = lower_tokens(output)
        others = [lower_tokens(reference) for reference in references]
        return float(corpus_nist([others], [words], min(n, len(words))))

    return score
