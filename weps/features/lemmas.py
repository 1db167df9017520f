"""Lemmas: dictionary forms of the words of the page (EMNLP 2009, section 3.2)."""

from __future__ import annotations

from weps.features.bags import Bags
from weps.features.marked import marked_bags
from weps.features.registry import register
from weps.features.vocabulary import is_content, stop_words
from weps.language import Analysis, Layer
from weps.words import words

__all__ = ["lemma"]


@register(
    "lemma",
    "dictionary forms of the words of {where}",
    source="EMNLP 2009, section 3.2",
    needs=["text", "case", Layer.LEMMAS],
    local=(False, True),
)
def lemma(analysis: Analysis, *, local: bool = False) -> Bags:
    """Lemmas without stop words and without the tokens of the name, as for ``token``."""
    name = analysis.name.tokens
    # To a lemmatiser Mr Woods may be a plural.
    dropped = stop_words().union(name, (token.removesuffix("s") for token in name))
    kept = (
        text.rstrip(".") if any(is_content(word, dropped) for word in words(text)) else ""
        for text in analysis.layer(Layer.LEMMAS).texts
    )
    return marked_bags(analysis, Layer.LEMMAS, tuple(kept), local=local)
