import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.ensemble import HistGradientBoostingClassifier

from tests.weps.builders import unhurried
from tests.weps.growing.cases import some_pairs, unseen
from weps.coreference import LEAF, BoostedTrees
from weps.errors import ValuesError
from weps.growing import grow_boosted
from weps.growing.boosted import _coarse, _thresholds

QUICK = {"rounds": 8, "leaves": 5, "leaf": 5, "share_of_columns": 1.0}


def single(classifier: HistGradientBoostingClassifier) -> HistGradientBoostingClassifier:
    """The classifier, its leaves rounded to single precision as they are kept."""
    for (tree,) in classifier._predictors:
        tree.nodes["value"] = tree.nodes["value"].astype(np.float32)
    return classifier


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_it_predicts_what_scikit_learn_predicts(seed):
    """Few values, so that the thresholds to choose from are scikit-learn's own."""
    values, coreferent, weights = some_pairs(seed)
    reference = HistGradientBoostingClassifier(
        max_iter=8,
        learning_rate=0.2,
        max_leaf_nodes=5,
        min_samples_leaf=5,
        l2_regularization=2.0,
        max_features=0.7,
        early_stopping=False,
        random_state=4,
    ).fit(values, coreferent, sample_weight=weights)
    settings = QUICK | {"rate": 0.2, "shrinkage": 2.0, "share_of_columns": 0.7, "seed": 4}
    found = grow_boosted(values, coreferent, weights, **settings)
    pairs = unseen(values, seed)
    expected = single(reference).predict_proba(pairs)[:, 1]
    np.testing.assert_allclose(found.predict(pairs), expected, rtol=0, atol=1e-12)


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_boosted_trees_are_sound_and_read_back(seed):
    values, coreferent, weights = some_pairs(seed, parts=1000)
    boosted = grow_boosted(values, coreferent, weights, **QUICK)
    again = BoostedTrees.from_data(json.loads(json.dumps(boosted.to_data())), columns=3)
    assert again.predict(values).tobytes() == boosted.predict(values).tobytes()


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("rounds", 9),
        ("rate", 0.5),
        ("leaves", 3),
        ("leaf", 40),
        ("shrinkage", 50.0),
        ("share_of_columns", 0.4),
        ("steps", 4),
        ("monotone", [1, 1, -1]),
    ],
)
def test_every_setting_is_heeded(setting, value):
    some = some_pairs(0)
    assert grow_boosted(*some, **QUICK).to_data() == grow_boosted(*some, **QUICK).to_data()
    other = grow_boosted(*some, **QUICK | {setting: value})
    assert other.to_data() != grow_boosted(*some, **QUICK).to_data()


