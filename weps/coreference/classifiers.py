"""Further classifiers of pairs, the table of all kinds, rules over one, and its explanation.

Logistic regression and boosted trees err differently: a sum adds up much weak evidence and
continues beyond what training pairs show, trees know thresholds and combinations. Their mean in log
odds is a logarithmic opinion pool (C. Genest and J. Zidek, "Combining probability distributions",
Statistical Science 1, 1986). Heterogeneity based ranking combines similarities without weights,
scales or labels (E. Amigó, J. Gonzalo, J. Giménez and F. Verdejo, "UNED: evaluating text similarity
measures without human assessments", *SEM 2012, section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps.coreference.base import (
    Calibration,
    Part,
    are_columns,
    clipped_logit,
    finite_number,
    fit_calibration,
    fit_logistic,
    float32_array,
    float64_array,
    int32_array,
    inverse_logit,
    part_of_kind,
)
from weps.coreference.trees import BoostedTrees, DecisionTree, Floats, Places
from weps.records import NonEmpty

NO_COLUMN = -1
"""Stands for a column that the pair table does not have."""
_FEW_PAGES = 5
"""Number of pages at which logistic regression has half of its weight."""
EPSILON = 1e-6
"""Predictions are clipped to this distance from 0 and 1, where log odds are infinite."""


@dataclass(frozen=True, slots=True, eq=False)
class LogisticClassifier(Part):
    """A pair's log odds are the intercept plus its similarities times their coefficients."""

    kind: ClassVar[str] = "logistic"
    choices: ClassVar[dict[str, float]] = {"penalty": 300}

    intercept: float = field(metadata={"read": finite_number})
    """Log odds of a pair without any similarity."""
    coefficients: NDArray[np.float32] = field(metadata={"read": float32_array})
    """Shape (columns,): what one unit of each similarity adds to the log odds."""

    @classmethod
    def fit(
        cls,
        values: Floats,
        coreferent: NDArray[np.bool_],
        weights: Floats,
        *,
        penalty: float,
        seed: int = 0,  # noqa: ARG003 - nothing is random here
    ) -> LogisticClassifier:
        """Fit logistic regression to pairs, its columns standardised.

        If too few pairs have one of the labels, all coefficients are 0, and the log odds are those
        with one more pair of either label. The ``penalty`` is that of :func:`fit_logistic`.
        """
        pairs = values.astype(np.float64)
        mean, deviation = pairs.mean(axis=0), pairs.std(axis=0)
        deviation[deviation == 0] = 1
        standardised, weight = (pairs - mean) / deviation, np.asarray(weights, dtype=np.float64)
        fitted = fit_logistic(standardised, coreferent, weight, penalty=penalty)
        if not fitted:
            return cls(
                float(np.log((coreferent.sum() + 1) / ((~coreferent).sum() + 1))),
                np.zeros(pairs.shape[1], np.float32),
            )
        coefficients = (np.array(fitted[1:]) / deviation).astype(np.float32)
        return cls(float(fitted[0] - mean @ coefficients), coefficients)

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the confidence that each pair of a pair table is coreferent."""
        return inverse_logit(self.log_odds(values))

    def log_odds(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the log odds of each pair, given its values, shape (pairs, columns)."""
        return np.asarray(
            self.intercept + values.astype(np.float64) @ self.coefficients.astype(np.float64)
        )

    def is_sound(self, columns: int) -> bool:
        """Whether it has a finite coefficient for each column."""
        numbers = self.coefficients
        return numbers.shape == (columns,) and bool(np.isfinite(numbers).all())


