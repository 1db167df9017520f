"""Everything the study finds out, each thing when it is first asked for.

How often criteria rank people first, with intervals over topics (ACL 2005, Table 1).

What KING and QUEEN have to do with what people say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Coefficient, row_coefficients
from eval.meta.correlation_levels import Level, correlations
from eval.meta.orange import LeftOut, left_out
from eval.meta.qarla import Conditions, Triples, early, queen, queen_left_out
from eval.meta.qarla_sets import Cluster, Linkage, Selection, clusters, greedy
from eval.stats.estimate import RESAMPLES, Drawn, Estimate, over_topics, times_drawn
from eval.studies.pairwise import Compared, Instances
from eval.studies.qarla.sets import (
    Crossed,
    Reliability,
    Search,
    Standing,
    candidates_of,
    crossed,
    reliability,
    searched,
    standing,
)
from weps.errors import ValuesError

__all__ = [
    "Agreement",
    "Findings",
    "Settings",
    "agreements",
    "people_first",
    "plain_values",
    "queen_values",
]

_EQUAL = 1e-12


def people_first(topics: Sequence[LeftOut], seed: int = 0) -> Drawn:
    """The share of references that are better than all systems on the average.

    The mean over references of :func:`eval.meta.orange.human_first`, and the same with topics
    drawn anew; resamples × references × systems values are held at a time.

    Args:
        topics: with the same criteria, references and systems.
        seed: for the resamples.
    """
    times = times_drawn(len(topics), RESAMPLES, seed) / len(topics)
    shares = np.stack([_shares(topics, criterion, times) for criterion in range(_size(topics))])
    return Drawn(shares[:, 0], shares[:, 1:])


def _size(topics: Sequence[LeftOut]) -> int:
    return len(topics[0].models)


def _shares(topics: Sequence[LeftOut], criterion: int, times: np.ndarray) -> np.ndarray:
    """Shape (1 + resamples,); NaN where nothing was drawn."""
    models, peers = (
        np.tensordot(times, np.stack([getattr(each, part)[criterion] for each in topics]), axes=1)
        for part in ("models", "peers")
    )
    best = peers.max(axis=2)
    ahead = (models > best) & ~np.isclose(models, best, rtol=_EQUAL, atol=0)
    return np.where(np.isnan(times).any(axis=1), np.nan, ahead.mean(axis=1))


Floats: TypeAlias = NDArray[np.float64]

_FEWEST = 3
"""Fewer systems always lie on a line."""


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Pearson's r of systems' means with those of people, by one criterion; NaN where none is."""

    criterion: str
    systems: int
    topics: int
    queens: Drawn
    """Of QUEEN by each set."""
    plain: Drawn
    """Of each measure's mean similarity to the references."""
    kings: Drawn
    """KING of each set on the topics that people judged."""

    def with_king(self) -> Estimate:
        """How r of QUEEN goes with KING over the sets, Pearson's r (2005, Figures 5 and 7)."""
        known = ~np.isnan(self.queens.value)
        if known.sum() < _FEWEST:
            return Estimate(np.nan, np.nan, np.nan)
        kings, queens = (
            np.column_stack([each.value, each.drawn])[known].T for each in (self.kings, self.queens)
        )
        found = row_coefficients(kings, queens, Coefficient.PEARSON)
        return Estimate.of(float(found[0]), found[1:])


def queen_values(conditions: Conditions, sets: Sequence[Sequence[int]]) -> Floats:
    """Shape (sets, instances): QUEEN of every output."""
    return np.stack([np.concatenate(queen(conditions, each)) for each in sets])


def plain_values(compared: Compared) -> Floats:
    """Shape (measures, instances): the mean similarity of every output to its references."""
    return np.concatenate([each.values.peers.mean(axis=2) for each in compared.topics], axis=1)


def agreements(
    compared: Compared, queens: Floats, kings: Floats, seed: int = 0
) -> tuple[Agreement, ...]:
    """Agreement by every criterion by which systems enough were judged on common topics.

    Args:
        compared: with human scores.
        queens: shape (sets, instances).
        kings: shape (sets, topics).
        seed: for the resamples of topics.
    """
    instances, plain = compared.instances, plain_values(compared)
    each = (
        _agreement(name, human, instances, (queens, plain, kings), seed)
        for name, human in zip(compared.criteria, instances.human, strict=True)
    )
    return tuple(found for found in each if found)


def _agreement(
    criterion: str, human: Floats, instances: Instances, values: tuple[Floats, ...], seed: int
) -> Agreement | None:
    queens, plain, kings = values
    rows = np.flatnonzero(~np.isnan(human))
    topic, system = instances.topic[rows], instances.system[rows]
    systems, topics = len(np.unique(system)), np.unique(topic)
    if systems < _FEWEST:
        return None
    try:
        by_queen, by_measure = (
            _coefficients(some[:, rows], human[rows], topic, system, seed)
            for some in (queens, plain)
        )
    except ValuesError:  # no topic that all systems have answered
        return None
    judged = over_topics(kings[:, topics], seed=seed)
    return Agreement(criterion, systems, len(topics), by_queen, by_measure, judged)


