"""Everything the study finds out: people by size, and the figures that tables and rules share.

Means over people of one size, with intervals over the names searched for.

Which attributes give the best one (Table 7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from eval.stats.estimate import Estimate, estimate_instance_share, resample_weights
from eval.studies.refinements.people import SIZES, Person, RefinementOutcome

__all__ = [
    "BestAttribute",
    "Findings",
    "RefinementMeans",
    "best_attribute_share",
    "best_attributes",
    "difference_of_means",
    "mean_difference",
    "mean_over_people",
    "refinement_means",
]

Values = Iterable[tuple[Person, float]]


@dataclass(frozen=True, slots=True)
class RefinementMeans:
    """A row of the paper's Tables 1 to 6."""

    studied: int
    """People of names for which the kind was studied."""
    covered: int
    """Those of them who have a candidate; F, precision and recall are means over these."""
    f: Estimate
    precision: Estimate
    recall: Estimate
    coverage: Estimate


def refinement_means(
    people: Sequence[Person], kind: str, names: Sequence[str], seed: int = 0
) -> RefinementMeans:
    """The means of the best refinements of one kind.

    Args:
        people: of one size.
        kind: key of :attr:`~eval.studies.refinements.people.Person.found`.
        names: all names searched for, which are resampled.
        seed: for the resamples.
    """
    studied = [(person, person.found[kind]) for person in people if kind in person.found]
    known = [(person, best) for person, best in studied if best is not None]

    def over(value: Callable[[RefinementOutcome], float]) -> Estimate:
        return mean_over_people([(person, value(best)) for person, best in known], names, seed)

    return RefinementMeans(
        len(studied),
        len(known),
        over(lambda best: best.f),
        over(lambda best: best.precision),
        over(lambda best: best.recall),
        mean_over_people(
            [(person, float(best is not None)) for person, best in studied], names, seed
        ),
    )


def mean_over_people(values: Values, names: Sequence[str], seed: int = 0) -> Estimate:
    """The mean of one value per person; nan if there are none."""
    return estimate_instance_share(*_by_name(values, names), seed=seed)


def mean_difference(
    people: Sequence[Person], first: str, second: str, names: Sequence[str], seed: int = 0
) -> Estimate:
    """Mean of F with the first kind minus F with the second, over people who have both."""
    found = ((person, person.found.get(first), person.found.get(second)) for person in people)
    both = [(person, one.f - other.f) for person, one, other in found if one and other]
    return mean_over_people(both, names, seed)


def difference_of_means(
    first: Values, second: Values, names: Sequence[str], seed: int = 0
) -> Estimate:
    """The mean of some people's values minus that of others', of the same resampled names."""
    times = resample_weights(len(names), seed) if len(names) > 1 else np.zeros((1, 1))
    value, drawn = 0.0, np.zeros(len(times))
    for sign, values in ((1, first), (-1, second)):
        held, total = _by_name(values, names)
        value += sign * float(_divide(held.sum(), total.sum()))
        drawn = drawn + sign * _divide(times @ held, times @ total)
    return Estimate.from_samples(value, drawn)


def _by_name(values: Values, names: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """Shapes (names,): the sum of the values of each name's people, and how many there are."""
    place = {name: at for at, name in enumerate(names)}
    held, total = np.zeros((2, len(names)))
    for person, value in values:
        held[place[person.name]] += value
        total[place[person.name]] += 1
    return held, total


def _divide(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Above by below, nan where there is nothing to divide by."""
    quotient = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=quotient, where=below > 0)
    return quotient


BestAttribute = tuple[Person, str]
"""A person, and an attribute that gives them the best refinement of all attributes."""


def best_attributes(people: Sequence[Person]) -> list[BestAttribute]:
    """All wins of attributes: where several tie, each of them wins, as in the paper."""
    return [(person, kind) for person in people for kind in person.tied_for("best-ae")]


def best_attribute_share(
    best: Sequence[BestAttribute], attributes: Sequence[str], names: Sequence[str], seed: int = 0
) -> Estimate:
    """Of all wins the share that is some attributes' own."""
    return mean_over_people(
        [(person, float(kind in attributes)) for person, kind in best], names, seed
    )


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

    def refinement_means(self, kind: str, size: str) -> RefinementMeans:
        """The means of the best refinements of a kind."""
        return refinement_means(self.by_size[size], kind, self.names, self.seed)

    def ahead(self, first: str, second: str, size: str) -> Estimate:
        """Mean difference of F, over people who have both kinds."""
        return mean_difference(self.by_size[size], first, second, self.names, self.seed)

    def share_above(self, kind: str, least: float, people: Sequence[Person]) -> Estimate:
        """Of the people who have a refinement of a kind, the share for whom F is high enough."""
        known = ((person, person.found.get(kind)) for person in people)
        return mean_over_people(
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

    def best_attributes(self, size: str) -> list[BestAttribute]:
        """The attributes that give the best one."""
        return best_attributes(self.by_size[size])
