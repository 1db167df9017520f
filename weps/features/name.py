"""The person's name on its pages: mentions, their form, and text near them.

How common the name is, by the counts of a census, is no feature: it told the lists of WePS-1 apart,
but for most names on earth there is no census to ask, and the answer must not depend on that.

*Anna Mary Baker*, *Mary J. Baker* and *Mary Baker Holt* are three people, and seldom the *Mary
Baker* of a fourth page. Search engines find them all for *Mary Baker*; of 110 errors on names that
were never shown to the system, 12 had a longer name in sight.

Windows count tokens of the running text, reach over sentences but not over pages, and are joined
where they overlap. Their middle is the family name of a mention of the whole name or, on pages
without one, of any mention. Title and snippet of the search
result, which are about the person, are part of every window.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from weps._files import gazetteer_names
from weps.features.bags import Bags, dropped_words, stop_words
from weps.features.registry import FeatureKind, Flags, Rows, register_feature
from weps.features.words import Sequences, all_tokens, content_codes
from weps.language.analysis import (
    Analysis,
    cached_for_features,
    cached_for_name,
    page_text,
)
from weps.language.sentence_encoder import Vectors
from weps.name.mentions import Mention, MentionKind
from weps.name.person_name import FAMILY_FIRST, UNSPACED, PersonName, census_share
from weps.name.spelling import NamePattern, plain_letters, word_pattern

_NO_NAMES = frozenset(("dr", "md", "mr", "mrs", "ms", "prof"))


@cached_for_name
def mentions_of(analysis: Analysis, *, hyphenated: bool = False) -> tuple[tuple[Mention, ...], ...]:
    """For each document the mentions of the whole name in its title, snippet and text, in order.

    A name of one word is mentioned wherever that word occurs.

    Args:
        analysis: the name and its pages.
        hyphenated: whether *Thomas Baker-Lee* mentions Thomas Baker.
    """
    return tuple(
        tuple(
            each
            for each in of_page
            if each.is_whole or (hyphenated and each.kind is MentionKind.LONGER)
        )
        for of_page in analysis.mentions
    )


def middle_names(
    mention: Mention, dropped: AbstractSet[str], own: AbstractSet[str]
) -> tuple[str, ...] | None:
    """Names and initials between given and last name, as written, without nicknames.

    None if another word stands there: one in lower case, an honorific, or one of those dropped
    that is longer than a letter. The name's own are left out, in plain letters.
    """
    words = tuple(
        word.rstrip(".")
        for word in mention.between
        if word[0].isalpha() and plain_letters(word) not in own
    )
    names = all(
        word[0].isupper() and (len(word) == 1 or word.lower() not in dropped | _NO_NAMES)
        for word in words
    )
    return words if names else None


@register_feature(
    "name",
    "1 divided by the number of pages of the name; one for all pairs",
    wording="number of pages of the name",
    of_name=True,
    kind=FeatureKind.FLAGS,
)
def few_pages(analysis: Analysis) -> Flags:
    """The reciprocal of the number of pages, for every pair of pages.

    Second-order similarities of two or three pages are close to 1 whatever the pages are. Trees
    tell such names by combinations of columns, logistic regression cannot.
    """
    return partial(_same_for_all, 1 / max(len(analysis.documents), 1))


def _same_for_all(value: float, first: Rows, _: Rows) -> NDArray[np.float64]:
    return np.full(len(first), value)


_MAX_MENTIONS = 40
"""Number of mentions that decide the form of a page, the first ones."""
_MIDDLE_SHARE = 0.2
"""Least share of mentions with middle names for a page to have them: authors drop them after the
first time."""
_NO_GIVEN_NAMES = frozenset("dean king lady major miss mrs prince princess queen sir".split())
"""Given names of the census that seldom are given names before another."""
_NO_LAST_NAMES = frozenset(
    "bad best big bill book books born case cool cover daily day days early english fine free games"
    " good great hard heard home homes list love low music news nice page place post price read"
    " reading real record song staff state states still story super true white word words work"
    " works young".split()
)
"""Last names of the census that seldom are last names behind another."""
_BEFORE = re.compile(r"(?<![\w'.-])([^\W\d_][\w'-]+)[^\S\n]{1,3}[\"“]?$")
_AFTER = re.compile(
    r"(?:-|[^\S\n]{1,3})([^\W\d_][\w-]++)"
    r"(?![^\S\n]{1,3}(?:College|Hospital|Institute|School|Univ))"  # where the person works
)


@dataclass(frozen=True, slots=True)
class NameForm:
    """How a page writes the name: names and initials besides the name's own, in lower case."""

    before: tuple[str, ...] = ()
    """A given name directly before the name, *Anna* Mary Baker."""
    between: tuple[str, ...] = ()
    """Names and initials within the name, Mary *Jane* Baker."""
    after: tuple[str, ...] = ()
    """A last name directly behind the name, Mary Baker *Holt*."""

    def written(self, name: PersonName) -> str:
        """The name in this form, ``Mary Baker Holt``."""
        if name.script in FAMILY_FIRST:
            return name.text
        given = (*self.before, *name.given, *self.between)
        words = [
            each.title() if each.islower() or each.isupper() else each
            for each in (*given, name.family, *self.after)
        ]
        words[len(given) : len(given)] = name.particles
        return " ".join(f"{each}." if len(each) == 1 else each for each in words)


