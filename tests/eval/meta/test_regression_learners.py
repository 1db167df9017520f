import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Lasso, Ridge
from sklearn.svm import SVR

from tests.cases import each_case
from weps_eval.meta.regression import (
    Model,
    aicc_values,
    best_aicc,
    candidate_models,
    fit_tuned,
    lasso_regression,
    multiple_regression,
    ridge_regression,
    support_vectors,
    voted_learner,
    vrm,
)

SIZE = 48
FOLD = np.arange(SIZE) // 8
LEARNERS = [ridge_regression, lasso_regression, support_vectors]


def data(seed: int = 0, noise: float = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(5, 2, size=(6, SIZE))
    return values, values[0] - values[1] + generator.normal(0, noise, size=SIZE)


def standard(rows: np.ndarray) -> np.ndarray:
    return (rows - rows.mean(axis=-1, keepdims=True)) / rows.std(axis=-1, keepdims=True)


def ridge(values: np.ndarray, human: np.ndarray, fold: np.ndarray, choices: list[float]) -> Model:
    return fit_tuned(values, human, fold, lambda penalty: Ridge(alpha=penalty), choices)


def test_one_choice_is_that_of_the_library():
    values, human = data()
    rows = standard(values).T
    expected = human.mean() + human.std() * Ridge(alpha=7).fit(rows, standard(human)).predict(rows)
    assert ridge(values, human, FOLD, [7.0])(values) == pytest.approx(expected)


@each_case(
    ("learner", "estimator"),
    [
        (ridge_regression, Ridge(alpha=10)),
        (lasso_regression, Lasso(alpha=10**-1.5)),
        (support_vectors, SVR(C=1)),
    ],
)
def test_without_folds_it_is_the_middle_choice(learner, estimator):
    values, human = data()
    rows = standard(values).T
    expected = human.mean() + human.std() * estimator.fit(rows, standard(human)).predict(rows)
    assert learner(values, human, 0 * FOLD)(values) == pytest.approx(expected, abs=1e-3)


@each_case("learner", LEARNERS)
def test_no_scale_matters(learner):
    values, human = data()
    factors = np.array([[1e-3], [1], [10], [1e4], [2], [3]])
    found = learner(values, human, FOLD)(values)
    again = learner(factors * values + 3, 100 * human - 5, FOLD)(factors * values + 3)
    assert again == pytest.approx(100 * found - 5, rel=1e-3, abs=0.5)


def test_the_choice_is_the_one_with_the_least_error_over_the_folds():
    values, human = data(noise=3)
    choices = [0.01, 1.0, 30.0, 1000.0]
    fold = FOLD % 5  # as the learner puts them together
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
    expected = ridge(values, human, FOLD, [best])(values)
    assert ridge(values, human, FOLD, choices)(values) == pytest.approx(expected)


def test_without_a_penalty_it_is_least_squares():
    values, human = data()
    least_squares = multiple_regression(values, human, FOLD)(values)
    assert ridge(values, human, FOLD, [1e-9])(values) == pytest.approx(least_squares, rel=1e-6)


@each_case("learner", LEARNERS)
def test_one_fold_and_constants_are_no_error(learner):
    values, human = data()
    values[2] = 0.1
    alone = learner(values, human, np.zeros(SIZE, dtype=np.int64))
    assert np.isfinite(alone(values)).all()
    level = learner(values, np.full(SIZE, 0.3), FOLD)
    assert level(values) == pytest.approx(np.full(SIZE, 0.3))


NO_FOLDS = np.zeros(0, dtype=np.int64)


def data_voted(measures: int = 4, size: int = 14, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(measures, size))
    return values, values[0] + values[-1] + generator.normal(0, 2, size=size)


def test_the_worked_example_of_the_paper():
    """Of the seven models of three measures four are candidates; .72 is their mean (section 3.3).

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


def test_the_best_alone_is_the_vote_within_nothing():
    values, human = data_voted()
    single = best_aicc(values, human, NO_FOLDS)(values)
    assert single == pytest.approx(voted_learner(0)(values, human, NO_FOLDS)(values))
    many = vrm(values, human, within=5)
    assert len(many.subsets) > 1
    assert many.model(values) != pytest.approx(single)


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
