"""Two sets of instances, ranked together: whole numbers that compare as the values do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ranked"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Those below and those above, by their ranks in each measure."""

    low: NDArray[np.int32]
    """Shape (measures, instances below)."""
    high: NDArray[np.int32]
    """Shape (measures, instances above)."""
    sizes: tuple[int, ...]
    """For each measure a number greater than all its ranks."""

    @classmethod
    def of(cls, low: NDArray[Any], high: NDArray[Any]) -> Ranked:
        """Rank the values of both, shapes (measures, instances), equal values alike."""
        below, above = (np.empty(each.shape, dtype=np.int32) for each in (low, high))
        sizes = []
        for measure, both in enumerate(zip(low, high, strict=True)):
            distinct, ranks = np.unique(np.concatenate(both), return_inverse=True)
            below[measure], above[measure] = np.split(ranks, [low.shape[1]])
            sizes.append(len(distinct) + 1)  # room for the shift that strictness is
        return cls(below, above, tuple(sizes))

    def strict(self) -> Ranked:
        """Ranks that compare low ≤ high where these compare low < high."""
        return Ranked(self.low + np.int32(1), self.high, self.sizes)

    def only(self, measures: Sequence[int]) -> Ranked:
        """Some of the measures, in the order given."""
        chosen = list(measures)
        sizes = tuple(self.sizes[measure] for measure in chosen)
        return Ranked(self.low[chosen], self.high[chosen], sizes)

    def rearranged(self, order: NDArray[np.int64]) -> Ranked:
        """The same with the instances above in another order."""
        return Ranked(self.low, self.high[:, order], self.sizes)

    def pairs(self, measure: int) -> int:
        """In how many pairs the instance below is at most as high as the one above."""
        counts = np.cumsum(np.bincount(self.low[measure], minlength=self.sizes[measure]))
        return int(counts[self.high[measure]].sum())
