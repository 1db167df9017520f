"""ROUGE-S and ROUGE-SU: pairs of words in common, in their order, with words between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from eval.text.overlap import Overlap, Text, or_wholes, words_of
from eval.text.rouge.ngrams import clipped, rouge_n
from weps.errors import ValuesError

__all__ = ["rouge_s", "rouge_su"]

Ints = NDArray[np.int64]
Words = tuple[str, ...]

_CELLS = 1 << 20
"""Cells of a table of words by positions that are held at once."""


def rouge_s(output: Text, reference: Text, skip: int | None = None) -> Overlap:
    """ROUGE-S (Lin 2004, section 5).

    A skip-bigram is two tokens of a text with at most ``skip`` tokens between them, any number
    where it is None; 0 is ROUGE-2. It matches as often as it is in both texts, and runs across
    sentences, as in ROUGE-1.5.5. Where neither text has two tokens, the texts match as wholes.

    Raises:
        ValuesError: if fewer than no tokens are to be skipped.
    """
    overlap = _skip_bigrams(words_of(output), words_of(reference), skip)
    return or_wholes(overlap, output, reference)


def rouge_su(output: Text, reference: Text, skip: int | None = None) -> Overlap:
    """ROUGE-SU: the skip-bigrams of :func:`rouge_s` and the tokens (Lin 2004, section 5.1).

    Raises:
        ValuesError: if fewer than no tokens are to be skipped.
    """
    pairs = _skip_bigrams(words_of(output), words_of(reference), skip)
    return pairs + rouge_n(output, reference)


def _skip_bigrams(output: Words, reference: Words, skip: int | None) -> Overlap:
    if skip is not None and skip < 0:
        raise ValuesError(f"skip-bigrams that skip {skip} tokens", remedy="skip 0 or more")
    if skip is None or skip >= max(len(output), len(reference)) - 2:
        return _unlimited(output, reference)
    return clipped(_pairs(output, skip), _pairs(reference, skip))


def _pairs(words: Words, skip: int) -> Counter[Hashable]:
    distances = range(1, skip + 2)
    pairs = (zip(words, words[distance:], strict=False) for distance in distances)
    return Counter(chain.from_iterable(pairs))


def _unlimited(output: Words, reference: Words) -> Overlap:
    """Only words in both texts matter: pairs are counted without being listed."""
    shared = {word: code for code, word in enumerate(sorted({*output} & {*reference}))}
    codes = [_codes(words, shared) for words in (output, reference)]
    block = max(1, _CELLS // max(1, *map(len, codes)))
    matches = 0
    for start in range(0, len(shared), block):
        ends = np.arange(start, min(start + block, len(shared)))
        counts = (_pairs_ending_in(ends, each, len(shared)) for each in codes)
        matches += int(np.minimum(*counts).sum())
    return Overlap(matches, *(len(words) * (len(words) - 1) // 2 for words in (output, reference)))


def _codes(words: Words, shared: dict[str, int]) -> Ints:
    """The numbers of the shared words of a text, in its order."""
    return np.array([shared[word] for word in words if word in shared], dtype=np.int64)


def _pairs_ending_in(ends: Ints, codes: Ints, size: int) -> Ints:
    """How often each word stands before each of ``ends``, shape (ends × size,)."""
    stands = codes == ends[:, None]
    after = stands[:, ::-1].cumsum(axis=1)[:, ::-1] - stands
    cells = np.arange(len(ends))[:, None] * size + codes
    counts = np.bincount(cells.ravel(), weights=after.ravel(), minlength=len(ends) * size)
    return counts.astype(np.int64)
