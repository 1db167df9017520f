"""Would measures be ranked alike if other systems had been judged? Systems split in halves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Coefficient, Level
from eval.meta.correlation.coefficients import row_coefficients
from eval.meta_study.judged import COMBINED, Judged
from eval.ordering import Estimate
from weps.progress import Progress, silent

__all__ = ["Halves", "halves"]

Floats: TypeAlias = NDArray[np.float64]

_SPLITS = 200
_CELLS = 1 << 17
"""Values that are correlated at a time: 1 MB, which the cache holds."""
_FEWEST_SYSTEMS, _FEWEST_MEASURES = 6, 4


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """Spearman's coefficient, over measures, of what two halves of the systems say of measures."""

    found: Mapping[Level, Floats]
    """Shape (splits,)."""

    def range(self, level: Level) -> Estimate:
        """The middle of all splits, and the middle 95 % of them."""
        return _middle(self.found[level])

    @property
    def gain(self) -> Estimate:
        """How much more alike the halves are at the level of segments, split by split."""
        return _middle(self.found[Level.SEGMENT] - self.found[Level.SYSTEM])


def halves(
    judged: Judged, means: Floats, seed: int = 0, progress: Progress = silent
) -> Halves | None:
    """Split the systems at random, many times.

    Stands in for the comparison of two test beds in Amigó et al. (ACL 2009, section 4.2).

    Args:
        judged: people's scores of single outputs, and measures, ULC left aside.
        means: shape (1 + measures, systems), people's and measures' means.
        seed: for the splits.
        progress: hears how many splits are done.

    Returns:
        None if there are fewer than six systems or four measures.
    """
    rows = [each for each, name in enumerate(judged.measures) if name != COMBINED]
    size = len(judged.systems)
    if size < _FEWEST_SYSTEMS or len(rows) < _FEWEST_MEASURES:
        return None
    generator, values = np.random.default_rng(seed), judged.values[rows]
    found: dict[Level, list[float]] = {Level.SYSTEM: [], Level.SEGMENT: []}
    for done in range(_SPLITS):
        progress("splitting systems", done, _SPLITS)
        first = np.isin(np.arange(size), generator.permutation(size)[: size // 2])
        inside = first[judged.system]
        systems = [_pearson(means[1:][rows], means[0], part) for part in (first, ~first)]
        segments = [_pearson(values, judged.human, part) for part in (inside, ~inside)]
        found[Level.SYSTEM].append(_ranked_alike(*systems))
        found[Level.SEGMENT].append(_ranked_alike(*segments))
    progress("splitting systems", _SPLITS, _SPLITS)
    return Halves({level: np.array(values) for level, values in found.items()})


def _pearson(values: Floats, human: Floats, part: NDArray[np.bool_]) -> Floats:
    people, places = human[None, part], np.flatnonzero(part)
    step = max(1, _CELLS // len(places))
    blocks = (values[start : start + step, places] for start in range(0, len(values), step))
    found = [row_coefficients(each, people, Coefficient.PEARSON) for each in blocks]
    return np.concatenate(found)


def _ranked_alike(first: Floats, second: Floats) -> float:
    both = ~np.isnan(first) & ~np.isnan(second)
    if not both.any():
        return float("nan")
    return float(row_coefficients(first[None, both], second[None, both], Coefficient.SPEARMAN)[0])


def _middle(values: Floats) -> Estimate:
    known = values[~np.isnan(values)]
    return Estimate.of(float(np.median(known)) if len(known) else float("nan"), known)
