"""Candidate search terms of a name's pages: content words, and names recognised by their capitals.

Tokens that are parts of web and mail addresses are recognised by their context.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import word_list
from weps._text import PersonName, singular_form, split_words
from weps.features.bags import Bags, LazyStrings, stop_words
from weps.language.analysis import Analysis, TokenTable, build_token_table

__all__ = ["Candidates", "PageWords", "address_tokens", "candidate_strings", "page_words"]

_ADDRESS_PREFIXES = frozenset({"www", "http", "https", "ftp"})
"""What addresses begin with."""
_ADDRESS_SEPARATORS = frozenset("@/~_")
"""What stands between parts of addresses only."""
_DOMAIN_ENDINGS = frozenset(
    "com org net edu gov mil info biz uk htm html php asp aspx pdf jpg".split()
)
"""What stands after the last point."""
_ADDRESS_POINT = frozenset(".")
_ADDRESS_PARTS = _ADDRESS_PREFIXES | _ADDRESS_SEPARATORS | _DOMAIN_ENDINGS | _ADDRESS_POINT


def address_tokens(table: TokenTable) -> NDArray[np.bool_]:
    """Shape (tokens,): ``york`` in ``www.york.edu`` and in ``/york/index``.

    Tokens do not tell whether blanks stood between them, so ``and / or`` counts too.
    """
    known = {word: at for at, word in enumerate(table.surface) if word in _ADDRESS_PARTS}
    leading, between, point, ending = (
        _matching_tokens(table, words, known)
        for words in (_ADDRESS_PREFIXES, _ADDRESS_SEPARATORS, _ADDRESS_POINT, _DOMAIN_ENDINGS)
    )
    before = leading | between
    found = before.copy()
    found[1:] |= before[:-1]
    found[:-1] |= between[1:]
    found[2:] |= before[:-2] & point[1:-1]
    found[:-2] |= point[1:-1] & ending[2:]
    found[:-4] |= point[1:-3] & point[3:-1] & ending[4:]
    return found


def _matching_tokens(
    table: TokenTable, words: frozenset[str], known: Mapping[str, int]
) -> NDArray[np.bool_]:
    """Shape (tokens,): which are among the words."""
    flags = np.zeros(len(table.surface), dtype=bool)
    flags[[known[word] for word in words & known.keys()]] = True
    return np.asarray(flags[table.token])


Flags = NDArray[np.bool_]
Integers = NDArray[np.integer]

_MAX_ADDRESS_REPEATS = 2
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
    is_word_list: bool
    """Whether the pages are lists of content words, without case."""
    results_start: int
    """Where the words begin that a search engine shows."""

    def flags(self, words: frozenset[str]) -> Flags:
        """Shape (forms,): which forms are among the words, in the singular if pages are lists."""
        known = words.union(map(singular_form, words)) if self.is_word_list else words
        return np.fromiter(map(known.__contains__, self.forms), bool, len(self.forms))


@lru_cache(maxsize=1)
def page_words(analysis: Analysis) -> PageWords:
    """The words of blocks, titles and snippets."""
    pages = analysis.tokens
    listed = bool(pages.surface) and not any(word[0].isupper() for word in pages.surface)
    table = _concatenate_tables(pages, _search_result_table(analysis))
    reduced = [_word_form(word, listed) for word in table.surface]
    forms = tuple(dict.fromkeys(filter(None, reduced)))
    number = {form: index for index, form in enumerate(forms)}
    code = np.array([number.get(form, -1) for form in reduced], dtype=np.int64)[table.token]
    kept = np.flatnonzero(code >= 0)
    sentence = table.sentence[kept]
    follows = np.diff(kept, prepend=-2) == 1
    follows[1:] &= sentence[1:] == sentence[:-1]
    capital = np.fromiter((word[0].isupper() for word in table.surface), bool, len(table.surface))
    address = address_tokens(table)
    if listed:
        address[: len(pages.token)] |= _own_address_words(
            analysis, number, code[: len(pages.token)]
        )
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
        is_word_list=listed,
        results_start=int(np.searchsorted(kept, len(pages.token))),
    )


def _search_result_table(analysis: Analysis) -> TokenTable:
    """What a search engine shows of each page, all of it near the name."""
    shown = [replace(page, blocks=(page.title, page.snippet)) for page in analysis.documents]
    table = build_token_table(shown, analysis.name)
    return replace(table, mentions=np.ones_like(table.mentions))


def _concatenate_tables(first: TokenTable, second: TokenTable) -> TokenTable:
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


def _word_form(word: str, listed: bool) -> str:
    """The form of a token; empty for punctuation."""
    if not word[0].isalnum():
        return ""
    return singular_form(word.lower()) if listed else word.lower()


def _own_address_words(analysis: Analysis, number: Mapping[str, int], form: Integers) -> Flags:
    """Shape (words of pages,): those of lists that seem to come from the page's address alone.

    Title, snippet and address end the lists of WePS-2, and again those that pages are reduced to,
    so words of the address that are there no more than twice say nothing of the text.
    """
    table = analysis.tokens
    found = np.zeros(len(form), dtype=bool)
    bounds = np.searchsorted(table.document[table.sentence], range(len(analysis.documents) + 1))
    for document, (start, end) in zip(analysis.documents, pairwise(bounds.tolist()), strict=True):
        parts = Counter(map(singular_form, split_words(unquote(document.url))))
        for part, times in parts.items():
            here = form[start:end] == number.get(part, -1)
            if here.sum() <= _MAX_ADDRESS_REPEATS * times:
                found[start:end] |= here
    return found


Floats = NDArray[np.float64]


_MIN_WORD_LENGTH = 3
_MAX_WORD_LENGTH = 40
"""Characters; what is longer is code or lacks its blanks."""
_MAX_PHRASE_WORDS = 4
"""Words of a phrase; longer runs of capitals are headlines."""
_NAME_CONNECTORS = frozenset("of for de la le du da di von van der del".split())
"""Words in lower case that may stand between two with capitals: University of York."""
_NAME_OPENERS = frozenset("new old great upper three".split())
"""Words that say nothing by themselves, but belong to a name if they have a capital: New York."""
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december jan feb mar apr jun jul aug sep sept"
    " oct nov dec".split()
)
_NEAR_WEIGHT = 2.0
"""Weight of an occurrence near the name; one occurrence on a page has log 2."""
_NAME_WEIGHT = 3.0
"""Factor for strings whose words always have capitals."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Strings of one length."""

    bags: Bags
    """Of every page, wherever it has them. Strings are spelled as they are written most often."""
    weights: sparse.csr_array
    """Shape (documents, strings): how much each page is about them; the entries of the bags."""
    parts: Integers
    """Shape (strings, words): the forms that they consist of."""
    name_scores: Floats
    """Shape (strings,): name scores; 0 for strings that are not candidates."""


