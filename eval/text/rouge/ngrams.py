"""ROUGE-N: n-grams in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from eval.text.overlap import Overlap, Text, or_wholes, words_of
from weps.errors import ValuesError

__all__ = ["clipped", "rouge_n"]


def rouge_n(output: Text, reference: Text, n: int = 1) -> Overlap:
    """ROUGE-N (Lin 2004, section 2); the paper has recall alone.

    An n-gram matches as often as it is in both texts. N-grams run across sentences, as in both
    published scorers. Where neither text has n tokens, the texts match as wholes.

    Raises:
        ValuesError: if n is less than 1.
    """
    if n < 1:
        raise ValuesError(f"ROUGE-N of {n}-grams", remedy="n is at least 1")
    overlap = clipped(_ngrams(output, n), _ngrams(reference, n))
    return or_wholes(overlap, output, reference)


def clipped(output: Counter[Hashable], reference: Counter[Hashable]) -> Overlap:
    """Every unit matches as often as it is on both sides."""
    matches = sum(min(output[unit], reference[unit]) for unit in output.keys() & reference.keys())
    return Overlap(matches, output.total(), reference.total())


def _ngrams(text: Text, n: int) -> Counter[Hashable]:
    words = words_of(text)
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))
