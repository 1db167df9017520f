"""Frequency of the name: how many people of it the United States would have, by the 1990 census.

The Bureau of the Census published the shares of first names among men and among women, and of last
names among all (resources/README.md). A name that many people have is searched for many of them:
in WePS-1 the logarithm of the expected number correlates with the logarithm of people per page.
How many pages were found for it is a feature of the name as well.
"""

from __future__ import annotations

import unicodedata

import numpy as np

from weps._files import weighted_words
from weps._text import PersonName
from weps.features.registry import FeatureKind, Flags, register_feature
from weps.language.analysis import Analysis

_POPULATION = 280_000_000
"""People of the United States when the pages of WePS-1 were written."""
_UNKNOWN = 0.0003
"""Per cent of the people who have a name that is in no table; the rarest there have .001."""


def expected_namesakes(name: PersonName) -> float:
    """How many people would have the name, first and last names being independent.

    The population, times the share of the last name, times the mean of the shares of the first name
    among men and women. Middle names are ignored. A name of one word is taken as first or as last
    name, whichever is more frequent.

    Returns:
        A positive number of people, far below one for rare names.
    """
    words = name.tokens or ("",)
    first = census_share("first", words[0]) or _UNKNOWN
    last = census_share("last", words[-1]) or _UNKNOWN
    if len(words) == 1:
        return _POPULATION * max(first, last) / 100
    return _POPULATION * first / 100 * last / 100


def census_share(which: str, name: str) -> float:
    """Per cent of the people who have a ``first`` or ``last`` name; 0 if it is in no table.

    Case, accents and signs within the name are ignored.
    """
    letters = filter(str.isalpha, unicodedata.normalize("NFKD", name.lower()))
    return weighted_words(f"names/{which}.txt").get("".join(letters), 0.0)


@register_feature(
    "name",
    "common logarithm of the number of people of the name, by census counts; one for all pairs",
    source="our own; counts of the United States census of 1990",
    kind=FeatureKind.FLAGS,
)
def name_frequency(analysis: Analysis) -> Flags:
    """The logarithm of :func:`expected_namesakes` for every pair of pages."""
    return _for_all_pairs(analysis, float(np.log10(expected_namesakes(analysis.name))))


@register_feature(
    "name",
    "1 divided by the number of pages of the name; one for all pairs",
    source="our own",
    kind=FeatureKind.FLAGS,
)
def few_pages(analysis: Analysis) -> Flags:
    """The reciprocal of the number of pages, for every pair of pages.

    Second-order similarities of two or three pages are close to 1 whatever the pages are. Trees
    tell such names by combinations of columns, logistic regression cannot.
    """
    return _for_all_pairs(analysis, 1 / max(len(analysis.documents), 1))


def _for_all_pairs(analysis: Analysis, value: float) -> Flags:
    return Flags(np.zeros(len(analysis.documents), np.int64), np.full((1, 1), value))
