"""What measures could reach together, and what trees make of them (EMNLP 2009, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from eval.feature_study.combinations import Combination
from eval.feature_study.rankings import sides
from eval.instances import Instances
from eval.ordering import (
    Estimate,
    Tally,
    auc_tally,
    difference,
    max_pwa_tally,
    pwa_tally,
)
from eval.ordering.tally import resampled

__all__ = ["Bound", "Confidence", "bound", "correlation", "tree_difference"]

Vector = NDArray[np.float64]
Confidence = Callable[[Sequence[str]], Vector]
"""Shape (instances,): confidence of a tree over these measures that has not seen the instance."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """Upper bound and reality of one combination, by groups."""

    combination: Combination
    max_pwa: Tally
    tree_pwa: Tally
    """Of the tree's confidence; a tie is no success."""
    tree_auc: Tally
    """The same with ties counted as ½."""


def bound(combination: Combination, instances: Instances, confidence: Confidence) -> Bound:
    """MaxPWA of the measures, and PWA of the trees grown from them."""
    positives, negatives, *groups = sides(instances, combination.measures)
    found, truth = confidence(combination.measures), instances.positive
    return Bound(
        combination,
        max_pwa_tally(positives, negatives, *groups),
        pwa_tally(found[truth], found[~truth], *groups),
        auc_tally(found[truth], found[~truth], *groups),
    )


def correlation(bounds: Sequence[Bound], *, ranks: bool = False, seed: int = 0) -> Estimate:
    """Correlation of MaxPWA with the trees' PWA over the combinations; nan for fewer than three.

    Pearson's, or Spearman's if of ranks. The interval is over groups: both figures of every
    combination are worked out anew from each resample.
    """
    tallies = [[each.max_pwa, each.tree_pwa] for each in bounds]
    value = _correlated(np.array([[[t.pooled] for t in pair] for pair in tallies]), ranks)
    drawn = np.array([[resampled(t, seed=seed) for t in pair] for pair in tallies])
    return Estimate.of(float(value[0]), _correlated(drawn, ranks))


def tree_difference(first: Bound, second: Bound, *, seed: int = 0) -> Estimate:
    """PWA of the second's trees minus that of the first's."""
    return difference(first.tree_pwa, second.tree_pwa, seed=seed)


def _correlated(figures: NDArray[np.float64], ranks: bool) -> Vector:
    """Shape (resamples,) from (combinations, 2, resamples); nan where one does not vary."""
    if len(figures) < 3:
        return np.full(figures.shape[-1] if figures.ndim == 3 else 1, np.nan)
    if ranks:
        figures = rankdata(figures, axis=0)
    centred = figures - figures.mean(axis=0)
    first, second = centred[:, 0], centred[:, 1]
    spread = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    products = (first * second).sum(axis=0)
    found: Vector = np.divide(
        products, spread, out=np.full_like(products, np.nan), where=spread > 0
    )
    return found
