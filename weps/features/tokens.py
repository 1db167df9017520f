"""Token features: full text, title, snippet, URL (EMNLP 2009, section 3.2)."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np

from weps.features.bags import Bags
from weps.features.registry import register
from weps.features.runs import runs_of
from weps.features.vocabulary import content_words
from weps.language import Analysis
from weps.words import words

__all__ = ["snippet", "title", "token", "url"]

_SOURCE = "EMNLP 2009, section 3.2"
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@register("token", "words of {where}", source=_SOURCE, needs=["text"], local=(False, True))
def token(analysis: Analysis, *, local: bool = False) -> Bags:
    """Words without stop words and without the tokens of the name."""
    runs = runs_of(analysis)
    chosen = runs.content & runs.local if local else runs.content
    return runs.bags(np.flatnonzero(chosen), length=1)


@register("token", "words of the title", source=_SOURCE)
def title(analysis: Analysis) -> Bags:
    """Words of the search result's title."""
    return Bags.of(content_words(words(d.title), analysis.name) for d in analysis.documents)


@register("token", "words of the search engine's snippet", source=_SOURCE)
def snippet(analysis: Analysis) -> Bags:
    """Words of the search result's snippet."""
    return Bags.of(content_words(words(d.snippet), analysis.name) for d in analysis.documents)


@register("token", "parts of the URL between non-alphanumeric characters", source=_SOURCE)
def url(analysis: Analysis) -> Bags:
    """Alphanumeric parts of the URL; scheme, extensions and stop words left out."""
    return Bags.of(
        content_words(words(_SCHEME.sub("", unquote(d.url))), analysis.name)
        for d in analysis.documents
    )
