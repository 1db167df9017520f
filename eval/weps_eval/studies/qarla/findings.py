"""Everything the study computes, each figure on first access."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from math import comb

import numpy as np

from weps.errors import ValuesError
from weps_eval.meta.correlation_levels import Level, Sample, correlate_with_humans
from weps_eval.meta.judged import Similarities
from weps_eval.meta.orange import LeftOut, left_out
from weps_eval.meta.qarla import (
    Cluster,
    Conditions,
    JackForm,
    Judges,
    Linkage,
    Selection,
    Triples,
    cluster_measures,
    early_estimate,
    greedy_sets,
    jack_by_peers,
    jack_scores,
    king,
    mean_king,
    queen,
    queen_left_out,
)
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import (
    RESAMPLES,
    BootstrapSamples,
    Estimate,
    bootstrap_means,
    bootstrap_weights,
)
from weps_eval.studies.pairwise import PairwiseInput
from weps_eval.studies.several import correlation_over_measures, joint_estimate

FEW_PEERS = 10
"""Up to so many peers JACK grows fast (ACL workshop 2005, section 3.4)."""
_MOST = 20_000
"""Sets that are tried."""
_FOLDS = 5
_FEWEST = 3
"""Fewer systems always lie on a line."""
_GREEDY = 8
"""Measures that are added one after another."""
_EQUAL = 1e-12
"""Means no further apart, in relation to their size, are equal: added up in another order."""
_LEFT_OUT = "models", "peers"


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
    judges: Judges = Judges.LEFT_OUT
    """For KING, and so for all that is chosen by it."""


@dataclass(frozen=True)
class Findings:
    """What was found for the topics."""

    compared: PairwiseInput
    settings: QarlaSettings = field(default_factory=QarlaSettings)

    @cached_property
    def conditions(self) -> Conditions:
        """Which texts pass which triples."""
        topics, settings = self.compared.similarities, self.settings
        return Conditions.of(topics, settings.triples, judges=settings.judges)

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Measures that accept the same outputs (2005, Figure 1)."""
        number = min(self.settings.clusters, self.conditions.measures)
        return cluster_measures(self.conditions, number, self.settings.linkage)

    @cached_property
    def search(self) -> SetSearch:
        """KING of single measures and of sets."""
        candidates = tuple(sorted(each.best for each in self.clusters))  # DUC 2004, section 3.2
        added = [each.measures for each in self.greedy]
        return search_sets(self.conditions, candidates, self.settings.size, added)

    @cached_property
    def kings(self) -> BootstrapSamples:
        """KING of every set, the single measures first."""
        return bootstrap_means(self.search.kings, seed=self.settings.seed)

    @cached_property
    def cross_validated(self) -> BootstrapSamples | None:
        """KING of the best set of several and of the best measure on other topics."""
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
        """By every criterion by which enough systems were judged on common topics."""
        compared, seed, found = self.compared, self.settings.seed, []
        if not compared.criteria:
            return ()
        values = queen_values(self.conditions, self.search.sets), plain_values(compared)
        for number, name in enumerate(compared.criteria):
            queens, plain = (
                correlate_criterion(compared, each, number, seed=seed) for each in values
            )
            if queens and plain:
                judged = ~np.isnan(compared.instances.human[number])
                topics = np.unique(compared.instances.topic[judged])
                kings = bootstrap_means(self.search.kings[:, topics], seed=seed)
                found.append(HumanAgreement(name, queens, plain, kings))
        return tuple(found)

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


@dataclass(frozen=True, slots=True, eq=False)
class SetSearch:
    """KING of many sets on every topic."""

    measures: int
    """How many there are; the first sets are these, one each."""
    candidates: tuple[int, ...]
    """Of which every set was tried."""
    tried: int
    """Sets that were all tried; the others come from elsewhere."""
    sets: tuple[tuple[int, ...], ...]
    kings: Floats
    """Shape (sets, topics)."""

    @property
    def best(self) -> int:
        """The set with the highest KING, the first of equal ones, which come by size."""
        return _highest(self.kings)

    @property
    def best_single(self) -> int:
        """The measure with the highest KING."""
        return _highest(self.kings[: self.measures])


