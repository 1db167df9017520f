"""Figures of several measures, and what they would be with other topics or systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.ordering.tally import Estimate, multiplicities

__all__ = ["RESAMPLES", "Drawn", "drawn_shares", "over_topics", "times_drawn"]

Floats: TypeAlias = NDArray[np.float64]

RESAMPLES = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A figure of each measure, with its percentile bootstrap.

    Topics, or systems, are the sample: another study would have others. All measures are drawn
    alike, so that their differences have intervals too.
    """

    value: Floats
    """Shape (measures,); NaN where a measure has no such figure."""
    drawn: Floats
    """Shape (measures, resamples), with the topics drawn anew; NaN if there is only one."""

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Each measure's figure with its 95 % interval."""
        pairs = zip(self.value.tolist(), self.drawn, strict=True)
        return tuple(Estimate.of(value, drawn) for value, drawn in pairs)

    def difference(self, first: int, second: int) -> Estimate:
        """The second measure's figure minus the first's, with its interval."""
        value = float(self.value[second] - self.value[first])
        return Estimate.of(value, self.drawn[second] - self.drawn[first])


def times_drawn(size: int, resamples: int, seed: int) -> Floats:
    """Shape (1 + resamples, size): how often each topic is there, first every one once.

    All resamples are NaN where there is only one, of which nothing else can be drawn.
    """
    times = multiplicities(size, seed, resamples)
    return np.vstack([np.ones((1, size)), times if size > 1 else np.full_like(times, np.nan)])


def drawn_shares(
    held: Floats, total: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> Drawn:
    """What is held over the total, each added up over topics.

    Args:
        held: shape (measures, topics).
        total: shape (measures, topics).
        resamples: how many.
        seed: for the resamples.
    """
    times = times_drawn(held.shape[1], resamples, seed).T
    above, below = held @ times, total @ times
    shares = above / np.where(below > 0, below, np.nan)
    return Drawn(shares[:, 0], shares[:, 1:])


def over_topics(values: Floats, *, resamples: int = RESAMPLES, seed: int = 0) -> Drawn:
    """The means over topics.

    Args:
        values: shape (measures, topics); NaN where a topic says nothing of a measure.
        resamples: how many.
        seed: for the resamples.
    """
    known = ~np.isnan(values)
    held = np.where(known, values, 0.0)
    return drawn_shares(held, known.astype(np.float64), resamples=resamples, seed=seed)
