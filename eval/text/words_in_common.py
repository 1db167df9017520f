"""Words in common, in any order: lexical overlap and the cosine of binary vectors of words.

Lexical overlap is the O_l of Giménez and Màrquez (Linguistic measures for automatic machine
translation evaluation, 2010; the toolkit Asiya), as Corroborating text evaluation results with
heterogeneous measures (2011), section 4.2, uses it: "the lexical overlap without considering word
ordering". The cosine is the baseline of the semantic textual similarity task of SemEval 2012, over
the distinct words between blanks.

Two texts without a word, such as two of punctuation marks that the caller leaves out, score 1; such
a text scores 0 against any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from math import sqrt

from eval.text.overlap import Overlap, Text, words_of
from eval.text.rouge.ngrams import clipped

__all__ = ["cosine", "dice", "jaccard", "words_in_common"]


def words_in_common(output: Text, reference: Text, *, repeated: bool = True) -> Overlap:
    """The words that two texts share; what a word is, is up to the caller.

    Args:
        output: tokens.
        reference: tokens.
        repeated: whether a word counts as often as it is there, so that the texts are multisets
            and it matches as often as it is in both; else once.

    Returns:
        The overlap, whose precision and recall are shares of the words of either text.
    """
    kept = Counter[Hashable] if repeated else _once
    return clipped(kept(words_of(output)), kept(words_of(reference)))


def jaccard(overlap: Overlap) -> float:
    """|A ∩ B| / |A ∪ B|, in [0, 1]: lexical overlap, of multisets if the words are repeated."""
    either = overlap.output + overlap.reference - overlap.matches
    return overlap.matches / either if either else 1.0


def dice(overlap: Overlap) -> float:
    """2 |A ∩ B| / (|A| + |B|), in [0, 1]: F₁."""
    return overlap.f()


def cosine(overlap: Overlap) -> float:
    """|A ∩ B| / √(|A| |B|), in [0, 1]: of sets, the cosine of their binary vectors.

    Of multisets it is not the cosine of the vectors of counts.
    """
    return sqrt(overlap.precision * overlap.recall)


def _once(words: Iterable[Hashable]) -> Counter[Hashable]:
    return Counter(set(words))
