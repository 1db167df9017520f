"""The best sets of measures by KING, clusters of measures, and JACK: whether the peers suffice.

KING is not monotonic in the set: one measure more lowers QUEEN of models and peers alike (ACL 2005,
section 3.3). A set costs the intersection of its predecessor with one measure and one count of
bits, whatever its size: about 1 ms with 100 topics of 35 peers and 11 models, in proportion to
topics × peers × models × triples.

The proximity of two sets of measures is P(H(X) ↔ H(X')), H being the condition behind QUEEN
(ACL workshop 2005, section 3.2): how often, over peers and triples of models, both accept or both
reject a peer. JACK asks whether the peers are varied and good enough to evaluate measures with.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np

from weps.errors import ValuesError
from weps_eval.meta.judged import Similarities, checked_measures, checked_size, checked_topics
from weps_eval.meta.qarla import (
    Conditions,
    Passed,
    Triples,
    count_bits,
    king_by_measure,
    king_from_passed,
    mean_king,
    queen,
)
from weps_eval.stats.arrays import Bits, Flags, Floats

AcceptedBits: TypeAlias = tuple[Bits, ...]
"""By panel, the bits of all peers."""
_DIGITS = 12
"""Of proximities that count: equal shares, added up in another order, differ after them."""
_ORDERS = 100
"""Random orders in which peers come."""


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
        kept, gone = divmod(int(close.round(_DIGITS).argmax()), len(close))
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
    """By panel, what is accepted by the measures so far, None being none, and by this one."""
    alone = [panel.passed[measure] for panel in conditions.panels]
    if state is None:
        return alone
    return [before.both(own) for before, own in zip(state, alone, strict=True)]


class JackForm(Enum):
    """What two peers a and a' have to fulfil with a model m, by every measure of the set."""

    ONE_SIDED = "one-sided"
    """x(a, a') ≤ x(a, m) (ACL 2005, section 3.4)."""
    TWO_SIDED = "two-sided"
    """x(a, a') ≤ x(a, m) and x(a', a) ≤ x(a', m) (ACL workshop 2005, section 2.3)."""


def jack_scores(
    topics: Sequence[Similarities],
    measures: Sequence[int] | None = None,
    form: JackForm = JackForm.TWO_SIDED,
    triples: Triples = Triples.DISTINCT,
) -> Floats:
    """JACK = P(∃a, a' ∈ A: QUEEN(a) > 0, QUEEN(a') > 0, a and a' no closer than to m).

    The share of models m with such a couple; its mean over topics is JACK of them all. The papers
    do not state so, but a couple is two peers; one and the same, with a constant measure, would
    pass. The ACL paper says in words that a and a' are closer to each other than to m; its
    formula and its criteria state the opposite, and they are followed. QUEEN has all models.

    Args:
        topics: with the similarities among peers.
        measures: the set X; all, if None.
        form: of the condition.
        triples: of QUEEN.

    Returns:
        Shape (topics,); 0 for a single peer.

    Raises:
        ValuesError: as :meth:`weps_eval.meta.qarla.Conditions.of`, or no similarities among peers.
    """
    couples = _fulfilling_pairs(topics, measures, form, triples)
    return np.array([each.any(axis=(0, 1)).mean() for each in couples])


def jack_by_peers(
    topics: Sequence[Similarities],
    measures: Sequence[int] | None = None,
    form: JackForm = JackForm.TWO_SIDED,
    triples: Triples = Triples.DISTINCT,
    *,
    seed: int = 0,
) -> Floats:
    """JACK when peers come one after another (ACL workshop 2005, Figure 3).

    The mean over 100 random orders of the peers, of ``seed``, and over topics; the paper does not
    name its order. A topic with fewer peers than another keeps its last value. Other arguments and
    errors as of :func:`jack_scores`.

    Returns:
        Shape (peers of the largest topic,): JACK of the first 1, 2, … peers.
    """
    couples = _fulfilling_pairs(topics, measures, form, triples)
    largest = max(len(each) for each in couples)
    generator = np.random.default_rng(seed)
    curves = [_jack_by_peer_count(each, largest, generator) for each in couples]
    return np.asarray(np.mean(curves, axis=0))


def _fulfilling_pairs(
    topics: Sequence[Similarities], measures: Sequence[int] | None, form: JackForm, triples: Triples
) -> list[Flags]:
    """By topic, shape (peers, peers, models): which two peers fulfil the condition with which."""
    chosen = checked_measures(measures, checked_topics(topics))
    queens = queen(Conditions.of(topics, triples, chosen))
    found = []
    for number, (topic, quality) in enumerate(zip(topics, queens, strict=True)):
        if topic.among_peers is None:
            what = "JACK needs similarities among peers"
            raise ValuesError(what, where=f"topic {number}", remedy="give them")
        alive = np.logical_and.outer(quality > 0, quality > 0)
        couples = alive[:, :, None] & ~np.eye(len(alive), dtype=np.bool_)[:, :, None]
        for measure in chosen:
            among, apart = topic.among_peers[measure], topic.peers[measure]
            no_closer = among[:, :, None] <= apart[:, None, :]
            couples = couples & no_closer
            if form is JackForm.TWO_SIDED:
                couples &= no_closer.swapaxes(0, 1)
        found.append(couples)
    return found


def _jack_by_peer_count(couples: Flags, largest: int, generator: np.random.Generator) -> Floats:
    """Shape (largest,): the mean over orders of the share of models that have a couple."""
    size, _, models = couples.shape
    first, second, model = np.nonzero(couples)
    reached = np.zeros(largest + 1)
    for _ in range(_ORDERS):
        place = generator.permutation(size)
        complete = np.full(models, largest)  # when the first couple of a model is there
        np.minimum.at(complete, model, np.maximum(place[first], place[second]))
        reached += np.bincount(complete, minlength=largest + 1)
    return np.asarray(np.cumsum(reached[:-1]) / (_ORDERS * models))
