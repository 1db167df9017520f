"""Runs of content words: what is left of a page's text when everything common is dropped.

What the WePS-2 organisers kept of their pages (the ``tokens`` files, docs/formats.md): letters
only, no stop words, no words under three letters, not the name itself. Runs cross punctuation and
dropped words, so *professor, Greek history* and *a professor of Greek history* share three words.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from urllib.parse import unquote

import numpy as np

from weps.features.bags import Bags
from weps.features.registry import register
from weps.features.runs import Sequences
from weps.features.vocabulary import stop_words
from weps.language import Analysis
from weps.names import PersonName
from weps.records import Document
from weps.words import singular, words

__all__ = ["content", "content_form", "not_content", "result"]

_SHORTEST_WORD = 3


@register(
    "content",
    "runs of {n} content words of the page, whatever stood between them",
    source="our own; the words are those of the WePS-2 tokens files",
    needs=["text"],
    n=(1, 2, 3, 4, 5),
)
def content(analysis: Analysis, *, n: int) -> Bags:
    """Runs of ``n`` content words, plurals undone."""
    sequences = _sequences_of(analysis)
    return sequences.bags(sequences.starts(n), n)


@register(
    "content",
    "runs of {n} content words of title, snippet and address, one after the other",
    source="our own",
    n=(1, 2),
)
def result(analysis: Analysis, *, n: int) -> Bags:
    """Runs of ``n`` content words of what the search engine shows, plurals undone."""
    dropped = not_content(analysis.name)
    return Bags.of(_runs(_shown(document, dropped), n) for document in analysis.documents)


def not_content(name: PersonName) -> frozenset[str]:
    """The words that are dropped."""
    return stop_words().union(name.tokens)


def content_form(word: str, dropped: Collection[str]) -> str:
    """The form that a lower-case word is counted in; empty if it is dropped."""
    if len(word) < _SHORTEST_WORD or not word.isalpha() or word in dropped:
        return ""
    return singular(word)


def _shown(document: Document, dropped: Collection[str]) -> list[str]:
    """The content words of a search result in reading order."""
    parts = (document.title, document.snippet, unquote(document.url))
    return [form for part in parts for word in words(part) if (form := content_form(word, dropped))]


def _runs(forms: list[str], n: int) -> list[str]:
    return [" ".join(forms[start : start + n]) for start in range(len(forms) - n + 1)]


@lru_cache(maxsize=1)
def _sequences_of(analysis: Analysis) -> Sequences:
    """The content words of a name's pages; a document is one sentence."""
    dropped = not_content(analysis.name)
    tokens = analysis.tokens
    reduced = [content_form(word.lower(), dropped) for word in tokens.surface]
    forms = list(dict.fromkeys(filter(None, reduced)))
    number = {form: index for index, form in enumerate(forms)}
    code = np.array([number.get(form, -1) for form in reduced], dtype=np.int64)[tokens.token]
    document = tokens.document[tokens.sentence]
    kept = code >= 0
    return Sequences(forms, code[kept], document[kept], document[kept], len(analysis.documents))