@cached_for_name
def name_forms(analysis: Analysis) -> tuple[NameForm | None, ...]:
    """For each document the form in which it has the name; None where it has not.

    A part of the form is what most often stands there, if more than half of the mentions have
    anything there; for middle names a fifth is enough.
    """
    dropped = dropped_words(analysis.name_words)
    typed = {plain_letters(form) for word in analysis.name.given[1:] for form in (word, word[0])}
    forms: list[NameForm | None] = []
    for page in mentions_of(analysis, hyphenated=True):
        parts = [
            (
                names_before(mention, dropped),
                tuple(map(str.lower, middle)),
                _names_after(mention, dropped),
            )
            for mention in page[:_MAX_MENTIONS]
            if (middle := middle_names(mention, stop_words(), typed)) is not None
        ]
        shares = (0.5, _MIDDLE_SHARE, 0.5)
        usual = map(_usual, zip(*parts, strict=True), shares)
        forms.append(NameForm(*usual) if parts else None)
    return tuple(forms)


@register_feature(
    "name",
    "further names {part} the person's name on two pages: {relation}",
    wording="form of the name",
    detail="further names {part} the name, {relation}",
    source="our own; names by the United States census of 1990",
    kind=FeatureKind.FLAGS,
    part={"before": "before", "between": "within", "after": "behind"},
    relation={
        "agree": "which agree",
        "differ": "which differ",
        "one_only": "on one page only",
    },
)
def name_form(analysis: Analysis, *, part: str, relation: str) -> Flags:
    """Whether two pages agree or differ in a part of the form, or only one of them has it.

    Initials agree with names that begin so. Pages without the name have no flag.
    """
    parts = [None if form is None else getattr(form, part) for form in name_forms(analysis)]
    number = {names: at for at, names in enumerate(dict.fromkeys(parts))}
    code, values = np.array([number[each] for each in parts], np.int64), tuple(number)
    return partial(_are_related, code, values, relation)


def _are_related(
    code: NDArray[np.int64],
    values: Sequence[tuple[str, ...] | None],
    relation: str,
    first: Rows,
    second: Rows,
) -> NDArray[np.bool_]:
    pairs = code[first] * len(values) + code[second]
    distinct, place = np.unique(pairs, return_inverse=True)
    compared = (divmod(pair, len(values)) for pair in distinct.tolist())
    found = [_name_relation(values[a], values[b]) == relation for a, b in compared]
    return np.array(found, dtype=bool)[place]


def names_before(mention: Mention, dropped: frozenset[str]) -> tuple[str, ...]:
    """The given name directly before a mention, in lower case; none if another word stands there.

    Args:
        mention: of the name.
        dropped: words that are no names, in lower case.
    """
    found = None if mention.inverted else _BEFORE.search(mention.before)
    if not found or not found[0][0].isupper():
        return ()
    name = found[1].lower()
    known = name not in dropped | _NO_GIVEN_NAMES and census_share("first", name) > 0
    return (name,) if known else ()


def _names_after(mention: Mention, dropped: frozenset[str]) -> tuple[str, ...]:
    """A last name directly behind the name or its hyphen, unless it is rather another name."""
    found = None if mention.inverted else _AFTER.match(mention.after)
    if not found or not found[1][0].isupper():
        return ()
    name = found[1].lower()
    known = census_share("last", name) > census_share("first", name)
    place = name.title() in gazetteer_names("cities", "countries", "states")
    return (name,) if known and not place and name not in dropped | _NO_LAST_NAMES else ()


def _usual(names: Sequence[tuple[str, ...]], least: float) -> tuple[str, ...]:
    """The most frequent names, the first in the alphabet; none if so few have any."""
    counts = Counter(filter(None, names))
    if counts.total() <= least * len(names):
        return ()
    return min(counts, key=lambda each: (-counts[each], each))


