import numpy as np
import pytest
from sklearn.linear_model import Lasso, Ridge
from sklearn.svm import SVR

from eval.meta.regression.linear import Learner, multiple
from eval.meta.regression.tuned import lasso, ridge, support_vectors

SIZE = 48
FOLD = np.arange(SIZE) // 8
LEARNERS = [ridge(), lasso(), support_vectors(), support_vectors(kernel="linear")]


def data(seed: int = 0, noise: float = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(5, 2, size=(6, SIZE))
    return values, values[0] - values[1] + generator.normal(0, noise, size=SIZE)


def standard(rows: np.ndarray) -> np.ndarray:
    return (rows - rows.mean(axis=-1, keepdims=True)) / rows.std(axis=-1, keepdims=True)


@pytest.mark.parametrize(
    ("learner", "estimator"),
    [
        (ridge([7.0]), Ridge(alpha=7)),
        (lasso([0.1]), Lasso(alpha=0.1)),
        (support_vectors([2.0]), SVR(C=2)),
    ],
)
def test_one_choice_is_that_of_the_library(learner: Learner, estimator: object) -> None:
    values, human = data()
    rows = standard(values).T
    estimator.fit(rows, standard(human))  # type: ignore[attr-defined]
    expected = human.mean() + human.std() * estimator.predict(rows)  # type: ignore[attr-defined]
    assert learner(values, human, FOLD)(values) == pytest.approx(expected)


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_scale_matters(learner: Learner) -> None:
    values, human = data()
    factors = np.array([[1e-3], [1], [10], [1e4], [2], [3]])
    found = learner(values, human, FOLD)(values)
    again = learner(factors * values + 3, 100 * human - 5, FOLD)(factors * values + 3)
    assert again == pytest.approx(100 * found - 5, rel=1e-3, abs=0.5)


def test_the_choice_is_the_one_with_the_least_error_over_the_folds() -> None:
    values, human = data(noise=3)
    choices = [0.01, 1.0, 30.0, 1000.0]
    fold = FOLD % 5  # as the learner puts them together
    errors = []
    for choice in choices:
        learner, squares = ridge([choice]), 0.0
        for each in range(5):
            out = fold == each
            model = learner(values[:, ~out], human[~out], fold[~out])
            squares += ((model(values[:, out]) - human[out]) ** 2).sum()
        errors.append(squares)
    best = choices[int(np.argmin(errors))]
    assert best not in (choices[0], choices[-1])
    expected = ridge([best])(values, human, FOLD)(values)
    assert ridge(choices)(values, human, FOLD)(values) == pytest.approx(expected)


def test_penalties_between_nothing_and_everything() -> None:
    values, human = data()
    least_squares = multiple(values, human, FOLD)(values)
    assert ridge([1e-9])(values, human, FOLD)(values) == pytest.approx(least_squares, rel=1e-6)
    assert lasso([1.0])(values, human, FOLD)(values) == pytest.approx(human.mean())


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_fold_and_constants_are_no_error(learner: Learner) -> None:
    values, human = data()
    values[2] = 0.1
    alone = learner(values, human, np.zeros(SIZE, dtype=np.int64))
    assert np.isfinite(alone(values)).all()
    level = learner(values, np.full(SIZE, 0.3), FOLD)
    assert level(values) == pytest.approx(np.full(SIZE, 0.3))