def search_sets(
    conditions: Conditions,
    candidates: tuple[int, ...],
    size: int | None = None,
    more: Sequence[tuple[int, ...]] = (),
) -> SetSearch:
    """KING of every single measure, of every set of candidates up to a size, and of further sets.

    Raises:
        ValuesError: if there are too many sets to try.
    """
    largest = min(size or len(candidates), len(candidates))
    sizes = range(2, largest + 1)
    number = sum(comb(len(candidates), each) for each in sizes)
    if number > _MOST:
        what = f"{len(candidates)} measures have {number:,} sets of up to {largest}"
        raise ValuesError(what, remedy="choose a smaller --size, or fewer --clusters")
    singles = [(measure,) for measure in range(conditions.measures)]
    tried = [*singles, *(each for some in sizes for each in combinations(candidates, some))]
    sets = tuple(dict.fromkeys([*tried, *(tuple(sorted(each)) for each in more)]))
    kings = np.stack([king(conditions, each) for each in sets])
    return SetSearch(conditions.measures, candidates, len(tried), sets, kings)


def cross_validate_sets(
    search: SetSearch, seed: int = 0, folds: int = _FOLDS
) -> BootstrapSamples | None:
    """KING of the best combination and of the best measure on topics that did not choose them.

    Of many sets the best one is partly so by chance; what it gains shows on other topics. Topics
    are put into folds at random. None for a single topic, or if no sets of several were tried.
    """
    topics, singles = search.kings.shape[1], search.measures
    if topics < 2 or search.tried == singles:
        return None
    kings = search.kings[: search.tried]  # the others were chosen by all topics
    fold = np.random.default_rng(seed).permutation(topics) % min(folds, topics)
    values = np.empty((2, topics))
    for number in range(int(fold.max()) + 1):
        held_out = fold == number
        known = kings[:, ~held_out]
        pair = [singles + _highest(known[singles:]), _highest(known[:singles])]
        values[:, held_out] = kings[pair][:, held_out]
    return bootstrap_means(values, seed=seed)


def _highest(kings: Floats) -> int:
    return int(np.argmax(mean_king(kings)))  # the first is the smallest set


@dataclass(frozen=True, slots=True, eq=False)
class SystemQueens:
    """Means over topics."""

    systems: tuple[str, ...]
    queens: BootstrapSamples
    """Of each system, by all references."""
    references: tuple[str, ...]
    """Each is left out when it is judged itself."""
    of_references: BootstrapSamples
    against: BootstrapSamples
    """Of each system by the references but one, the mean over which one."""

    def people_ahead(self) -> Estimate:
        """The lowest of the references minus the highest of the systems, judged alike."""
        return Estimate.from_row(
            self.of_references.rows.min(axis=0) - self.against.rows.max(axis=0)
        )


def system_queens(
    compared: PairwiseInput, conditions: Conditions, measures: Sequence[int], seed: int = 0
) -> SystemQueens:
    """QUEEN of every system, and of every reference, by a set of measures."""
    topics = compared.topics
    left = queen_left_out(conditions, measures)

    def means(name: str, values: Sequence[Floats]) -> tuple[tuple[str, ...], BootstrapSamples]:
        """Over the topics that have a system, or reference, of that name."""
        named = [getattr(each, name) for each in topics]
        rows = {each: row for row, each in enumerate(dict.fromkeys(chain(*named)))}
        table = np.full((len(rows), len(topics)), np.nan)
        for topic, (some, queens) in enumerate(zip(named, values, strict=True)):
            table[[rows[each] for each in some], topic] = queens
        return tuple(rows), bootstrap_means(table, seed=seed)

    references = means("references", [each.models[0] for each in left])
    _, against = means("systems", [each.peers[0].mean(axis=0) for each in left])
    return SystemQueens(*means("systems", queen(conditions, measures)), *references, against)