def _name_relation(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> str:
    """Whether names agree or differ, or one side alone has any; empty for pages without name."""
    if first is None or second is None or not (first or second):
        return ""
    if not (first and second):
        return "one_only"
    for a, b in zip(first, second, strict=False):
        if (a[0] if len(b) == 1 else a) != (b[0] if len(a) == 1 else b):
            return "differ"
    return "agree"


_MAX_WINDOWS = 30
"""Number of mentions of a page around which words are taken, the first ones."""
_FAR, _NEAR = 80, 25
"""Tokens on either side of a mention: some 500 and 150 characters."""

Booleans = NDArray[np.bool_]


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
    return _content_bags(analysis, _in_windows(analysis, width))


@register_feature(
    "name",
    f"capitalised words within {_FAR} tokens of the name, and those of title and snippet",
    wording="capitalised words near the name",
    needs=["text", "case", "mentions"],
)
def capitalised_window(analysis: Analysis) -> Bags:
    """Content words of the wider ``window`` that begin with a capital letter."""
    return _content_bags(analysis, _in_windows(analysis, _FAR) & _are_capital(analysis))


@register_feature(
    "name",
    "capitalised words of title and snippet",
    wording="capitalised words of the search result",
)
def capitalised_result(analysis: Analysis) -> Bags:
    """Content words of the search result that begin with a capital letter."""
    capital = _are_capital(analysis)
    capital[: len(analysis.tokens.token)] = False
    return _content_bags(analysis, capital)


def _content_bags(analysis: Analysis, chosen: Booleans) -> Bags:
    """Count the content words among the chosen tokens of pages and of search results."""
    table = all_tokens(analysis)
    forms, code = content_codes(analysis)
    row = table.document[table.sentence]
    words = Sequences(forms, code, row, row, len(analysis.documents))
    return words.bags(np.flatnonzero(chosen & (code >= 0)), 1)


def _are_capital(analysis: Analysis) -> Booleans:
    """Shape (all tokens,): whether the token begins with a capital letter."""
    table = all_tokens(analysis)
    return np.array([word[0].isupper() for word in table.surface], dtype=bool)[table.token]


@cached_for_features
def _in_windows(analysis: Analysis, width: int) -> Booleans:
    """Shape (all tokens,): whether the token is at most ``width`` from a mention on its page.

    Those of search results are.
    """
    tokens = analysis.tokens
    rows, places, whole = tokens.document[tokens.sentence], tokens.anchors, tokens.whole
    found_in = rows[places]
    places = places[whole | ~np.isin(found_in, found_in[whole])]
    found_in = rows[places]
    places = places[np.arange(len(places)) - np.searchsorted(found_in, found_in) < _MAX_WINDOWS]
    first, end = (np.searchsorted(rows, rows[places], side) for side in ("left", "right"))
    change = np.zeros(len(rows) + 1, dtype=np.int32)
    np.add.at(change, np.maximum(places - width, first), 1)
    np.add.at(change, np.minimum(places + width + 1, end), -1)
    inside = np.ones(len(all_tokens(analysis).token), dtype=bool)
    inside[: len(rows)] = change[:-1].cumsum(dtype=np.int32) > 0
    return inside


_HEADING_LENGTH, _LENGTH_BEFORE, _LENGTH_AFTER = 200, 150, 450
"""Characters of title and snippet, and around the first mention; of a page that has none, as many
in all."""
_LENGTH_WITH_NAMES = 3
"""How much longer a text may be with the name in it."""
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
    return analysis.encode(list(encoded_texts(analysis)))


def encoded_texts(analysis: Analysis) -> Iterator[str]:
    """For each document the text that is encoded, at most some 800 characters.

    Title and snippet, and of the text what surrounds the first mention of the name, else its
    beginning; all without the words of the name, which all pages share, and however long these are.
    """
    longest_first = map(word_pattern, sorted(analysis.name_words, key=len, reverse=True))
    patterns = [rf"(?<!\w)(?:{'|'.join(longest_first) or '(?!)'})(?!\w)"]
    for each in (analysis.name, *analysis.name.others):
        if each.script in UNSPACED and each.given:  # no blanks stand around it
            given = "".join(each.given)
            patterns += map(word_pattern, (f"{each.family}{given}", given))
    name = NamePattern("|".join(reversed(patterns)))

    def without_name(text: str, length: int) -> str:
        text = text[: _LENGTH_WITH_NAMES * length]
        return " ".join(name(text).sub(" ", text).split())[:length]

    for document, mentions in zip(analysis.documents, mentions_of(analysis), strict=True):
        begin = len(document.title) + len(document.snippet) + len("\n\n")
        parts = [without_name(f"{document.title} {document.snippet}", _HEADING_LENGTH)]
        if first := next((each for each in mentions if each.start >= begin), None):
            text = page_text(document)
            before = text[begin : first.start][-_LENGTH_WITH_NAMES * _LENGTH_BEFORE :]
            parts.append(without_name(before, len(before))[-_LENGTH_BEFORE:])
            parts.append(without_name(text[first.start :], _LENGTH_AFTER))
        else:
            long = [block for block in document.blocks if len(block) > _MIN_BLOCK_LENGTH]
            beginning = " ".join(long or document.blocks)
            parts.append(without_name(beginning, _LENGTH_BEFORE + _LENGTH_AFTER))
        yield " ".join(" ".join(parts).split())
