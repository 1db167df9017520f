"""JACK of a set of measures, and how it grows with the peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.meta.drawn import Drawn, over_topics
from eval.meta.qarla import Form, Triples, jack, jack_by_peers
from eval.meta.similarities import Similarities
from eval.ordering import Estimate

__all__ = ["FEW_PEERS", "Reliability", "reliability"]

FEW_PEERS = 10
"""Up to so many peers JACK grows fast (ACL workshop 2005, section 3.4)."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """JACK in one form."""

    form: Form
    jack: Estimate
    by_peers: Drawn
    """Of the first 1, 2, … peers, the mean over random orders."""

    def slows_down(self) -> Estimate | None:
        """Growth per peer up to :data:`FEW_PEERS` minus growth after; None of too few peers."""
        size = len(self.by_peers.value)
        if size <= FEW_PEERS:
            return None
        curve = np.column_stack([self.by_peers.value, self.by_peers.drawn])
        before = (curve[FEW_PEERS - 1] - curve[0]) / (FEW_PEERS - 1)
        after = (curve[-1] - curve[FEW_PEERS - 1]) / (size - FEW_PEERS)
        slowing = before - after
        return Estimate.of(float(slowing[0]), slowing[1:])


def reliability(
    topics: Sequence[Similarities], measures: Sequence[int], triples: Triples, seed: int = 0
) -> tuple[Reliability, ...]:
    """JACK of a set in both forms; a topic with fewer peers keeps its last value.

    Args:
        topics: with the similarities among peers.
        measures: the set.
        triples: of QUEEN.
        seed: for the orders of peers, and for the resamples of topics.
    """
    return tuple(_of_form(topics, measures, triples, form, seed) for form in Form)


def _of_form(
    topics: Sequence[Similarities], measures: Sequence[int], triples: Triples, form: Form, seed: int
) -> Reliability:
    shares = over_topics(jack(topics, measures, form, triples)[None], seed=seed)
    grown = [
        jack_by_peers([topic], measures, form, triples, seed=seed + number)
        for number, topic in enumerate(topics)
    ]
    largest = max(map(len, grown))
    filled = [np.pad(each, (0, largest - len(each)), mode="edge") for each in grown]
    return Reliability(form, shares.estimates[0], over_topics(np.stack(filled, axis=1), seed=seed))
