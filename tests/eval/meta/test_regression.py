"""Linear models of human scores, cross-validation, and voted regression."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Lasso, Ridge
from sklearn.svm import SVR

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta.regression import (
    Model,
    Subsets,
    aicc_values,
    assign_folds,
    best_aicc,
    candidate_models,
    cross_validate_scores,
    fit_tuned,
    lasso_regression,
    multiple_regression,
    ridge_regression,
    simple_regression,
    support_vectors,
    voted_learner,
    vrm,
)

LEARNERS = [
    simple_regression,
    multiple_regression,
    best_aicc,
    voted_learner(),
    ridge_regression,
    lasso_regression,
    support_vectors,
]


def data(size: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(3, size))
    return values, values[0] + generator.normal(size=size)


@given(st.lists(st.integers(0, 8), min_size=2, max_size=40), st.integers(2, 5), st.integers(0, 9))
def test_groups_stay_together_and_folds_are_even(groups, count, seed):
    names = set(groups)
    if len(names) < count:
        with pytest.raises(ValuesError, match="make no"):
            assign_folds(groups, count, seed)
        return
    found = assign_folds(groups, count, seed)
    pairs = set(zip(groups, found.tolist(), strict=True))
    assert len(pairs) == len(names)
    sizes = np.bincount([fold for _, fold in pairs], minlength=count)
    assert sizes.max() - sizes.min() <= 1
    assert np.array_equal(found, assign_folds(groups, count, seed))


@each_case("learner", LEARNERS)
def test_what_is_estimated_has_not_been_seen(learner):
    """The scores of a fold, however wild, change nothing in the fold's own estimates."""
    values, human = data()
    fold = np.arange(40) // 8
    once = cross_validate_scores(learner, values, human, fold)
    for each in (0, 3):
        wild = np.where(fold == each, 1e3 * (-1.0) ** np.arange(40), human)
        again = cross_validate_scores(learner, values, wild, fold)
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
    found = multiple_regression(values, human, FOLD)
    expected = np.linalg.lstsq(np.vstack([np.ones(30), values]).T, human)[0]
    assert [found.intercept, *found.weights] == pytest.approx(expected)


@given(st.integers(0, 50))
def test_simple_regression_takes_the_one_best_measure(seed):
    values, human = data_linear(seed)
    errors = [
        ((multiple_regression(each[None], human, FOLD)(each[None]) - human) ** 2).sum()
        for each in values
    ]
    best = int(np.argmin(errors))
    found = simple_regression(values, human, FOLD)
    assert np.flatnonzero(found.weights).tolist() == [best]
    assert ((found(values) - human) ** 2).sum() == pytest.approx(errors[best])


@pytest.mark.parametrize("learner", [multiple_regression, simple_regression])
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
    found = Subsets.of(values, human)
    for subset in range(2**measures):
        members = [m for m in range(measures) if subset >> m & 1]
        model = multiple_regression(values[members], human, np.zeros(size, dtype=np.int64))
        error = ((human - model(values[members])) ** 2).sum() / ((human - human.mean()) ** 2).sum()
        assert found.residual[subset] == pytest.approx(error, abs=1e-9)
        assert found.sizes[subset] == len(members)
        expected = np.zeros(measures)
        expected[members] = model.weights
        assert found.weights(np.array([subset])) == pytest.approx(expected)


def test_dependent_and_constant_measures_have_no_regression():
    values, human = data_subsets(2, 9, 1)
    found = Subsets.of(np.vstack([values, values[0] - values[1], np.full(9, 0.1)]), human)
    missing = np.flatnonzero(np.isnan(found.residual))
    assert missing.tolist() == [7, *range(8, 16)]


def test_equal_scores_leave_nothing():
    found = Subsets.of(data_subsets(2, 9, 2)[0], np.full(9, 0.1))
    assert found.residual.tolist() == [0, 0, 0, 0]
    assert found.weights(np.array([3])).tolist() == [0, 0]


def test_so_many_subsets_are_refused():
    with pytest.raises(ValuesError, match=r"21 measures have 2\^21 subsets; choose at most 20"):
        Subsets.of(np.zeros((21, 30)), np.zeros(30))


SIZE = 48
FOLDS = np.arange(SIZE) // 8
TUNED = [ridge_regression, lasso_regression, support_vectors]


