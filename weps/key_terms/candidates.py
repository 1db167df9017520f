"""Candidate search terms of a name's pages: content words, and names recognised by their capitals.

Tokens that are parts of web and mail addresses are recognised by their context.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import scipy
from numpy.typing import NDArray

from weps._files import word_list
from weps._text import is_alphabetic, is_syllable_pair, singular_form, split_words
from weps.features.bags import (
    Bags,
    LazyStrings,
    foreign_stop_words,
    number_forms,
    stop_words,
    with_data,
)
from weps.language.analysis import (
    Analysis,
    TokenTable,
    cached_for_name,
    guess_language,
    interface_words,
    page_languages,
    tokens_with_results,
)
from weps.name.spelling import address_pattern

Flags = NDArray[np.bool_]
Integers = NDArray[np.integer]
Floats = NDArray[np.float64]

_ADDRESS_PARTS = (
    ".",
    "www http https ftp",  # what addresses begin with
    "@ / ~ _",  # what stands between parts of addresses only
    "com org net edu gov mil info biz uk htm html php asp aspx pdf jpg",  # after the last point
)
_ADDRESS_KINDS = {part: kind for kind, parts in enumerate(_ADDRESS_PARTS) for part in parts.split()}
"""Part of an address → its place in the tuple."""


def address_tokens(table: TokenTable) -> NDArray[np.bool_]:
    """Shape (tokens,): ``york`` in ``www.york.edu`` and in ``/york/index``.

    Tokens do not tell whether blanks stood between them, so ``and / or`` counts too.
    """
    kinds = np.array([_ADDRESS_KINDS.get(word, -1) for word in table.surface], dtype=np.int8)
    point, leading, between, ending = (kinds[table.token] == kind for kind in range(4))
    before = leading | between
    found: Flags = before.copy()
    found[1:] |= before[:-1]
    found[:-1] |= between[1:]
    found[2:] |= before[:-2] & point[1:-1]
    found[:-2] |= point[1:-1] & ending[2:]
    found[:-4] |= point[1:-3] & point[3:-1] & ending[4:]
    return found


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
    foreign_stop: Flags
    """Shape (T,): whether it is a function word of the language of its page, not of English."""
    is_word_list: bool
    """Whether the pages are lists of content words, without case."""
    results_start: int
    """Where the words begin that a search engine shows."""
    documents: int
    """Number of pages."""

    def flags(self, words: frozenset[str]) -> Flags:
        """Shape (forms,): which forms are among the words, in the singular if pages are lists."""
        known = words.union(map(singular_form, words)) if self.is_word_list else words
        return np.fromiter(map(known.__contains__, self.forms), bool, len(self.forms))


@cached_for_name
def page_words(analysis: Analysis) -> PageWords:
    """The words of blocks, titles and snippets."""
    pages = analysis.tokens
    listed = pages.is_word_list
    # Where the language of a page cannot be told, that of most of its function words.
    languages = [
        language or guess_language((document.title, document.snippet, *document.blocks))
        for document, language in zip(analysis.documents, page_languages(analysis), strict=True)
    ]
    table = tokens_with_results(analysis)
    lowered = (word.lower() if word[0].isalnum() else "" for word in table.surface)
    forms, code_of_surface = number_forms(map(singular_form, lowered) if listed else lowered)
    code = code_of_surface[table.token]
    kept = np.flatnonzero(code >= 0)
    sentence = table.sentence[kept]
    follows = np.append(False, code[:-1] >= 0)[kept]
    follows[1:] &= sentence[1:] == sentence[:-1]
    capital = np.array([word[0].isupper() for word in table.surface], dtype=bool)
    address = address_tokens(table)
    if listed:
        address[: len(pages.token)] |= _own_address_words(analysis, forms, code[: len(pages.token)])
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
        foreign_stop=foreign_stop_words(table, languages)[kept],
        is_word_list=listed,
        results_start=int(np.searchsorted(kept, len(pages.token))),
        documents=len(analysis.documents),
    )


def _own_address_words(analysis: Analysis, forms: Sequence[str], form: Integers) -> Flags:
    """Shape (words of pages,): those of lists that seem to come from the page's address alone.

    Title, snippet and address end the lists of WePS-2, and again those that pages are reduced to,
    so words of the address that are there no more than twice say nothing of the text.
    """
    table, number = analysis.tokens, {each: index for index, each in enumerate(forms)}
    rows = table.document[table.sentence]
    found = np.zeros(len(form), dtype=bool)
    for row, document in enumerate(analysis.documents):
        page = slice(*np.searchsorted(rows, (row, row + 1)))
        parts = Counter(map(singular_form, split_words(unquote(document.url))))
        for part, times in parts.items():
            here = form[page] == number.get(part, -1)
            if here.sum() <= 2 * times:
                found[page] |= here
    return found


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
    """The c words and phrases of a name's pages, words first, longer phrases last."""

    bags: Bags
    """Strings of every page, wherever it has them, spelled as they are written most often."""
    weights: scipy.sparse.csr_array
    """Shape (documents, c): how much each page is about them; the entries of the bags."""
    parts: Integers
    """Shape (c, longest): the forms that they consist of, then −1."""
    name_scores: Floats
    """Shape (c,): how well they name anything; 0 for strings that are not candidates."""


