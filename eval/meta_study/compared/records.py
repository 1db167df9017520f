"""The similarities between the texts of all topics, with the names of measures and texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.similarities import Similarities

__all__ = ["Compared", "ComparedTopic", "Instances"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ComparedTopic:
    """The texts of a topic, each compared with others."""

    topic: str
    references: tuple[str, ...]
    """The models."""
    systems: tuple[str, ...]
    """That made the outputs, the peers."""
    values: Similarities
    human: Floats
    """Shape (criteria, systems); NaN where nobody judged."""


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """The outputs of all topics, one after another."""

    topic: Ints
    """Shape (instances,): the number of each one's topic."""
    system: Ints
    """Shape (instances,): the number of each one's system, in :attr:`Compared.systems`."""
    human: Floats
    """Shape (criteria, instances); NaN where nobody judged."""

    def judged_singly(self, criterion: int) -> bool:
        """Whether people judged outputs; else all outputs of a system have its score."""
        known = ~np.isnan(self.human[criterion])
        scores = {
            (int(system), float(score))
            for system, score in zip(self.system[known], self.human[criterion][known], strict=True)
        }
        return len(scores) > len({system for system, _ in scores})


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What studies of similarities are about."""

    title: str
    measures: tuple[str, ...]
    criteria: tuple[str, ...]
    """By which people judged."""
    topics: tuple[ComparedTopic, ...]
    remarks: tuple[str, ...]
    """What the reader must know of them."""
    digest: str
    """Of what they were read from, ``testbed:sha256-…`` or ``table:sha256-…``."""

    @property
    def similarities(self) -> list[Similarities]:
        """By topic."""
        return [each.values for each in self.topics]

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in order of first appearance."""
        return tuple(dict.fromkeys(name for each in self.topics for name in each.systems))

    @property
    def among_peers(self) -> bool:
        """Whether outputs were compared with one another, too, on every topic."""
        return all(each.values.among_peers is not None for each in self.topics)

    @property
    def alike(self) -> bool:
        """Whether references and systems have the same names, in the same order, on all topics."""
        return len({(each.references, each.systems) for each in self.topics}) == 1

    @property
    def instances(self) -> Instances:
        """The outputs of all topics."""
        place = {name: number for number, name in enumerate(self.systems)}
        sizes = [len(each.systems) for each in self.topics]
        return Instances(
            np.repeat(np.arange(len(sizes)), sizes),
            np.array([place[name] for each in self.topics for name in each.systems]),
            np.concatenate([each.human for each in self.topics], axis=1),
        )