def data_tuned(seed: int = 0, noise: float = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(5, 2, size=(6, SIZE))
    return values, values[0] - values[1] + generator.normal(0, noise, size=SIZE)


def standard(rows: np.ndarray) -> np.ndarray:
    return (rows - rows.mean(axis=-1, keepdims=True)) / rows.std(axis=-1, keepdims=True)


def ridge(values: np.ndarray, human: np.ndarray, fold: np.ndarray, choices: list[float]) -> Model:
    return fit_tuned(values, human, fold, lambda penalty: Ridge(alpha=penalty), choices)


def test_one_choice_is_that_of_the_library():
    values, human = data_tuned()
    rows = standard(values).T
    expected = human.mean() + human.std() * Ridge(alpha=7).fit(rows, standard(human)).predict(rows)
    assert ridge(values, human, FOLDS, [7.0])(values) == pytest.approx(expected)


@each_case(
    ("learner", "estimator"),
    [
        (ridge_regression, Ridge(alpha=10)),
        (lasso_regression, Lasso(alpha=10**-1.5)),
        (support_vectors, SVR(C=1)),
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
    chosen = candidate_models(np.array([-8.1, -3.0, -7.2, -8.9, -6.8, -7.4, math.inf]), within=2)
    assert sorted(chosen.tolist()) == [0, 2, 3, 5]
    assert round(estimates[chosen].mean(), 2) == 0.72


def test_a_corrected_criterion_by_hand():
    # N = 10, K = 3: 10 ln(.2 / 10) + 6 + 24 / 6
    assert aicc_values([0.2], [3], 10) == pytest.approx([10 * math.log(0.02) + 10])
    assert aicc_values([0.2, 0.2, np.nan], [8, 9, 3], 10).tolist()[1] == math.inf
    assert np.isnan(aicc_values([np.nan], [3], 10)).all()
    assert aicc_values([0.0], [3], 10) == aicc_values([1e-15], [3], 10)


@each_case(("within", "expected"), [(0, [1, 3]), (0.5, [1, 3, 0]), (99, [1, 3, 0, 4])])
def test_candidates_are_near_the_best(within, expected):
    criterion = np.array([1.5, 1, math.inf, 1, 3, np.nan])
    assert candidate_models(criterion, within).tolist() == expected
    assert not len(candidate_models(np.array([math.inf, np.nan]), within))


@given(st.integers(1, 5), st.integers(6, 15), st.integers(0, 99), st.sampled_from([0.5, 2, 7]))
def test_the_model_votes_as_all_its_candidates(measures, size, seed, within):
    values, human = data_voted(measures, size, seed)
    scored = []
    for count in range(1, measures + 1):
        for members in combinations(range(measures), count):
            model = multiple_regression(values[list(members)], human, NO_FOLDS)
            rest, parameters = ((human - model(values[list(members)])) ** 2).sum(), count + 2
            if size - parameters > 1:
                correction = 2 * parameters * (parameters + 1) / (size - parameters - 1)
                value = size * math.log(rest / size) + 2 * parameters + correction
                scored.append((value, members, model))
    best = min(value for value, *_ in scored)
    good = [each for each in scored if each[0] <= best + within]
    unseen = np.random.default_rng(seed).normal(size=(measures, 4))
    expected = np.mean([model(unseen[list(members)]) for _, members, model in good], axis=0)
    found = vrm(values, human, within=within)
    assert found.model(unseen) == pytest.approx(expected)
    assert {sum(1 << m for m in members) for _, members, _ in good} == set(found.subsets.tolist())
    assert sorted(value - best for value, *_ in good) == pytest.approx(found.difference, abs=1e-9)
    shares = [np.mean([m in members for _, members, _ in good]) for m in range(measures)]
    assert found.support == pytest.approx(shares)


def test_two_copies_of_a_measure_are_two_candidates_but_never_together():
    values, human = data_voted(1)
    found = vrm(np.vstack([values, values]), human)
    assert sorted(found.subsets.tolist()) == [1, 2]
    assert best_aicc(np.vstack([values, values]), human, NO_FOLDS).weights[1] == 0


def test_a_perfect_fit_takes_no_more_than_it_needs():
    values, _ = data_voted()
    found = vrm(values, 3 * values[1] - 1)
    assert found.subsets.tolist() == [2]
    assert found.model(values) == pytest.approx(3 * values[1] - 1)


@pytest.mark.parametrize(
    ("values", "human"),
    [(np.ones((2, 9)), np.arange(9.0)), (np.arange(8.0).reshape(2, 4), np.arange(4.0))],
    ids=["constant measures", "four instances"],
)
def test_where_nothing_can_be_fitted_the_mean_is_the_model(values, human):
    found = vrm(values, human)
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
        vrm(values, human)  # type: ignore[arg-type]
