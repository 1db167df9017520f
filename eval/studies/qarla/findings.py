"""Everything the study finds out, each thing when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval.meta.correlation import Coefficient, row_coefficients
from eval.meta.correlation_levels import Level, correlate_with_humans
from eval.meta.orange import LeftOut, left_out
from eval.meta.qarla import Conditions, Triples, early_estimate, queen, queen_left_out
from eval.meta.qarla_sets import Cluster, Linkage, Selection, cluster_measures, greedy_sets
from eval.stats.arrays import Floats, Ints
from eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    Estimate,
    bootstrap_means,
    bootstrap_weights,
    safe_divide,
)
from eval.studies.pairwise import PairwiseInput, PairwiseInstances
from eval.studies.qarla.sets import (
    CrossValidatedSets,
    JackReliability,
    SetSearch,
    SystemQueens,
    cross_validate_sets,
    jack_reliability,
    search_sets,
    system_queens,
)
from eval.studies.several import NO_ESTIMATE
from weps.errors import ValuesError

__all__ = [
    "Findings",
    "HumanAgreement",
    "QarlaSettings",
    "human_agreements",
    "people_first",
    "plain_values",
    "queen_values",
]


_FEWEST = 3
"""Fewer systems always lie on a line."""
_GREEDY = 8
"""Measures that are added one after another."""
_EQUAL = 1e-12
_LEFT_OUT = "models", "peers"


@dataclass(frozen=True, slots=True, eq=False)
class HumanAgreement:
    """Pearson's r of systems' means with those of people, by one criterion; NaN where none is."""

    criterion: str
    systems: int
    topics: int
    queens: BootstrapSamples
    """Of QUEEN by each set."""
    plain: BootstrapSamples
    """Of each measure's mean similarity to the references."""
    kings: BootstrapSamples
    """KING of each set on the topics that people judged."""

    def with_king(self) -> Estimate:
        """How r of QUEEN goes with KING over the sets, Pearson's r (2005, Figures 5 and 7)."""
        known = ~np.isnan(self.queens.value)
        if known.sum() < _FEWEST:
            return NO_ESTIMATE
        kings, queens = (
            np.column_stack([each.value, each.samples])[known].T
            for each in (self.kings, self.queens)
        )
        found = row_coefficients(kings, queens, Coefficient.PEARSON)
        return Estimate.from_samples(float(found[0]), found[1:])


def people_first(topics: Sequence[LeftOut], seed: int = 0) -> BootstrapSamples:
    """The share of references that are better than all systems on the average.

    The mean over references of :func:`eval.meta.orange.ranks_human_first`, and the same with topics
    drawn anew; resamples × references × systems values are held at a time.

    Args:
        topics: with the same criteria, references and systems.
        seed: for the resamples.
    """
    times = bootstrap_weights(len(topics), RESAMPLES, seed) / len(topics)
    unknown = np.isnan(times).any(axis=1)
    shares = []
    for criterion in range(len(topics[0].models)):
        models, peers = (
            np.tensordot(
                times, np.stack([getattr(each, part)[criterion] for each in topics]), axes=1
            )
            for part in _LEFT_OUT
        )
        best = peers.max(axis=2)
        ahead = (models > best) & ~np.isclose(models, best, rtol=_EQUAL, atol=0)
        shares.append(np.where(unknown, np.nan, ahead.mean(axis=1)))
    found = np.stack(shares)
    return BootstrapSamples(found[:, 0], found[:, 1:])


def queen_values(conditions: Conditions, sets: Sequence[Sequence[int]]) -> Floats:
    """Shape (sets, instances): QUEEN of every output."""
    return np.stack([np.concatenate(queen(conditions, each)) for each in sets])


def plain_values(compared: PairwiseInput) -> Floats:
    """Shape (measures, instances): the mean similarity of every output to its references."""
    return np.concatenate([each.values.peers.mean(axis=2) for each in compared.topics], axis=1)


def human_agreements(
    compared: PairwiseInput, queens: Floats, kings: Floats, seed: int = 0
) -> tuple[HumanAgreement, ...]:
    """Agreement by every criterion by which systems enough were judged on common topics.

    Args:
        compared: with human scores.
        queens: shape (sets, instances).
        kings: shape (sets, topics).
        seed: for the resamples of topics.
    """
    instances, plain = compared.instances, plain_values(compared)
    agreements = (
        _criterion_agreement(name, human, instances, (queens, plain, kings), seed)
        for name, human in zip(compared.criteria, instances.human, strict=True)
    )
    return tuple(filter(None, agreements))


