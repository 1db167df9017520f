"""What measures could reach together, and what trees make of them (EMNLP 2009, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from eval.feature_study.combinations import Combination
from eval.feature_study.rankings import sides
from eval.feature_study.trees import Judged
from eval.instances import Instances
from eval.ordering import (
    Estimate,
    Tally,
    auc_tally,
    max_pwa_tally,
    pwa_tally,
)
from eval.ordering.tally import resampled, share_of

__all__ = ["Bound", "Trees", "bound", "correlation"]

Ints = NDArray[Any]
Trees = Callable[[Sequence[str]], Judged]
"""What trees over some measures make of the instances; no tree has seen what it judges."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """Upper bound and reality of one combination, by groups, on the same comparisons.

    Instances that different trees have judged are not compared: their confidences have no common
    scale, and a tie in every measure would come out right by chance.
    """

    combination: Combination
    max_pwa: Tally
    tree_pwa: Tally
    """Of the tree's confidence; a tie is no success."""
    tree_auc: Tally
    """The same with ties counted as ½."""
    accuracy: Estimate
    """Share of the instances that the tree labels right: positive from a confidence of ½."""


def bound(combination: Combination, instances: Instances, trees: Trees, seed: int = 0) -> Bound:
    """MaxPWA of the measures, and PWA and accuracy of the trees grown from them."""
    measures, truth = combination.measures, instances.positive
    judged = trees(measures)
    units = _units(instances, judged)
    groups = units[truth], units[~truth]
    positives, negatives, *_ = sides(instances, measures)
    confidence = judged.confidence[truth], judged.confidence[~truth]
    max_pwa, tree_pwa, tree_auc = (
        _by_one_tree(tally, instances, units, judged)
        for tally in (
            max_pwa_tally(positives, negatives, *groups),
            pwa_tally(*confidence, *groups),
            auc_tally(*confidence, *groups),
        )
    )
    accuracy = _accuracy(instances, judged, seed)
    return Bound(combination, max_pwa, tree_pwa, tree_auc, accuracy)


def _accuracy(instances: Instances, judged: Judged, seed: int) -> Estimate:
    """The share that is labelled right, with its interval over groups."""
    right = (judged.confidence >= 0.5) == instances.positive
    total = np.bincount(instances.group, minlength=len(instances.groups))
    held = np.bincount(instances.group[right], minlength=len(total))
    return share_of(held.astype(np.float64), total.astype(np.float64), seed=seed)


def _units(instances: Instances, judged: Judged) -> Ints:
    """The groups; the parts if there is one group that several trees have judged."""
    return instances.group if len(instances.groups) > 1 else judged.tree


def _by_one_tree(tally: Tally, instances: Instances, units: Ints, judged: Judged) -> Tally:
    """The comparisons between instances that one tree has judged."""
    tree = np.zeros(len(tally.total), dtype=np.int64)
    tree[units] = judged.tree
    alike = tally.only(tree[:, np.newaxis] == tree)
    return alike if len(instances.groups) > 1 else alike.united()


def correlation(bounds: Sequence[Bound], *, ranks: bool = False, seed: int = 0) -> Estimate:
    """Correlation of MaxPWA with the trees' PWA over the combinations; nan for fewer than three.

    Pearson's, or Spearman's if of ranks. The interval is over groups: both figures of every
    combination are worked out anew from each resample.
    """
    tallies = [[each.max_pwa, each.tree_pwa] for each in bounds]
    value = _correlated(np.array([[[t.pooled] for t in pair] for pair in tallies]), ranks)
    drawn = np.array([[resampled(t, seed=seed) for t in pair] for pair in tallies])
    return Estimate.of(float(value[0]), _correlated(drawn, ranks))


def _correlated(figures: NDArray[np.float64], ranks: bool) -> NDArray[np.float64]:
    """Shape (resamples,) from (combinations, 2, resamples); nan where one does not vary."""
    if len(figures) < 3:
        return np.full(figures.shape[-1] if figures.ndim == 3 else 1, np.nan)
    if ranks:
        figures = rankdata(figures, axis=0)
    centred = figures - figures.mean(axis=0)
    first, second = centred[:, 0], centred[:, 1]
    spread = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    products = (first * second).sum(axis=0)
    found: NDArray[np.float64] = np.divide(
        products, spread, out=np.full_like(products, np.nan), where=spread > 0
    )
    return found
