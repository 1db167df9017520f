"""Linear models of human scores, cross-validation, and voted regression."""

from __future__ import annotations

import itertools
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.linear_model import Lasso, LinearRegression, Ridge

from tests.cases import each_case
from tests.eval.studies.made_up_scores import judged
from weps.errors import ValuesError
from weps_eval.meta import regression
from weps_eval.meta.heterogeneity import topic_auc
from weps_eval.stats import RESAMPLES, as_table, two_way_weights

LEARNERS = [
    regression.simple_regression,
    regression.multiple_regression,
    regression.best_aicc,
    lambda values, human, _: regression.vrm(values, human).model,
    regression.ridge_regression,
    regression.lasso_regression,
]


def data(size: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(3, size))
    return values, values[0] + generator.normal(size=size)


@given(st.lists(st.integers(0, 8), min_size=2, max_size=40), st.integers(2, 5), st.integers(0, 9))
def test_groups_stay_together_and_folds_are_even(groups, count, seed):
    names = set(groups)
    found = regression.assign_folds(groups, count, seed)
    pairs = set(zip(groups, found.tolist(), strict=True))
    assert len(pairs) == len(names)
    sizes = np.bincount([fold for _, fold in pairs], minlength=count)
    assert sizes.max() - sizes.min() <= 1
    assert np.array_equal(found, regression.assign_folds(groups, count, seed))


@each_case("learner", LEARNERS)
def test_what_is_estimated_has_not_been_seen(learner):
    """The scores of a fold, however wild, change nothing in the fold's own estimates."""
    values, human = data()
    fold = np.arange(40) // 8
    once = regression.cross_validate_scores(learner, values, human, fold)
    for each in (0, 3):
        wild = np.where(fold == each, 1e3 * (-1.0) ** np.arange(40), human)
        again = regression.cross_validate_scores(learner, values, wild, fold)
        assert np.array_equal(once[fold == each], again[fold == each])
        assert not np.array_equal(once[fold != each], again[fold != each])


FOLD = np.zeros(30, dtype=np.int64)


def data_linear(seed: int, measures: int = 3) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(measures, 30)) * 10.0 ** np.arange(measures)[:, None]
    return values, values[0] - values[-1] / 60 + generator.normal(size=30)


@given(st.integers(0, 50))
def test_multiple_regression_is_least_squares(seed):
    values, human = data_linear(seed)
    found = regression.multiple_regression(values, human, FOLD)
    expected = np.linalg.lstsq(np.vstack([np.ones(30), values]).T, human)[0]
    assert [found.intercept, *found.weights] == pytest.approx(expected)


@given(st.integers(0, 50))
def test_simple_regression_takes_the_one_best_measure(seed):
    values, human = data_linear(seed)
    errors = [
        ((regression.multiple_regression(each[None], human, FOLD)(each[None]) - human) ** 2).sum()
        for each in values
    ]
    best = int(np.argmin(errors))
    found = regression.simple_regression(values, human, FOLD)
    assert np.flatnonzero(found.weights).tolist() == [best]
    assert ((found(values) - human) ** 2).sum() == pytest.approx(errors[best])


@pytest.mark.parametrize("learner", [regression.multiple_regression, regression.simple_regression])
def test_a_measure_that_is_constant_in_training_is_not_looked_at(learner):
    generator = np.random.default_rng(0)
    first, human, constant = generator.random(90), generator.random(90), np.full(90, 0.1)
    for values in (constant[None], np.array([first, constant])):
        model = learner(values, human, np.zeros(90, dtype=np.int64))
        assert model.weights[-1] == 0  # type: ignore[attr-defined]


