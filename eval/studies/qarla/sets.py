"""Sets of measures: the one with the highest KING, and what QUEEN and JACK say by a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import TypeAlias

import numpy as np

from eval.meta.judged import Similarities
from eval.meta.qarla import Conditions, Triples, king, mean_king, queen, queen_left_out
from eval.meta.qarla_jack import JackForm, jack, jack_by_peers
from eval.stats.arrays import Floats
from eval.stats.estimate import BootstrapSamples, Estimate, bootstrap_means
from eval.studies.pairwise import PairwiseInput
from weps.errors import ValuesError

__all__ = [
    "FEW_PEERS",
    "CrossValidatedSets",
    "JackReliability",
    "SetSearch",
    "SystemQueens",
    "cross_validate_sets",
    "jack_reliability",
    "search_sets",
    "system_queens",
]

MeasureIndices: TypeAlias = tuple[int, ...]

FEW_PEERS = 10
"""Up to so many peers JACK grows fast (ACL workshop 2005, section 3.4)."""
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
        curve = np.column_stack([self.by_peers.value, self.by_peers.samples])
        early = (curve[FEW_PEERS - 1] - curve[0]) / (FEW_PEERS - 1)
        late = (curve[-1] - curve[FEW_PEERS - 1]) / (size - FEW_PEERS)
        slowing = early - late
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
    found = []
    for form in JackForm:
        shares = bootstrap_means(jack(topics, measures, form, triples)[None], seed=seed)
        grown = [
            jack_by_peers([topic], measures, form, triples, seed=seed + number)
            for number, topic in enumerate(topics)
        ]
        largest = max(map(len, grown))
        filled = [np.pad(each, (0, largest - len(each)), mode="edge") for each in grown]
        by_peers = bootstrap_means(np.stack(filled, axis=1), seed=seed)
        found.append(JackReliability(form, shares.estimates[0], by_peers))
    return tuple(found)
