"""People by size, and means over them, with intervals over the names searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.stats.estimate import Estimate, estimate_instance_share, resample_weights, safe_divide
from eval.studies.refinements.people import SIZES, Person, RefinementOutcome
from weps.page_forms import PageForm

__all__ = ["Findings", "RefinementMeans"]

Values: TypeAlias = Iterable[tuple[Person, float]]
"""People with a value each."""


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


@dataclass(frozen=True)
class Findings:
    """What was found for the people of all names."""

    names: tuple[str, ...]
    """Those searched for, which are resampled."""
    people: tuple[Person, ...]
    seed: int = 0
    corpus: str = ""
    """Its title."""
    form: PageForm = PageForm.TOKENS
    """What the pages were read as."""

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

    def mean(self, values: Values) -> Estimate:
        """The mean of one value per person; nan if there are none."""
        return estimate_instance_share(*self._by_name(values), seed=self.seed)

    def difference_of_means(self, first: Values, second: Values) -> Estimate:
        """The mean of some people's values minus that of others', of the same resampled names."""
        names = len(self.names)
        times = resample_weights(names, self.seed) if names > 1 else np.zeros((1, 1))
        value, samples = 0.0, np.zeros(len(times))
        for sign, values in ((1, first), (-1, second)):
            sums, total = self._by_name(values)
            value += sign * float(safe_divide(sums.sum(), total.sum()))
            samples = samples + sign * safe_divide(times @ sums, times @ total)
        return Estimate.from_samples(value, samples)

    def refinement_means(self, kind: str, size: str) -> RefinementMeans:
        """The means of the best refinements of a kind, over people of one size."""
        covered = self.covered(kind, size)
        best = [(person, each) for person, _ in covered if (each := person.found[kind])]

        def over(value: Callable[[RefinementOutcome], float]) -> Estimate:
            return self.mean((person, value(each)) for person, each in best)

        return RefinementMeans(
            len(covered),
            len(best),
            over(lambda each: each.f),
            over(lambda each: each.precision),
            over(lambda each: each.recall),
            self.mean(covered),
        )

    def ahead(self, first: str, second: str, size: str) -> Estimate:
        """Mean of F with one kind minus F with another, over people of one size who have both."""
        pairs = (
            (person, person.found.get(first), person.found.get(second))
            for person in self.by_size[size]
        )
        return self.mean((person, one.f - other.f) for person, one, other in pairs if one and other)

    def share_above(self, kind: str, least: float, people: Sequence[Person]) -> Estimate:
        """Of the people who have a refinement of a kind, the share for whom F is high enough."""
        best = ((person, person.found.get(kind)) for person in people)
        return self.mean((person, float(each.f >= least)) for person, each in best if each)

    def covered(self, kind: str, size: str) -> list[tuple[Person, float]]:
        """For each person for whose name a kind was studied, 1 if there is a candidate, else 0."""
        return [
            (person, float(person.found[kind] is not None))
            for person in self.by_size[size]
            if kind in person.found
        ]

    def best_attributes(self, size: str) -> list[tuple[Person, str]]:
        """People, and attributes that give them the best refinement of all attributes (Table 7).

        Where several tie, each of them wins, as in the paper.
        """
        return [
            (person, kind) for person in self.by_size[size] for kind in person.tied_for("best-ae")
        ]

    def best_attribute_share(self, attribute: str, size: str) -> Estimate:
        """Of all wins the share that is an attribute's own."""
        won = self.best_attributes(size)
        return self.mean((person, float(kind == attribute)) for person, kind in won)

    def _by_name(self, values: Values) -> tuple[NDArray[np.float64], ...]:
        """Shapes (names,): the sum of the values of each name's people, and how many there are."""
        place = {name: at for at, name in enumerate(self.names)}
        sums, total = np.zeros((2, len(self.names)))
        for person, value in values:
            sums[place[person.name]] += value
            total[place[person.name]] += 1
        return sums, total
