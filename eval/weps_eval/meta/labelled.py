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
from numpy.typing import NDArray

from weps.coreference.trees import BoostedTrees
from weps.training.examples import make_folds
from weps.training.fitting import pair_weight
from weps_eval.ranking.pwa import max_pwa, pwa, pwa_counts
from weps_eval.ranking.subsets import greedy_subsets
from weps_eval.stats.arrays import Flags, Floats, Ints
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

    @classmethod
    def of(cls, values: Floats, positive: Flags, group: Ints) -> LabelledConditions:
        """Compare the instances of each group that has two positives and a negative.

        Args:
            values: shape (measures, instances).
            positive: shape (instances,).
            group: shape (instances,), whole numbers from 0.
        """
        panels = []
        for number in np.unique(group):
            inside = group == number
            own, other = values[:, inside & positive], values[:, inside & ~positive]
            if own.shape[1] > 1 and other.shape[1]:
                panels.append((_reached_positives(own, own), _reached_positives(other, own)))
        return cls(tuple(panels))

    def counts(self, measures: Sequence[int]) -> list[tuple[Ints, Ints]]:
        """Numbers of other positives that each positive, and each negative, passes, by group."""
        found = []
        for panel in self.panels:
            passed = (np.bitwise_and.reduce(reached[list(measures)]) for reached in panel)
            ours, theirs = (np.bitwise_count(each).sum(axis=1, dtype=np.int64) for each in passed)
            found.append((ours - 1, theirs))  # each positive passes itself
        return found


def _reached_positives(values: Floats, positives: Floats) -> Bytes:
    """Shape (measures, instances, bytes): which positives each instance is at least as high as."""
    pairs = zip(values, positives, strict=True)
    return np.stack([np.packbits(own[:, None] >= other, axis=1) for own, other in pairs])


def mean_superiority(conditions: LabelledConditions, measures: Sequence[int]) -> float:
    """K(X) = P(QUEEN(p) > QUEEN(n)) (ACL 2005, section 3.3), its mean over groups.

    That is PWA of QUEEN, and what to select features by when there are many negatives.
    """
    return float(np.mean([pwa(ours, theirs) for ours, theirs in conditions.counts(measures)]))


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
    """Features chosen one after another by KING and by MaxPWA, side by side; the first if tied.

    QUEEN compares instances of one group, MaxPWA those of all (EMNLP 2009, section 4.1). K may fall
    as features are added. The list is empty if no group has two positives and a negative.

    Args:
        values: shape (measures, instances).
        positive: shape (instances,).
        group: shape (instances,), whole numbers from 0.
        most: number of features chosen.
    """
    ours, theirs = values[:, positive], values[:, ~positive]
    conditions = LabelledConditions.of(values, positive, group)
    if not conditions.panels:
        return []
    steps: list[ChoiceStep] = []
    by_king: list[int] = []
    by_max_pwa: list[int] = []
    for step in greedy_subsets(ours, theirs, min(most, len(values))):
        rest = [each for each in range(len(values)) if each not in by_king]
        quality = {each: mean_superiority(conditions, [*by_king, each]) for each in rest}
        by_king.append(max(rest, key=quality.__getitem__))
        by_max_pwa.append(step.measure)
        steps.append(
            ChoiceStep(
                by_king[-1],
                quality[by_king[-1]],
                max_pwa(ours[by_king], theirs[by_king]),
                step.measure,
                step.max_pwa,
                mean_superiority(conditions, by_max_pwa),
            )
        )
    return steps