@dataclass(frozen=True, slots=True, eq=False)
class JackReliability:
    """JACK in one form."""

    form: JackForm
    jack: Estimate
    by_peers: BootstrapSamples
    """Of the first 1, 2, … peers, the mean over random orders."""

    def slows_down(self) -> Estimate | None:
        """Growth per peer up to :data:`FEW_PEERS` minus growth after; None of too few peers."""
        size = len(self.by_peers.value)
        if size <= FEW_PEERS:
            return None
        curve = self.by_peers.rows
        early = (curve[FEW_PEERS - 1] - curve[0]) / (FEW_PEERS - 1)
        late = (curve[-1] - curve[FEW_PEERS - 1]) / (size - FEW_PEERS)
        return Estimate.from_row(early - late)


def jack_reliability(
    topics: Sequence[Similarities], measures: Sequence[int], triples: Triples, seed: int = 0
) -> tuple[JackReliability, ...]:
    """JACK of a set in both forms; a topic with fewer peers keeps its last value."""
    found = []
    for form in JackForm:
        shares = bootstrap_means(jack_scores(topics, measures, form, triples)[None], seed=seed)
        curves = [
            jack_by_peers([topic], measures, form, triples, seed=seed + number)
            for number, topic in enumerate(topics)
        ]
        largest = max(map(len, curves))
        table = np.stack([np.pad(each, (0, largest - len(each)), "edge") for each in curves], 1)
        by_peers = bootstrap_means(table, seed=seed)
        found.append(JackReliability(form, shares.estimates[0], by_peers))
    return tuple(found)


def queen_values(conditions: Conditions, sets: Sequence[Sequence[int]]) -> Floats:
    """Shape (sets, instances): QUEEN of every output."""
    return np.stack([np.concatenate(queen(conditions, each)) for each in sets])


def plain_values(compared: PairwiseInput) -> Floats:
    """Shape (measures, instances): the mean similarity of every output to its references."""
    return np.concatenate([each.values.peers.mean(axis=2) for each in compared.topics], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class HumanAgreement:
    """Pearson's r of systems' means with those of people, by one criterion; NaN where none is.

    Topics and systems are resampled.
    """

    criterion: str
    queens: BootstrapSamples
    """Of QUEEN by each set."""
    plain: BootstrapSamples
    """Of each measure's mean similarity to the references."""
    kings: BootstrapSamples
    """KING of each set on the topics that people judged, of the same resamples of topics."""

    def with_king(self) -> Estimate:
        """How r of QUEEN goes with KING over the sets, Pearson's r (2005, Figures 5 and 7)."""
        return joint_estimate(correlation_over_measures, self.kings, self.queens)


def correlate_criterion(
    compared: PairwiseInput,
    values: Floats,
    criterion: int,
    level: Level = Level.SYSTEM,
    seed: int = 0,
) -> BootstrapSamples | None:
    """Pearson's r with people by one criterion; NaN for infinite values, which have no mean.

    Topics and systems are resampled. Values have shape (rows, instances). None if people judged
    fewer than three systems, or all of them on no common topic.
    """
    instances = compared.instances
    human = instances.human[criterion]
    judged = ~np.isnan(human)
    topic, system, values = instances.topic[judged], instances.system[judged], values[:, judged]
    if len(np.unique(system)) < _FEWEST:
        return None
    finite = np.isfinite(values).all(axis=1)
    try:
        found = correlate_with_humans(
            values[finite],
            human[judged],
            topic,
            system,
            level=level,
            sample=Sample.BOTH,
            seed=seed,
        )
    except ValuesError:  # no topic that all systems have answered
        return None
    rows = np.full((len(values), found.rows.shape[1]), np.nan)
    rows[finite] = found.rows
    return BootstrapSamples.from_rows(rows)


def people_first(topics: Sequence[LeftOut], seed: int = 0) -> BootstrapSamples:
    """The share of references that are better than all systems on the average over topics.

    "Whether the average quality of a human summariser on all test cases is superior to the average
    quality of any automatic summariser" (ACL 2005, Table 1), which a tie is not. Criteria, whose
    shares are the rows, are measures or QUEEN of sets (:func:`~.qarla.queen_left_out`).
    Topics, which are resampled, have the same criteria, references and systems; resamples ×
    references × systems values are in memory at a time.
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
    return BootstrapSamples.from_rows(shares)
