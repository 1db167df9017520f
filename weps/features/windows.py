"""Text near the name: windows of words around its mentions, capitalised words, and a vector.

Windows count tokens of the running text, reach over sentences but not over pages, and are joined
where they overlap. A mention is the last name in a sentence that mentions the whole name, or, on
pages without such a sentence, the last name anywhere. Title and snippet of the search result, which
are about the person, are part of every window.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps._text import split_tokens
from weps.features.bags import Bags, dropped_words
from weps.features.name import mentions_of, page_text
from weps.features.registry import FeatureKind, register_feature
from weps.features.words import content_codes, content_form
from weps.language.analysis import Analysis, cached_for_features, page_languages
from weps.language.sentence_encoder import Vectors

_MAX_MENTIONS = 30
"""Number of mentions of a page around which words are taken, the first ones."""
_FAR, _NEAR = 80, 25
"""Tokens on either side of a mention: some 500 and 150 characters."""

Flags = NDArray[np.bool_]
Numbers = NDArray[np.integer]


@register_feature(
    "name",
    "key words within {width} tokens of the name, and those of title and snippet",
    wording="key words near the name",
    detail="key words within {width} words of the name",
    needs=["text", "mentions"],
    width=(_FAR, _NEAR),
)
def window(analysis: Analysis, *, width: int) -> Bags:
    """Content words, plurals undone, of the windows and of the search result."""
    words = _content_words(analysis)
    return words.bags(words.in_result | _near_mentions(analysis, width))


@register_feature(
    "name",
    f"capitalised words within {_FAR} tokens of the name, and those of title and snippet",
    wording="capitalised words near the name",
    needs=["text", "case", "mentions"],
)
def capitalised_window(analysis: Analysis) -> Bags:
    """Content words of the wider ``window`` that begin with a capital letter."""
    words = _content_words(analysis)
    return words.bags((words.in_result | _near_mentions(analysis, _FAR)) & words.capital)


@register_feature(
    "name",
    "capitalised words of title and snippet",
    wording="capitalised words of the search result",
)
def capitalised_result(analysis: Analysis) -> Bags:
    """Content words of the search result that begin with a capital letter."""
    words = _content_words(analysis)
    return words.bags(words.in_result & words.capital)


@dataclass(frozen=True, slots=True, eq=False)
class _ContentWords:
    """The content words of a name: the T tokens of its pages, then those of titles and snippets."""

    documents: int
    forms: tuple[str, ...]
    code: Numbers
    """Shape (all tokens,): index into ``forms``, -1 for other tokens than content words."""
    row: Numbers
    """Shape (all tokens,): row of the document."""
    capital: Flags
    """Shape (all tokens,): whether the token begins with a capital letter."""
    in_result: Flags
    """Shape (all tokens,): whether the token is of title or snippet."""

    def bags(self, inside: Flags) -> Bags:
        """Count the content words among the tokens chosen."""
        chosen = np.flatnonzero(inside & (self.code >= 0))
        codes = self.code[chosen]
        return Bags.of_ids(self.row[chosen], codes, self.documents, self.forms.__getitem__)


@cached_for_features
def _content_words(analysis: Analysis) -> _ContentWords:
    """Number the words of the search results as those of the pages."""
    tokens = analysis.tokens
    forms, of_pages = content_codes(analysis)
    number = {form: at for at, form in enumerate(forms)} | {"": -1}
    results = [[*split_tokens(d.title), *split_tokens(d.snippet)] for d in analysis.documents]
    words = [word for each in results for word in each]
    of_results = []
    for language, words_of_page in zip(page_languages(analysis), results, strict=True):
        dropped = dropped_words(analysis.name, language)
        forms_of_page = [content_form(word.lower(), dropped) for word in words_of_page]
        of_results += [number.setdefault(form, len(number) - 1) for form in forms_of_page]
    in_result = np.zeros(len(tokens.token) + len(words), dtype=bool)
    in_result[len(tokens.token) :] = True
    rows = np.repeat(np.arange(len(results), dtype=np.int32), list(map(len, results)))
    return _ContentWords(
        documents=len(results),
        forms=tuple(filter(None, number)),
        code=np.concatenate([of_pages, np.array(of_results, dtype=np.int32)]),
        row=np.concatenate([tokens.document[tokens.sentence], rows]),
        capital=np.concatenate(
            [_begin_capital(tokens.surface)[tokens.token], _begin_capital(words)]
        ),
        in_result=in_result,
    )


def _begin_capital(words: Sequence[str]) -> Flags:
    return np.array([word[0].isupper() for word in words], dtype=bool)


def _near_mentions(analysis: Analysis, width: int) -> Flags:
    """Shape (all tokens,): whether the token is at most ``width`` from a mention on its page."""
    places, words = _mention_places(analysis), _content_words(analysis)
    rows = words.row[: len(analysis.tokens.token)]
    first, end = (np.searchsorted(rows, words.row[places], side) for side in ("left", "right"))
    change = np.zeros(len(words.row) + 1, dtype=np.int32)
    np.add.at(change, np.maximum(places - width, first), 1)
    np.add.at(change, np.minimum(places + width + 1, end), -1)
    return change[:-1].cumsum(dtype=np.int32) > 0


@cached_for_features
def _mention_places(analysis: Analysis) -> Numbers:
    """The positions among all tokens of the last names that stand for mentions, ascending."""
    tokens, last = analysis.tokens, "".join(analysis.name.tokens[-1:])
    is_last = np.array(list(map(last.__eq__, map(str.lower, tokens.surface))), dtype=bool)
    places = np.flatnonzero(is_last[tokens.token])
    sentences = tokens.sentence[places]
    rows, whole = tokens.document[sentences], tokens.mentions[sentences]
    kept = whole | ~np.isin(rows, rows[whole])
    places, rows = places[kept], rows[kept]
    return places[np.arange(len(rows)) - np.searchsorted(rows, rows) < _MAX_MENTIONS]


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
    wording="meaning of the text around the name",
    detail="text around the name with a similar meaning",
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
