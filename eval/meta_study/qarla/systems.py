"""QUEEN of systems and of people by a set of measures (ACL workshop 2005, Figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import Drawn, over_topics
from eval.meta.qarla import Conditions, queen, queen_left_out
from eval.meta_study.compared import Compared
from eval.ordering import Estimate

__all__ = ["Standing", "standing"]

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Means over topics."""

    systems: tuple[str, ...]
    queens: Drawn
    """Of each system, by all references."""
    references: tuple[str, ...]
    """Each is left out when it is judged itself."""
    of_references: Drawn
    against: Drawn
    """Of each system by the references but one, the mean over which one."""

    def people_ahead(self) -> Estimate:
        """The lowest of the references minus the highest of the systems, judged alike."""
        people, systems = (
            np.column_stack([each.value, each.drawn]) for each in (self.of_references, self.against)
        )
        gap = people.min(axis=0) - systems.max(axis=0)
        return Estimate.of(float(gap[0]), gap[1:])


def standing(
    compared: Compared, conditions: Conditions, measures: Sequence[int], seed: int = 0
) -> Standing:
    """QUEEN of every system, and of every reference, by a set of measures."""
    systems, references = compared.systems, _references(compared)
    named = [each.systems for each in compared.topics]
    told = [each.references for each in compared.topics]
    left = queen_left_out(conditions, measures)
    people, others = (
        [each.models[0] for each in left],
        [each.peers[0].mean(axis=0) for each in left],
    )
    return Standing(
        systems,
        over_topics(_table(systems, named, queen(conditions, measures)), seed=seed),
        references,
        over_topics(_table(references, told, people), seed=seed),
        over_topics(_table(systems, named, others), seed=seed),
    )


def _references(compared: Compared) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in compared.topics for name in each.references))


def _table(
    names: Sequence[str], by_topic: Sequence[Sequence[str]], values: Sequence[Floats]
) -> Floats:
    """Shape (names, topics); NaN where a topic has nothing of that name."""
    place = {name: number for number, name in enumerate(names)}
    table = np.full((len(names), len(by_topic)), np.nan)
    for topic, (some, found) in enumerate(zip(by_topic, values, strict=True)):
        table[[place[name] for name in some], topic] = found
    return table