@dataclass(frozen=True, slots=True, eq=False)
class MeanClassifier(Part):
    """A pair's log odds are the mean of those of boosted trees and of logistic regression.

    Similarities within a few pages say little, and a sum over them adds up what they have in
    common: with n pages, the regression has the weight ½ · n / (n + 5), the trees have the rest.
    """

    kind: ClassVar[str] = "mean"
    choices: ClassVar[dict[str, float]] = BoostedTrees.choices | LogisticClassifier.choices

    trees: BoostedTrees = field(metadata={"read": BoostedTrees.read})
    tree_columns: Places = field(metadata={"read": int32_array})
    """The columns of the pair table that the trees are over, in their order."""
    linear: LogisticClassifier = field(metadata={"read": LogisticClassifier.read})
    linear_columns: Places = field(metadata={"read": int32_array})
    """Columns that the logistic regression is over."""
    size_column: int = field(default=NO_COLUMN, metadata={"read": index})
    """The column of 1 / n; :data:`NO_COLUMN` if there is none, then both have the weight ½."""

    @classmethod
    def fit(  # noqa: PLR0913 - the pairs, and parameters of both parts
        cls,
        values: NDArray[np.float32],
        coreferent: NDArray[np.bool_],
        weights: Floats,
        *,
        tree_columns: Places,
        linear_columns: Places,
        size_column: int,
        penalty: float,
        **trees: Any,
    ) -> MeanClassifier:
        """Fit both parts to the same pairs, each over its columns.

        ``trees`` are further arguments of :meth:`BoostedTrees.fit`.
        """
        labels = coreferent, weights
        return cls(
            BoostedTrees.fit(values[:, tree_columns], *labels, **trees),
            tree_columns,
            LogisticClassifier.fit(values[:, linear_columns], *labels, penalty=penalty),
            linear_columns,
            size_column,
        )

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the confidence that each pair of a pair table is coreferent."""
        trees = self.trees.log_odds(values[:, self.tree_columns])
        linear = self.linear.log_odds(values[:, self.linear_columns])
        weight = np.full(len(values), 0.5)
        if self.size_column != NO_COLUMN:
            weight /= 1 + _FEW_PAGES * values[:, self.size_column]
        return inverse_logit(trees + weight * (linear - trees))

    def is_sound(self, columns: int) -> bool:
        """Whether both parts are, and their columns exist."""
        return (
            are_columns(self.tree_columns, columns)
            and self.trees.is_sound(len(self.tree_columns))
            and are_columns(self.linear_columns, columns)
            and self.linear.is_sound(len(self.linear_columns))
            and NO_COLUMN <= self.size_column < columns
        )


_MAX_CELLS = 1 << 22
"""Pairs × rivals × samples processed at a time: 32 MB."""
_MAX_ROWS = 10_000
"""Largest number of rivals or samples in a file, which bounds the time of scoring."""


@dataclass(frozen=True, slots=True, eq=False)
class HeterogeneityRanking(Part):
    """A pair scores by the heterogeneity of the similarities that rank it above other pairs.

    HBR(i) = Avg_j H({x: x(i) ≥ x(j)}): for every rival j the similarities that are at least as high
    for i form a set, and its heterogeneity is the share of samples, two rivals each, on which
    members of the set contradict each other. In the paper rivals are the other instances of the
    same test set; here they are pairs of other names, so that a pair's score does not depend on the
    other pairs that are scored, and scores of different names are comparable.

    Nothing is fitted to the similarities; the calibration turns scores into probabilities, and
    does not change their order.
    """

    kind: ClassVar[str] = "hbr"
    choices: ClassVar[dict[str, float]] = {"rivals": 100, "samples": 200, "shown": 5_000}

    rivals: NDArray[np.float32] = field(metadata={"read": float32_array})
    """Shape (rivals, columns)."""
    samples: Places = field(metadata={"read": int32_array})
    """Shape (samples, 2): rows of ``rivals``."""
    calibration: Calibration = field(
        default_factory=Calibration, metadata={"read": Calibration.from_data}
    )

    @classmethod
    def fit(  # noqa: PLR0913 - the pairs, and parameters of the sample
        cls,
        values: NDArray[np.float32],
        coreferent: NDArray[np.bool_],
        weights: Floats,
        *,
        rivals: int,
        samples: int,
        shown: int,
        seed: int,
    ) -> HeterogeneityRanking:
        """Sample the pairs that others are compared with; only the calibration uses labels.

        So many ``rivals`` are sampled by weight, with so many ``samples`` of two rivals, over which
        heterogeneity is a share; the calibration is fitted to so many ``shown`` pairs.
        """
        generator = np.random.default_rng(seed)
        chosen = generator.choice(len(values), rivals, p=weights / weights.sum())
        apart = generator.integers(1, max(rivals, 2), samples)
        first = generator.integers(0, rivals, samples)
        ranking = cls(
            values[chosen], np.stack([first, (first + apart) % rivals], axis=1).astype(np.int32)
        )
        some = generator.choice(len(values), min(shown, len(values)), replace=False)
        scores, weight = ranking.scores(values[some]), weights[some].astype(np.float64)
        return replace(ranking, calibration=fit_calibration(scores, coreferent[some], weight))

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the calibrated score of each pair of a pair table."""
        return self.calibration(self.scores(values))

    def scores(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): HBR of each pair, in [0, 1]."""
        first, second = (self.rivals[each] for each in self.samples.T)
        higher, lower = (each.T.astype(np.float32) for each in (first > second, first < second))
        means = np.empty(len(values))
        step = max(1, _MAX_CELLS // (len(self.rivals) * len(self.samples)))
        for start in range(0, len(values), step):
            sets = (values[start : start + step, None, :] >= self.rivals).astype(np.float32)
            contradicted = (sets @ higher > 0) & (sets @ lower > 0)
            means[start : start + step] = contradicted.mean(axis=(1, 2))
        return means

    def is_sound(self, columns: int) -> bool:
        """Whether rivals have so many finite numbers each, and samples are pairs of them."""
        rivals, samples = self.rivals, self.samples
        return (
            rivals.shape[1:] == (columns,)
            and samples.shape[1:] == (2,)
            and bool(np.isfinite(rivals).all() and (samples >= 0).all())
            and 0 < len(samples) <= _MAX_ROWS
            and samples.max() < len(rivals) <= _MAX_ROWS
        )


Learned: TypeAlias = (
    DecisionTree | BoostedTrees | LogisticClassifier | MeanClassifier | HeterogeneityRanking
)
"""A classifier that is fitted to pairs.

