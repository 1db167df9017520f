"""Means over people of one size, with intervals over the names searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.ordering import Estimate, multiplicities
from eval.ordering.tally import share_of
from eval.refinement_study.outcomes import Outcome, Person

__all__ = ["Figures", "difference_of_means", "figures", "mean", "mean_difference"]

Values = Iterable[tuple[Person, float]]


@dataclass(frozen=True, slots=True)
class Figures:
    """A row of the paper's Tables 1 to 6."""

    studied: int
    """People of names for which the kind was studied."""
    covered: int
    """Those of them who have a candidate; F, precision and recall are means over these."""
    f: Estimate
    precision: Estimate
    recall: Estimate
    coverage: Estimate


def figures(people: Sequence[Person], kind: str, names: Sequence[str], seed: int = 0) -> Figures:
    """The means of the best refinements of one kind.

    Args:
        people: of one size.
        kind: key of :attr:`~eval.refinement_study.outcomes.Person.found`.
        names: all names searched for, which are resampled.
        seed: for the resamples.
    """
    studied = [(person, person.found[kind]) for person in people if kind in person.found]
    known = [(person, best) for person, best in studied if best is not None]

    def over(value: Callable[[Outcome], float]) -> Estimate:
        return mean([(person, value(best)) for person, best in known], names, seed)

    return Figures(
        len(studied),
        len(known),
        over(lambda best: best.f),
        over(lambda best: best.precision),
        over(lambda best: best.recall),
        mean([(person, float(best is not None)) for person, best in studied], names, seed),
    )


def mean(values: Values, names: Sequence[str], seed: int = 0) -> Estimate:
    """The mean of one value per person; nan if there are none."""
    return share_of(*_by_name(values, names), seed=seed)


def mean_difference(
    people: Sequence[Person], first: str, second: str, names: Sequence[str], seed: int = 0
) -> Estimate:
    """Mean of F with the first kind minus F with the second, over people who have both."""
    found = ((person, person.found.get(first), person.found.get(second)) for person in people)
    both = [(person, one.f - other.f) for person, one, other in found if one and other]
    return mean(both, names, seed)


def difference_of_means(
    first: Values, second: Values, names: Sequence[str], seed: int = 0
) -> Estimate:
    """The mean of some people's values minus that of others', of the same resampled names."""
    times = multiplicities(len(names), seed) if len(names) > 1 else np.zeros((1, 1))
    value, drawn = 0.0, np.zeros(len(times))
    for sign, values in ((1, first), (-1, second)):
        held, total = _by_name(values, names)
        value += sign * float(_quotient(held.sum(), total.sum()))
        drawn = drawn + sign * _quotient(times @ held, times @ total)
    return Estimate.of(value, drawn)


def _by_name(values: Values, names: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """Shapes (names,): the sum of the values of each name's people, and how many there are."""
    place = {name: at for at, name in enumerate(names)}
    held, total = np.zeros((2, len(names)))
    for person, value in values:
        held[place[person.name]] += value
        total[place[person.name]] += 1
    return held, total


def _quotient(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Above by below, nan where there is nothing to divide by."""
    quotient = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=quotient, where=below > 0)
    return quotient
