"""What measures could reach together, and what trees make of them (EMNLP 2009, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from eval.ordering.tally import mean_tally, resampled, share_of, united

__all__ = ["Bound", "Trees", "bound", "correlation"]

_DECIMALS = 12
"""Figures that differ in later ones are equal: the same share, added up in another order."""
Trees = Callable[[Sequence[str]], Sequence[Judged]]
"""What trees over some measures make of the instances, in one division or several; no tree has
seen what it judges."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """What one combination could reach, and what trees make of it, by groups.

    MaxPWA bounds everything that rises with each of the measures. Trees need not, but seldom do
    better.
    """

    combination: Combination
    max_pwa: Tally
    tree_pwa: Tally
    """Of the trees' confidence; a tie is no success. Only instances that one tree has judged are
    compared: confidences of different trees have no common scale."""
    tree_auc: Tally
    """The same with ties counted as ½."""
    accuracy: Estimate
    """Share of the instances that the trees label right: positive from a confidence of ½."""


def bound(combination: Combination, instances: Instances, trees: Trees, seed: int = 0) -> Bound:
    """MaxPWA of the measures, and PWA and accuracy of the trees grown from them."""
    divisions = trees(combination.measures)
    return Bound(
        combination,
        max_pwa_tally(*sides(instances, combination.measures)),
        _by_trees(pwa_tally, instances, divisions),
        _by_trees(auc_tally, instances, divisions),
        _accuracy(instances, divisions, seed),
    )


def _by_trees(
    tally: Callable[..., Tally], instances: Instances, divisions: Sequence[Judged]
) -> Tally:
    """The comparisons of instances that one tree has judged.

    Groups that several divisions put together count with the mean of these; those that none does
    are not compared.
    """
    several = len(instances.groups) > 1
    found = [_by_one_tree(tally, instances, judged, several) for judged in divisions]
    return mean_tally(found) if several else united(found)


def _by_one_tree(
    tally: Callable[..., Tally], instances: Instances, judged: Judged, several: bool
) -> Tally:
    """The comparisons between instances that one tree has judged, by groups or by trees."""
    truth, units = instances.positive, instances.group if several else judged.tree
    confidence = judged.confidence
    found = tally(confidence[truth], confidence[~truth], units[truth], units[~truth])
    tree = np.zeros(len(found.total), dtype=np.int64)
    tree[units] = judged.tree
    return found.only(tree[:, np.newaxis] == tree)


def _accuracy(instances: Instances, divisions: Sequence[Judged], seed: int) -> Estimate:
    """The share that is labelled right, over all divisions, with its interval over groups."""
    total = np.bincount(instances.group, minlength=len(instances.groups)) * len(divisions)
    held = sum(
        np.bincount(instances.group[right], minlength=len(total))
        for judged in divisions
        for right in [(judged.confidence >= 0.5) == instances.positive]
    )
    return share_of(np.asarray(held, np.float64), total.astype(np.float64), seed=seed)


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
        figures = rankdata(figures.round(_DECIMALS), axis=0)
    centred = (figures - figures.mean(axis=0)).round(_DECIMALS)
    first, second = centred[:, 0], centred[:, 1]
    spread = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    products = (first * second).sum(axis=0)
    found: NDArray[np.float64] = np.divide(
        products, spread, out=np.full_like(products, np.nan), where=spread > 0
    )
    return found
