"""JACK: whether the peers are varied and good enough to evaluate measures with."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np

from eval.meta.judged import Similarities, checked_measures, checked_topics
from eval.meta.qarla import Conditions, Triples, queen
from eval.stats.arrays import Flags, Floats
from weps.errors import ValuesError

__all__ = ["JackForm", "jack", "jack_by_peers"]


class JackForm(Enum):
    """What two peers a and a' have to fulfil with a model m, by every measure of the set."""

    ONE_SIDED = "one-sided"
    """x(a, a') ≤ x(a, m) (ACL 2005, section 3.4)."""
    TWO_SIDED = "two-sided"
    """x(a, a') ≤ x(a, m) and x(a', a) ≤ x(a', m) (ACL workshop 2005, section 2.3)."""


def jack(
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
        ValuesError: as :meth:`eval.meta.qarla.Conditions.of`, or if a topic says
            nothing of its peers among themselves.
    """
    couples = _fulfilling_pairs(topics, measures, form, triples)
    return np.array([each.any(axis=(0, 1)).mean() for each in couples])


def jack_by_peers(  # noqa: PLR0913 - those of jack, and two of the drawing
    topics: Sequence[Similarities],
    measures: Sequence[int] | None = None,
    form: JackForm = JackForm.TWO_SIDED,
    triples: Triples = Triples.DISTINCT,
    *,
    orders: int = 100,
    seed: int = 0,
) -> Floats:
    """JACK when peers come one after another (ACL workshop 2005, Figure 3).

    The mean over random orders of the peers and over topics; the paper does not name its order.
    A topic with fewer peers than another keeps its last value. Other arguments and errors as of
    :func:`jack`.

    Args:
        topics: as of :func:`jack`.
        measures: as of :func:`jack`.
        form: as of :func:`jack`.
        triples: as of :func:`jack`.
        orders: number of random orders.
        seed: for the orders.

    Returns:
        Shape (peers of the largest topic,): JACK of the first 1, 2, … peers.
    """
    couples = _fulfilling_pairs(topics, measures, form, triples)
    largest = max(len(each) for each in couples)
    generator = np.random.default_rng(seed)
    curves = [_jack_by_peer_count(each, largest, orders, generator) for each in couples]
    return np.asarray(np.mean(curves, axis=0))


def _fulfilling_pairs(
    topics: Sequence[Similarities], measures: Sequence[int] | None, form: JackForm, triples: Triples
) -> list[Flags]:
    """By topic, shape (peers, peers, models): which two peers fulfil the condition with which."""
    chosen = checked_measures(measures, checked_topics(topics))
    queens = queen(Conditions.of(topics, triples, chosen))
    return [
        _of_topic(number, topic.only(chosen), form, own > 0)
        for number, (topic, own) in enumerate(zip(topics, queens, strict=True))
    ]


def _of_topic(number: int, topic: Similarities, form: JackForm, alive: Flags) -> Flags:
    if topic.among_peers is None:
        what = "JACK needs similarities among peers"
        raise ValuesError(what, where=f"topic {number}", remedy="give them")
    distinct = np.logical_and.outer(alive, alive) & ~np.eye(len(alive), dtype=np.bool_)
    couples = np.repeat(distinct[:, :, None], topic.peers.shape[2], axis=2)
    for among, apart in zip(topic.among_peers, topic.peers, strict=True):
        no_closer = among[:, :, None] <= apart[:, None, :]
        couples &= no_closer
        if form is JackForm.TWO_SIDED:
            couples &= no_closer.swapaxes(0, 1)
    return couples


def _jack_by_peer_count(
    couples: Flags, largest: int, orders: int, generator: np.random.Generator
) -> Floats:
    """Shape (largest,): the mean over orders of the share of models that have a couple."""
    size, _, models = couples.shape
    first, second, model = np.nonzero(couples)
    reached = np.zeros(largest + 1)
    for _ in range(orders):
        place = generator.permutation(size)
        complete = np.full(models, largest)  # when the first couple of a model is there
        np.minimum.at(complete, model, np.maximum(place[first], place[second]))
        reached += np.bincount(complete, minlength=largest + 1)
    return np.asarray(np.cumsum(reached[:-1]) / (orders * models))
