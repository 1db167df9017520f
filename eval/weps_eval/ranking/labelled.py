"""Combinations of measures on labelled instances: their bounds, and trees over them.

Trees are compared with MaxPWA (EMNLP 2009, section 4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps.coreference.trees import BoostedTrees, DecisionTree
from weps.training import MOST_PAIRS, make_folds, pair_weight
from weps_eval.ranking.pwa import (
    Comparisons,
    order_counts,
)
from weps_eval.stats import (
    Estimate,
    Flags,
    Floats,
    Ints,
    PairCounts,
    dense_ranks,
    instance_share,
)
from weps_eval.tables import Instances


@dataclass(frozen=True, slots=True)
class Combination:
    """Some measures, taken together."""

    name: str
    kind: str
    """Origin of the combination, told apart by colour."""
    measures: tuple[str, ...]
    """Names of the members in the order of the study, none twice."""


def random_combinations(measures: Sequence[str], number: int, seed: int = 0) -> list[Combination]:
    """Random subsets of one to eight measures, or of all if these are fewer."""
    generator = np.random.default_rng(seed)
    subsets = []
    for count in range(1, number + 1):
        size = int(generator.integers(1, min(8, len(measures)) + 1))
        chosen = np.sort(generator.choice(len(measures), size, replace=False)).tolist()
        names = tuple(measures[place] for place in chosen)
        subsets.append(Combination(f"random {count}", "random", names))
    return subsets


def distinct_combinations(
    combinations: Iterable[Combination], order: Sequence[str]
) -> list[Combination]:
    """The combinations with their measures in that order, the first only of equal ones."""
    found: dict[frozenset[str], Combination] = {}
    for each in combinations:
        members = frozenset(each.measures)
        measures = tuple(measure for measure in order if measure in members)
        if measures:
            found.setdefault(members, Combination(each.name, each.kind, measures))
    return list(found.values())


def split_by_label(
    instances: Instances, measures: Sequence[str]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Values of the positive instances and of the others, then the groups of either.

    Values have shape (measures, positives) and (measures, negatives).
    """
    values, group = instances.only(measures).values, instances.group
    positive = instances.positive
    return values[:, positive], values[:, ~positive], group[positive], group[~positive]


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How trees are fitted and judged: depth, leaf and halves as in the paper, five divisions."""

    depth: int = 6
    leaf: int = 100
    """Fewest instances in a leaf."""
    folds: int = 2
    """Parts of the groups; each is judged by a tree that has not seen it."""
    repeats: int = 5
    """Different divisions into parts."""
    seed: int = 0


class TreeConfidences(NamedTuple):
    """What trees predict of instances; confidences of different trees do not compare."""

    confidence: NDArray[np.float64]
    """Shape (instances,): that the instance is positive."""
    tree: NDArray[np.int64]
    """Shape (instances,): the number of the tree."""


def cross_validate_trees(instances: Instances, settings: TreeSettings) -> list[TreeConfidences]:
    """The confidences of trees that were fitted on other instances, division by division.

    The groups, or the instances if there is one group only, are divided at random into
    ``settings.folds`` parts, ``settings.repeats`` times; each part is judged by a tree fitted on
    the others.
    """
    size, units, unit = len(instances.positive), len(instances.groups), instances.group
    if units == 1:
        units, unit = size, np.arange(size)
    divisions = []
    for division in range(settings.repeats):
        judged = TreeConfidences(np.zeros(size), np.zeros(size, dtype=np.int64))
        seed = settings.seed * settings.repeats + division
        for number, part in enumerate(make_folds(units, settings.folds, seed)):
            held_out = np.isin(unit, part)
            tree = _fit_tree(instances.of(~held_out), settings)
            judged.confidence[held_out] = tree.predict(instances.values[:, held_out].T)
            judged.tree[held_out] = number
        divisions.append(judged)
    return divisions


def transfer_trees(
    training: Instances, tested: Instances, settings: TreeSettings
) -> list[TreeConfidences]:
    """The confidences of one tree, fitted on the training instances, for the tested ones."""
    found = _fit_tree(training, settings).predict(tested.values.T)
    return [TreeConfidences(found, np.zeros(len(found), dtype=np.int64))]


def comparable_by_trees(instances: Instances) -> Instances:
    """The instances with ranks for values, as trees could not take all values as they are.

    Trees see single precision and no infinity. They divide by order alone, so ranks serve as well.
    """
    values = np.array(list(map(dense_ranks, instances.values)), np.float32)
    return replace(instances, values=values)


def _pair_weights(group: Ints) -> Floats:
    """Weights as in training a system: the pairs of a group weigh as the root of their number."""
    return np.array([pair_weight(size) for size in np.bincount(group)])[group]


def _fit_tree(instances: Instances, settings: TreeSettings) -> DecisionTree:
    return DecisionTree.fit(
        instances.values.T,
        instances.positive,
        _pair_weights(instances.group),
        depth=settings.depth,
        leaf=settings.leaf,
        seed=settings.seed,
    )


Trees: TypeAlias = Callable[[Sequence[str]], Sequence[TreeConfidences]]
"""Measures → confidences of trees over them, in one division or several; no tree has seen what it
judges."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """What one combination could reach, and what trees make of it, by groups.

    MaxPWA bounds everything that rises with each of the measures. Trees need not, but seldom do
    better.
    """

    combination: Combination
    max_pwa: PairCounts
    tree_pwa: PairCounts
    """Counts by the trees' confidence; a tie is no success. Only instances that one tree has judged
    are compared: confidences of different trees have no common scale."""
    tree_auc: PairCounts
    """Counts by the trees' confidence with ties as ½."""
    accuracy: Estimate
    """Share of the instances that the trees label right: positive from a confidence of ½."""


