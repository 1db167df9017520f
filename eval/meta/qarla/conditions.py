"""The condition behind QUEEN, x(a, m) ≥ x(m', m''), of all texts and triples in bits.

A set of measures accepts a text on a triple if each of them does (ACL 2005, section 3.2), so that
its bits are the intersection of theirs, 64 triples to an instruction, and QUEEN is how many are
set. The bits are made once; 59 measures of 100 topics with 35 peers and 11 models take 35 MB, in
general measures × texts × triples / 8 bytes, peers and models being texts.

A model is a text, too, compared with the others: its bits stand for the triples of all models,
and those that it is part of itself are left out when they are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.qarla.triples import Triples
from eval.meta.similarities import Similarities, checked_measures, checked_topics

__all__ = ["Bits", "Conditions", "Panel", "Passed", "counted"]

Ints: TypeAlias = NDArray[np.int64]
Bits: TypeAlias = NDArray[np.uint64]
"""Words first, so that those of many texts are looked at side by side: shape (words, …)."""
_WORD = 64


class Passed(NamedTuple):
    """Which texts of a panel pass which triples, by every measure of some set."""

    peers: Bits
    """Shape (words, peers of all topics)."""
    models: Bits
    """Shape (words, models, topics)."""

    def both(self, other: Passed) -> Passed:
        """What the measures of both sets accept."""
        return Passed(self.peers & other.peers, self.models & other.models)


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Topics that have equally many models, and so the same triples."""

    topics: tuple[int, ...]
    """Which topics they are."""
    starts: Ints
    """Shape (topics,): where the peers of each begin."""
    sizes: Ints
    """Shape (topics,): how many peers each has."""
    triples: int
    """How many triples of models there are."""
    without: Bits
    """Shape (models, words): for each model the triples that it is no part of."""
    passed: tuple[Passed, ...]
    """By measure."""

    def together(self, measures: Sequence[int]) -> Passed:
        """What every one of the measures accepts."""
        peers, models = zip(*(self.passed[measure] for measure in measures), strict=True)
        return Passed(np.bitwise_and.reduce(peers), np.bitwise_and.reduce(models))


@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """The QUEEN condition of every measure on every text and triple of every topic."""

    measures: int
    topics: int
    panels: tuple[Panel, ...]

    @classmethod
    def of(
        cls,
        topics: Sequence[Similarities],
        triples: Triples = Triples.DISTINCT,
        measures: Sequence[int] | None = None,
    ) -> Conditions:
        """Compare everything: measures × texts × triples comparisons of each topic.

        Args:
            topics: all with the same measures, whatever the numbers of peers and models.
            triples: of which models.
            measures: which, all if None; they are numbered anew.

        Raises:
            ValuesError: if the topics do not fit together, there is no such measure, or some
                topic has too few models for a triple.
        """
        chosen = checked_measures(measures, checked_topics(topics))
        sizes = [each.peers.shape[2] for each in topics]
        panels = []
        for size in sorted(set(sizes)):
            members = [topic for topic, models in enumerate(sizes) if models == size]
            panels.append(_panel(topics, members, triples.of(size), chosen))
        return cls(len(chosen), len(topics), tuple(panels))

    def together(self, measures: Sequence[int] | None = None) -> tuple[Passed, ...]:
        """By panel, what every one of the measures accepts; all of them, if None.

        Raises:
            ValuesError: if there are none, or not these.
        """
        chosen = checked_measures(measures, self.measures)
        return tuple(panel.together(chosen) for panel in self.panels)


def counted(bits: Bits) -> Ints:
    """How many bits are set, words added up: shape (words, …) becomes (…)."""
    return np.asarray(np.bitwise_count(bits).sum(axis=0, dtype=np.int64))


def _panel(
    topics: Sequence[Similarities], members: Sequence[int], triples: Ints, measures: Sequence[int]
) -> Panel:
    sizes = np.array([topics[topic].peers.shape[1] for topic in members])
    models = np.arange(topics[members[0]].peers.shape[2])
    absent = (triples[None] != models[:, None, None]).all(axis=1)
    passed = []
    for measure in measures:
        bits = [_compared(topics[topic], measure, triples) for topic in members]
        peers, own = zip(*bits, strict=True)
        passed.append(Passed(np.concatenate(peers, axis=1), np.stack(own, axis=2)))
    starts = np.cumsum(sizes) - sizes
    without = _packed(absent).T
    return Panel(tuple(members), starts, sizes, triples.shape[1], without, tuple(passed))


def _compared(topic: Similarities, measure: int, triples: Ints) -> tuple[Bits, Bits]:
    """The bits of the peers and of the models of one topic, shape (words, texts) each."""
    model, first, second = triples
    required = topic.models[measure][first, second]
    peers, models = (
        _packed(values[measure][:, model] >= required) for values in (topic.peers, topic.models)
    )
    return peers, models


def _packed(held: NDArray[np.bool_]) -> Bits:
    """Shape (texts, triples) in bits: shape (words, texts)."""
    texts, triples = held.shape
    padded = np.zeros((texts, -(-triples // _WORD) * _WORD), dtype=np.bool_)
    padded[:, :triples] = held
    bits: Bits = np.packbits(padded, axis=1).view(np.uint64)
    return np.ascontiguousarray(bits.T)
