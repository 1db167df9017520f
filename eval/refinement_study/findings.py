"""Everything the study finds out: people by size, and the figures that tables and rules share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eval.ordering import Estimate
from eval.refinement_study.means import Figures, figures, mean, mean_difference
from eval.refinement_study.outcomes import SIZES, Person
from eval.refinement_study.wins import Win, wins

__all__ = ["Findings"]


@dataclass(frozen=True)
class Findings:
    """What was found for the people of all names."""

    names: tuple[str, ...]
    """Those searched for, which are resampled."""
    people: tuple[Person, ...]
    seed: int = 0

    @cached_property
    def by_size(self) -> dict[str, tuple[Person, ...]]:
        """Size → people."""
        return {
            size: tuple(person for person in self.people if person.size == size) for size in SIZES
        }

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds that were studied for any name."""
        return frozenset().union(*(person.found for person in self.people))

    def figures(self, kind: str, size: str) -> Figures:
        """The means of the best refinements of a kind."""
        return figures(self.by_size[size], kind, self.names, self.seed)

    def ahead(self, first: str, second: str, size: str) -> Estimate:
        """Mean difference of F, over people who have both kinds."""
        return mean_difference(self.by_size[size], first, second, self.names, self.seed)

    def share_above(self, kind: str, least: float, people: Sequence[Person]) -> Estimate:
        """Of the people who have a refinement of a kind, the share for whom F is high enough."""
        known = ((person, person.found.get(kind)) for person in people)
        return mean(
            [(person, float(best.f >= least)) for person, best in known if best],
            self.names,
            self.seed,
        )

    def covered(self, kind: str, size: str) -> list[tuple[Person, float]]:
        """For each person for whose name a kind was studied, 1 if there is a candidate, else 0."""
        return [
            (person, float(person.found[kind] is not None))
            for person in self.by_size[size]
            if kind in person.found
        ]

    def wins(self, size: str) -> list[Win]:
        """The attributes that give the best one."""
        return wins(self.by_size[size])
