"""Least squares on every subset of some measures at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps.errors import ValuesError

__all__ = ["MOST", "Subsets"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

MOST = 20
"""Measures of which all subsets are looked at unless told otherwise: a million models."""
_DEPENDENT = 1e-9
"""Of a measure's variance; with less that is new a measure says what the others have said."""
_BLOCK = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Subsets:
    """The regressions of human scores on all subsets of measures, each with an intercept.

    A subset is a whole number: measure m is in it if bit m is set.
    """

    residual: Floats
    """Shape (2^measures,): squared residuals added up, as a share of those of the mean alone; NaN
    where a measure is constant or depends linearly on the others. 0 if all scores are equal."""
    gram: Floats
    """Shape (measures + 1, measures + 1): correlations of the measures and, last, the scores."""
    scale: Floats
    """Shape (measures + 1,): by which each was divided."""
    centre: Floats
    """Shape (measures + 1,): what was taken off before."""

    @classmethod
    def of(cls, values: Floats, human: Floats, most: int = MOST) -> Subsets:
        """Fit all subsets.

        The tables of all subsets of the first measures are doubled, measure by measure: one half
        leaves the next measure out, the other takes its part away from those to come and from the
        scores (Schur's complement). As the tables shrink while they double, all residuals
        take about 2^measures · 6 operations and 2^measures · 80 bytes.

        Args:
            values: shape (measures, instances), finite.
            human: shape (instances,), finite.
            most: of how many measures all subsets may be looked at.

        Raises:
            ValuesError: if there are more measures.
        """
        if len(values) > most:
            what = f"{len(values)} measures have 2^{len(values)} subsets"
            remedy = f"choose at most {most} of them"
            raise ValuesError(what, where="values", remedy=remedy)
        rows = np.vstack([values, human])
        centre = rows.mean(axis=1)
        apart = rows - centre[:, None]
        scale = np.sqrt((apart**2).sum(axis=1))
        scale[np.ptp(rows, axis=1) == 0] = np.inf
        apart /= scale[:, None]
        gram = apart @ apart.T
        return cls(np.maximum(_residuals(gram), 0.0), gram, scale, centre)

    @property
    def sizes(self) -> Ints:
        """Shape (2^measures,): how many measures each subset has."""
        return np.bitwise_count(np.arange(len(self.residual))).astype(np.int64)

    def weights(self, chosen: Ints) -> Floats:
        """Shape (measures,): the mean of the weights in these regressions, 0 where one is not in.

        Args:
            chosen: shape (subsets,), whole numbers as above.
        """
        total = np.zeros(len(self.gram) - 1)
        for members in self._blocks(chosen):
            table = self.gram[members[:, :, None], members[:, None, :]]
            aims = self.gram[members, -1]
            found = np.linalg.solve(table, aims[:, :, None])[:, :, 0]
            np.add.at(total, members, found)
        spread = self.scale[-1] if np.isfinite(self.scale[-1]) else 0.0
        return np.asarray(total / len(chosen) * spread / self.scale[:-1])

    def _blocks(self, chosen: Ints) -> Iterator[Ints]:
        """Shape (subsets, size): the members of subsets of one size, some at a time."""
        held = (chosen[:, None] >> np.arange(len(self.gram) - 1)) & 1
        sizes = held.sum(axis=1)
        for size in np.unique(sizes[sizes > 0]).tolist():
            alike = held[sizes == size]
            for start in range(0, len(alike), _BLOCK):
                block = alike[start : start + _BLOCK]
                yield np.nonzero(block)[1].reshape(len(block), size)


def _residuals(gram: Floats) -> Floats:
    """Shape (2^measures,): what is left of the last variable by regression on each subset."""
    tables = gram[None]
    while tables.shape[1] > 1:
        pivot, row, rest = tables[:, 0, 0], tables[:, 0, 1:], tables[:, 1:, 1:]
        kept = np.where(pivot > _DEPENDENT, pivot, np.nan)
        taken = row[:, :, None] * (row / kept[:, None])[:, None, :]
        tables = np.concatenate([rest, rest - taken])
    return tables[:, 0, 0]
