"""What is found for one person: the best refinement of each kind, and of several kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from eval.refinement_study.paper import ATTRIBUTES
from weps.refinement import Best, Family, best_of
from weps.refinement.kinds import KINDS

__all__ = [
    "AGGREGATES",
    "FURTHER",
    "SIZES",
    "SUGGESTED",
    "UNREFINED",
    "Outcome",
    "Person",
    "aggregated",
    "in_pages",
    "names_of",
]

SIZES = ("1", "2", "≥3")
"""People by the number of their pages, as the paper divides them."""
_EXAMPLES = 3

FURTHER = ("ae dateofbirth", "ae othername", "ae website")
"""Attributes that were annotated too; the paper's tables leave them out."""
UNREFINED = "name alone"
"""No refinement: every page is returned."""
SUGGESTED = "suggested"
"""What the product shows, see :mod:`weps.refinement.suggest`."""

_BY_FAMILY = {
    family: tuple(kind.name for kind in KINDS if kind.family is family) for family in Family
} | {Family.ATTRIBUTES: ATTRIBUTES}
AGGREGATES = {
    "best-ae": _BY_FAMILY[Family.ATTRIBUTES],
    "best-all": tuple(kind for family in _BY_FAMILY.values() for kind in family),
    "best-ner": _BY_FAMILY[Family.ENTITIES],
    "best-nl": _BY_FAMILY[Family.WORDS],
}
"""What the paper takes together (section 3) → its kinds."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The best refinement of a kind."""

    precision: float
    recall: float
    f: float
    ties: int
    """How many reach this F."""
    examples: tuple[str, ...]
    """The first of them."""

    @classmethod
    def of(cls, best: Best) -> Outcome:
        """The figures and a few of the strings, which no longer hold on to the pages."""
        examples = tuple(islice(best.strings, _EXAMPLES))
        return cls(best.precision, best.recall, best.f, len(best.strings), examples)


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the key."""

    name: str
    """The name searched for."""
    label: str
    """What the annotators call the person; empty where they do not."""
    ranks: tuple[int, ...]
    """Of the person's pages."""
    found: Mapping[str, Outcome | None]
    """Kind → its best refinement; None where there is no candidate. Kinds that could not be
    studied, such as attributes of names for which nobody wrote any down, are missing."""

    @property
    def size(self) -> str:
        """One of :data:`SIZES`."""
        return SIZES[min(len(self.ranks), len(SIZES)) - 1]

    def tied_for(self, aggregate: str) -> tuple[str, ...]:
        """The kinds that reach the best F of several kinds."""
        best = self.found.get(aggregate)
        if best is None:
            return ()
        kinds = {kind: self.found.get(kind) for kind in AGGREGATES[aggregate]}
        return tuple(kind for kind, each in kinds.items() if each and each.f == best.f)


def aggregated(bests: Mapping[str, Best | None]) -> dict[str, Best | None]:
    """The best of several kinds, for each of :data:`AGGREGATES` with a kind that was studied."""
    return {
        aggregate: best_of(bests[kind] for kind in kinds if kind in bests)
        for aggregate, kinds in AGGREGATES.items()
        if not bests.keys().isdisjoint(kinds)
    }


def names_of(people: Sequence[Person]) -> tuple[str, ...]:
    """The names searched for, each once."""
    return tuple(dict.fromkeys(person.name for person in people))


def in_pages(size: str) -> str:
    """A size in words."""
    return f"{size} page{'s' * (size != SIZES[0])}"