Each kind states its name in model files, and the arguments of ``fit`` that were chosen by
cross-validation on WePS-1.
"""
CLASSIFIERS: dict[str, type[Learned]] = {each.kind: each for each in Learned.__args__}
"""Kind in model files → classifier."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleCorrectedClassifier(Part):
    """A classifier of c columns of the pair table and rules over r others (:mod:`weps.systems`)."""

    kind: ClassVar[str] = "ruled"

    inner: Learned = field(metadata={"read": dict})
    """Classifier without rules of its own; it is read by its kind."""
    seen: Places = field(metadata={"read": int32_array})
    """Shape (c,): the columns of the inner classifier, in its order."""
    ruled: Places = field(metadata={"read": int32_array})
    """Shape (r,): the columns that have rules."""
    weights: NDArray[np.float64] = field(metadata={"read": float64_array})
    """Shape (r,): what one unit of each adds to the log odds."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the inner classifier's confidence, adjusted by the rules."""
        inner = clipped_logit(self.inner.predict(values[:, self.seen]), EPSILON)
        added = values[:, self.ruled].astype(np.float64) @ self.weights
        return inverse_logit(inner + added)

    def to_data(self) -> dict[str, Any]:
        """The inner classifier with its kind, the columns and the weights, for JSON."""
        return {"kind": self.inner.kind, **Part.to_data(self)}

    @classmethod
    def read(cls, data: Any) -> RuleCorrectedClassifier:
        """See :meth:`Part.read`."""
        found = cls.read_fields(data)
        inner = part_of_kind(CLASSIFIERS, data.get("kind")).read(found["inner"])
        return cls(**found | {"inner": inner})

    def is_sound(self, columns: int) -> bool:
        """Whether the inner classifier is, and each rule has a column and a finite weight."""
        return (
            are_columns(self.seen, columns)
            and are_columns(self.ruled, columns)
            and self.weights.shape == self.ruled.shape
            and bool(np.isfinite(self.weights).all())
            and self.inner.is_sound(len(self.seen))
        )


Classifier: TypeAlias = Learned | RuleCorrectedClassifier
"""Estimates from a pair's similarities the probability that the pair is coreferent."""


CLASSIFIERS_OF_MODELS: dict[str, type[Classifier]] = {
    **CLASSIFIERS,
    RuleCorrectedClassifier.kind: RuleCorrectedClassifier,
}
"""Kind in model files → classifier, with or without rules."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Contribution of a kind of evidence to the log odds."""

    kind: NonEmpty
    """Name of a feature without parameters; profile: that both pages resemble the same other pages;
    or other: all evidence that is not listed."""
    effect: float


def group_effects(
    classifier: Classifier, values: NDArray[np.float32], groups: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """What each group of columns adds to each pair's log odds.

    The effects of a pair add up to the logit of its prediction minus that of a pair whose columns
    in all groups are 0. The groups are put in one after the other, in order and in reverse order;
    a group's effect is the mean of the two differences that it makes. These are Shapley values
    (L. Shapley, "A value for n-person games", 1953) where no more than two groups interact. Rules
    have their exact effect; predictions are clipped to 1e-6 from 0 and 1.

    Args:
        classifier: of any kind.
        values: shape (pairs, columns), the values of a pair table.
        groups: columns of each group; no column is in two.

    Returns:
        Shape (pairs, groups); 0 where a pair has nothing but zeros in the group's columns.
    """
    if not isinstance(classifier, RuleCorrectedClassifier):
        return _added_effects(classifier, values, groups)
    place = {column: at for at, column in enumerate(classifier.seen.tolist())}
    inner = [[place[column] for column in group if column in place] for group in groups]
    effects = _added_effects(classifier.inner, values[:, classifier.seen], inner)
    by_rules = values[:, classifier.ruled].astype(np.float64)
    for number, group in enumerate(groups):
        effects[:, number] += by_rules @ np.where(
            np.isin(classifier.ruled, group), classifier.weights, 0.0
        )
    return effects


def _added_effects(
    classifier: Learned, values: NDArray[np.float32], groups: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """The effects of groups, from one prediction for all pairs and groups that differ from 0."""
    present = [np.flatnonzero(values[:, group].any(axis=1)) for group in groups]
    orders = (range(len(groups)), range(len(groups))[::-1])
    without = values.copy()
    without[:, [column for group in groups for column in group]] = 0.0
    rows = [without]
    for order in orders:
        changed = without.copy()
        for number in order:
            changed[:, groups[number]] = values[:, groups[number]]
            rows.append(changed[present[number]])
    odds = clipped_logit(classifier.predict(np.concatenate(rows)), EPSILON)
    start, *reached = np.split(odds, np.cumsum([len(each) for each in rows[:-1]]))
    effects, stages = np.zeros((len(values), len(groups))), iter(reached)
    for order in orders:
        current = start.copy()
        for number in order:
            pairs, after = present[number], next(stages)
            effects[pairs, number] += (after - current[pairs]) / len(orders)
            current[pairs] = after
    return effects
