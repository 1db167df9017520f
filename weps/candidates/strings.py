"""What a person could think of typing: content words, and names as capitals show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.candidates.page_words import PageWords, page_words
from weps.features.bags import Bags, LazyStrings
from weps.features.vocabulary import stop_words
from weps.language import Analysis
from weps.names import PersonName
from weps.resources import word_list

__all__ = ["Candidates", "candidates"]

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.integer]

_SHORTEST = 3
_LONGEST_WORD = 40
"""Characters; what is longer is code or lacks its blanks."""
_LONGEST = 4
"""Words of a phrase; longer runs of capitals are headlines."""
_WITHIN_NAMES = frozenset("of for de la le du da di von van der del".split())
"""Words in lower case that may stand between two with capitals: University of York."""
_OPENING_NAMES = frozenset("new old great upper three".split())
"""Words that say nothing by themselves, but belong to a name if they have a capital: New York."""
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december jan feb mar apr jun jul aug sep sept"
    " oct nov dec".split()
)
_NEAR = 2.0
"""What standing near the name is worth; standing on a page once is worth log 2."""
_NAME = 3.0
"""How much more a string is worth than others if its words always have capitals."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Strings of one length."""

    bags: Bags
    """Of every page, wherever it has them. Strings are spelled as they are written most often."""
    weights: sparse.csr_array
    """Shape (documents, strings): how much each page is about them; the entries of the bags."""
    parts: Integers
    """Shape (strings, words): the forms that they consist of."""
    worth: Floats
    """Shape (strings,): how well they name anything; 0 for those that are no candidates."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Where strings of one length stand, k times."""

    starts: Integers
    """Shape (k,): the place of the first word."""
    column: Integers
    """Shape (k,): which string."""
    parts: Integers
    """Shape (strings, words): the forms that they consist of."""


@lru_cache(maxsize=1)
def candidates(analysis: Analysis) -> tuple[Candidates, ...]:
    """Words, then phrases of every length; kept for the name that is being worked on."""
    return tuple(_candidates(page_words(analysis), analysis.name, len(analysis.documents)))


def _candidates(words: PageWords, name: PersonName, documents: int) -> Iterator[Candidates]:
    telling = _telling(words, name)
    worth = _worth(words, name)
    yield _single(words, telling, worth, documents)
    begin, end = _names(words, telling)
    for length in range(2, _LONGEST + 1):
        yield _phrases(words, begin[end - begin == length], length, worth, documents)


def _telling(words: PageWords, name: PersonName) -> Flags:
    """Shape (forms,): content words of letters, no words of the name, the calendar, furniture."""
    furniture = word_list("stopwords/labels.txt")
    dropped = words.flags(stop_words().union(name.tokens, _CALENDAR, furniture))
    spelled = (len(form) >= _SHORTEST and form.replace("'", "").isalpha() for form in words.forms)
    return np.asarray(~dropped & np.fromiter(spelled, bool, len(words.forms)))


def _worth(words: PageWords, name: PersonName) -> Floats:
    """Shape (forms,): how well words name anything, by their capitals; 0 if nobody would type them.

    Those are words that are too long, and the name, in disguise too.
    """
    capital = _share(words.form, words.capital, len(words.forms))
    capital[words.flags(_WITHIN_NAMES | _OPENING_NAMES)] = 1.0
    brief = np.fromiter((len(form) <= _LONGEST_WORD for form in words.forms), bool, len(capital))
    return np.where(brief & ~_named(words, name), 1 + _NAME * capital, 0.0)


def _named(words: PageWords, name: PersonName) -> Flags:
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


def _share(column: Integers, flags: Flags, size: int) -> Floats:
    """Shape (size,): the share of each string's occurrences, of which there are some, flagged."""
    return np.asarray(np.bincount(column, flags, size) / np.bincount(column, minlength=size))


