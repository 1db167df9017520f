"""QUEEN and KING for labelled instances: which features distinguish positives from negatives.

In people search two pages of one person are a positive instance, and the similarity of two models
in QARLA is that of such a pair: positives are the models, negatives the peers. As everywhere in
QARLA features need no weights and no common scale, and what they agree on counts; PWA and MaxPWA
(:mod:`weps_eval.ranking`) ask for one feature that is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.coreference.trees import BoostedTrees
from weps.errors import ValuesError
from weps.training.examples import make_folds
from weps.training.fitting import pair_weight
from weps_eval.meta.judged import checked_measures, checked_size
from weps_eval.ranking.pwa import max_pwa, pwa, pwa_counts
from weps_eval.ranking.subsets import greedy_subsets
from weps_eval.stats.arrays import Flags, Floats, Ints, as_groups, as_measures
from weps_eval.stats.estimate import BootstrapSamples, bootstrap_shares

Bytes = NDArray[np.uint8]
_HALVES = 2
"""Parts of the groups; each is judged by trees trained on the other."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledConditions:
    """Instances of each group compared with its positives: a bit each for every measure.

    QUEEN_X(i) = P(∀x ∈ X: x(i) ≥ x(c)), c a positive of the same group other than the one that
    QUEEN is compared for: as in QARLA it is left out (ACL 2005, section 5).
    """

    panels: tuple[tuple[Bytes, Bytes], ...]
    """Bits by group with two positives and a negative, shape (measures, positives, bytes) and
    (measures, negatives, bytes): bit c of an instance i is set if x(i) ≥ x(c)."""
    measures: int

    @classmethod
    def of(
        cls,
        positives: ArrayLike,
        negatives: ArrayLike,
        positive_groups: ArrayLike | None = None,
        negative_groups: ArrayLike | None = None,
    ) -> LabelledConditions:
        """Compare the instances.

        Args:
            positives: shape (measures, positives).
            negatives: shape (measures, negatives), the same measures.
            positive_groups: shape (positives,), whole numbers from 0; None for one group.
            negative_groups: shape (negatives,), likewise.

        Raises:
            ValuesError: if either is empty, they do not match, or hold NaN; if no group has two
                positives and a negative.
        """
        ours, theirs = as_measures(positives, "positives"), as_measures(negatives, "negatives")
        if len(ours) != len(theirs):
            what = f"{len(ours)} measures of positives and {len(theirs)} of negatives do not match"
            raise ValuesError(what)
        our_groups = as_groups(positive_groups, ours.shape[1], "positive groups")
        their_groups = as_groups(negative_groups, theirs.shape[1], "negative groups")
        parts = [
            (ours[:, our_groups == group], theirs[:, their_groups == group])
            for group in range(int(our_groups.max()) + 1)
        ]
        panels = tuple(
            (_reached_positives(own, own), _reached_positives(other, own))
            for own, other in parts
            if own.shape[1] > 1 and other.shape[1]
        )
        if not panels:
            raise ValuesError("no group has two positives and a negative")
        return cls(panels, len(ours))

    def counts(self, measures: Sequence[int] | None = None) -> list[tuple[Ints, Ints]]:
        """Numbers of other positives that each positive, and each negative, passes, by group.

        Args:
            measures: the set X, one measure or more; all, if None.

        Raises:
            ValuesError: if there is no such set.
        """
        chosen = checked_measures(measures, self.measures)
        found = []
        for panel in self.panels:
            passed = (np.bitwise_and.reduce(reached[chosen]) for reached in panel)
            ours, theirs = (np.bitwise_count(each).sum(axis=1, dtype=np.int64) for each in passed)
            found.append((ours - 1, theirs))  # each positive passes itself
        return found


def mean_superiority(
    conditions: LabelledConditions, measures: Sequence[int] | None = None
) -> float:
    """K(X) = P(QUEEN(p) > QUEEN(n)) (ACL 2005, section 3.3), its mean over groups.

    That is PWA of QUEEN, and what to select features by when there are many negatives.

    Raises:
        ValuesError: as :meth:`LabelledConditions.counts`.
    """
    return float(np.mean([pwa(ours, theirs) for ours, theirs in conditions.counts(measures)]))


class FeatureSelection(NamedTuple):
    """Some measures, in the order in which they were added, and what they reach together."""

    measures: tuple[int, ...]
    quality: float


