import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.regression.linear import Learner, Linear, multiple, simple

FOLD = np.zeros(30, dtype=np.int64)


def data(seed: int, measures: int = 3) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(measures, 30)) * 10.0 ** np.arange(measures)[:, None]
    return values, values[0] - values[-1] / 60 + generator.normal(size=30)


def test_a_model_is_a_weighted_sum() -> None:
    assert Linear(1, np.array([2.0, -1]))(np.array([[1.0, 0], [3, 5]])).tolist() == [0, -4]


@given(st.integers(0, 50))
def test_multiple_regression_is_least_squares(seed: int) -> None:
    values, human = data(seed)
    found = multiple(values, human, FOLD)
    expected = np.linalg.lstsq(np.vstack([np.ones(30), values]).T, human)[0]
    assert [found.intercept, *found.weights] == pytest.approx(expected)


def test_constant_and_repeated_measures_do_no_harm() -> None:
    values, human = data(0)
    expected = multiple(values, human, FOLD)(values)
    more = np.vstack([values, values[0], np.full(30, 0.3)])
    assert multiple(more, human, FOLD)(more) == pytest.approx(expected)


@given(st.integers(0, 50))
def test_simple_regression_takes_the_one_best_measure(seed: int) -> None:
    values, human = data(seed)
    errors = [
        ((multiple(each[None], human, FOLD)(each[None]) - human) ** 2).sum() for each in values
    ]
    best = int(np.argmin(errors))
    found = simple(values, human, FOLD)
    assert np.flatnonzero(found.weights).tolist() == [best]
    assert ((found(values) - human) ** 2).sum() == pytest.approx(errors[best])


def test_a_constant_measure_explains_nothing() -> None:
    found = simple(np.full((1, 30), 0.1), np.arange(30.0), FOLD)
    assert found.intercept == 14.5
    assert found.weights.tolist() == [0]


@pytest.mark.parametrize("learner", [multiple, simple])
def test_a_measure_that_is_constant_in_training_is_not_looked_at(learner: Learner) -> None:
    generator = np.random.default_rng(0)
    first, human, constant = generator.random(90), generator.random(90), np.full(90, 0.1)
    for values in (constant[None], np.array([first, constant])):
        model = learner(values, human, np.zeros(90, dtype=np.int64))
        assert model.weights[-1] == 0  # type: ignore[attr-defined]