def data_subsets(measures: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(3, 2, size=(measures, size))
    return values, values.sum(axis=0) + generator.normal(size=size)


@given(st.integers(1, 5), st.integers(7, 20), st.integers(0, 99))
def test_every_subset_is_fitted_as_on_its_own(measures, size, seed):
    values, human = data_subsets(measures, size, seed)
    found = regression.Subsets.of(values, human)
    for subset in range(2**measures):
        members = [m for m in range(measures) if subset >> m & 1]
        model = regression.multiple_regression(
            values[members], human, np.zeros(size, dtype=np.int64)
        )
        error = ((human - model(values[members])) ** 2).sum() / ((human - human.mean()) ** 2).sum()
        assert found.residual[subset] == pytest.approx(error, abs=1e-9)
        expected = np.zeros(measures)
        expected[members] = model.weights
        assert found.weights(np.array([subset])) == pytest.approx(expected)


def test_dependent_and_constant_measures_have_no_regression():
    values, human = data_subsets(2, 9, 1)
    found = regression.Subsets.of(
        np.vstack([values, values[0] - values[1], np.full(9, 0.1)]), human
    )
    missing = np.flatnonzero(np.isnan(found.residual))
    assert missing.tolist() == [7, *range(8, 16)]


def test_equal_scores_leave_nothing():
    found = regression.Subsets.of(data_subsets(2, 9, 2)[0], np.full(9, 0.1))
    assert found.residual.tolist() == [0, 0, 0, 0]
    assert found.weights(np.array([3])).tolist() == [0, 0]


def test_so_many_subsets_are_refused():
    with pytest.raises(ValuesError, match=r"21 measures have 2\^21 subsets; choose at most 20"):
        regression.Subsets.of(np.zeros((21, 30)), np.zeros(30))


SIZE = 48
FOLDS = np.arange(SIZE) // 8
TUNED = [regression.ridge_regression, regression.lasso_regression]


def data_tuned(seed: int = 0, noise: float = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(5, 2, size=(6, SIZE))
    return values, values[0] - values[1] + generator.normal(0, noise, size=SIZE)


def standard(rows: np.ndarray) -> np.ndarray:
    return (rows - rows.mean(axis=-1, keepdims=True)) / rows.std(axis=-1, keepdims=True)


def ridge(
    values: np.ndarray, human: np.ndarray, fold: np.ndarray, choices: list[float]
) -> regression.Model:
    return regression._fit_tuned(values, human, fold, lambda penalty: Ridge(alpha=penalty), choices)


@each_case(
    ("learner", "estimator"),
    [
        (regression.ridge_regression, Ridge(alpha=10)),
        (regression.lasso_regression, Lasso(alpha=10**-1.5)),
    ],
)
def test_without_folds_it_is_the_middle_choice(learner, estimator):
    values, human = data_tuned()
    rows = standard(values).T
    expected = human.mean() + human.std() * estimator.fit(rows, standard(human)).predict(rows)
    assert learner(values, human, 0 * FOLDS)(values) == pytest.approx(expected, abs=1e-3)


def test_the_choice_is_the_one_with_the_least_error_over_the_folds():
    values, human = data_tuned(noise=3)
    choices = [0.01, 1.0, 30.0, 1000.0]
    fold = FOLDS % 5  # as the learner puts them together
    errors = []
    for choice in choices:
        squares = 0.0
        for each in range(5):
            out = fold == each
            model = ridge(values[:, ~out], human[~out], fold[~out], [choice])
            squares += ((model(values[:, out]) - human[out]) ** 2).sum()
        errors.append(squares)
    best = choices[int(np.argmin(errors))]
    assert best not in (choices[0], choices[-1])
    expected = ridge(values, human, FOLDS, [best])(values)
    assert ridge(values, human, FOLDS, choices)(values) == pytest.approx(expected)


@each_case("learner", TUNED)
def test_one_fold_and_constants_are_no_error(learner):
    values, human = data_tuned()
    values[2] = 0.1
    alone = learner(values, human, np.zeros(SIZE, dtype=np.int64))
    assert np.isfinite(alone(values)).all()
    level = learner(values, np.full(SIZE, 0.3), FOLDS)
    assert level(values) == pytest.approx(np.full(SIZE, 0.3))


NO_FOLDS = np.zeros(0, dtype=np.int64)


def data_voted(measures: int = 4, size: int = 14, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(measures, size))
    return values, values[0] + values[-1] + generator.normal(0, 2, size=size)


def test_the_worked_example_of_the_paper():
    """Four candidates among the seven models of three measures; .72 is their mean (section 3.3).

    The estimates are the paper's; its AICc are not in the text that we have.
    """
    estimates = np.array([0.71, 0.52, 0.68, 0.70, 0.44, 0.79, 0.60])
    chosen = regression._candidate_models(
        np.array([-8.1, -3.0, -7.2, -8.9, -6.8, -7.4, math.inf]), within=2
    )
    assert sorted(chosen.tolist()) == [0, 2, 3, 5]
    assert round(estimates[chosen].mean(), 2) == 0.72


def test_a_corrected_criterion_by_hand():
    # N = 10, K = 3: 10 ln(.2 / 10) + 6 + 24 / 6
    assert regression._aicc_values([0.2], [3], 10) == pytest.approx([10 * math.log(0.02) + 10])
    assert regression._aicc_values([0.2, 0.2, np.nan], [8, 9, 3], 10).tolist()[1] == math.inf
    assert np.isnan(regression._aicc_values([np.nan], [3], 10)).all()
    assert regression._aicc_values([0.0], [3], 10) == regression._aicc_values([1e-15], [3], 10)


@each_case(("within", "expected"), [(0, [1, 3]), (0.5, [1, 3, 0]), (99, [1, 3, 0, 4])])
def test_candidates_are_near_the_best(within, expected):
    criterion = np.array([1.5, 1, math.inf, 1, 3, np.nan])
    assert regression._candidate_models(criterion, within).tolist() == expected
    assert not len(regression._candidate_models(np.array([math.inf, np.nan]), within))


@given(st.integers(1, 5), st.integers(6, 15), st.integers(0, 99), st.sampled_from([0.5, 2, 7]))
def test_the_model_votes_as_all_its_candidates(measures, size, seed, within):
    values, human = data_voted(measures, size, seed)
    scored = []
    for count in range(1, measures + 1):
        for members in combinations(range(measures), count):
            model = regression.multiple_regression(values[list(members)], human, NO_FOLDS)
            rest, parameters = ((human - model(values[list(members)])) ** 2).sum(), count + 2
            if size - parameters > 1:
                correction = 2 * parameters * (parameters + 1) / (size - parameters - 1)
                value = size * math.log(rest / size) + 2 * parameters + correction
                scored.append((value, members, model))
    best = min(value for value, *_ in scored)
    good = [each for each in scored if each[0] <= best + within]
    unseen = np.random.default_rng(seed).normal(size=(measures, 4))
    expected = np.mean([model(unseen[list(members)]) for _, members, model in good], axis=0)
    found = regression.vrm(values, human, within=within)
    assert found.model(unseen) == pytest.approx(expected)
    assert {sum(1 << m for m in members) for _, members, _ in good} == set(found.subsets.tolist())
    assert sorted(value - best for value, *_ in good) == pytest.approx(found.difference, abs=1e-9)
    shares = [np.mean([m in members for _, members, _ in good]) for m in range(measures)]
    assert found.support == pytest.approx(shares)


def test_two_copies_of_a_measure_are_two_candidates_but_never_together():
    values, human = data_voted(1)
    found = regression.vrm(np.vstack([values, values]), human)
    assert sorted(found.subsets.tolist()) == [1, 2]
    assert regression.best_aicc(np.vstack([values, values]), human, NO_FOLDS).weights[1] == 0


def test_a_perfect_fit_takes_no_more_than_it_needs():
    values, _ = data_voted()
    found = regression.vrm(values, 3 * values[1] - 1)
    assert found.subsets.tolist() == [2]
    assert found.model(values) == pytest.approx(3 * values[1] - 1)


@pytest.mark.parametrize(
    ("values", "human"),
    [(np.ones((2, 9)), np.arange(9.0)), (np.arange(8.0).reshape(2, 4), np.arange(4.0))],
    ids=["constant measures", "four instances"],
)
def test_where_nothing_can_be_fitted_the_mean_is_the_model(values, human):
    found = regression.vrm(values, human)
    assert not len(found.subsets)
    assert found.model(values) == pytest.approx(np.full(len(human), human.mean()))


@each_case(
    ("values", "human", "message"),
    [
        ([[1, 2]], [1, 2, 3], r"of 2 and human scores of 3 instances cannot be paired"),
        ([[1, 2]], [1, np.nan], r"human: 1 values are NaN, the first is instance 1"),
        ([[1, 2], [1, np.nan]], [1, 2], r"values: .* instance 1 of measure 1"),
        ([[1, 2], [1, np.inf]], [1, 2], r"values: the value of instance 1 of measure 1 is inf"),
        ([[1, 2]], [-np.inf, 2], r"human: the value of instance 0 is infinite"),
        ([["a", "b"]], [1, 2], r"expected numbers"),
        ([[]], [], r"no instances given"),
    ],
)
def test_values_that_do_not_fit_are_refused(values, human, message):
    with pytest.raises(ValuesError, match=message):
        regression.vrm(values, human)  # type: ignore[arg-type]


def test_errors_and_correlations_of_a_learner():
    topic, system = np.indices((15, 4)).reshape(2, -1)
    human = np.random.default_rng(0).normal(size=60)
    near = human + np.random.default_rng(1).normal(0, 0.3, size=60)
    far = human + np.random.default_rng(2).normal(0, 2, size=60)
    found = regression.estimate_accuracy(np.array([near, far]), human, topic, system)
    assert found["absolute"].value[0] == pytest.approx(np.abs(near - human).mean())
    assert found["squared"].value[1] == pytest.approx(((far - human) ** 2).mean())
    summary = found["per_summary_spearman"].value[0]
    assert summary == pytest.approx(stats.spearmanr(near, human).statistic)
    by_system = [
        stats.pearsonr(far[each == system], human[each == system]).statistic for each in range(4)
    ]
    assert found["per_system_pearson"].value[1] == pytest.approx(np.mean(by_system))
    for name, figure in found.items():
        ahead = figure.difference(0, 1)
        assert ahead.low > 0 if name in {"absolute", "squared"} else ahead.high < 0, name


def test_topics_of_many_instances_count_for_more():
    topic, system, human = np.array([0, 0, 5]), np.array([0, 1, 0]), np.zeros(3)
    found = regression.estimate_accuracy(np.array([[1.0, 2, 6]]), human, topic, system)
    assert found["absolute"].value.tolist() == [3]


SIMILARITY = arrays(float, (5, 5), elements=st.integers(0, 4).map(lambda each: each / 4))
SCORES = arrays(float, 5, elements=st.integers(1, 5).map(float))


@given(SIMILARITY, SCORES)
def test_scores_are_means_of_similar_outputs(similarity, human):
    thresholds = np.array([0, 0.25, 0.6, 1, 1.1])
    found = regression._pooled_scores(similarity, human, thresholds)
    for row, limit in enumerate(thresholds):
        for x in range(5):
            near = [j for j in range(5) if j != x and similarity[x, j] >= limit]
            weight = sum(similarity[x, j] for j in near)
            total = sum(similarity[x, j] * human[j] for j in near)
            expected = total / weight if weight else np.nan
            assert found[row, x] == pytest.approx(expected, nan_ok=True)


@given(SIMILARITY, SCORES, st.sampled_from([0, 0.3, 1]))
def test_two_that_are_ranked_are_scored_by_the_others(similarity, human, threshold):
    found = regression._pooled_pairs(similarity, human, threshold)
    for x, y in np.ndindex(5, 5):
        left = [each for each in range(5) if each != y]
        own, limits = similarity[np.ix_(left, left)], np.array([threshold])
        alone = (
            np.nan
            if x == y
            else regression._pooled_scores(own, human[left], limits)[0, left.index(x)]
        )
        assert found[x, y] == pytest.approx(alone, nan_ok=True)


def test_similarities_are_not_below_zero():
    with pytest.raises(ValuesError, match="output 0 to output 1 is below 0"):
        regression._pooled_scores(np.array([[1, -0.5], [0, 1]]), np.array([1.0, 2.0]), np.zeros(1))


TOPIC, SYSTEM = np.delete(np.indices((12, 4)).reshape(2, -1), [5, 22], axis=1)
"""Twelve topics, four systems, two of which have not answered one of them."""


def term(tables, human, x, system):
    """yᵢⱼ Sim(x, xᵢⱼ), one output at a time; 0 for x itself and systems without answer."""
    rows = [each for each in range(len(TOPIC)) if TOPIC[each] == TOPIC[x]]
    for place, other in enumerate(rows):
        if SYSTEM[other] == system and other != x:
            return human[other] * tables[TOPIC[x]][rows.index(x), place]
    return 0.0


@each_case(
    ("fold", "pools"),
    [(TOPIC % 3, {each: range(4) for each in range(3)}), (SYSTEM // 2, {0: [2, 3], 1: [0, 1]})],
)
@each_case("seed", range(3))
def test_it_is_equation_1_with_weights_of_the_other_folds(fold, pools, seed):
    generator = np.random.default_rng(seed)
    sizes = np.bincount(TOPIC).tolist()
    tables = {topic: generator.random((size, size)) for topic, size in enumerate(sizes)}
    human = generator.integers(1, 6, len(TOPIC)).astype(float)
    found = regression._weighted_subscores(tables, human, TOPIC, SYSTEM, fold)
    for x in range(len(TOPIC)):
        pool = pools[fold[x]]
        seen = [each for each in range(len(TOPIC)) if fold[each] != fold[x]]
        terms = [[term(tables, human, each, system) for system in pool] for each in seen]
        model = LinearRegression().fit(terms, human[seen])
        expected = np.zeros(4)
        for weight, system in zip(model.coef_, pool, strict=True):
            expected[system] = weight * term(tables, human, x, system)
        assert found[0, x] == pytest.approx(model.intercept_)
        assert found[1:, x] == pytest.approx(expected)


def test_the_score_is_where_the_line_crosses_one_half():
    # the first system beats those of 1, 2, 4 on .9, .7, .3 of the topics: .5 at 3
    rates, human = np.full((4, 4), 0.5), np.array([0.0, 1, 2, 4])
    rates[0, 1:] = 0.9, 0.7, 0.3
    assert regression._relative_scores(rates, human)[0] == pytest.approx(3)
    rates[0, 1:] = 0.4, 0.3, 0.1
    assert regression._relative_scores(rates, human)[0] == pytest.approx(0)  # below all others
    assert regression._relative_scores(rates, human, (0.5, 5))[0] == 0.5  # moved into the range


@given(st.integers(0, 100))
def test_it_is_a_regression_on_the_others(seed):
    generator = np.random.default_rng(seed)
    human, rates = generator.random(6), generator.random((6, 6))
    found = regression._relative_scores(rates, human)
    for system in range(6):
        others = np.arange(6) != system
        slope, intercept = np.polyfit(human[others], rates[system, others], 1)
        assert found[system] == pytest.approx((0.5 - intercept) / slope)


@each_case(
    ("rates", "human"),
    [
        (np.full((3, 3), 0.5), np.array([1.0, 2, 3])),
        (np.random.default_rng(0).random((3, 3)), np.full(3, 2.0)),
        (np.array([[0.5, 1], [0, 0.5]]), np.array([1.0, 2])),
    ],
)
def test_level_lines_and_single_systems_say_nothing(rates, human):
    assert np.isnan(regression._relative_scores(rates, human)).all()


# Estimates of outputs and of systems as a whole, against their definitions

OUTPUTS = judged(topics=4, systems=5)
OF_OUTPUTS = OUTPUTS.human, OUTPUTS.topic
OF_SYSTEMS = OUTPUTS.human, OUTPUTS.topic, OUTPUTS.system
ALIKE = {topic: 0.1 + 0.8 * np.random.default_rng(topic).random((5, 5)) for topic in range(4)}
THRESHOLDS = np.linspace(0, 1, 11)


def test_the_gap_is_over_the_outputs_that_have_an_estimate():
    pooled = regression.PooledEstimates.by_means(ALIKE, *OF_OUTPUTS, THRESHOLDS)
    rows = np.flatnonzero(OUTPUTS.topic == 2)
    expected = regression._pooled_scores(ALIKE[2], OUTPUTS.human[rows], THRESHOLDS)
    assert np.allclose(pooled.estimates[:, rows], expected, equal_nan=True)
    known = ~np.isnan(pooled.estimates)
    gap = pooled.gap(*OF_OUTPUTS).value
    for value, row, there in zip(gap, pooled.estimates, known, strict=True):
        expected = np.abs(row - OUTPUTS.human)[there].mean() if there.any() else np.nan
        assert value == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("row", [0, 5])
def test_neither_of_a_pair_has_a_say_in_the_score_of_the_other(row):
    right = every = rival = 0
    for topic, table in ALIKE.items():
        rows = np.flatnonzero(OUTPUTS.topic == topic)
        human, values = OUTPUTS.human[rows], OUTPUTS.values[0, rows]
        scores = regression._pooled_pairs(table, human, THRESHOLDS[row])
        for better, worse in np.argwhere(human[:, None] > human):
            if not np.isnan([scores[better, worse], scores[worse, better]]).any():
                right += (scores[better, worse] - scores[worse, better]).round(12) > 0
                rival += values[better] > values[worse]
                every += 1
    pooled = regression.PooledEstimates.by_means(ALIKE, *OF_OUTPUTS, THRESHOLDS)
    found = pooled.precision(*OF_OUTPUTS, OUTPUTS.values[0])
    assert [each.value[row] for each in found] == pytest.approx([right / every, rival / every])


@pytest.mark.parametrize("unit", [OUTPUTS.topic, OUTPUTS.system], ids=["topics", "systems"])
def test_a_pair_is_ranked_without_the_terms_that_either_has_of_the_other(unit):
    human, topic, system = OF_SYSTEMS
    fold = regression.assign_folds(unit, 2)
    pooled = regression.PooledEstimates.by_equation_1(ALIKE, *OF_SYSTEMS, fold)
    parts = regression._weighted_subscores(ALIKE, *OF_SYSTEMS, fold)
    estimates = parts.sum(axis=0)
    assert pooled.estimates == pytest.approx(estimates[None])
    assert pooled.gap(*OF_OUTPUTS).value == pytest.approx([np.abs(estimates - human).mean()])
    right = every = 0
    for better, worse in np.argwhere((human[:, None] > human) & (topic[:, None] == topic)):
        ours = estimates[better] - parts[1 + system[worse], better]
        right += ours > estimates[worse] - parts[1 + system[better], worse]
        every += 1
    precision, _ = pooled.precision(*OF_OUTPUTS, OUTPUTS.values[0])
    assert precision.value == pytest.approx([right / every])


def win_rates(values):
    """On which share of the topics, all answered by all, the row is above the column; ties half."""
    (table,) = as_table(values, OUTPUTS.topic, OUTPUTS.system)
    one, other = table[:, :, None], table[:, None, :]
    return ((one > other) + (one == other) / 2).mean(axis=0)


MEANS = np.array([OUTPUTS.human[OUTPUTS.system == each].mean() for each in range(5)])
LIMITS = OUTPUTS.human.min(), OUTPUTS.human.max()


@pytest.mark.parametrize("decimals", [9, 0], ids=["as they are", "tied"])
def test_systems_are_estimated_and_ranked_by_their_win_rates(decimals):
    values = OUTPUTS.values[[0, 3]].round(decimals)
    found = regression.relative_quality(values, *OF_SYSTEMS)
    for row, own in enumerate(values):
        estimates = regression._relative_scores(win_rates(own), MEANS, LIMITS)
        means = [own[OUTPUTS.system == each].mean() for each in range(5)]
        one = np.zeros(5, dtype=int)
        assert found["gap"].value[row] == pytest.approx(np.nanmean(np.abs(estimates - MEANS)))
        known = ~np.isnan(estimates)
        expected = [
            topic_auc(np.array(each)[None, rows], MEANS[rows], one[rows], ties=0).by_topic[0, 0]
            for each, rows in ((estimates, known), (means, one == 0))
        ]
        assert [found[name].value[row] for name in ("precision", "plain")] == pytest.approx(
            expected
        )


def test_tied_systems_are_ranked_wrong():
    assert regression.relative_quality(np.ones((1, 20)), *OF_SYSTEMS)["plain"].value == [0]


def test_a_resample_is_that_of_its_topics_and_systems():
    rows = np.stack([OUTPUTS.human, OUTPUTS.values[0]])
    people, values = as_table(rows, OUTPUTS.topic, OUTPUTS.system)
    weights = two_way_weights(4, 5, RESAMPLES, 0)
    gaps = regression.relative_quality(OUTPUTS.values[:1], *OF_SYSTEMS)["gap"].rows[0]
    for gap, *drawn in itertools.islice(zip(gaps, *weights, strict=True), 20):
        topics, systems = (np.repeat(np.arange(len(each)), each.astype(int)) for each in drawn)
        rates = (values[topics, :, None] > values[topics, None, :]).mean(axis=0)
        scores = people[topics].mean(axis=0)
        apart = np.abs(regression._relative_scores(rates, scores, LIMITS) - scores)[systems]
        expected = apart[~np.isnan(apart)].mean() if not np.isnan(apart).all() else np.nan
        assert gap == pytest.approx(expected, nan_ok=True)


def test_gap_of_systems_by_estimates_of_outputs():
    estimates = OUTPUTS.human + 0.25
    gone = np.where(OUTPUTS.system == 0, np.nan, estimates)
    gap = regression.system_gap(np.vstack([estimates, gone]), *OF_SYSTEMS)
    assert gap.value == pytest.approx([0.25, 0.25])
    assert gap.samples == pytest.approx(np.full((2, RESAMPLES), 0.25))