def test_the_columns_drawn_depend_on_the_seed_alone():
    settings = QUICK | {"share_of_columns": 0.4}
    first, again, other = (
        grow_boosted(*some_pairs(0), **settings, seed=seed).to_data() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_pairs_weigh_what_they_are_said_to_weigh():
    values, coreferent, _ = some_pairs(0)
    heavy = grow_boosted(values, coreferent, np.where(coreferent, 9.0, 1.0), **QUICK)
    even = grow_boosted(values, coreferent, np.ones(len(values)), **QUICK)
    share = np.average(coreferent, weights=np.where(coreferent, 9.0, 1.0))
    assert heavy.base == pytest.approx(logit(share))
    assert (heavy.predict(values) > even.predict(values)).all()


@pytest.mark.parametrize("direction", [1, -1])
def test_more_similar_never_means_less_probable_where_that_is_asked(direction):
    random = np.random.default_rng(0)
    values = random.random((300, 1), dtype=np.float32)
    wavy = np.sin(values[:, 0] * 9) > random.normal(size=300)
    settings = QUICK | {"rounds": 30}
    ladder = np.linspace(0, 1, 400, dtype=np.float32)[:, np.newaxis]
    free = np.diff(grow_boosted(values, wavy, np.ones(300), **settings).predict(ladder))
    ruled = grow_boosted(values, wavy, np.ones(300), **settings, monotone=[direction])
    assert (free * direction < 0).any()
    assert (np.diff(ruled.predict(ladder)) * direction >= 0).all()


@pytest.mark.parametrize(
    ("kinds", "expected"), [([True], 2 / 3), ([False] * 3, 1 / 5), ([True] * 8, 9 / 10)]
)
def test_pairs_of_one_kind_need_no_trees(kinds, expected):
    size = len(kinds)
    values = np.random.default_rng(0).random((size, 2), dtype=np.float32)
    boosted = grow_boosted(values, np.array(kinds), np.ones(size))
    assert len(boosted.trees.roots) == 0
    assert boosted.predict(values) == pytest.approx([expected] * size)
    assert BoostedTrees.from_data(boosted.to_data(), columns=2).to_data() == boosted.to_data()


@pytest.mark.parametrize("values", [np.zeros((4, 2)), np.full((4, 1), 7.5), np.eye(4)])
def test_where_nothing_can_be_asked_the_share_answers(values):
    """Constant columns, or too few pairs for two leaves."""
    boosted = grow_boosted(values, np.array([True, False, False, False]), np.ones(4), rounds=3)
    assert (boosted.trees.column == LEAF).all()
    assert boosted.predict(values.astype(np.float32)) == pytest.approx([0.25] * 4, abs=1e-6)


def test_two_pairs_are_told_apart():
    values = np.array([[0.25], [0.75]])
    boosted = grow_boosted(
        values, np.array([False, True]), np.ones(2), leaf=1, shrinkage=0.0, share_of_columns=1.0
    )
    thresholds = boosted.trees.threshold[boosted.trees.column != LEAF]
    low, high = boosted.predict(values.astype(np.float32))
    assert low < 0.1
    assert high > 0.9
    assert set(thresholds.tolist()) == {0.5}


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_refused(odd):
    with pytest.raises(ValuesError, match=r"column 1 .* no number"):
        grow_boosted(np.array([[0, 0], [0, odd]]), np.array([True, False]), np.ones(2))


numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.lists(numbers, min_size=1, max_size=30), st.lists(numbers, max_size=10))
@example(column=[2.0**127, 1.5 * 2.0**127], others=[])  # their sum is infinite
def test_thresholds_part_all_neighbours_of_few_values(column, others):
    distinct = np.unique(np.array(column, dtype=np.float32))
    thresholds = _thresholds(np.array(column, dtype=np.float32), 29)
    assert len(thresholds) == len(distinct) - 1
    assert np.isfinite(thresholds).all()
    assert (thresholds >= distinct[:-1]).all()
    assert (thresholds <= distinct[1:]).all()
    values = np.array(column + others, dtype=np.float32)
    coarse = _coarse(values[:, np.newaxis], [thresholds])[:, 0]
    for number, threshold in enumerate(thresholds):
        assert ((coarse <= number) == (values <= threshold)).all()


@pytest.mark.parametrize("most", [1, 31, 254])
@pytest.mark.parametrize("share_of_zeros", [0.0, 0.5, 0.999])
def test_many_values_are_parted_as_equally_as_may_be(share_of_zeros, most):
    random = np.random.default_rng(0)
    column = random.random(20_000, dtype=np.float32)
    column[random.random(20_000) < share_of_zeros] = 0
    thresholds = _thresholds(column, most)
    assert 1 <= len(thresholds) <= most
    assert (np.diff(thresholds) > 0).all()
    coarse = _coarse(column[:, np.newaxis], [thresholds])[:, 0]
    assert np.bincount(coarse[column > 0].astype(int)).max() <= 20_000 / (most + 1) + 1


def test_many_values_are_learnt_from_as_well_as_few():
    random = np.random.default_rng(0)
    values = random.random((3000, 2), dtype=np.float32)
    truth = expit(12 * (values[:, 0] - 0.5))
    boosted = grow_boosted(values, random.random(3000) < truth, np.ones(3000), rounds=60)
    assert np.abs(boosted.predict(values) - truth).mean() < 0.06