@dataclass(frozen=True, slots=True, eq=False)
class _StringMatches:
    """The k occurrences of strings of one length."""

    starts: Integers
    """Shape (k,): the place of the first word."""
    column: Integers
    """Shape (k,): which string."""
    parts: Integers
    """Shape (strings, words): the forms that they consist of."""


@lru_cache(maxsize=1)
def candidate_strings(analysis: Analysis) -> tuple[Candidates, ...]:
    """Words, then phrases of every length; cached for the current name."""
    return tuple(_generate_candidates(page_words(analysis), analysis.name, len(analysis.documents)))


def _generate_candidates(
    words: PageWords, name: PersonName, documents: int
) -> Iterator[Candidates]:
    telling = _content_forms(words, name)
    worth = _name_scores(words, name)
    yield _single_words(words, telling, worth, documents)
    begin, end = _name_runs(words, telling)
    for length in range(2, _MAX_PHRASE_WORDS + 1):
        yield _phrase_candidates(words, begin[end - begin == length], length, worth, documents)


def _content_forms(words: PageWords, name: PersonName) -> Flags:
    """Shape (forms,): content words of letters, no words of the name, calendar, layout."""
    furniture = word_list("stopwords/labels.txt")
    dropped = words.flags(stop_words().union(name.tokens, _CALENDAR, furniture))
    spelled = (
        len(form) >= _MIN_WORD_LENGTH and form.replace("'", "").isalpha() for form in words.forms
    )
    return np.asarray(~dropped & np.fromiter(spelled, bool, len(words.forms)))


def _name_scores(words: PageWords, name: PersonName) -> Floats:
    """Shape (forms,): name scores of words, by their capitals; 0 if they are not search terms.

    Those are words that are too long, and variants of the name.
    """
    capital = _flagged_share(words.form, words.capital, len(words.forms))
    capital[words.flags(_NAME_CONNECTORS | _NAME_OPENERS)] = 1.0
    brief = np.fromiter((len(form) <= _MAX_WORD_LENGTH for form in words.forms), bool, len(capital))
    return np.where(brief & ~_name_forms(words, name), 1 + _NAME_WEIGHT * capital, 0.0)


def _name_forms(words: PageWords, name: PersonName) -> Flags:
    """Shape (forms,): the name's words, their plurals, and what holds all of them run together.

    A name of one word may stand within others by chance, *Cher* in *teacher*, but not where words
    are written without blanks and capitals, as in Chinese.
    """
    plurals = words.flags(frozenset(f"{word}s" for word in name.tokens).union(name.tokens))
    together = "".join(name.tokens)
    if not together or (len(name.tokens) == 1 and together != together.upper()):
        return plurals
    within = np.fromiter((together in form for form in words.forms), bool, len(plurals))
    return np.asarray(plurals | within)


