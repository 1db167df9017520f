"""The best sets of measures: greedy and exhaustive search by KING, and clusters of measures.

KING is not monotonic in the set: one measure more lowers QUEEN of models and peers alike (ACL 2005,
section 3.3). So no smaller set bounds a larger one, and the exhaustive search tries every set. Each
costs the intersection of its predecessor with one measure and one count of bits, whatever its size:
about 1 ms with 100 topics of 35 peers and 11 models, in proportion to topics × peers × models ×
triples. The paper on DUC 2004 first takes one measure of each of 10 clusters, and then tries all
1,023 sets.

The proximity of two sets of measures is P(H(X) ↔ H(X')), H being the condition behind QUEEN
(ACL workshop 2005, section 3.2): how often, over peers and triples of models, both accept or both
reject a peer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np

from eval.meta.qarla import (
    Bits,
    Conditions,
    Passed,
    count_bits,
    king_by_measure,
    king_from_passed,
    mean_king,
)
from eval.stats.arrays import Floats
from weps.errors import ValuesError

__all__ = [
    "Cluster",
    "Linkage",
    "Selection",
    "acceptance_agreement",
    "best_set",
    "cluster_measures",
    "every_set",
    "greedy_sets",
]

AcceptedBits: TypeAlias = tuple[Bits, ...]
"""By panel, the bits of all peers."""
_DIGITS = 12
"""Of proximities that count: equal shares, added up in another order, differ after them."""


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
    rows = [
        [_share_agreeing(conditions, one, other) for other in states[:row]]
        for row, one in enumerate(states)
    ]
    found = np.eye(len(states))
    for row, values in enumerate(rows):
        found[row, :row] = found[:row, row] = values
    return found


def cluster_measures(
    conditions: Conditions, number: int, linkage: Linkage = Linkage.SET
) -> list[Cluster]:
    """Put the measures into so many clusters, uniting the two closest again and again.

    Of pairs of clusters that are equally close, the one with the first measures is united.

    Args:
        conditions: of the topics.
        number: how many clusters, 10 in the paper's Figure 1.
        linkage: how close two clusters are.

    Returns:
        The clusters in the order of their first measures, each with its best one.

    Raises:
        ValuesError: for a number that cannot be, or as :func:`eval.meta.qarla.king`.
    """
    if not 1 <= number <= conditions.measures:
        raise ValuesError(f"{conditions.measures} measures do not make {number} clusters")
    quality = mean_king(king_by_measure(conditions))
    members = _merge_clusters(conditions, number, linkage)
    return [_with_best(each, quality) for each in sorted(map(sorted, members))]


def _with_best(members: Sequence[int], quality: Floats) -> Cluster:
    best = max(members, key=lambda measure: float(quality[measure]))
    return Cluster(tuple(members), best, float(quality[best]))


def _merge_clusters(conditions: Conditions, number: int, linkage: Linkage) -> list[list[int]]:
    """The measures of each cluster, which is kept in the place of its first one."""
    members = [[measure] for measure in range(conditions.measures)]
    states = _accepted_bits(conditions)
    close = acceptance_agreement(conditions)
    np.fill_diagonal(close, -1)
    for _ in range(conditions.measures - number):
        kept, gone = divmod(int(close.round(_DIGITS).argmax()), len(close))
        if linkage is Linkage.SET:
            both = zip(states[kept], states[gone], strict=True)
            states[kept] = tuple(one & other for one, other in both)
            near = np.array([_share_agreeing(conditions, states[kept], each) for each in states])
        else:
            near = _merged_similarity(
                close[[kept, gone]], linkage, len(members[kept]), len(members[gone])
            )
        near[kept] = -1
        close[kept] = close[:, kept] = near
        close = np.delete(np.delete(close, gone, axis=0), gone, axis=1)
        members[kept] += members.pop(gone)
        del states[gone]
    return members


def _merged_similarity(near: Floats, linkage: Linkage, ours: int, theirs: int) -> Floats:
    """Shape (clusters,): how close the union is, given how close both are, shape (2, clusters)."""
    if linkage is Linkage.AVERAGE:
        return np.average(near, axis=0, weights=[ours, theirs])
    combine = np.minimum if linkage is Linkage.COMPLETE else np.maximum
    return np.asarray(combine(*near))


def _accepted_bits(conditions: Conditions) -> list[AcceptedBits]:
    """By measure, what it accepts."""
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


PassedPanels: TypeAlias = tuple[Passed, ...]
"""By panel, what the measures so far accept."""


class Selection(NamedTuple):
    """Some measures and what they reach together."""

    measures: tuple[int, ...]
    king: float
    """The mean of KING over topics."""


def greedy_sets(conditions: Conditions, size: int | None = None) -> list[Selection]:
    """Add, one after another, the measure with which KING is highest; the first one if tied.

    Args:
        conditions: of the topics.
        size: how many measures to add; None for all.

    Returns:
        The sets of 1, 2, … measures, in the order in which they were added; KING may fall.

    Raises:
        ValuesError: for a size that cannot be, or as :func:`eval.meta.qarla.king`.
    """
    found: list[Selection] = []
    chosen: tuple[int, ...] = ()
    rest = list(range(conditions.measures))
    state = None
    for _ in range(_checked(size, conditions)):
        tried = [
            _king_of_state(conditions, _accepted_with(conditions, state, each)) for each in rest
        ]
        place = tried.index(max(tried))
        leader = rest.pop(place)
        chosen, state = (*chosen, leader), _accepted_with(conditions, state, leader)
        found.append(Selection(chosen, tried[place]))
    return found


def best_set(conditions: Conditions, size: int | None = None) -> Selection:
    """The set of at most that size with the highest KING, by trying every one.

    Of equally good ones it is the smallest, then the first in the order of measures.

    Args:
        conditions: of the topics.
        size: at most how many measures; None for any number.

    Raises:
        ValuesError: as :func:`greedy_sets`.
    """
    return min(
        every_set(conditions, size),
        key=lambda each: (-each.king, len(each.measures), each.measures),
    )


def every_set(conditions: Conditions, size: int | None = None) -> Iterator[Selection]:
    """KING of all sets of at most that size, 2ⁿ - 1 of them if it is None, one by one.

    Arguments and errors as of :func:`greedy_sets`. A set comes before those that extend it.
    """
    return _extended_sets(conditions, _checked(size, conditions), (), None)


def _extended_sets(
    conditions: Conditions, limit: int, chosen: tuple[int, ...], state: PassedPanels | None
) -> Iterator[Selection]:
    """The sets that add to the chosen some of the later measures."""
    for measure in range(chosen[-1] + 1 if chosen else 0, conditions.measures):
        narrowed, larger = _accepted_with(conditions, state, measure), (*chosen, measure)
        yield Selection(larger, _king_of_state(conditions, narrowed))
        if len(larger) < limit:
            yield from _extended_sets(conditions, limit, larger, narrowed)


def _accepted_with(
    conditions: Conditions, state: PassedPanels | None, measure: int
) -> PassedPanels:
    """What is accepted by the measures so far, None being none, and by this one."""
    alone = tuple(panel.passed[measure] for panel in conditions.panels)
    if state is None:
        return alone
    return tuple(before.both(own) for before, own in zip(state, alone, strict=True))


def _king_of_state(conditions: Conditions, state: PassedPanels) -> float:
    return float(mean_king(king_from_passed(conditions, state)))


def _checked(size: int | None, conditions: Conditions) -> int:
    if size is None:
        return conditions.measures
    if not 1 <= size <= conditions.measures:
        raise ValuesError(f"no set of {size} can be chosen from {conditions.measures} measures")
    return size
