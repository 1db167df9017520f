"""Measures that say the same of the peers, and the best of each kind.

The proximity of two sets of measures is P(H(X) ↔ H(X')), H being the condition behind QUEEN
(ACL workshop 2005, section 3.2): how often, over peers and triples of models, both accept or both
reject a peer.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.qarla.conditions import Bits, Conditions, counted
from eval.meta.qarla.king import kings, mean_king
from weps.errors import ValuesError

__all__ = ["Cluster", "Linkage", "agreement", "clusters"]

Floats: TypeAlias = NDArray[np.float64]
State: TypeAlias = tuple[Bits, ...]
"""By panel, the bits of all peers."""
_DIGITS = 12
"""Of proximities that count: equal shares, added up in another order, differ after them."""


class Linkage(StrEnum):
    """How close two clusters are; the paper says how two sets of measures are, and no more."""

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


def agreement(conditions: Conditions) -> Floats:
    """P(H(x) ↔ H(x')) of every two measures: shape (measures, measures), exact.

    Within a topic over all peers and triples, then the mean over topics, as of KING.
    """
    states = _states(conditions)
    rows = [
        [_agreeing(conditions, one, other) for other in states[:row]]
        for row, one in enumerate(states)
    ]
    found = np.eye(len(states))
    for row, values in enumerate(rows):
        found[row, :row] = found[:row, row] = values
    return found


def clusters(conditions: Conditions, number: int, linkage: Linkage = Linkage.SET) -> list[Cluster]:
    """Put the measures into so many clusters, uniting the two closest again and again.

    Of pairs of clusters that are equally close, the one with the first measures is united.

    Args:
        conditions: of the topics.
        number: how many clusters, 10 in the paper's Figure 1.
        linkage: how close two clusters are.

    Returns:
        The clusters in the order of their first measures, each with its best one.

    Raises:
        ValuesError: for a number that cannot be, or as :func:`eval.meta.qarla.king.king`.
    """
    if not 1 <= number <= conditions.measures:
        raise ValuesError(f"{conditions.measures} measures do not make {number} clusters")
    quality = mean_king(kings(conditions))
    members = _united(conditions, number, linkage)
    return [_marked(each, quality) for each in sorted(map(sorted, members))]


def _marked(members: Sequence[int], quality: Floats) -> Cluster:
    best = max(members, key=lambda measure: float(quality[measure]))
    return Cluster(tuple(members), best, float(quality[best]))


def _united(conditions: Conditions, number: int, linkage: Linkage) -> list[list[int]]:
    """The measures of each cluster, which is kept in the place of its first one."""
    members = [[measure] for measure in range(conditions.measures)]
    states = _states(conditions)
    close = agreement(conditions)
    np.fill_diagonal(close, -1)
    for _ in range(conditions.measures - number):
        kept, gone = divmod(int(close.round(_DIGITS).argmax()), len(close))
        if linkage is Linkage.SET:
            both = zip(states[kept], states[gone], strict=True)
            states[kept] = tuple(one & other for one, other in both)
            near = np.array([_agreeing(conditions, states[kept], each) for each in states])
        else:
            near = _linked(close[[kept, gone]], linkage, len(members[kept]), len(members[gone]))
        near[kept] = -1
        close[kept] = close[:, kept] = near
        close = np.delete(np.delete(close, gone, axis=0), gone, axis=1)
        members[kept] += members.pop(gone)
        del states[gone]
    return members


def _linked(near: Floats, linkage: Linkage, ours: int, theirs: int) -> Floats:
    """Shape (clusters,): how close the union is, given how close both are, shape (2, clusters)."""
    if linkage is Linkage.AVERAGE:
        return np.average(near, axis=0, weights=[ours, theirs])
    combine = np.minimum if linkage is Linkage.COMPLETE else np.maximum
    return np.asarray(combine(*near))


def _states(conditions: Conditions) -> list[State]:
    """By measure, what it accepts."""
    return [
        tuple(panel.passed[measure].peers for panel in conditions.panels)
        for measure in range(conditions.measures)
    ]


def _agreeing(conditions: Conditions, first: State, second: State) -> float:
    """The mean over topics of the share of peers and triples of which both say the same."""
    shares: list[Floats] = []
    for panel, one, other in zip(conditions.panels, first, second, strict=True):
        differing = np.add.reduceat(counted(one ^ other), panel.starts)
        shares.append(1 - differing / (panel.sizes * panel.triples))
    return float(np.concatenate(shares).mean())
