"""Facts of a person: what pages state explicitly, each with its pages, sentences and certainty.

The attributes are the eighteen that the WePS-2 and WePS-3 campaigns asked for, and the date of
death. A fact is stated whole by each of its pages: nothing is composed of what two pages state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from annotated_types import MinLen

from weps.records import NonEmpty, Probability, Rank, in_schema

ATTRIBUTES = {
    "date of birth": "born",
    "date of death": "died",
    "birth place": "born in",
    "nationality": "nationality",
    "other name": "also called",
    "occupation": "occupation",
    "affiliation": "affiliation",
    "location": "place",
    "work": "work",
    "award": "award",
    "school": "school",
    "degree": "degree",
    "major": "field of study",
    "mentor": "mentor",
    "relative": "relative",
    "phone": "telephone",
    "fax": "fax",
    "e-mail": "e-mail",
    "web site": "web site",
}
"""Attribute → its name for readers, in the order in which facts are shown."""


@dataclass(frozen=True, slots=True)
class FactSource:
    """A page that states a fact."""

    page: Rank
    """Rank of the page."""
    sentence: NonEmpty
    """The sentence or the line that states it, cut where it is long; of structured data of the
    page, its property and value."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What pages state of a person."""

    attribute: str = field(metadata=in_schema(enum=[*ATTRIBUTES]))
    value: NonEmpty
    """The value as pages write it. Dates are ISO 8601, as precise as they are stated: 1921,
    1921-05, 1921-05-03."""
    certainty: Probability
    """Estimated probability that this is true of the person."""
    sources: Annotated[tuple[FactSource, ...], MinLen(1)]
    """The pages that state it, those with the fullest statement first; ten at most."""
    pages: Annotated[tuple[Rank, ...], MinLen(1)]
    """Ranks of all pages that state it, ascending."""
    detail: str = ""
    """What the value is to the person, of relatives: *daughter*; absent where it is not stated."""
    contradicted: bool = False
    """Whether other pages of the person state another value that cannot also be true."""