def greedy_features(
    conditions: LabelledConditions, size: int | None = None
) -> list[FeatureSelection]:
    """Add the measure with which K is highest, one after another; the first one if tied.

    Returns:
        The sets of 1, 2, … measures up to ``size``, None being all; K may fall as they grow.

    Raises:
        ValuesError: for a size that cannot be.
    """
    found: list[FeatureSelection] = []
    before: tuple[int, ...] = ()
    for _ in range(checked_size(size, conditions.measures)):
        sets = [(*before, each) for each in range(conditions.measures) if each not in before]
        tried = [FeatureSelection(each, mean_superiority(conditions, each)) for each in sets]
        found.append(max(tried, key=lambda selection: selection.quality))
        before = found[-1].measures
    return found


def _reached_positives(values: Floats, positives: Floats) -> Bytes:
    """Shape (measures, instances, bytes): which positives each instance is at least as high as."""
    pairs = zip(values, positives, strict=True)
    return np.stack([np.packbits(own[:, None] >= other, axis=1) for own, other in pairs])


def bootstrap_pwa(values: Floats, positive: Flags, group: Ints, seed: int = 0) -> BootstrapSamples:
    """PWA over pairs of one group, of measures with values of shape (measures, instances)."""
    ours, theirs = group[positive], group[~positive]
    counts = [pwa_counts(each[positive], each[~positive], ours, theirs) for each in values]
    hits, total = (
        np.stack([np.diagonal(getattr(each, part)) for each in counts])
        for part in ("hits", "total")
    )
    return bootstrap_shares(hits, total, seed=seed)


def boosted_trees(values: Floats, positive: Flags, group: Ints, seed: int = 0) -> Floats:
    """Shape (instances,): the confidence of trees that have seen only the other half of the groups.

    Grown as for a system of people search, with what was chosen for it; as there, the instances of
    a group weigh as the root of their number. Values have shape (measures, instances).
    """
    most, groups = BoostedTrees.most_pairs, int(group.max()) + 1
    choices: dict[str, Any] = {name: int(value) for name, value in BoostedTrees.choices.items()}
    weight = np.array([pair_weight(size) for size in np.bincount(group)])[group]
    if not np.isfinite(values).all():  # infinite values become the ranks that they have
        values = np.array([np.unique(each, return_inverse=True)[1] for each in values])
    columns = values.astype(np.float32).T
    confidence = np.empty(len(positive))
    for part in make_folds(groups, min(_HALVES, groups), seed):
        unseen = np.isin(group, part)
        generator, rows = np.random.default_rng(seed), []
        for each in np.unique(group[~unseen]):
            members = np.flatnonzero(group == each)
            if most and len(members) > most:
                members = generator.choice(members, most, replace=False)
            rows.append(members)
        seen = np.concatenate(rows)
        trees = BoostedTrees.fit(columns[seen], positive[seen], weight[seen], **choices)
        confidence[unseen] = trees.predict(columns[unseen])
    return confidence


class ChoiceStep(NamedTuple):
    """One feature more, by either way of choosing them."""

    by_king: int
    """Feature added where P(QUEEN of a positive > QUEEN of a negative) is to be highest."""
    king: float
    """That probability of the features so far, K."""
    king_max_pwa: float
    """MaxPWA of the features so far."""
    by_max_pwa: int
    """Feature added where MaxPWA is to be highest."""
    max_pwa: float
    """MaxPWA of the features that it chose so far."""
    max_pwa_king: float
    """K of the features that MaxPWA chose so far."""


def compare_choices(values: Floats, positive: Flags, group: Ints, most: int) -> list[ChoiceStep]:
    """Features chosen one after another by KING and by MaxPWA, side by side.

    QUEEN compares instances of one group, MaxPWA those of all (EMNLP 2009, section 4.1). The list
    is empty if no group shows all it takes: two positives and a negative.

    Args:
        values: shape (measures, instances).
        positive: shape (instances,).
        group: shape (instances,), whole numbers from 0.
        most: number of features chosen.
    """
    ours, theirs = values[:, positive], values[:, ~positive]
    our_groups, their_groups = group[positive], group[~positive]
    several = np.flatnonzero(np.bincount(our_groups) > 1)
    if not np.isin(several, their_groups).any():
        return []
    passing = LabelledConditions.of(ours, theirs, our_groups, their_groups)
    size = min(most, len(values))
    by_king, by_max_pwa = greedy_features(passing, size), greedy_subsets(ours, theirs, size)
    steps = []
    for number, (chosen, step) in enumerate(zip(by_king, by_max_pwa, strict=True), start=1):
        members = list(chosen.measures)
        so_far = [each.measure for each in by_max_pwa[:number]]
        steps.append(
            ChoiceStep(
                members[-1],
                chosen.quality,
                max_pwa(ours[members], theirs[members]),
                step.measure,
                step.max_pwa,
                mean_superiority(passing, so_far),
            )
        )
    return steps
