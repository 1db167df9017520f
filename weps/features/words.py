"""Word features: tokens, lemmas, n-grams, noun phrases, content words (EMNLP 2009, section 3.2).

Runs of content words follow the ``tokens`` files of WePS-2 (docs/formats.md): letters only, no stop
words, no words under three letters, not the name itself. Runs cross punctuation and dropped words,
so *professor, Greek history* and *a professor of Greek history* share three words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import dropwhile
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from weps._text import (
    has_alphanumeric,
    is_alphabetic,
    is_syllable_pair,
    singular_form,
    split_words,
)
from weps.features.bags import (
    Bags,
    bags_from_marks,
    dropped_words,
    foreign_stop_words,
    is_content_word,
    number_forms,
    stop_words,
)
from weps.features.registry import register_feature
from weps.language.analysis import (
    Analysis,
    Layer,
    cached_for_features,
    page_languages,
    tokens_with_results,
)

Numbers = NDArray[np.integer]
PUNCTUATION = "·"
"""Replaces every punctuation token."""


class Sequences:
    """Coded strings in reading order, and the runs of them that stay within their sentence."""

    def __init__(
        self,
        forms: Sequence[str],
        form: NDArray[np.int32],
        sentence: Numbers,
        document: Numbers,
        documents: int,
    ) -> None:
        """Store coded strings.

        Args:
            forms: the distinct strings.
            form: shape (T,), index into ``forms``.
            sentence: shape (T,), never decreasing; no run crosses from one number to another.
            document: shape (T,), row of the document.
            documents: number of documents.
        """
        self._forms, self._form = forms, form
        self._sentence, self._document, self._documents = sentence, document, documents
        self._last_run_ids = 1, form

    def starts(self, length: int) -> NDArray[np.int32]:
        """Positions where a run of ``length`` begins that stays within its sentence."""
        last = self._sentence[length - 1 :]
        return np.flatnonzero(self._sentence[: len(last)] == last).astype(np.int32)

    def bags(self, starts: Numbers, length: int) -> Bags:
        """Count the runs of one length that begin at ``starts``, document by document."""
        # Runs are equal if their numbers are; each length is joined from the one before, of which
        # the last is kept. Where that occurs once, so does the longer run: it need not be sorted.
        known, ids = self._last_run_ids
        if known > length:
            known, ids = 1, self._form
        for longer in range(known + 1, length + 1):
            last = self._form[longer - 1 :]
            shorter = ids[: len(last)]
            repeated = np.bincount(shorter)[shorter] > 1
            joined = shorter[repeated].astype(np.int64) * len(self._forms) + last[repeated]
            ids = np.empty(len(last), dtype=np.int32)
            found, ids[repeated] = np.unique(joined, return_inverse=True)
            ids[~repeated] = np.arange(len(found), len(found) + len(last) - len(joined))
        self._last_run_ids = length, ids
        # All that bags keep in memory; answers that hold it travel between processes.
        run = partial(_spell_run, self._forms, self._form, length), starts
        spell, places = run if length > 1 else (self._forms.__getitem__, None)
        return Bags.of_ids(self._document[starts], ids[starts], self._documents, spell, places)


def _spell_run(forms: Sequence[str], form: NDArray[np.int32], length: int, first: int) -> str:
    """The run of coded strings that begins at a place."""
    return " ".join(map(forms.__getitem__, form[first : first + length].tolist()))


@cached_for_features
def token_runs(analysis: Analysis) -> tuple[Sequences, NDArray[np.bool_], NDArray[np.bool_]]:
    """The tokens of a name in lower case.

    Returns:
        Their runs; shape (T,), whether the token is a word that carries evidence; shape (T,),
        whether its sentence mentions the name.
    """
    table = analysis.tokens
    forms, of_surface = number_forms(
        word.lower() if has_alphanumeric(word) else PUNCTUATION for word in table.surface
    )
    form, document = of_surface[table.token], table.document[table.sentence]
    dropped = stop_words().union(analysis.name_words)
    content = np.array([is_content_word(each, dropped) for each in forms], dtype=bool)[form]
    content &= ~foreign_stop_words(table, page_languages(analysis))
    runs = Sequences(forms, form, table.sentence, document, len(analysis.documents))
    return runs, content, table.mentions[table.sentence]


@register_feature(
    "content",
    "runs of {n} content words of the page, whatever stood between them",
    wording="key words",
    detail="{n} key words in a row",
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
    wording="key words of the search result",
    detail="{n} key words in a row of the search result",
    n=(1, 2),
)
def result(analysis: Analysis, *, n: int) -> Bags:
    """Runs of ``n`` content words of the search result, plurals undone."""
    results = []
    for page, language in zip(analysis.documents, page_languages(analysis), strict=True):
        dropped = dropped_words(analysis.name_words, language)
        parts = split_words(f"{page.title} . {page.snippet} . {unquote(page.url)}")
        results.append([form for word in parts if (form := content_form(word, dropped))])
    return Bags.of(
        [" ".join(words[start : start + n]) for start in range(len(words) - n + 1)]
        for words in results
    )


def content_form(word: str, dropped: Collection[str]) -> str:
    """The form that a lower-case word is counted in; empty if it is dropped."""
    if not is_alphabetic(word) or word in dropped:
        return ""
    if len(word) < 3:
        return word if is_syllable_pair(word) else ""
    return singular_form(word)


all_tokens = cached_for_features(tokens_with_results)


@cached_for_features
def content_codes(analysis: Analysis) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct content words of pages, titles and snippets, and which of them each token is.

    Returns:
        V words; shape (T,), index into them, -1 where the token is dropped; T tokens are those of
        :func:`weps.language.analysis.tokens_with_results`.
    """
    table, dropped = all_tokens(analysis), dropped_words(analysis.name_words)
    forms, of_surface = number_forms(content_form(word.lower(), dropped) for word in table.surface)
    codes = of_surface[table.token]
    codes[foreign_stop_words(table, page_languages(analysis))] = -1
    return forms, codes


