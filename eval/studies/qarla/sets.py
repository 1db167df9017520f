"""Which measures together have the highest KING, and whether that holds on other topics.

JACK of a set of measures, and how it grows with the peers.

QUEEN of systems and of people by a set of measures (ACL workshop 2005, Figure 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.judged import Similarities
from eval.meta.qarla import Conditions, Triples, king, mean_king, queen, queen_left_out
from eval.meta.qarla_jack import JackForm, jack, jack_by_peers
from eval.meta.qarla_sets import Cluster
from eval.stats.estimate import BootstrapSamples, Estimate, bootstrap_means
from eval.studies.pairwise import PairwiseInput
from weps.errors import ValuesError

__all__ = [
    "FEW_PEERS",
    "CrossValidatedSets",
    "JackReliability",
    "SetSearch",
    "SystemQueens",
    "candidates_of",
    "cross_validate_sets",
    "jack_reliability",
    "search_sets",
    "system_queens",
]

FEW_PEERS = 10
"""Up to so many peers JACK grows fast (ACL workshop 2005, section 3.4)."""


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
        curve = np.column_stack([self.by_peers.value, self.by_peers.samples])
        before = (curve[FEW_PEERS - 1] - curve[0]) / (FEW_PEERS - 1)
        after = (curve[-1] - curve[FEW_PEERS - 1]) / (size - FEW_PEERS)
        slowing = before - after
        return Estimate.from_samples(float(slowing[0]), slowing[1:])


def jack_reliability(
    topics: Sequence[Similarities], measures: Sequence[int], triples: Triples, seed: int = 0
) -> tuple[JackReliability, ...]:
    """JACK of a set in both forms; a topic with fewer peers keeps its last value.

    Args:
        topics: with the similarities among peers.
        measures: the set.
        triples: of QUEEN.
        seed: for the orders of peers, and for the resamples of topics.
    """
    return tuple(_of_form(topics, measures, triples, form, seed) for form in JackForm)


def _of_form(
    topics: Sequence[Similarities],
    measures: Sequence[int],
    triples: Triples,
    form: JackForm,
    seed: int,
) -> JackReliability:
    shares = bootstrap_means(jack(topics, measures, form, triples)[None], seed=seed)
    grown = [
        jack_by_peers([topic], measures, form, triples, seed=seed + number)
        for number, topic in enumerate(topics)
    ]
    largest = max(map(len, grown))
    filled = [np.pad(each, (0, largest - len(each)), mode="edge") for each in grown]
    return JackReliability(
        form, shares.estimates[0], bootstrap_means(np.stack(filled, axis=1), seed=seed)
    )


Floats: TypeAlias = NDArray[np.float64]
MeasureIndices: TypeAlias = tuple[int, ...]

_MOST = 20_000
"""Sets that are tried."""
_FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class SetSearch:
    """KING of many sets on every topic."""

    measures: int
    """How many there are; the first sets are these, one each."""
    candidates: MeasureIndices
    """Of which every set was tried."""
    tried: int
    """Sets that were all tried; the others come from elsewhere."""
    sets: tuple[MeasureIndices, ...]
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


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidatedSets:
    """Chosen on some topics, judged on the others."""

    chosen: tuple[tuple[int, int], ...]
    """By fold, the best set of several and the best single measure of the other folds."""
    kings: BootstrapSamples
    """Of the chosen sets, and of the chosen measures, on the topics on which they were not."""


def candidates_of(clusters: Sequence[Cluster]) -> MeasureIndices:
    """The best measure of each cluster, as the paper on DUC 2004 takes them (section 3.2)."""
    return tuple(sorted(each.best for each in clusters))


def search_sets(
    conditions: Conditions,
    candidates: MeasureIndices,
    size: int | None = None,
    more: Sequence[MeasureIndices] = (),
) -> SetSearch:
    """KING of every single measure, and of every set of candidates.

    Args:
        conditions: of the topics.
        candidates: measures of which sets are made.
        size: of the largest set; None for any number.
        more: further sets.

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
) -> CrossValidatedSets | None:
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
    chosen = []
    for number in range(int(fold.max()) + 1):
        held_out = fold == number
        known = kings[:, ~held_out]
        pair = singles + _highest(known[singles:]), _highest(known[:singles])
        values[:, held_out] = kings[list(pair)][:, held_out]
        chosen.append(pair)
    return CrossValidatedSets(tuple(chosen), bootstrap_means(values, seed=seed))


def _highest(kings: Floats) -> int:
    """Sets come in the order of their sizes, so the first is the smallest."""
    return int(np.argmax(mean_king(kings)))


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
        people, systems = (
            np.column_stack([each.value, each.samples])
            for each in (self.of_references, self.against)
        )
        gap = people.min(axis=0) - systems.max(axis=0)
        return Estimate.from_samples(float(gap[0]), gap[1:])


def system_queens(
    compared: PairwiseInput, conditions: Conditions, measures: Sequence[int], seed: int = 0
) -> SystemQueens:
    """QUEEN of every system, and of every reference, by a set of measures."""
    systems, references = compared.systems, _reference_names(compared)
    named = [each.systems for each in compared.topics]
    told = [each.references for each in compared.topics]
    left = queen_left_out(conditions, measures)
    people, others = (
        [each.models[0] for each in left],
        [each.peers[0].mean(axis=0) for each in left],
    )
    return SystemQueens(
        systems,
        bootstrap_means(_table(systems, named, queen(conditions, measures)), seed=seed),
        references,
        bootstrap_means(_table(references, told, people), seed=seed),
        bootstrap_means(_table(systems, named, others), seed=seed),
    )


def _reference_names(compared: PairwiseInput) -> tuple[str, ...]:
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