class _Found(NamedTuple):
    """The k occurrences of the strings of one length."""

    starts: Integers
    """Shape (k,): where the first word stands."""
    column: Integers
    """Shape (k,): the string."""
    parts: Integers
    """Shape (strings, length): the forms of each string."""
    scores: Floats
    """Shape (strings,): the name scores."""


@cached_for_name
def candidate_strings(analysis: Analysis) -> Candidates:
    """Words, and phrases of every length."""
    words = page_words(analysis)
    content = _content_forms(words, analysis.name_words)
    scores = _name_scores(words, analysis)
    begin, end = _name_runs(words, content)
    runs = {length: begin[end - begin == length] for length in range(2, _MAX_PHRASE_WORDS + 1)}
    phrases = [_find_phrases(words, starts, length, scores) for length, starts in runs.items()]
    # Single words; every form occurs, and not as a function word alone.
    starts = np.flatnonzero(content[words.form] & ~words.foreign_stop)
    distinct = np.flatnonzero(content)
    column = (np.cumsum(content) - 1)[words.form[starts]]
    in_address = _flagged_share(column, words.address[starts], len(distinct))
    chosen = np.where(in_address < 1, scores[distinct], 0.0)  # some are of addresses alone
    single = _Found(starts, column, distinct[:, np.newaxis], chosen)
    return _weigh_strings(words, [single, *phrases])


def _content_forms(words: PageWords, name: frozenset[str]) -> Flags:
    """Shape (forms,): content words of letters, no words of the name, the calendar or boilerplate.

    Left out are those that nearly always are function words of another language where they stand;
    of others, callers leave out the occurrences that are.
    """
    boilerplate = word_list("stopwords/labels.txt") | interface_words()
    dropped = words.flags(stop_words().union(name, _CALENDAR, boilerplate))
    dropped |= _flagged_share(words.form, words.foreign_stop, len(words.forms)) > 0.8
    spelled = [
        (len(form) > 2 or is_syllable_pair(form)) and is_alphabetic(form.replace("'", ""))
        for form in words.forms
    ]
    return np.array(spelled, dtype=bool) & ~dropped


def _name_scores(words: PageWords, analysis: Analysis) -> Floats:
    """Shape (forms,): name scores of words, by their capitals; 0 if they are not search terms.

    Those are words that are too long, the name's words, their plurals, *d'Hélène*, and what holds
    all of them run together. A name of one word may stand within others by chance, *Cher* in
    *teacher*, but not where words are written without blanks and capitals, as in Chinese.
    """
    capital = _flagged_share(words.form, words.capital, len(words.forms))
    capital[words.flags(_NAME_CONNECTORS | _NAME_OPENERS)] = 1.0
    name, tokens = analysis.name_words, analysis.name.tokens
    barred = words.flags(frozenset(way for word in name for way in (word, f"{word}s", f"d'{word}")))
    barred |= np.array([len(form) > _MAX_WORD_LENGTH for form in words.forms], dtype=bool)
    together = "".join(tokens)
    if together and (len(tokens) > 1 or together == together.upper()):
        ways = map(address_pattern, (together, "".join(reversed(tokens))))
        joined = re.compile("|".join(filter(None, (re.escape(together), *ways)))).search
        barred |= np.array([joined(form) is not None for form in words.forms], dtype=bool)
    return np.where(barred, 0.0, 1 + _NAME_WEIGHT * capital)


def _flagged_share(column: Integers, flags: Flags, size: int) -> Floats:
    """Shape (size,): the share of each string's occurrences, of which there are some, flagged."""
    return np.asarray(np.bincount(column, flags, size) / np.bincount(column, minlength=size))


