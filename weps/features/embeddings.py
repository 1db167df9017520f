"""The meaning of what a page says about the person, as a vector of a sentence encoder."""

from __future__ import annotations

import re

from weps.features.name.mentions import mentions_of, page_text
from weps.features.registry import FeatureKind, register_feature
from weps.language.analysis import Analysis
from weps.language.sentence_encoder import Vectors

_HEADING_LENGTH = 200
"""Characters of title and snippet."""
_BEFORE_MENTION = 150
_AFTER_MENTION = 450
_TEXT_LENGTH = _BEFORE_MENTION + _AFTER_MENTION
"""Characters of the text of a page that does not mention the name."""
_MIN_BLOCK_LENGTH = 60
"""Characters; shorter blocks are menus and labels, and count only where there are no others."""


@register_feature(
    "embedding",
    "title, snippet and text around the first mention, encoded by a sentence encoder",
    source="our own",
    needs=["embeddings"],
    kind=FeatureKind.VECTORS,
)
def embedding(analysis: Analysis) -> Vectors:
    """The vectors of :func:`encoded_texts`.

    Raises:
        LanguageError: if there is no sentence encoder, or it cannot be loaded.
    """
    return analysis.encode(encoded_texts(analysis))


def encoded_texts(analysis: Analysis) -> list[str]:
    """For each document the text that is encoded, at most some 800 characters.

    Title and snippet, and of the text what surrounds the first mention of the name, else its
    beginning; all without the words of the name, which all pages share.
    """
    words = "|".join(map(re.escape, analysis.name.tokens))
    name = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
    texts = []
    for document, mentions in zip(analysis.documents, mentions_of(analysis), strict=True):
        text = page_text(document)
        begin = len(document.title) + len(document.snippet) + len("\n\n")
        first = next((each for each in mentions if each.start >= begin), None)
        if first:
            near = text[max(begin, first.start - _BEFORE_MENTION) : first.end + _AFTER_MENTION]
        else:
            long = [block for block in document.blocks if len(block) > _MIN_BLOCK_LENGTH]
            near = " ".join(long or document.blocks)[:_TEXT_LENGTH]
        heading = f"{document.title} {document.snippet}"[:_HEADING_LENGTH]
        whole = f"{heading} {near}"
        texts.append(" ".join((name.sub(" ", whole) if words else whole).split()))
    return texts
