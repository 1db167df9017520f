"""Likeness of outputs to what people write, and what follows of it for what people say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import Drawn, times_drawn
from eval.meta.left_out import LeftOut
from eval.meta.likeness import implications
from eval.ordering import Estimate

__all__ = ["SHARES", "Standings", "passing_for_references", "standings"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

SHARES = (0.1, 0.25, 0.5)
"""Of the outputs, those that are the highest."""
_RESAMPLES = 300
_MIDDLE, _LEAST = 0.5, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """Where the most human-like outputs stand by acceptability, and the reverse; .5 is nothing.

    Of tied values none stands as high as it could. How far an implication reaches is therefore told
    as the part of the way from .5 to where the same share of outputs would stand if they had been
    picked by the second criterion itself: 0 is nothing, 1 is all.
    """

    criterion: str
    acceptable: Drawn
    """By share, of the most human-like ones."""
    human_like: Drawn
    """By share, of the most acceptable ones."""
    accepted: Drawn
    """By share, how far likeness implies acceptability."""
    likened: Drawn
    """By share, how far acceptability implies likeness."""

    def gap(self, share: int) -> Estimate:
        """How much farther the first implication reaches than the second."""
        value = float(self.accepted.value[share] - self.likened.value[share])
        return Estimate.of(value, self.accepted.drawn[share] - self.likened.drawn[share])


def passing_for_references(left: Sequence[LeftOut], measure: int) -> Floats:
    """Shape (instances,): of the references, those that an output is not behind, by one measure.

    Both are judged by all references but the one. The mean over the outputs of a topic is 1 minus
    ORANGE, so this is the likeness of a text that ORANGE is about.
    """
    return np.concatenate(
        [(each.peers[measure] >= each.models[measure][:, None]).mean(axis=0) for each in left]
    )


def standings(
    criterion: str, likeness: Floats, human: Floats, topic: Ints, seed: int = 0
) -> Standings:
    """The standings with intervals over topics.

    Args:
        criterion: by which people judged.
        likeness: shape (instances,).
        human: shape (instances,), NaN where nobody judged; somebody judged.
        topic: shape (instances,), the number of each one's topic.
        seed: for the resamples.
    """
    rows = np.flatnonzero(~np.isnan(human))
    members = [rows[topic[rows] == each] for each in np.unique(topic[rows])]
    every = np.stack([_of(likeness, human, rows), *_drawn(likeness, human, members, seed)], axis=-1)
    return Standings(criterion, *(Drawn(part[:, 0], part[:, 1:]) for part in every))


def _drawn(likeness: Floats, human: Floats, members: Sequence[Ints], seed: int) -> list[Floats]:
    if len(members) < 2:
        return [np.full((4, len(SHARES)), np.nan)]
    times = times_drawn(len(members), _RESAMPLES, seed)[1:].astype(np.int64)
    return [
        _of(
            likeness,
            human,
            np.concatenate([members[each] for each in np.repeat(range(len(row)), row)]),
        )
        for row in times
    ]


def _of(likeness: Floats, human: Floats, rows: Ints) -> Floats:
    """Shape (4, shares): both standings, and how far each implication reaches."""
    found = np.array([each[1:] for each in implications(likeness[rows], human[rows], SHARES)])
    most = [
        [each.acceptable for each in implications(same[rows], same[rows], SHARES)]
        for same in (human, likeness)
    ]
    return np.concatenate([found.T, _reached(found.T, np.array(most))])


def _reached(standing: Floats, most: Floats) -> Floats:
    """The part of the way from the middle; NaN if there is no way to go."""
    way = most - _MIDDLE
    part = np.full(way.shape, np.nan)
    np.divide(standing - _MIDDLE, way, out=part, where=way > _LEAST)
    return part
