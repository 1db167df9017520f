"""How many references it takes until measures are ranked as they are by all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Coefficient
from eval.meta.correlation.coefficients import row_coefficients
from eval.meta.drawn import over_topics
from eval.meta.left_out import left_out
from eval.meta.orange import orange
from eval.meta.qarla import Conditions, Triples, kings
from eval.meta.similarities import Similarities
from eval.ordering import Estimate

__all__ = ["Stability", "stability"]

Floats: TypeAlias = NDArray[np.float64]
Shares: TypeAlias = Callable[[Sequence[Similarities]], Floats]

_DRAWS = 3
"""Times that references are drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """Kendall's τ of measures ranked by some references with the same by all of them."""

    references: tuple[int, ...]
    """How many."""
    orange: Floats
    """Shape (sizes, 1 + resamples): the figures, and those of topics drawn anew."""
    king: Floats

    def estimates(self, values: Floats) -> list[Estimate]:
        """By number of references."""
        return [Estimate.of(float(row[0]), row[1:]) for row in values]

    def ahead(self, size: int) -> Estimate:
        """How far ORANGE is ahead of KING with that many references."""
        row = self.references.index(size)
        gap = self.orange[row] - self.king[row]
        return Estimate.of(float(gap[0]), gap[1:])


def stability(topics: Sequence[Similarities], triples: Triples, seed: int = 0) -> Stability | None:
    """Both, for every number of references from the fewest that KING needs.

    References are drawn for each topic anew, three times, and τ is the mean.

    Args:
        topics: all with equally many references, else there is nothing to be said (None).
        triples: of KING.
        seed: for drawing references, and for the resamples of topics.
    """
    sizes = {each.models.shape[1] for each in topics}
    fewest, most = triples.fewest + 1, max(sizes)
    if len(sizes) > 1 or fewest >= most or len(topics[0].models) < 3:
        return None
    asked = tuple(range(fewest, most))
    ways: tuple[Shares, Shares] = (_oranges, lambda some: kings(Conditions.of(some, triples)))
    found = [_by_size(topics, asked, shares, seed) for shares in ways]
    return Stability(asked, *found)


def _by_size(
    topics: Sequence[Similarities], sizes: Sequence[int], shares: Shares, seed: int
) -> Floats:
    """Shape (sizes, 1 + resamples)."""
    generator = np.random.default_rng(seed)  # the same references for all ways
    whole = _rows(shares(topics), seed)
    return np.stack(
        [
            np.mean(
                [
                    row_coefficients(
                        _rows(shares([_some(each, size, generator) for each in topics]), seed),
                        whole,
                        Coefficient.KENDALL,
                    )
                    for _ in range(_DRAWS)
                ],
                axis=0,
            )
            for size in sizes
        ]
    )


def _rows(values: Floats, seed: int) -> Floats:
    """Shape (1 + resamples, measures): the means over topics, and over topics drawn anew."""
    drawn = over_topics(values, seed=seed)
    return np.column_stack([drawn.value, drawn.drawn]).T


def _some(topic: Similarities, size: int, generator: np.random.Generator) -> Similarities:
    kept = np.sort(generator.choice(topic.models.shape[1], size, replace=False))
    return Similarities(topic.peers[:, :, kept], topic.models[:, kept][:, :, kept])


def _oranges(topics: Sequence[Similarities]) -> Floats:
    return orange([left_out(each) for each in topics])
