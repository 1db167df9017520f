"""Models of human scores, their accuracy, and scores estimated from outputs with human scores.

Least squares on every subset of measures, and cross-validation: every score is estimated by a model
fitted without its group; whole groups of instances, topics or systems, are left out at a time.

Error and correlation, per system and per summary, are those of Hirao, Okumura, Yasuda and Isozaki
2007, section 4.1. Kazawa, Arrigan, Hirao and Maeda 2003 use the similarity to scored outputs,
Yasuda et al. 2003 how often a system beats scored ones; both as described by Nanba and Okumura, “An
automatic method for summary evaluation using multiple evaluation results by a manual method”,
COLING/ACL 2006, sections 2 to 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import Lasso, Ridge

from weps._parallel import Progress, log_progress, report_work
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient, Level, correlate_with_humans
from weps_eval.stats import (
    RESAMPLES,
    BootstrapSamples,
    Floats,
    Ints,
    as_measure,
    as_measures,
    as_table,
    bootstrap_shares,
    safe_divide,
    two_way_weights,
)

Model: TypeAlias = Callable[[Floats], Floats]
"""From values of shape (measures, instances) to estimated human scores, shape (instances,)."""

Learner: TypeAlias = Callable[[Floats, Floats, Ints], Model]
"""Makes a model of values, shape (measures, instances), human scores and folds, (instances,) each.

The folds are for learners that choose parameters; the others do not look at them.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """ŷ = β₀ + Σ βₘ xₘ."""

    intercept: float
    weights: Floats
    """Shape (measures,)."""

    def __call__(self, values: Floats) -> Floats:
        """The estimated scores, shape (instances,), of values (measures, instances)."""
        return np.asarray(self.intercept + self.weights @ values)


def multiple_regression(values: Floats, human: Floats, _: Ints) -> Linear:
    """Multiple regression: least squares on all measures.

    Where the measures do not determine the weights, those of the least length are taken.
    """
    centre, mean = values.mean(axis=1), human.mean()
    scale = values.std(axis=1)
    scale[np.ptp(values, axis=1) == 0] = np.inf  # a constant explains nothing
    apart = (values - centre[:, None]) / scale[:, None]
    weights = np.linalg.lstsq(apart.T, human - mean)[0] / scale
    return Linear(float(mean - weights @ centre), weights)


def simple_regression(values: Floats, human: Floats, _: Ints) -> Linear:
    """Simple regression: least squares on the one measure that fits the training scores best."""
    apart, aim = values - values.mean(axis=1, keepdims=True), human - human.mean()
    squares = (apart**2).sum(axis=1)
    squares[np.ptp(values, axis=1) == 0] = np.inf  # a constant explains nothing
    slopes = apart @ aim / squares
    best = np.argmax(slopes * (apart @ aim))
    weights = np.where(np.arange(len(values)) == best, slopes, 0.0)
    return Linear(float(human.mean() - weights @ values.mean(axis=1)), weights)


def assign_folds(group: Ints, count: int, seed: int = 0) -> Ints:
    """Deal groups into folds of nearly equally many groups, in an order that depends on the seed.

    The groups, shape (instances,), are the topic or system of each.

    Returns:
        Shape (instances,): the fold of each, from 0.
    """
    names, of = np.unique(group, return_inverse=True)
    return (np.random.default_rng(seed).permutation(len(names)) % count)[of]


def cross_validate_scores(learner: Learner, values: Floats, human: Floats, fold: Ints) -> Floats:
    """Estimate each fold's scores by a model of the other folds.

    Nothing of a fold is seen before it is estimated: learners choose their parameters by the other
    folds alone. The text that we have of VRM (Hirao et al. 2007, section 4.1) does not state what
    was left out; ``fold`` chooses it.

    Args:
        learner: makes the models.
        values: shape (measures, instances), finite.
        human: shape (instances,), finite.
        fold: shape (instances,), whole numbers from 0, two at least; see :func:`assign_folds`.

    Returns:
        Shape (instances,).
    """
    estimates = np.empty(len(human))
    for left_out in np.unique(fold):
        out = fold == left_out
        estimates[out] = learner(values[:, ~out], human[~out], fold[~out])(values[:, out])
    return estimates