def _coefficients(
    values: Floats,
    human: Floats,
    topic: NDArray[np.int64],
    system: NDArray[np.int64],
    seed: int,
) -> Drawn:
    """By measure; those with infinite values, which have no mean, have none."""
    finite = np.isfinite(values).all(axis=1)
    found = correlations(values[finite], human, topic, system, level=Level.SYSTEM, seed=seed)
    every = np.full((len(values), 1 + found.drawn.shape[1]), np.nan)
    every[finite] = np.column_stack([found.value, found.drawn])
    return Drawn(every[:, 0], every[:, 1:])


_GREEDY = 8
"""Measures that are added one after another."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What changes the figures besides the texts and the measures."""

    triples: Triples = Triples.DISTINCT
    clusters: int = 10
    """Into which measures are put; of the best measure of each every set is tried."""
    linkage: Linkage = Linkage.SET
    size: int | None = None
    """Of the largest set that is tried; None for any."""
    seed: int = 0


@dataclass(frozen=True)
class Findings:
    """What was found for the topics."""

    compared: Compared
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def conditions(self) -> Conditions:
        """Which texts pass which triples."""
        return Conditions.of(self.compared.similarities, self.settings.triples)

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Measures that say the same of the peers (2005, Figure 1)."""
        number = min(self.settings.clusters, self.conditions.measures)
        return clusters(self.conditions, number, self.settings.linkage)

    @cached_property
    def search(self) -> Search:
        """KING of single measures and of sets."""
        candidates = candidates_of(self.clusters)
        grown = [each.measures for each in self.greedy]
        return searched(self.conditions, candidates, self.settings.size, grown)

    @cached_property
    def kings(self) -> Drawn:
        """KING of every set, the single measures first."""
        return over_topics(self.search.kings, seed=self.settings.seed)

    @cached_property
    def crossed(self) -> Crossed | None:
        """Whether the best set is better on other topics, too."""
        return crossed(self.search, self.settings.seed)

    @cached_property
    def greedy(self) -> list[Selection]:
        """Measures added one after another, of all measures."""
        most = min(self.settings.size or _GREEDY, self.conditions.measures)
        return greedy(self.conditions, most)

    @cached_property
    def early(self) -> Drawn:
        """The estimate of 2004."""
        return over_topics(early(self.compared.similarities), seed=self.settings.seed)

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """With people, by criterion."""
        if not self.compared.criteria:
            return ()
        queens = queen_values(self.conditions, self.search.sets)
        return agreements(self.compared, queens, self.search.kings, self.settings.seed)

    @cached_property
    def standing(self) -> Standing:
        """QUEEN of systems and references by the best set."""
        return standing(self.compared, self.conditions, self.best, self.settings.seed)

    @cached_property
    def reliability(self) -> tuple[Reliability, ...]:
        """JACK of the best set; nothing if outputs were not compared with one another."""
        if not self.compared.among_peers:
            return ()
        topics, triples = self.compared.similarities, self.settings.triples
        return reliability(topics, self.best, triples, self.settings.seed)

    @cached_property
    def first(self) -> Drawn | None:
        """People ranked first: by each measure, by its QUEEN, and by QUEEN of the best set.

        None if references or systems are not the same on all topics.
        """
        if not self.compared.alike:
            return None
        plain = [left_out(each) for each in self.compared.similarities]
        sets = [*((measure,) for measure in range(self.conditions.measures)), self.best]
        queens = [queen_left_out(self.conditions, each) for each in sets]
        topics = [_joined([own, *others]) for own, *others in zip(plain, *queens, strict=True)]
        return people_first(topics, self.settings.seed)

    @property
    def best(self) -> tuple[int, ...]:
        """The best set."""
        return self.search.sets[self.search.best]

    @property
    def order(self) -> list[int]:
        """The measures, the one with the highest KING first."""
        singles = self.kings.value[: self.conditions.measures].round(12)
        return [int(each) for each in np.argsort(-singles, kind="stable")]

    def king(self, measure: int) -> Estimate:
        """KING of a measure."""
        return self.kings.estimates[measure]

    def named(self, measures: Sequence[int]) -> str:
        """A set in words."""
        return " + ".join(self.compared.measures[each] for each in measures)


def _joined(parts: Sequence[LeftOut]) -> LeftOut:
    """The criteria of several, one after another."""
    models, peers = ([getattr(each, name) for each in parts] for name in ("models", "peers"))
    return LeftOut(np.concatenate(models), np.concatenate(peers))
