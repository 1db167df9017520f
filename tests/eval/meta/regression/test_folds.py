import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.regression import (
    best_aicc,
    cross_validated,
    folds,
    lasso,
    multiple,
    ridge,
    simple,
    support_vectors,
    voted,
)
from eval.meta.regression.linear import Floats, Ints, Learner, Model
from weps.errors import ValuesError

LEARNERS = [
    simple,
    multiple,
    best_aicc(),
    voted(),
    ridge([1.0, 30.0]),
    lasso([0.01, 0.1]),
    support_vectors(),
]


def data(size: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(3, size))
    return values, values[0] + generator.normal(size=size)


@given(st.lists(st.integers(0, 8), min_size=2, max_size=40), st.integers(2, 5), st.integers(0, 9))
def test_groups_stay_together_and_folds_are_even(groups: list[int], count: int, seed: int) -> None:
    names = set(groups)
    if len(names) < count:
        with pytest.raises(ValuesError, match="make no"):
            folds(groups, count, seed)
        return
    found = folds(groups, count, seed)
    pairs = set(zip(groups, found.tolist(), strict=True))
    assert len(pairs) == len(names)
    sizes = np.bincount([fold for _, fold in pairs], minlength=count)
    assert sizes.max() - sizes.min() <= 1
    assert np.array_equal(found, folds(groups, count, seed))


def test_each_group_on_its_own() -> None:
    assert folds([7, 2, 7, 3]).tolist() == [2, 0, 2, 1]


def test_the_seed_deals_the_groups() -> None:
    assert not np.array_equal(folds(range(30), 5, seed=0), folds(range(30), 5, seed=1))


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_is_estimated_has_not_been_seen(learner: Learner) -> None:
    """The scores of a fold, however wild, change nothing in the fold's own estimates."""
    values, human = data()
    fold = np.arange(40) // 8
    once = cross_validated(learner, values, human, fold)
    for each in range(5):
        wild = np.where(fold == each, 1e3 * (-1.0) ** np.arange(40), human)
        again = cross_validated(learner, values, wild, fold)
        assert np.array_equal(once[fold == each], again[fold == each])
        assert not np.array_equal(once[fold != each], again[fold != each])


def test_learners_are_given_the_other_folds_alone() -> None:
    seen: list[tuple[int, list[int]]] = []

    def learner(values: Floats, _: Floats, fold: Ints) -> Model:
        seen.append((values.shape[1], np.unique(fold).tolist()))
        return lambda unseen: unseen[0]

    values, human = data(6)
    found = cross_validated(learner, values, human, [0, 0, 1, 1, 1, 4])
    assert seen == [(4, [1, 4]), (3, [0, 4]), (5, [0, 1])]
    assert np.array_equal(found, values[0])


def test_models_within_topics_see_their_topic_alone() -> None:
    values, human = data()
    topic, fold = np.arange(40) % 2, np.arange(40) // 8
    found = cross_validated(multiple, values, human, fold, within=topic)
    for each in range(2):
        rows = topic == each
        alone = cross_validated(multiple, values[:, rows], human[rows], fold[rows])
        assert np.array_equal(found[rows], alone)


def test_one_fold_leaves_nothing_to_learn_from() -> None:
    with pytest.raises(ValuesError, match="all 40 instances are in one fold"):
        cross_validated(multiple, *data(), np.zeros(40, dtype=int))
