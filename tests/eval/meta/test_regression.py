import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta.regression import (
    Model,
    Subsets,
    assign_folds,
    best_aicc,
    cross_validate_scores,
    lasso_regression,
    multiple_regression,
    ridge_regression,
    simple_regression,
    support_vectors,
    voted_learner,
)
from weps_eval.stats.arrays import Floats, Ints

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


def test_learners_are_given_the_other_folds_alone():
    seen: list[tuple[int, list[int]]] = []

    def learner(values: Floats, _: Floats, fold: Ints) -> Model:
        seen.append((values.shape[1], np.unique(fold).tolist()))
        return lambda unseen: unseen[0]

    values, human = data(6)
    found = cross_validate_scores(learner, values, human, np.array([0, 0, 1, 1, 1, 4]))
    assert seen == [(4, [1, 4]), (3, [0, 4]), (5, [0, 1])]
    assert np.array_equal(found, values[0])


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


def test_constant_and_repeated_measures_do_no_harm():
    values, human = data_linear(0)
    expected = multiple_regression(values, human, FOLD)(values)
    more = np.vstack([values, values[0], np.full(30, 0.3)])
    assert multiple_regression(more, human, FOLD)(more) == pytest.approx(expected)


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