@cached_for_features
def _content_sequences(analysis: Analysis) -> Sequences:
    """The content words of a name's pages; a document is one sentence."""
    forms, code = content_codes(analysis)
    code = code[: len(analysis.tokens.token)]
    document = analysis.tokens.document[analysis.tokens.sentence][code >= 0]
    return Sequences(forms, code[code >= 0], document, document, len(analysis.documents))


@register_feature(
    "lemma",
    "dictionary forms of the words of {where}",
    wording="words in their dictionary form",
    paper="section 3.2",
    needs=["text", "case", Layer.LEMMAS],
    local=(False, True),
)
def lemma(analysis: Analysis, *, local: bool = False) -> Bags:
    """Lemmas without stop words and without the tokens of the name, as for ``token``."""
    name = analysis.name_words
    # A lemmatiser may take Mr Woods for a plural.
    dropped = stop_words().union(name, (token.removesuffix("s") for token in name))
    marks = analysis.layer(Layer.LEMMAS)
    strings = [
        text.rstrip(".")
        if any(is_content_word(word, dropped) for word in split_words(text))
        else ""
        for text in marks.texts
    ]
    return bags_from_marks(analysis, marks, strings, local=local)


@register_feature(
    "n-gram",
    "runs of {n} tokens in {where}",
    wording="phrases",
    detail="phrases of {n} words",
    paper="section 3.2",
    needs=["text"],
    n=(2, 3, 4, 5),
    local=(False, True),
)
def ngram(analysis: Analysis, *, n: int, local: bool = False) -> Bags:
    """Runs of ``n`` tokens within a sentence, punctuation generalised to one token.

    Runs without a single word that carries evidence (only stop words, punctuation or tokens of
    the name) are dropped.
    """
    runs, content, near = token_runs(analysis)
    starts = runs.starts(n)
    content_before = np.concatenate([[0], np.cumsum(content)])
    chosen = content_before[starts + n] > content_before[starts]
    if local:
        chosen &= near[starts]
    return runs.bags(starts[chosen], n)


_DETERMINERS = frozenset(
    "a an the only this that these those my your his her its our their whose some any each every"
    " no all both either neither another such what which".split()
)
"""Determiners and possessive pronouns, which are removed from the start of a phrase."""


@register_feature(
    "noun phrase",
    "noun phrases of {where}",
    wording="noun phrases",
    paper="section 3.2",
    needs=["text", "case", Layer.PHRASES],
    local=(False, True),
)
def phrase(analysis: Analysis, *, local: bool = False) -> Bags:
    """Noun phrases in lower case, without punctuation and opening determiners; see ``ngram``."""
    dropped, marks = dropped_words(analysis.name_words), analysis.layer(Layer.PHRASES)
    phrases = [
        list(dropwhile(_DETERMINERS.__contains__, split_words(text))) for text in marks.texts
    ]
    strings = [
        " ".join(words) if any(is_content_word(word, dropped) for word in words) else ""
        for words in phrases
    ]
    return bags_from_marks(analysis, marks, strings, local=local)


@register_feature(
    "token",
    "words of {where}",
    wording="words",
    paper="section 3.2",
    needs=["text"],
    local=(False, True),
)
def token(analysis: Analysis, *, local: bool = False) -> Bags:
    """Words without stop words and without the tokens of the name."""
    runs, content, near = token_runs(analysis)
    return runs.bags(np.flatnonzero(content & near if local else content), length=1)


@register_feature("token", "words of the title", wording="words in the title", paper="section 3.2")
def title(analysis: Analysis) -> Bags:
    """Words of the search result's title."""
    return content_word_bags(analysis, (page.title for page in analysis.documents))


@register_feature(
    "token",
    "words of the search engine's snippet",
    wording="words in the search snippet",
    paper="section 3.2",
)
def snippet(analysis: Analysis) -> Bags:
    """Words of the search result's snippet."""
    return content_word_bags(analysis, (page.snippet for page in analysis.documents))


@register_feature(
    "token",
    "parts of the URL between non-alphanumeric characters",
    wording="words in the address",
    paper="section 3.2",
)
def url(analysis: Analysis) -> Bags:
    """Alphanumeric parts of the URL; scheme, extensions and stop words left out."""
    scheme, pages = r"^[A-Za-z][A-Za-z0-9+.-]*://", analysis.documents
    return content_word_bags(analysis, (re.sub(scheme, "", unquote(page.url)) for page in pages))


def content_word_bags(analysis: Analysis, texts: Iterable[str]) -> Bags:
    """The content words of one text for each page, such as its title."""
    dropped = (dropped_words(analysis.name_words, each) for each in page_languages(analysis))
    return Bags.of(
        [word for word in split_words(text) if is_content_word(word, of_page)]
        for text, of_page in zip(texts, dropped, strict=True)
    )