MOST_VARIABLES = 20
"""Measures of which all subsets are tried by default: a million models."""
_DEPENDENT = 1e-9
"""Minimum share of a measure's variance that the others do not explain."""
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
    def of(cls, values: Floats, human: Floats, most: int = MOST_VARIABLES) -> Subsets:
        """Fit all subsets.

        The tables of all subsets of the first measures are doubled, measure by measure: one half
        leaves the next measure out, the other takes its part away from those to come and from the
        scores (Schur's complement). As the tables shrink while they double, all residuals
        take about 2^measures · 6 operations and 2^measures · 80 bytes.

        Args:
            values: shape (measures, instances), finite.
            human: shape (instances,), finite.
            most: of how many measures all subsets may be tried.

        Raises:
            ValuesError: if there are more measures.
        """
        if len(values) > most:
            raise ValuesError(
                f"{len(values)} measures have 2^{len(values)} subsets",
                where="values",
                remedy=f"choose at most {most} of them",
            )
        rows = np.vstack([values, human])
        centre = rows.mean(axis=1)
        apart = rows - centre[:, None]
        scale = np.sqrt((apart**2).sum(axis=1))
        scale[np.ptp(rows, axis=1) == 0] = np.inf
        apart /= scale[:, None]
        gram = apart @ apart.T
        tables = gram[None]
        while tables.shape[1] > 1:
            pivot, row, rest = tables[:, 0, 0], tables[:, 0, 1:], tables[:, 1:, 1:]
            kept = np.where(pivot > _DEPENDENT, pivot, np.nan)
            taken = row[:, :, None] * (row / kept[:, None])[:, None, :]
            tables = np.concatenate([rest, rest - taken])
        return cls(np.maximum(tables[:, 0, 0], 0.0), gram, scale, centre)

    def weights(self, chosen: Ints) -> Floats:
        """Shape (measures,): the mean of the weights in these subsets, 0 where one is not in."""
        total = np.zeros(len(self.gram) - 1)
        is_member = (chosen[:, None] >> np.arange(len(total))) & 1
        sizes = is_member.sum(axis=1)
        for size in np.unique(sizes[sizes > 0]).tolist():
            alike = is_member[sizes == size]
            for start in range(0, len(alike), _BLOCK):
                block = alike[start : start + _BLOCK]
                members = np.nonzero(block)[1].reshape(len(block), size)
                table = self.gram[members[:, :, None], members[:, None, :]]
                np.add.at(
                    total, members, np.linalg.solve(table, self.gram[members, -1, None])[:, :, 0]
                )
        spread = self.scale[-1] if np.isfinite(self.scale[-1]) else 0.0
        return np.asarray(total / len(chosen) * spread / self.scale[:-1])


_INNER = 5
"""Inner folds at most: more are put together."""
CANDIDATE_RANGE = 2.0
"""ΔAICc up to which a model is as good as the best (Burnham and Anderson 2002, section 2.6)."""
_EXACT = 1e-12
"""Share of the squares: fits that leave less are perfect, and float64 cannot distinguish them."""


