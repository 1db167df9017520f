"""The words of a name's pages, those of their titles and snippets included, as one flat table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from weps.candidates.addresses import in_addresses
from weps.language import Analysis, TokenTable
from weps.language.table import tabulate
from weps.words import singular, words

__all__ = ["PageWords", "page_words"]

Flags = NDArray[np.bool_]
Integers = NDArray[np.integer]

_APPENDED = 2
"""Times that a page's address may have been appended to its list."""


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """``T`` words without punctuation, those of pages in reading order, then of search results."""

    forms: tuple[str, ...]
    """Distinct words in lower case. Lists of content words hold singulars alone, so with them
    plurals are undone in titles and snippets too."""
    surface: tuple[str, ...]
    """Distinct words as written."""
    form: Integers
    """Shape (T,): index into ``forms``."""
    written: Integers
    """Shape (T,): index into ``surface``."""
    document: Integers
    """Shape (T,): row of the page."""
    sentence: Integers
    """Shape (T,): no run of words crosses from one number to another."""
    follows: Flags
    """Shape (T,): whether the token before it, in the same sentence, is a word too."""
    capital: Flags
    """Shape (T,): whether it begins with a capital letter."""
    near: Flags
    """Shape (T,): whether its sentence mentions the name, or it is shown by the search engine."""
    address: Flags
    """Shape (T,): whether it is part of a web or mail address."""
    listed: bool
    """Whether the pages are lists of content words, without case."""
    shown: int
    """Where the words begin that a search engine shows."""

    def flags(self, words: frozenset[str]) -> Flags:
        """Shape (forms,): which forms are among the words, in the singular if pages are lists."""
        known = words.union(map(singular, words)) if self.listed else words
        return np.fromiter(map(known.__contains__, self.forms), bool, len(self.forms))


@lru_cache(maxsize=1)
def page_words(analysis: Analysis) -> PageWords:
    """The words of blocks, titles and snippets."""
    pages = analysis.tokens
    listed = bool(pages.surface) and not any(word[0].isupper() for word in pages.surface)
    table = _joined(pages, _shown(analysis))
    reduced = [_reduced(word, listed) for word in table.surface]
    forms = tuple(dict.fromkeys(filter(None, reduced)))
    number = {form: index for index, form in enumerate(forms)}
    code = np.array([number.get(form, -1) for form in reduced], dtype=np.int64)[table.token]
    kept = np.flatnonzero(code >= 0)
    sentence = table.sentence[kept]
    follows = np.diff(kept, prepend=-2) == 1
    follows[1:] &= sentence[1:] == sentence[:-1]
    capital = np.fromiter((word[0].isupper() for word in table.surface), bool, len(table.surface))
    address = in_addresses(table)
    if listed:
        address[: len(pages.token)] |= _of_own_address(analysis, number, code[: len(pages.token)])
    return PageWords(
        forms=forms,
        surface=table.surface,
        form=code[kept],
        written=table.token[kept],
        document=table.document[sentence],
        sentence=sentence,
        follows=follows,
        capital=capital[table.token[kept]],
        near=table.mentions[sentence],
        address=address[kept],
        listed=listed,
        shown=int(np.searchsorted(kept, len(pages.token))),
    )


def _shown(analysis: Analysis) -> TokenTable:
    """What a search engine shows of each page, all of it near the name."""
    shown = [replace(page, blocks=(page.title, page.snippet)) for page in analysis.documents]
    table = tabulate(shown, analysis.name)
    return replace(table, mentions=np.ones_like(table.mentions))


def _joined(first: TokenTable, second: TokenTable) -> TokenTable:
    """The second table after the first."""
    surface = tuple(dict.fromkeys(first.surface + second.surface))
    number = {word: index for index, word in enumerate(surface)}
    of_second = np.array([number[word] for word in second.surface], dtype=np.int32)
    return TokenTable(
        surface,
        np.concatenate([first.token, of_second[second.token]]),
        np.concatenate([first.sentence, second.sentence + np.int32(len(first.document))]),
        np.concatenate([first.document, second.document]),
        np.concatenate([first.mentions, second.mentions]),
    )


def _reduced(word: str, listed: bool) -> str:
    """The form of a token; empty for punctuation."""
    if not word[0].isalnum():
        return ""
    return singular(word.lower()) if listed else word.lower()


def _of_own_address(analysis: Analysis, number: Mapping[str, int], form: Integers) -> Flags:
    """Shape (words of pages,): those of lists that seem to come from the page's address alone.

    Title, snippet and address end the lists of WePS-2, and again those that pages are reduced to,
    so words of the address that are there no more than twice say nothing of the text.
    """
    table = analysis.tokens
    found = np.zeros(len(form), dtype=bool)
    bounds = np.searchsorted(table.document[table.sentence], range(len(analysis.documents) + 1))
    for document, (start, end) in zip(analysis.documents, pairwise(bounds.tolist()), strict=True):
        parts = Counter(map(singular, words(unquote(document.url))))
        for part, times in parts.items():
            here = form[start:end] == number.get(part, -1)
            if here.sum() <= _APPENDED * times:
                found[start:end] |= here
    return found
