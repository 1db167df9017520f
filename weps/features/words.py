"""Word features: tokens, lemmas, n-grams, noun phrases, content words (EMNLP 2009, section 3.2).

Runs of content words follow the ``tokens`` files of WePS-2 (docs/formats.md): letters only, no stop
words, no words under three letters, not the name itself. Runs cross punctuation and dropped words,
so *professor, Greek history* and *a professor of Greek history* share three words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import dropwhile
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from weps._text import is_ideograph_pair, singular_form, split_words
from weps.features.bags import (
    Bags,
    bags_from_marks,
    content_words,
    dropped_words,
    foreign_stop_words,
    is_content_word,
    number_forms,
    stop_words,
)
from weps.features.registry import register_feature
from weps.features.sequences import Sequences, token_runs
from weps.language.analysis import Analysis, Layer, cached_for_features, page_languages

_MIN_WORD_LENGTH = 3


@register_feature(
    "content",
    "runs of {n} content words of the page, whatever stood between them",
    source="our own; the words are those of the WePS-2 tokens files",
    needs=["text"],
    n=(1, 2, 3, 4, 5),
)
def content(analysis: Analysis, *, n: int) -> Bags:
    """Runs of ``n`` content words, plurals undone."""
    sequences = _content_sequences(analysis)
    return sequences.bags(sequences.starts(n), n)


@register_feature(
    "content",
    "runs of {n} content words of title, snippet and address, one after the other",
    source="our own",
    n=(1, 2),
)
def result(analysis: Analysis, *, n: int) -> Bags:
    """Runs of ``n`` content words of the search result, plurals undone."""
    results = []
    for page, language in zip(analysis.documents, page_languages(analysis), strict=True):
        dropped = dropped_words(analysis.name, language)
        parts = split_words(f"{page.title} . {page.snippet} . {unquote(page.url)}")
        results.append([form for word in parts if (form := content_form(word, dropped))])
    return Bags.of(
        [" ".join(words[start : start + n]) for start in range(len(words) - n + 1)]
        for words in results
    )


def content_form(word: str, dropped: Collection[str]) -> str:
    """The form that a lower-case word is counted in; empty if it is dropped."""
    if not word.isalpha() or word in dropped:
        return ""
    if len(word) < _MIN_WORD_LENGTH:
        return word if is_ideograph_pair(word) else ""
    return singular_form(word)


@cached_for_features
def content_codes(analysis: Analysis) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct content words of a name's pages, and which of them each token is.

    Returns:
        V words; shape (T,), index into them, -1 where the token is dropped.
    """
    dropped = dropped_words(analysis.name)
    reduced = (content_form(word.lower(), dropped) for word in analysis.tokens.surface)
    forms, of_surface = number_forms(reduced)
    codes = of_surface[analysis.tokens.token]
    codes[foreign_stop_words(analysis.tokens, page_languages(analysis))] = -1
    return forms, codes


@cached_for_features
def _content_sequences(analysis: Analysis) -> Sequences:
    """The content words of a name's pages; a document is one sentence."""
    forms, code = content_codes(analysis)
    document = analysis.tokens.document[analysis.tokens.sentence]
    kept = code >= 0
    document = document[kept]
    return Sequences(forms, code[kept], document, document, len(analysis.documents))


@register_feature(
    "lemma",
    "dictionary forms of the words of {where}",
    needs=["text", "case", Layer.LEMMAS],
    local=(False, True),
)
def lemma(analysis: Analysis, *, local: bool = False) -> Bags:
    """Lemmas without stop words and without the tokens of the name, as for ``token``."""
    name = analysis.name.tokens
    # A lemmatiser may take Mr Woods for a plural.
    dropped = stop_words().union(name, (token.removesuffix("s") for token in name))
    strings = []
    for text in (marks := analysis.layer(Layer.LEMMAS)).texts:
        kept = any(is_content_word(word, dropped) for word in split_words(text))
        strings.append(text.rstrip(".") if kept else "")
    return bags_from_marks(analysis, marks, strings, local=local)


@register_feature(
    "n-gram",
    "runs of {n} tokens in {where}",
    needs=["text"],
    n=(2, 3, 4, 5),
    local=(False, True),
)
def ngram(analysis: Analysis, *, n: int, local: bool = False) -> Bags:
    """Runs of ``n`` tokens within a sentence, punctuation generalised to one token.

    Runs without a single word that carries evidence (only stop words, punctuation or tokens of
    the name) are dropped.
    """
    runs = token_runs(analysis)
    starts = runs.starts(n)
    chosen = runs.any_content(starts, n)
    if local:
        chosen &= runs.local[starts]
    return runs.bags(starts[chosen], n)


_DETERMINERS = frozenset(
    "a an the only this that these those my your his her its our their whose some any each every"
    " no all both either neither another such what which".split()
)
"""Determiners and possessive pronouns, which are removed from the start of a phrase."""


@register_feature(
    "noun phrase",
    "noun phrases of {where}",
    needs=["text", "case", Layer.PHRASES],
    local=(False, True),
)
def phrase(analysis: Analysis, *, local: bool = False) -> Bags:
    """Noun phrases in lower case, without punctuation and opening determiners; see ``ngram``."""
    dropped = dropped_words(analysis.name)
    strings = []
    for text in (marks := analysis.layer(Layer.PHRASES)).texts:
        words = list(dropwhile(_DETERMINERS.__contains__, split_words(text)))
        kept = any(is_content_word(word, dropped) for word in words)
        strings.append(" ".join(words) if kept else "")
    return bags_from_marks(analysis, marks, strings, local=local)


_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@register_feature("token", "words of {where}", needs=["text"], local=(False, True))
def token(analysis: Analysis, *, local: bool = False) -> Bags:
    """Words without stop words and without the tokens of the name."""
    runs = token_runs(analysis)
    chosen = runs.content & runs.local if local else runs.content
    return runs.bags(np.flatnonzero(chosen), length=1)


@register_feature("token", "words of the title")
def title(analysis: Analysis) -> Bags:
    """Words of the search result's title."""
    return content_word_bags(analysis, (page.title for page in analysis.documents))


@register_feature("token", "words of the search engine's snippet")
def snippet(analysis: Analysis) -> Bags:
    """Words of the search result's snippet."""
    return content_word_bags(analysis, (page.snippet for page in analysis.documents))


@register_feature("token", "parts of the URL between non-alphanumeric characters")
def url(analysis: Analysis) -> Bags:
    """Alphanumeric parts of the URL; scheme, extensions and stop words left out."""
    return content_word_bags(
        analysis, (_SCHEME.sub("", unquote(page.url)) for page in analysis.documents)
    )


def content_word_bags(analysis: Analysis, texts: Iterable[str]) -> Bags:
    """The content words of one text for each page, such as its title."""
    return Bags.of(
        content_words(split_words(text), analysis.name, language)
        for text, language in zip(texts, page_languages(analysis), strict=True)
    )