def _flagged_share(column: Integers, flags: Flags, size: int) -> Floats:
    """Shape (size,): the share of each string's occurrences, of which there are some, flagged."""
    return np.asarray(np.bincount(column, flags, size) / np.bincount(column, minlength=size))


def _single_words(words: PageWords, telling: Flags, worth: Floats, documents: int) -> Candidates:
    """Single words; those that only addresses have are no candidates."""
    starts = np.flatnonzero(telling[words.form])
    distinct = np.flatnonzero(telling)  # every form occurs
    column = (np.cumsum(telling) - 1)[words.form[starts]]
    in_address = _flagged_share(column, words.address[starts], len(distinct))
    found = _StringMatches(starts, column, distinct[:, np.newaxis])
    return _weigh_strings(words, found, np.where(in_address < 1, worth[distinct], 0.0), documents)


def _name_runs(words: PageWords, telling: Flags) -> tuple[Integers, Integers]:
    """Begin and end of every longest run of two or more words that are written as a name.

    That is with capitals, but for single small words between; nothing but blanks stands between.
    """
    naming = telling | words.flags(_NAME_OPENERS)
    capital = words.capital & naming[words.form] & ~words.address
    inside = capital.copy()
    inside[1:-1] |= (
        words.flags(_NAME_CONNECTORS)[words.form[1:-1]]
        & (capital[:-2] & capital[2:])
        & (words.follows[1:-1] & words.follows[2:])
    )
    joined = inside[1:] & inside[:-1] & words.follows[1:]
    edges = np.diff(np.concatenate([[False], joined, [False]]).astype(np.int8))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1


def _phrase_candidates(
    words: PageWords, begin: Integers, length: int, worth: Floats, documents: int
) -> Candidates:
    """Phrases that are found written as names, wherever and however they stand.

    Those that are not written so more often than not are no candidates. A phrase is a name as far
    as all of its words are: headings have capitals too, but of words that elsewhere have none.
    """
    starts = _possible_starts(words, begin, length)
    grams = words.form[starts[:, np.newaxis] + np.arange(length)]
    distinct, column = np.unique(grams, axis=0, return_inverse=True)
    column = column.reshape(len(starts))
    as_name = np.bincount(column[np.searchsorted(starts, begin)], minlength=len(distinct))
    cased = (
        starts >= words.results_start if words.is_word_list else np.ones(len(starts), dtype=bool)
    )
    written = np.bincount(column[cased], minlength=len(distinct))
    chosen = np.where(2 * as_name > written, worth[distinct].min(axis=1), 0.0)
    return _weigh_strings(words, _StringMatches(starts, column, distinct), chosen, documents)


def _possible_starts(words: PageWords, begin: Integers, length: int) -> Integers:
    """Where runs begin that have in every place a word that some name has there."""
    size = max(len(words.form) - length + 1, 0)
    possible = words.sentence[:size] == words.sentence[length - 1 :]
    for offset in range(length):
        known = np.zeros(len(words.forms), dtype=bool)
        known[words.form[begin + offset]] = True
        possible &= known[words.form[offset : offset + size]]
    return np.flatnonzero(possible)


def _weigh_strings(
    words: PageWords, found: _StringMatches, worth: Floats, documents: int
) -> Candidates:
    """Count strings page by page, and weigh them.

    The weight is the logarithm of how often they stand there, and more if they do near the name.
    """
    shape, rows = (documents, len(worth)), words.document[found.starts]
    ones, near = np.ones(len(rows), dtype=np.int32), words.near[found.starts].astype(np.float64)
    counts, nearby = (
        sparse.coo_array((values, (rows, found.column)), shape=shape).tocsr()
        for values in (ones, near)
    )
    weights = sparse.csr_array(np.log1p(counts) + _NEAR_WEIGHT * nearby.minimum(1))
    strings = LazyStrings(np.arange(len(worth)), partial(_usual_spelling, words, found))
    return Candidates(Bags(counts, strings), weights, found.parts, worth)


def _usual_spelling(words: PageWords, found: _StringMatches, wanted: int) -> str:
    """The way in which a string is written most often; of word lists, in titles and snippets."""
    starts = found.starts[found.column == wanted]
    shown = starts[starts >= words.results_start]
    chosen = shown if words.is_word_list and len(shown) else starts
    written = words.written[chosen[:, np.newaxis] + np.arange(found.parts.shape[1])].tolist()
    ways = Counter(" ".join(words.surface[word] for word in way) for way in written)
    return max(ways, key=lambda way: (ways[way], way))
