"""Sets of measures by QARLA: clusters of them, and the search for the set with the highest KING.

KING is not monotonic in the set: one measure more lowers QUEEN of models and peers alike (ACL 2005,
section 3.3). A set costs the intersection of its predecessor with one measure and one count of
bits. The proximity of two sets is P(H(X) ↔ H(X')), H being the condition behind QUEEN (ACL workshop
2005, section 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np

from weps.errors import ValuesError
from weps_eval.meta.judged import checked_size
from weps_eval.meta.qarla import (
    DIGITS,
    Conditions,
    Passed,
    count_bits,
    king,
    king_by_measure,
    king_from_passed,
    mean_king,
)
from weps_eval.stats.arrays import Bits, Floats
from weps_eval.stats.estimate import BootstrapSamples, bootstrap_means

_MOST = 20_000
"""Sets that are tried."""
_FOLDS = 5
_GREEDY = 8
"""Measures that are added one after another."""

AcceptedBits: TypeAlias = tuple[Bits, ...]
"""Bits of all peers, by panel."""


class Linkage(StrEnum):
    """How close two clusters are; the paper defines the closeness of two sets of measures only."""

    SET = "set"
    """Each cluster is one set of measures, which accepts what all of them accept."""
    AVERAGE = "average"
    """The mean over pairs of measures, one of each cluster."""
    COMPLETE = "complete"
    """The least over these pairs."""
    SINGLE = "single"
    """The greatest over these pairs."""


class Cluster(NamedTuple):
    """Some measures, in ascending order."""

    measures: tuple[int, ...]
    best: int
    """The one with the highest KING, the first if tied."""
    king: float
    """Its KING, the mean over topics."""


def acceptance_agreement(conditions: Conditions) -> Floats:
    """P(H(x) ↔ H(x')) of every two measures: shape (measures, measures), exact.

    Within a topic over all peers and triples, then the mean over topics, as of KING.
    """
    states = _accepted_bits(conditions)
    found = np.eye(len(states))
    for row, one in enumerate(states):
        values = [_share_agreeing(conditions, one, other) for other in states[:row]]
        found[row, :row] = found[:row, row] = values
    return found


def cluster_measures(
    conditions: Conditions, number: int, linkage: Linkage = Linkage.SET
) -> list[Cluster]:
    """Put the measures into so many clusters, 10 in the paper's Figure 1, uniting the two closest.

    Of pairs of clusters that are equally close, the one with the first measures is united.

    Returns:
        The clusters in the order of their first measures, each with its best one.

    Raises:
        ValuesError: for a number that cannot be, or as :func:`weps_eval.meta.qarla.king`.
    """
    if not 1 <= number <= conditions.measures:
        raise ValuesError(f"{conditions.measures} measures do not make {number} clusters")
    quality = mean_king(king_by_measure(conditions)).tolist()
    found = []
    for members in sorted(map(sorted, _merge_clusters(conditions, number, linkage))):
        best = max(members, key=quality.__getitem__)
        found.append(Cluster(tuple(members), best, quality[best]))
    return found


def _merge_clusters(conditions: Conditions, number: int, linkage: Linkage) -> list[list[int]]:
    """The measures of each cluster, which is kept in the place of its first one."""
    members = [[measure] for measure in range(conditions.measures)]
    states = _accepted_bits(conditions)
    close = acceptance_agreement(conditions)
    np.fill_diagonal(close, -1)
    for _ in range(conditions.measures - number):
        kept, gone = divmod(int(close.round(DIGITS).argmax()), len(close))
        if linkage is Linkage.SET:
            both = zip(states[kept], states[gone], strict=True)
            states[kept] = tuple(one & other for one, other in both)
            near = np.array([_share_agreeing(conditions, states[kept], each) for each in states])
        elif linkage is Linkage.AVERAGE:
            sizes = [len(members[kept]), len(members[gone])]
            near = np.average(close[[kept, gone]], axis=0, weights=sizes)
        else:
            combine = np.minimum if linkage is Linkage.COMPLETE else np.maximum
            near = np.asarray(combine(close[kept], close[gone]))
        near[kept] = -1
        close[kept] = close[:, kept] = near
        close = np.delete(np.delete(close, gone, axis=0), gone, axis=1)
        members[kept] += members.pop(gone)
        del states[gone]
    return members


def _accepted_bits(conditions: Conditions) -> list[AcceptedBits]:
    """Accepted texts of every measure."""
    return [
        tuple(panel.passed[measure].peers for panel in conditions.panels)
        for measure in range(conditions.measures)
    ]


def _share_agreeing(conditions: Conditions, first: AcceptedBits, second: AcceptedBits) -> float:
    """The mean over topics of the share of peers and triples of which both agree."""
    shares: list[Floats] = []
    for panel, one, other in zip(conditions.panels, first, second, strict=True):
        differing = np.add.reduceat(count_bits(one ^ other), panel.starts)
        shares.append(1 - differing / (panel.sizes * panel.triples))
    return float(np.concatenate(shares).mean())


class Selection(NamedTuple):
    """Some measures and what they reach together."""

    measures: tuple[int, ...]
    king: float
    """The mean of KING over topics."""


def greedy_sets(conditions: Conditions, size: int | None = None) -> list[Selection]:
    """Add, one after another, the measure with which KING is highest; the first one if tied.

    Returns:
        The sets of 1, 2, … measures up to ``size``, None being all, in the order in which they were
        added; KING may fall.

    Raises:
        ValuesError: for a size that cannot be, or as :func:`weps_eval.meta.qarla.king`.
    """
    found: list[Selection] = []
    chosen: tuple[int, ...] = ()
    rest = list(range(conditions.measures))
    state: Sequence[Passed] | None = None
    for _ in range(checked_size(size, conditions.measures)):
        tried = [
            float(mean_king(king_from_passed(conditions, _accepted_with(conditions, state, each))))
            for each in rest
        ]
        place = tried.index(max(tried))
        leader = rest.pop(place)
        chosen, state = (*chosen, leader), _accepted_with(conditions, state, leader)
        found.append(Selection(chosen, tried[place]))
    return found


def _accepted_with(
    conditions: Conditions, state: Sequence[Passed] | None, measure: int
) -> list[Passed]:
    """Texts that the measures so far (None: none) and this one accept, by panel."""
    alone = [panel.passed[measure] for panel in conditions.panels]
    if state is None:
        return alone
    return [before.both(own) for before, own in zip(state, alone, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class SetSearch:
    """KING of many sets on every topic."""

    clusters: list[Cluster]
    """Measures that accept the same outputs (2005, Figure 1)."""
    greedy: list[Selection]
    """Sets of measures added one after another."""
    measures: int
    """Number of measures; the first sets are these, one each."""
    candidates: tuple[int, ...]
    """Best measures of the clusters, of which every set was tried."""
    tried: int
    """Number of sets that were all tried, before the greedy ones."""
    sets: tuple[tuple[int, ...], ...]
    kings: Floats
    """Shape (sets, topics)."""

    @property
    def best(self) -> int:
        """The set with the highest KING, the first of equal ones, which come by size."""
        return _highest(self.kings)

    @property
    def best_set(self) -> tuple[int, ...]:
        """The measures of the set with the highest KING."""
        return self.sets[self.best]

    @property
    def best_single(self) -> int:
        """The measure with the highest KING."""
        return _highest(self.kings[: self.measures])


def search_sets(
    conditions: Conditions,
    clusters: int = 10,
    linkage: Linkage = Linkage.SET,
    size: int | None = None,
) -> SetSearch:
    """KING of every measure, of all sets of the best ones of clusters, and of greedy sets.

    Args:
        conditions: of the topics.
        clusters: number of clusters at most (Evaluating DUC 2004 tasks, section 3.2).
        linkage: how close clusters are.
        size: measures of the largest set that is tried; None for any number.

    Raises:
        ValuesError: if there are too many sets to try.
    """
    measures = conditions.measures
    grouped = cluster_measures(conditions, min(clusters, measures), linkage)
    greedy = greedy_sets(conditions, min(size or _GREEDY, measures))
    candidates = tuple(sorted(each.best for each in grouped))
    largest = min(size or len(candidates), len(candidates))
    sizes = range(2, largest + 1)
    number = sum(comb(len(candidates), each) for each in sizes)
    if number > _MOST:
        what = f"{len(candidates)} measures have {number:,} sets of up to {largest}"
        raise ValuesError(what, remedy="choose a smaller --size, or fewer --clusters")
    singles = [(measure,) for measure in range(measures)]
    tried = [*singles, *(each for some in sizes for each in combinations(candidates, some))]
    added = (tuple(sorted(each.measures)) for each in greedy)
    sets = tuple(dict.fromkeys([*tried, *added]))
    kings = np.stack([king(conditions, each) for each in sets])
    return SetSearch(grouped, greedy, measures, candidates, len(tried), sets, kings)


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