def compute_bound(
    combination: Combination, instances: Instances, trees: Trees, seed: int = 0
) -> Bound:
    """MaxPWA of the measures; PWA, AUC and accuracy of the trees over them."""
    divisions = trees(combination.measures)
    # The share of right labels over all divisions, with its interval over groups.
    total = np.bincount(instances.group, minlength=len(instances.groups)) * len(divisions)
    right = sum((confidence >= 0.5) == instances.positive for confidence, _ in divisions)
    hits = np.bincount(instances.group, right, len(total)).astype(np.float64)
    return Bound(
        combination,
        bound_counts(instances, combination.measures),
        *_by_trees(instances, divisions),
        Estimate.from_row(instance_share(hits, total.astype(np.float64), seed)),
    )


@lru_cache(maxsize=1)  # many combinations are of the same instances
def _comparisons(instances: Instances) -> Comparisons:
    return Comparisons(*split_by_label(instances, instances.measures))


def bound_counts(instances: Instances, measures: Sequence[str]) -> PairCounts:
    """MaxPWA of some measures by groups: a pair fails if none of them decides it right."""
    compared = _comparisons(instances)
    failed = compared.dominated([*map(instances.measures.index, measures)])
    return PairCounts.of(compared.total - failed, compared.total)


def _by_trees(
    instances: Instances, divisions: Sequence[TreeConfidences]
) -> tuple[PairCounts, PairCounts]:
    """PWA and AUC over the comparisons of instances that one tree has judged.

    Groups that several divisions put together count with the mean of these; those that none does
    are not compared. Of a single group, each tree's instances are compared by themselves.
    """
    truth, several = instances.positive, len(instances.groups) > 1
    found = []
    for confidence, trees in divisions:
        units = instances.group if several else trees
        both = order_counts(confidence[truth], confidence[~truth], units[truth], units[~truth])
        tree = np.zeros(len(both[0].total), dtype=np.int64)
        tree[units] = trees
        of_both = np.array([[each.hits, each.total] for each in both])
        found.append(of_both * (tree[:, np.newaxis] == tree))
    counts = sum(found)  # of PWA and AUC, hits and total
    if several:
        counts /= np.maximum(sum(each[0, 1] > 0 for each in found), 1)
    else:
        counts = counts.sum(axis=(2, 3), keepdims=True)
    return PairCounts(*counts[0]), PairCounts(*counts[1])


_HALVES = 2
"""Parts of the groups; each is judged by trees trained on the other."""


def boosted_trees(values: Floats, positive: Flags, group: Ints, seed: int = 0) -> Floats:
    """Shape (instances,): the confidence of trees that have seen only the other half of the groups.

    Grown as for a system of people search, with what was chosen for it; as there, the instances of
    a group weigh as the root of their number. Values have shape (measures, instances).
    """
    most, groups = MOST_PAIRS, int(group.max()) + 1
    choices: dict[str, Any] = {name: int(value) for name, value in BoostedTrees.choices.items()}
    finite = np.isfinite(values).all()  # infinite values become the ranks that they have
    columns = np.array(values if finite else list(map(dense_ranks, values)), np.float32).T
    weight = _pair_weights(group)
    confidence = np.empty(len(positive))
    for part in make_folds(groups, min(_HALVES, groups), seed):
        unseen = np.isin(group, part)
        generator = np.random.default_rng(seed)
        rows = [np.flatnonzero(group == each) for each in np.unique(group[~unseen])]
        seen = np.concatenate(
            [
                generator.choice(own, most, replace=False) if most and len(own) > most else own
                for own in rows
            ]
        )
        trees = BoostedTrees.fit(columns[seen], positive[seen], weight[seen], **choices)
        confidence[unseen] = trees.predict(columns[unseen])
    return confidence
