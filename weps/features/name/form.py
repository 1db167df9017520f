"""Form of the name: given names before it, middle names within it, last names behind it.

*Anna Mary Baker*, *Mary J. Baker* and *Mary Baker Holt* are three people, and seldom the *Mary
Baker* of a fourth page. Search engines find them all for *Mary Baker*; of 110 errors on names that
were never shown to the system, 12 had a longer name in sight.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import islice

import numpy as np

from weps._files import gazetteer_names
from weps._text import PersonName
from weps.features.bags import dropped_words, stop_words
from weps.features.name.frequency import census_share
from weps.features.name.mentions import Mention, mentions_of
from weps.features.registry import FeatureKind, Flags, register_feature
from weps.language.analysis import Analysis, cached_for_name

_MAX_MENTIONS = 40
"""Mentions of a page that are looked at, the first ones."""
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
        *given, last = name.tokens or ("",)
        words = (*self.before, *given[:1], *self.between, last, *self.after)
        return " ".join(f"{each}." if len(each) == 1 else each for each in words).title()


@cached_for_name
def name_forms(analysis: Analysis) -> tuple[NameForm | None, ...]:
    """For each document the form in which it has the name; None where it has not.

    A part of the form is what most often stands there, if more than half of the mentions have
    anything there; for middle names a fifth is enough.
    """
    dropped, no_names = dropped_words(analysis.name), stop_words()
    found = []
    for page in mentions_of(analysis, hyphenated=True):
        forms = [
            NameForm(
                _names_before(mention, dropped),
                tuple(map(str.lower, middle)),
                _names_after(mention, dropped),
            )
            for mention in islice(page, _MAX_MENTIONS)
            if (middle := mention.middle_names(no_names)) is not None
        ]
        found.append(_usual_form(forms) if forms else None)
    return tuple(found)


@register_feature(
    "name",
    "further names {part} the person's name on two pages: {relation}",
    source="our own; names by the United States census of 1990",
    kind=FeatureKind.FLAGS,
    part=("before", "between", "after"),
    relation=("agree", "differ", "one_only"),
)
def name_form(analysis: Analysis, *, part: str, relation: str) -> Flags:
    """Whether two pages agree or differ in a part of the form, or only one of them has it.

    Initials agree with names that begin so. Pages without the name have no flag.
    """
    parts = [None if form is None else getattr(form, part) for form in name_forms(analysis)]
    values = [*dict.fromkeys([None, (), *parts])]
    number = {each: at for at, each in enumerate(values)}
    has = np.array([bool(each) for each in values], dtype=bool)
    if relation == "one_only":
        lacks = np.array([each == () for each in values], dtype=bool)
        flags = np.outer(has, lacks) | np.outer(lacks, has)
    else:
        alike = [[_names_agree(a or (), b or ()) for b in values] for a in values]
        flags = np.outer(has, has) & (np.array(alike) == (relation == "agree"))
    return Flags(np.array([number[each] for each in parts], np.int64), flags)


def _names_before(mention: Mention, dropped: frozenset[str]) -> tuple[str, ...]:
    """A given name directly before the name."""
    found = None if mention.inverted else _BEFORE.search(mention.before)
    if not found or not found[0][0].isupper():
        return ()
    name = found[1].lower()
    known = census_share("first", name) > 0
    return (name,) if known and name not in dropped | _NO_GIVEN_NAMES else ()


def _names_after(mention: Mention, dropped: frozenset[str]) -> tuple[str, ...]:
    """A last name directly behind the name or its hyphen, unless it is rather another name."""
    found = None if mention.inverted else _AFTER.match(mention.after)
    if not found or not found[1][0].isupper():
        return ()
    name = found[1].lower()
    known = census_share("last", name) > census_share("first", name)
    place = name.title() in gazetteer_names("cities", "countries", "states")
    return (name,) if known and not place and name not in dropped | _NO_LAST_NAMES else ()


def _usual_form(forms: Sequence[NameForm]) -> NameForm:
    before, between, after = zip(*map(astuple, forms), strict=True)
    return NameForm(_usual(before, 0.5), _usual(between, _MIDDLE_SHARE), _usual(after, 0.5))


def _usual(names: Sequence[tuple[str, ...]], least: float) -> tuple[str, ...]:
    """The most frequent names, the first in the alphabet; none if so few have any."""
    counts = Counter(filter(None, names))
    if counts.total() <= least * len(names):
        return ()
    return min(counts, key=lambda each: (-counts[each], each))


def _names_agree(first: Iterable[str], second: Iterable[str]) -> bool:
    return all(
        a.startswith(b) if len(b) == 1 else b.startswith(a) if len(a) == 1 else a == b
        for a, b in zip(first, second, strict=False)
    )