def _criterion_agreement(
    criterion: str,
    human: Floats,
    instances: PairwiseInstances,
    values: tuple[Floats, ...],
    seed: int,
) -> HumanAgreement | None:
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
    judged = bootstrap_means(kings[:, topics], seed=seed)
    return HumanAgreement(criterion, systems, len(topics), by_queen, by_measure, judged)


def _coefficients(
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    seed: int,
) -> BootstrapSamples:
    """By measure; those with infinite values, which have no mean, have none."""
    finite = np.isfinite(values).all(axis=1)
    found = correlate_with_humans(
        values[finite], human, topic, system, level=Level.SYSTEM, seed=seed
    )
    every = np.full((len(values), 1 + found.samples.shape[1]), np.nan)
    every[finite] = np.column_stack([found.value, found.samples])
    return BootstrapSamples(every[:, 0], every[:, 1:])


@dataclass(frozen=True, slots=True)
class QarlaSettings:
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

    compared: PairwiseInput
    settings: QarlaSettings = field(default_factory=QarlaSettings)

    @cached_property
    def conditions(self) -> Conditions:
        """Which texts pass which triples."""
        return Conditions.of(self.compared.similarities, self.settings.triples)

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Measures that say the same of the peers (2005, Figure 1)."""
        number = min(self.settings.clusters, self.conditions.measures)
        return cluster_measures(self.conditions, number, self.settings.linkage)

    @cached_property
    def search(self) -> SetSearch:
        """KING of single measures and of sets."""
        candidates = tuple(sorted(each.best for each in self.clusters))  # DUC 2004, section 3.2
        grown = [each.measures for each in self.greedy]
        return search_sets(self.conditions, candidates, self.settings.size, grown)

    @cached_property
    def kings(self) -> BootstrapSamples:
        """KING of every set, the single measures first."""
        return bootstrap_means(self.search.kings, seed=self.settings.seed)

    @cached_property
    def cross_validated(self) -> CrossValidatedSets | None:
        """Whether the best set is better on other topics, too."""
        return cross_validate_sets(self.search, self.settings.seed)

    @cached_property
    def greedy(self) -> list[Selection]:
        """Measures added one after another, of all measures."""
        most = min(self.settings.size or _GREEDY, self.conditions.measures)
        return greedy_sets(self.conditions, most)

    @cached_property
    def early(self) -> BootstrapSamples:
        """The estimate of 2004."""
        return bootstrap_means(early_estimate(self.compared.similarities), seed=self.settings.seed)

    @cached_property
    def agreements(self) -> tuple[HumanAgreement, ...]:
        """With people, by criterion."""
        if not self.compared.criteria:
            return ()
        queens = queen_values(self.conditions, self.search.sets)
        return human_agreements(self.compared, queens, self.search.kings, self.settings.seed)

    @cached_property
    def system_queens(self) -> SystemQueens:
        """QUEEN of systems and references by the best set."""
        return system_queens(self.compared, self.conditions, self.best, self.settings.seed)

    @cached_property
    def reliability(self) -> tuple[JackReliability, ...]:
        """JACK of the best set; nothing if outputs were not compared with one another."""
        if not self.compared.among_peers:
            return ()
        topics, triples = self.compared.similarities, self.settings.triples
        return jack_reliability(topics, self.best, triples, self.settings.seed)

    @cached_property
    def first(self) -> BootstrapSamples | None:
        """People ranked first: by each measure, by its QUEEN, and by QUEEN of the best set.

        None if references or systems are not the same on all topics.
        """
        if not self.compared.is_uniform:
            return None
        plain = [left_out(each) for each in self.compared.similarities]
        sets = [*((measure,) for measure in range(self.conditions.measures)), self.best]
        queens = [queen_left_out(self.conditions, each) for each in sets]
        topics = [
            LeftOut(
                *(np.concatenate([getattr(each, part) for each in parts]) for part in _LEFT_OUT)
            )
            for parts in zip(plain, *queens, strict=True)
        ]
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

    def describe_set(self, measures: Sequence[int]) -> str:
        """A set in words."""
        return " + ".join(self.compared.measures[each] for each in measures)

    @property
    def human(self) -> Floats:
        """Shape (criteria, systems): means over judged outputs; NaN where there are none."""
        instances, systems = self.compared.instances, len(self.compared.systems)
        judged = ~np.isnan(instances.human)
        sums, counts = (
            np.array([np.bincount(instances.system, row, systems) for row in rows])
            for rows in (np.where(judged, instances.human, 0), judged)
        )
        return safe_divide(sums, counts)
