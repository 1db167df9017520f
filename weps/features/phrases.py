"""Noun phrases (EMNLP 2009, section 3.2)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import dropwhile

from weps.features.bags import Bags
from weps.features.marked import marked_bags
from weps.features.registry import register
from weps.features.vocabulary import is_content, stop_words
from weps.language import Analysis, Layer
from weps.words import words

__all__ = ["phrase"]

_OPENING = frozenset(
    "a an the only this that these those my your his her its our their whose some any each every"
    " no all both either neither another such what which".split()
)
"""Determiners and possessive pronouns: they open a phrase and say nothing of its noun."""


@register(
    "noun phrase",
    "noun phrases of {where}",
    source="EMNLP 2009, section 3.2",
    needs=["text", "case", Layer.PHRASES],
    local=(False, True),
)
def phrase(analysis: Analysis, *, local: bool = False) -> Bags:
    """Noun phrases in lower case, without punctuation and opening determiners.

    Filtered as n-grams are: a phrase without a single word that carries evidence (only stop
    words or tokens of the name) is dropped.
    """
    dropped = stop_words().union(analysis.name.tokens)
    strings = [_bare(text, dropped) for text in analysis.layer(Layer.PHRASES).texts]
    return marked_bags(analysis, Layer.PHRASES, strings, local=local)


def _bare(text: str, dropped: Collection[str]) -> str:
    """The phrase as it counts; empty if it does not."""
    spelled = list(dropwhile(_OPENING.__contains__, words(text)))
    return " ".join(spelled) if any(is_content(word, dropped) for word in spelled) else ""