def _single(words: PageWords, telling: Flags, worth: Floats, documents: int) -> Candidates:
    """Single words; those that only addresses have are no candidates."""
    starts = np.flatnonzero(telling[words.form])
    distinct = np.flatnonzero(telling)  # every form occurs
    column = (np.cumsum(telling) - 1)[words.form[starts]]
    in_address = _share(column, words.address[starts], len(distinct))
    found = _Found(starts, column, distinct[:, np.newaxis])
    return _counted(words, found, np.where(in_address < 1, worth[distinct], 0.0), documents)


def _names(words: PageWords, telling: Flags) -> tuple[Integers, Integers]:
    """Begin and end of every longest run of two or more words that are written as a name.

    That is with capitals, but for single small words between; nothing but blanks stands between.
    """
    naming = telling | words.flags(_OPENING_NAMES)
    capital = words.capital & naming[words.form] & ~words.address
    inside = capital.copy()
    inside[1:-1] |= (
        words.flags(_WITHIN_NAMES)[words.form[1:-1]]
        & (capital[:-2] & capital[2:])
        & (words.follows[1:-1] & words.follows[2:])
    )
    joined = inside[1:] & inside[:-1] & words.follows[1:]
    edges = np.diff(np.concatenate([[False], joined, [False]]).astype(np.int8))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1


def _phrases(
    words: PageWords, begin: Integers, length: int, worth: Floats, documents: int
) -> Candidates:
    """Phrases that are found written as names, wherever and however they stand.

    Those that are not written so more often than not are no candidates. A phrase is a name as far
    as all of its words are: headings have capitals too, but of words that elsewhere have none.
    """
    starts = _possible(words, begin, length)
    grams = words.form[starts[:, np.newaxis] + np.arange(length)]
    distinct, column = np.unique(grams, axis=0, return_inverse=True)
    column = column.reshape(len(starts))
    as_name = np.bincount(column[np.searchsorted(starts, begin)], minlength=len(distinct))
    cased = starts >= words.shown if words.listed else np.ones(len(starts), dtype=bool)
    written = np.bincount(column[cased], minlength=len(distinct))
    chosen = np.where(2 * as_name > written, worth[distinct].min(axis=1), 0.0)
    return _counted(words, _Found(starts, column, distinct), chosen, documents)


def _possible(words: PageWords, begin: Integers, length: int) -> Integers:
    """Where runs begin that have in every place a word that some name has there."""
    size = max(len(words.form) - length + 1, 0)
    possible = words.sentence[:size] == words.sentence[length - 1 :]
    for offset in range(length):
        known = np.zeros(len(words.forms), dtype=bool)
        known[words.form[begin + offset]] = True
        possible &= known[words.form[offset : offset + size]]
    return np.flatnonzero(possible)


def _counted(words: PageWords, found: _Found, worth: Floats, documents: int) -> Candidates:
    """Count strings page by page, and weigh them.

    The weight is the logarithm of how often they stand there, and more if they do near the name.
    """
    shape, rows = (documents, len(worth)), words.document[found.starts]
    ones, near = np.ones(len(rows), dtype=np.int32), words.near[found.starts].astype(np.float64)
    counts, nearby = (
        sparse.coo_array((values, (rows, found.column)), shape=shape).tocsr()
        for values in (ones, near)
    )
    weights = sparse.csr_array(np.log1p(counts) + _NEAR * nearby.minimum(1))
    strings = LazyStrings(np.arange(len(worth)), partial(_spelled, words, found))
    return Candidates(Bags(counts, strings), weights, found.parts, worth)


def _spelled(words: PageWords, found: _Found, wanted: int) -> str:
    """The way in which a string is written most often; of word lists, in titles and snippets."""
    starts = found.starts[found.column == wanted]
    shown = starts[starts >= words.shown]
    chosen = shown if words.listed and len(shown) else starts
    written = words.written[chosen[:, np.newaxis] + np.arange(found.parts.shape[1])].tolist()
    ways = Counter(" ".join(words.surface[word] for word in way) for way in written)
    return max(ways, key=lambda way: (ways[way], way))
