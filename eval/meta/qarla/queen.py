"""QUEEN: how likely a text passes for a model (ACL 2005, sections 3.1 and 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.left_out import LeftOut
from eval.meta.qarla.conditions import Conditions, Panel, Passed, counted
from weps.errors import ValuesError

__all__ = ["left_triples", "model_counts", "peer_counts", "queen", "queen_left_out"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def queen(conditions: Conditions, measures: Sequence[int] | None = None) -> list[Floats]:
    """QUEEN(a) = P(∀x ∈ X: x(a, m) ≥ x(m', m'')) over the triples of models, exact.

    Args:
        conditions: of the topics.
        measures: the set X, one measure or more; all, if None.

    Returns:
        By topic, shape (peers,).

    Raises:
        ValuesError: if the set is empty or one of its measures is not there.
    """
    found: list[Floats] = [np.empty(0)] * conditions.topics
    together = conditions.together(measures)
    for panel, passed in zip(conditions.panels, together, strict=True):
        shares = counted(passed.peers) / panel.triples
        for topic, values in zip(panel.topics, np.split(shares, panel.starts[1:]), strict=True):
            found[topic] = values
    return found


def queen_left_out(conditions: Conditions, measures: Sequence[int] | None = None) -> list[LeftOut]:
    """QUEEN of each model by the other models, and of the peers by the same.

    The paper leaves a model that is compared out of the models, and judges the peers by those that
    are left (ACL 2005, section 5). Arguments as of :func:`queen`.

    Returns:
        By topic, QUEEN of the set as a single measure.

    Raises:
        ValuesError: as :func:`queen`, or if there are too few models for one to be left out.
    """
    found: dict[int, LeftOut] = {}
    for panel, passed in zip(conditions.panels, conditions.together(measures), strict=True):
        left = left_triples(panel)[:, None]
        models = model_counts(panel, passed) / left
        peers = np.stack(list(peer_counts(panel, passed))) / left
        for place, topic in enumerate(panel.topics):
            own = slice(panel.starts[place], panel.starts[place] + panel.sizes[place])
            found[topic] = LeftOut(models[None, :, place], peers[None, :, own])
    return [found[topic] for topic in range(conditions.topics)]


def model_counts(panel: Panel, passed: Passed) -> Ints:
    """Shape (models, topics): how many triples of the other models each model passes."""
    return counted(passed.models & panel.without.T[:, :, None])


def peer_counts(panel: Panel, passed: Passed) -> Iterator[Ints]:
    """For each model, shape (peers of all topics,): how many triples of the others they pass."""
    return (counted(passed.peers & mask[:, None]) for mask in panel.without)


def left_triples(panel: Panel) -> Ints:
    """Shape (models,): how many triples there are without each model.

    Raises:
        ValuesError: if there is none.
    """
    left = counted(panel.without.T)
    if not left.all():
        raise ValuesError(
            f"of {len(left)} models there is no triple when one of them is left out",
            where=f"topic {panel.topics[0]}",
            remedy="give more models, or choose triples in which a model may stand twice",
        )
    return left