def _name_runs(words: PageWords, content: Flags) -> tuple[Integers, Integers]:
    """Begin and end of every longest run of two or more words that are written as a name.

    That is with capitals, but for single small words between; nothing but blanks stands between.
    """
    naming = (content | words.flags(_NAME_OPENERS))[words.form]
    capital = words.capital & naming & ~words.address & ~words.foreign_stop
    inside = capital.copy()
    inside[1:-1] |= (
        words.flags(_NAME_CONNECTORS)[words.form[1:-1]]
        & (capital[:-2] & capital[2:])
        & (words.follows[1:-1] & words.follows[2:])
    )
    joined = inside[1:] & inside[:-1] & words.follows[1:]
    edges = np.diff(np.concatenate([[False], joined, [False]]).astype(np.int8))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1


def _find_phrases(words: PageWords, begin: Integers, length: int, scores: Floats) -> _Found:
    """Phrases that are found written as names, wherever and however they stand.

    Those that are not written so more often than not are no candidates. A phrase is a name as far
    as all of its words are: headings have capitals too, but of words that elsewhere have none.
    """
    ends = words.sentence[length - 1 :]
    starts = np.flatnonzero(words.sentence[: len(ends)] == ends)
    for offset in range(length):  # in every place a word that some name has there
        known = np.zeros(len(words.forms), dtype=bool)
        known[words.form[begin + offset]] = True
        starts = starts[known[words.form[starts + offset]]]
    grams = words.form[starts[:, np.newaxis] + np.arange(length)]
    column = grams[:, 0]
    for at in range(1, length):
        joined = column * np.int64(len(words.forms)) + grams[:, at]
        _, first, column = np.unique(joined, return_index=True, return_inverse=True)
    distinct = grams[first]
    as_name = np.bincount(column[np.searchsorted(starts, begin)], minlength=len(distinct))
    cased = column[starts >= words.results_start] if words.is_word_list else column
    usual = 2 * as_name > np.bincount(cased, minlength=len(distinct))
    return _Found(starts, column, distinct, np.where(usual, scores[distinct].min(axis=1), 0.0))


def _weigh_strings(words: PageWords, found: Sequence[_Found]) -> Candidates:
    """Count strings page by page, and weigh them.

    The weight is the logarithm of how often strings stand there, and more if they do near the name.
    """
    sizes, widths = zip(*(each.parts.shape for each in found), strict=True)
    firsts = np.cumsum([0, *sizes])
    column = np.concatenate(
        [first + each.column for first, each in zip(firsts, found, strict=False)], dtype=np.int32
    )
    starts = np.concatenate([each.starts for each in found], dtype=np.int32)
    parts = np.full((firsts[-1], max(widths)), -1, dtype=np.int32)
    for first, each in zip(firsts, found, strict=False):
        parts[first : first + len(each.parts), : each.parts.shape[1]] = each.parts
    shape = words.documents, len(parts)
    counts, near = count_near(words.document[starts], column, words.near[starts], shape)
    starts = starts[np.argsort(column, kind="stable")]
    bounds = np.cumsum(np.bincount(column + 1, minlength=len(parts) + 1))

    @cache
    def spell(number: int) -> str:
        places = starts[slice(*bounds[number : number + 2])]
        return usual_spelling(words, places, int((parts[number] >= 0).sum()))

    return Candidates(
        Bags(counts, LazyStrings(np.arange(len(parts)), spell)),
        with_data(counts, np.log1p(counts.data) + _NEAR_WEIGHT * near.data),
        parts,
        np.concatenate([each.scores for each in found]),
    )


def usual_spelling(words: PageWords, starts: Integers, length: int) -> str:
    """How the string at some places is mostly written; of word lists, in titles and snippets."""
    shown = starts[starts >= words.results_start]
    if words.is_word_list and len(shown):
        starts = shown
    written = words.written[starts[:, np.newaxis] + np.arange(length)]
    ways = Counter(zip(*written.T.tolist(), strict=True))
    return max((n, " ".join(map(words.surface.__getitem__, way))) for way, n in ways.items())[1]


def count_near(
    document: NDArray[np.integer],
    string: NDArray[np.integer],
    near: NDArray[np.bool_],
    shape: tuple[int, int],
) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """How often strings occur in documents, and whether they do near the name.

    Args:
        document: of each occurrence.
        string: its number.
        near: whether it is near the name.
        shape: the number of documents and that of strings.

    Returns:
        Two of that shape, int32, with entries in the same places, 0 and 1 those of the latter.
    """
    counts, times_near = (
        scipy.sparse.coo_array((times, (document, string)), shape=shape).tocsr()
        for times in (np.ones(len(string), np.int32), near.astype(np.int32))
    )
    return counts, times_near.sign()