def _fit_tuned(
    values: Floats,
    human: Floats,
    fold: Ints,
    make: Callable[[float], Any],
    choices: Sequence[float],
) -> Model:
    """Take the choice with the least squared error over the folds, and fit to all instances.

    With one fold there is nothing to choose by, and the middle choice is taken.

    Args:
        values: shape (measures, instances), finite.
        human: shape (instances,), finite.
        fold: shape (instances,), whole numbers from 0; more than five are put together.
        make: from a choice to an estimator of scikit-learn.
        choices: of the parameter.
    """
    inner = np.unique(fold, return_inverse=True)[1] % _INNER
    if inner.max() == 0:
        return _fit_estimator(values, human, make(choices[len(choices) // 2]))
    errors = np.zeros(len(choices))
    for left_out in range(int(inner.max()) + 1):
        out = inner == left_out
        for number, choice in enumerate(choices):
            model = _fit_estimator(values[:, ~out], human[~out], make(choice))
            errors[number] += ((model(values[:, out]) - human[out]) ** 2).sum()
    return _fit_estimator(values, human, make(choices[int(np.argmin(errors))]))


def _fit_estimator(values: Floats, human: Floats, estimator: Any) -> Model:
    """The model of values and scores as they are."""
    centre, scale = values.mean(axis=1, keepdims=True), values.std(axis=1, keepdims=True)
    scale[np.ptp(values, axis=1) == 0] = 1.0
    mean, spread = human.mean(), human.std() if np.ptp(human) else 1.0
    estimator.fit(((values - centre) / scale).T, (human - mean) / spread)
    return lambda unseen: np.asarray(
        mean + spread * estimator.predict(((unseen - centre) / scale).T), dtype=np.float64
    )


ridge_regression = partial(
    _fit_tuned, make=lambda penalty: Ridge(alpha=penalty), choices=np.logspace(-2, 4, 13).tolist()
)
"""Ridge regression: least squares with the squares of the weights, times a penalty, added."""
lasso_regression = partial(
    _fit_tuned,
    make=lambda penalty: Lasso(penalty, max_iter=100_000),
    choices=np.logspace(-3, 0, 13).tolist(),
)
"""The lasso: half the mean square with the sizes of the weights, times a penalty, added.

With a penalty of 1 all weights of standardised measures are 0.
"""


@dataclass(frozen=True, slots=True, eq=False)
class VotedRegression:
    """The candidates, and their mean."""

    model: Linear
    """Its estimates are the means of the candidates' estimates, as all of them are linear."""
    subsets: Ints
    """Shape (candidates,): measure m is in a candidate if bit m is set; rising AICc."""
    difference: Floats
    """Shape (candidates,): ΔAICc, from 0."""
    support: Floats
    """Shape (measures,): share of the candidates that have the measure."""


def _aicc_values(residual: ArrayLike, parameters: ArrayLike, size: int) -> Floats:
    """N ln(RSS / N) + 2K + 2K(K+1) / (N-K-1) (Sugiura 1978; VRM, section 3.3).

    Args:
        residual: RSS, any shape, as a share of the squares about the mean; less than 10⁻¹², where
            rounding errors rule, counts as 10⁻¹².
        parameters: K, the same shape: the weights, the intercept and the variance of the errors.
        size: N, the instances.

    Returns:
        The same shape; inf where N-K-1 < 1, NaN where the residual is.
    """
    floored = np.maximum(np.asarray(residual, dtype=np.float64), _EXACT)
    count = np.asarray(parameters, dtype=np.float64)
    spare = size - count - 1
    correction = 2 * count * (count + 1) / np.where(spare > 0, spare, np.nan)
    value = size * np.log(floored / size) + 2 * count + correction
    return np.where((spare > 0) | np.isnan(floored), value, np.inf)


def _candidate_models(criterion: Floats, within: float = CANDIDATE_RANGE) -> Ints:
    """The models whose criterion is at most so far above the best, by rising criterion.

    Args:
        criterion: shape (models,); inf or NaN for models that are no candidates.
        within: ΔAICc; 0 gives the best alone, and with it those that equal it.
    """
    known = np.where(np.isfinite(criterion), criterion, np.inf)
    chosen = np.flatnonzero((known <= known.min(initial=np.inf) + within) & (known < np.inf))
    return np.asarray(chosen[np.argsort(known[chosen], kind="stable")])


def vrm(
    values: ArrayLike,
    human: ArrayLike,
    *,
    within: float = CANDIDATE_RANGE,
    most: int = MOST_VARIABLES,
) -> VotedRegression:
    """The mean of all regressions with an AICc close to the best (VRM, section 3.3).

    Every non-empty subset of the measures is fitted by least squares. The paper does not state how
    parameters are counted; as in Sugiura, the variance is one of them. Subsets with a constant
    measure, or with one that depends linearly on the others, are left out. If no subset remains
    (fewer than five instances, or only constant measures), the model is the mean score.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        within: the greatest ΔAICc, which the available text of the paper does not state.
        most: the largest number of measures for which all subsets are fitted.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many, or
            there are more measures.

    Example:
        >>> values = [[1, 2, 3, 4, 5, 6, 7], [3, 1, 4, 1, 5, 9, 2]]
        >>> vrm(values, [1, 2, 3, 4, 5, 6, 7.5]).support.tolist()[0]
        1.0
    """
    measures = as_measures(values, "values").astype(np.float64)
    people = as_measure(human, "human").astype(np.float64)
    if measures.shape[1] != len(people):
        raise ValuesError(
            f"values of {measures.shape[1]:,} and human scores of {len(people):,} instances "
            "cannot be paired",
            remedy="give both of the same instances",
        )
    for array, name in ((people, "human"), (measures, "values")):
        for *measure, instance in np.argwhere(np.isinf(array))[:1].tolist():
            place = f"instance {instance}" + "".join(f" of measure {each}" for each in measure)
            raise ValuesError(
                f"the value of {place} is infinite",
                where=name,
                remedy="give it a finite value, or leave it out",
            )
    return _vote(measures, people, within, most)


def best_aicc(values: Floats, human: Floats, _: Ints) -> Linear:
    """The single regression of the best AICc (VRM, section 4.2: “1-best”)."""
    return _vote(values, human, None).model


def _vote(
    values: Floats, human: Floats, within: float | None, most: int = MOST_VARIABLES
) -> VotedRegression:
    """The vote of all candidates within that ΔAICc; the best alone if it is None."""
    subsets = Subsets.of(values, human, most)
    sizes = np.bitwise_count(np.arange(len(subsets.residual))).astype(np.int64)
    criterion = _aicc_values(subsets.residual, sizes + 2, len(human))
    criterion[0] = np.inf  # no measure at all
    chosen = _candidate_models(criterion, within or 0.0)
    if within is None:
        chosen = chosen[:1]
    if not len(chosen):
        nothing = np.zeros(len(values))
        return VotedRegression(Linear(float(human.mean()), nothing), chosen, np.zeros(0), nothing)
    weights = subsets.weights(chosen)
    model = Linear(float(subsets.centre[-1] - weights @ subsets.centre[:-1]), weights)
    members = (chosen[:, None] >> np.arange(len(values))) & 1
    above = criterion[chosen] - criterion[chosen[0]]
    return VotedRegression(model, chosen, above, members.mean(axis=0))


_DECIMALS = 12
"""Decimals of differences that count, so that equal scores are equal in any order of addition."""


def estimate_accuracy(  # noqa: PLR0913, PLR0917 - what is judged, where, by whom, and progress
    estimates: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    seed: int = 0,
    progress: Progress = log_progress,
) -> dict[str, BootstrapSamples]:
    """Everything that the paper compares learners by: error, Pearson's and Spearman's coefficients.

    The text that we have leaves open whether the error is absolute or squared: both are given.

    Args:
        estimates: shape (learners, instances), see :func:`cross_validate_scores`; measures may
            stand among them.
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        seed: for the resamples, of topics; per system of topics and of systems.
        progress: called with the number of coefficients done.

    Returns:
        ``absolute``, the mean of |ŷ - y|; ``squared``, of (ŷ - y)²; and by the name of a
        coefficient ``per_system_…``, the mean over systems of the correlation over each system's
        instances, and ``per_summary_…``, the correlation over all instances.
    """
    apart = np.abs(estimates - human)
    topics = np.unique(topic, return_inverse=True)[1]
    found = {
        "absolute": _mean_by_topic(apart, topics, seed),
        "squared": _mean_by_topic(apart**2, topics, seed),
    }
    outputs = estimates, human, topic, system
    for level, title in ((Level.WITHIN_SYSTEM, "per_system"), (Level.SEGMENT, "per_summary")):
        kinds = Coefficient.PEARSON, Coefficient.SPEARMAN
        for kind in report_work(kinds, progress, f"correlating estimates {level}"):
            found[f"{title}_{kind}"] = correlate_with_humans(
                *outputs, level=level, kind=kind, seed=seed
            )
    return found


def _mean_by_topic(values: Floats, topic: Ints, seed: int) -> BootstrapSamples:
    """The means over the instances that have a value, of shape (rows, instances)."""
    known = ~np.isnan(values)
    sums, sizes = (
        np.array([np.bincount(topic, row) for row in each])
        for each in (np.where(known, values, 0.0), known)
    )
    return bootstrap_shares(sums, sizes, seed=seed)


def _pooled_scores(similarity: Floats, human: Floats, thresholds: Floats) -> Floats:
    """Each output's score by the other outputs of its topic, in proportion to their similarity.

    scr(x) = Σ Sim(x, xⱼ) yⱼ / Σ Sim(x, xⱼ) over the xⱼ with Sim(x, xⱼ) ≥ threshold, x itself left
    out (step 3 and experiment 1 of Nanba and Okumura). Nothing is learned: Kazawa's equation 1 is
    :func:`_weighted_subscores`. Similarities of 0 carry no information: one above 0 is needed. As
    an output's own score is left out, low thresholds give the best outputs the lowest scores; to
    rank outputs there is :func:`_pooled_pairs`.

    Args:
        similarity: shape (outputs, outputs), not below 0; row: the output to be scored, column:
            the one in the pool.
        human: shape (outputs,), finite: y.
        thresholds: shape (thresholds,); in the paper from 0 to 1 at intervals of 0.005.

    Returns:
        Shape (thresholds, outputs); NaN where no output is similar enough.
    """
    table = _of_others(similarity)
    kept = (np.where(table >= limit, table, 0.0) for limit in thresholds.tolist())
    return np.array([safe_divide(each @ human, each.sum(axis=1)) for each in kept])


def _pooled_pairs(similarity: Floats, human: Floats, threshold: float = 0.0) -> Floats:
    """Scores to rank each two outputs by: neither is in the pool of the other.

    Else the better of two raises the score of the worse one by its own, and is ranked below it.
    The text that we have of experiment 2 does not state it. Arguments and errors as of
    :func:`_pooled_scores`, ``threshold`` being the least similarity.

    Returns:
        Shape (outputs, outputs): of the row without the column; NaN on the diagonal and where
        no other output is similar enough.
    """
    table = _of_others(similarity)
    kept = np.where(table >= threshold, table, 0.0)
    total = kept.sum(axis=1)[:, None] - kept
    others = (kept > 0).sum(axis=1)[:, None] > (kept > 0)
    np.fill_diagonal(others, val=False)
    sums = (kept @ human)[:, None] - kept * human
    return np.asarray(sums / np.where(others, total, np.nan))


def _weighted_subscores(
    similarities: Mapping[int, Floats], human: Floats, topic: Ints, system: Ints, fold: Ints
) -> Floats:
    """The terms of Kazawa's equation 1, scr(x) = Σⱼ wⱼ yᵢⱼ Sim(x, xᵢⱼ) + b, for every output x.

    xᵢⱼ is the output of system j on x's topic i, yᵢⱼ its human score; x itself is left out. The
    text that we have does not state how wⱼ and b are found: here by least squares, those of the
    least length where the scores do not determine them. They are fitted to the other folds, by
    outputs of the systems that these have. If folds are of topics, the other outputs of x's topic
    are its pool; if they are of systems, those by systems outside its fold. Either way the score
    of x has no part in its own estimate, neither in the pool nor in the weights.

    Args:
        similarities: topic → shape (outputs, outputs), not below 0, in the order of the instances
            of the topic; row: the output to be scored, column: the one in the pool.
        human: shape (instances,), finite: y.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        fold: shape (instances,), two at least, each of whole topics or each of whole systems; see
            :func:`~weps_eval.meta.regression.assign_folds`.

    Returns:
        Shape (1 + systems, instances): b, then wⱼ yᵢⱼ Sim(x, xᵢⱼ). The sum of a column is the
        estimate; without the term of another output it is that of a pool without this output.
    """
    terms = np.zeros((int(system.max()) + 1, len(human)))
    for each in np.unique(topic).tolist():
        rows = np.flatnonzero(topic == each)
        terms[np.ix_(system[rows], rows)] = (_of_others(similarities[each]) * human[rows]).T
    found = np.zeros((1 + len(terms), len(human)))
    for left_out in np.unique(fold):
        out = fold == left_out
        pool = np.unique(system[~out])
        model = multiple_regression(terms[np.ix_(pool, ~out)], human[~out], fold[~out])
        found[0, out] = model.intercept
        found[np.ix_(1 + pool, out)] = model.weights[:, None] * terms[np.ix_(pool, out)]
    return found


def _of_others(similarity: Floats) -> Floats:
    """Similarities, 0 of an output with itself."""
    for row, column in np.argwhere(similarity < 0)[:1].tolist():
        raise ValuesError(
            f"the similarity of output {row} to output {column} is below 0",
            where="similarity",
            remedy="give similarities from 0",
        )
    return np.where(np.eye(len(similarity), dtype=np.bool_), 0.0, similarity)


def _relative_scores(
    rates: Floats, human: Floats, limits: tuple[float, float] = (-np.inf, np.inf)
) -> Floats:
    """Each system's score by regression of its rates over the others on their scores.

    W = α + β y is fitted by least squares over the other systems; the score is where the line
    crosses ½, as there a system is as good as the one that it is compared with. Scores beyond
    the range of people's scores are moved into it (section 4.3); not beyond the other systems',
    or the best and the second would be tied, whatever the rates.

    Args:
        rates: W, shape (systems, systems): on which share of their common topics a measure puts
            the row above the column; the diagonal does not matter.
        human: shape (systems,), finite.
        limits: the lowest and the highest score that people give.

    Returns:
        Shape (systems,); NaN where the line is level, or fewer than two systems can be compared.
    """
    found = np.full(len(rates), np.nan)
    for system, known in enumerate(~np.isnan(rates) & ~np.eye(len(rates), dtype=np.bool_)):
        if known.sum() > 1:
            rate, scores = rates[system, known], human[known]
            apart = scores - scores.mean()
            if fall := float(apart @ (rate - rate.mean())):
                found[system] = scores.mean() + (0.5 - rate.mean()) * (apart @ apart) / fall
    return np.asarray(found.clip(*limits))


@dataclass(frozen=True, slots=True, eq=False)
class PooledEstimates:
    """Scores of outputs estimated from others of their topic, a row for each threshold."""

    estimates: Floats
    """Shape (thresholds, instances); NaN where no output is similar enough."""
    pairs: Sequence[tuple[Ints, Floats]]
    """Instances of each topic, and scores to rank them by, shape (thresholds, outputs, outputs):
    of the row without the column."""

    @classmethod
    def by_means(
        cls, similarities: Mapping[int, Floats], human: Floats, topic: Ints, thresholds: Floats
    ) -> PooledEstimates:
        """Means weighted by similarity, see :func:`_pooled_scores` and :func:`_pooled_pairs`."""
        estimates = np.full((len(thresholds), len(human)), np.nan)
        pairs = []
        for each, table in similarities.items():
            rows = np.flatnonzero(topic == each)
            estimates[:, rows] = _pooled_scores(table, human[rows], thresholds)
            scores = [_pooled_pairs(table, human[rows], limit) for limit in thresholds.tolist()]
            pairs.append((rows, np.array(scores)))
        return cls(estimates, pairs)

    @classmethod
    def by_equation_1(
        cls,
        similarities: Mapping[int, Floats],
        human: Floats,
        topic: Ints,
        system: Ints,
        fold: Ints,
    ) -> PooledEstimates:
        """Kazawa's equation 1, see :func:`_weighted_subscores`: one row, without a threshold.

        Of a pair neither lends the other its term.
        """
        parts = _weighted_subscores(similarities, human, topic, system, fold)
        estimates = parts.sum(axis=0)
        pairs = []
        for each in similarities:
            rows = np.flatnonzero(topic == each)
            scores = estimates[rows, None] - parts[np.ix_(1 + system[rows], rows)].T
            np.fill_diagonal(scores, np.nan)
            pairs.append((rows, scores[None]))
        return cls(estimates[None], pairs)

    def gap(self, human: Floats, topic: Ints, seed: int = 0) -> BootstrapSamples:
        """The mean distance from human scores over the instances that have an estimate."""
        return _mean_by_topic(np.abs(self.estimates - human), topic, seed)

    def precision(
        self, human: Floats, topic: Ints, rival: Floats, seed: int = 0
    ) -> tuple[BootstrapSamples, BootstrapSamples]:
        """The share of pairs ranked as people rank them, and that of a rival on the same pairs.

        Args:
            human: shape (instances,), finite.
            topic: shape (instances,), whole numbers from 0.
            rival: shape (instances,), values of a measure.
            seed: of the resamples of topics.
        """
        right, same, ranked = np.zeros((3, len(self.estimates), int(topic.max()) + 1))
        for rows, scores in self.pairs:
            people, values, number = human[rows], rival[rows], topic[rows[0]]
            ahead = (scores - scores.swapaxes(1, 2)).round(_DECIMALS)
            wanted = (people[:, None] > people) & ~np.isnan(ahead)
            ranked[:, number] = wanted.sum(axis=(1, 2))
            right[:, number] = (wanted & (ahead > 0)).sum(axis=(1, 2))
            same[:, number] = (wanted & (values[:, None] > values)).sum(axis=(1, 2))
        return bootstrap_shares(right, ranked, seed=seed), bootstrap_shares(same, ranked, seed=seed)


def relative_quality(  # noqa: PLR0913, PLR0917 - what is judged, where, by whom, and progress
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    seed: int = 0,
    progress: Progress = log_progress,
) -> dict[str, BootstrapSamples]:
    """Scores of systems estimated from those of the others, see :func:`_relative_scores`.

    Args:
        values: shape (measures, instances).
        human: shape (instances,), finite.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        seed: of the resamples, of topics and of systems.
        progress: called with the number of measures done.

    Returns:
        By measure ``gap``, the mean over systems of |estimate - mean score by people|;
        ``precision``, the share of the pairs of systems that the estimates rank as people do; and
        ``plain``, the share of these pairs that the measure's own means rank so.
    """
    table = as_table(np.vstack([human, values]), topic, system)
    times, systems = two_way_weights(table.shape[1], table.shape[2], RESAMPLES, seed)
    people, *means = (_system_means(each, times) for each in table)
    estimates = []
    for by_system in report_work(table[1:], progress, "estimating systems"):
        first, second = by_system[:, :, None], by_system[:, None, :]
        won = np.where(first == second, 0.5, first > second)
        compared = 1.0 * ~(np.isnan(first) | np.isnan(second))
        wins, total = (np.tensordot(times, each, axes=1) for each in (won, compared))
        scores = np.full(people.shape, np.nan)
        for row in np.flatnonzero(np.isfinite(people).all(axis=1)):
            rates = safe_divide(wins[row], total[row])
            scores[row] = _relative_scores(rates, people[row], (human.min(), human.max()))
        estimates.append(scores)
    rows = {
        "gap": [_mean_gap(each, people, systems) for each in estimates],
        "precision": [_share_ranked_alike(each, people, systems) for each in estimates],
        "plain": [_share_ranked_alike(each, people, systems) for each in means],
    }
    return {name: BootstrapSamples(np.array(each)) for name, each in rows.items()}


def system_gap(
    estimates: Floats, human: Floats, topic: Ints, system: Ints, *, seed: int = 0
) -> BootstrapSamples:
    """The gap between the means of systems, of estimates of shape (rows, instances) or NaN."""
    tables = as_table(np.vstack([human, estimates]), topic, system)
    times, systems = two_way_weights(tables.shape[1], tables.shape[2], RESAMPLES, seed)
    people, *means = (_system_means(each, times) for each in tables)
    return BootstrapSamples(np.array([_mean_gap(each, people, systems) for each in means]))


def _system_means(table: Floats, weights: Floats) -> Floats:
    """Shape (1 + resamples, systems), of values of shape (topics, systems)."""
    known = ~np.isnan(table)
    return safe_divide(weights @ np.where(known, table, 0.0), weights @ known.astype(np.float64))


def _mean_gap(estimates: Floats, people: Floats, weights: Floats) -> Floats:
    """Shape (rows,): the mean gap over the systems that have an estimate."""
    apart = np.abs(estimates - people)
    known = np.where(np.isnan(apart), 0.0, weights)
    return safe_divide((known * np.nan_to_num(apart)).sum(axis=1), known.sum(axis=1))


def _share_ranked_alike(estimates: Floats, people: Floats, weights: Floats) -> Floats:
    """Shape (rows,): of the pairs that people rank, the share ranked alike."""
    ours, theirs = (each[:, :, None] - each[:, None, :] for each in (estimates, people))
    pairs = ((theirs > 0) & ~np.isnan(ours)) * weights[:, :, None] * weights[:, None]
    return safe_divide((pairs * (ours > 0)).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)))
