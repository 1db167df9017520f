"""The kinds of refinement that are searched, and what pages must be for them to exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from weps.features.bags import Bags
from weps.features.recognised import entity
from weps.forms import Form
from weps.language import Analysis, Layer
from weps.refinement.runs import word_runs
from weps.words import words

__all__ = ["KINDS", "Attributes", "Family", "Kind", "attribute_bags", "kinds_of", "layers_of"]

Attributes = Mapping[int, Mapping[str, Sequence[str]]]
"""Rank of a page → attribute (``affiliation``) → its values there."""


class Family(StrEnum):
    """What kinds are taken together, called as in the paper's Tables 4 to 6."""

    WORDS = "nl"
    """Tokens and n-grams: what one could not think of included."""
    ENTITIES = "ner"
    """Names that a recogniser finds."""
    ATTRIBUTES = "ae"
    """Facts about the person that people have written down page by page."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of refinement."""

    name: str
    family: Family
    forms: frozenset[Form]
    """The forms of page that have it."""
    extract: Callable[[Analysis], Bags]
    layers: frozenset[Layer] = frozenset()
    """What the pages must be read with."""


def _words(name: str, n: int) -> Kind:
    """Text is all it takes: lists of words have runs too, across what was dropped from them."""
    forms = frozenset({Form.PAGES, Form.TOKENS})
    return Kind(name, Family.WORDS, forms, partial(word_runs, n=n))


def _entities(name: str) -> Kind:
    """Whole pages only, since recognisers go by sentences and capitals."""
    forms, layers = frozenset({Form.PAGES}), frozenset({Layer.ENTITIES})
    extract = partial(entity, type=name)
    return Kind(f"{Family.ENTITIES} {name}", Family.ENTITIES, forms, extract, layers)


KINDS = (
    _entities("location"),
    _entities("organisation"),
    _entities("person"),
    _words("tokens", 1),
    _words("bigrams", 2),
    _words("trigrams", 3),
    _words("fourgrams", 4),
    _words("fivegrams", 5),
)
"""All that is found on the pages themselves; attributes are given, see :func:`attribute_bags`."""


def kinds_of(form: Form) -> tuple[Kind, ...]:
    """The kinds that pages of a form have; of search results alone there are none."""
    return tuple(kind for kind in KINDS if form in kind.forms)


def layers_of(kinds: Iterable[Kind]) -> frozenset[Layer]:
    """The layers that pages must be read with."""
    return frozenset().union(*(kind.layers for kind in kinds))


def attribute_bags(ranks: Sequence[int], attributes: Attributes) -> dict[str, Bags]:
    """The values of each attribute, page by page; pages of any form have them.

    Values are equal if their words are, in whatever case and with whatever punctuation.

    Args:
        ranks: of the pages, in the order of their rows.
        attributes: of all pages; those of other ranks count for nothing.
    """
    found = dict.fromkeys(name for rank in ranks for name in attributes.get(rank, ()))
    return {
        name: Bags.of(
            [_value(value) for value in attributes.get(rank, {}).get(name, ())] for rank in ranks
        )
        for name in found
    }


def _value(value: str) -> str:
    """The form that a value counts in; one without words, such as ``@``, stays as it is."""
    return " ".join(words(value)) or value.strip()
