"""The key terms of a topic's texts, for measures that look for key concepts."""

from __future__ import annotations

from collections.abc import Sequence

from weps.key_terms import Browser, Occurrences, Phrases, Reference, grown, key_terms, weighting
from weps.language import analyse
from weps.records import Document

__all__ = ["terms_of"]

_WEIGHTING = "likelihood_ratio+spread"
"""What the study of key terms found best for several documents, see docs/key-term-study.md."""


def terms_of(texts: Sequence[Sequence[str]], most: int) -> list[str]:
    """The words and phrases that characterise some texts taken together, best first.

    They are found without tags, as :mod:`weps.key_terms` finds them on pages, against English as
    it is commonly written; of texts in other languages, the most frequent words that are long
    enough.

    Args:
        texts: sentences each.
        most: how many at most; there may be fewer, or none.
    """
    documents = [Document(rank, blocks=tuple(text)) for rank, text in enumerate(texts, start=1)]
    analysis = analyse("", documents)
    occurrences, rows = Occurrences.plain(analysis), range(len(texts))
    terms = key_terms(occurrences, rows, weighting(_WEIGHTING), Reference.packaged())
    return grown(terms, Browser.of(occurrences, Phrases.of(analysis)), rows, most)
