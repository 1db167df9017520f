import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.weps.builders import smoothed, unhurried
from tests.weps.growing.cases import some_pairs, unseen
from weps.coreference import LEAF, DecisionTree, Forest
from weps.errors import ValuesError
from weps.growing import grow_forest, grow_tree
from weps.growing.trees import _rounded_down

seeds = st.integers(0, 2**31 - 1)
TREE = {"depth": 4, "leaf": 7, "seed": 3}
FOREST = {"size": 6, "leaf": 4, "seed": 3}
single_numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


def neighbours(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs to learn from, next to each other in single precision, and those next to them.

    Halfway between two of them lies no number of that precision.
    """
    random = np.random.default_rng(seed)
    least = np.array([1, 8, -1000], dtype=np.float32)
    steps = random.integers(0, 12, (200, 3)).astype(np.float32)
    further = np.tile(np.arange(-1, 13, dtype=np.float32), (3, 1)).T
    apart = np.spacing(np.abs(least))
    return least + steps * apart, least + random.permuted(further, axis=0) * apart


def smoothed_forest(
    classifier: RandomForestClassifier, learnt: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """What a scikit-learn forest predicts, had each leaf seen one more pair of either kind."""
    told = []
    for tree, drawn in zip(classifier.estimators_, classifier.estimators_samples_, strict=True):
        seen = tree.apply(learnt[np.unique(drawn)])
        pairs = np.array([np.count_nonzero(seen == leaf) for leaf in tree.apply(values)])
        told.append((tree.predict_proba(values)[:, 1] * pairs + 1) / (pairs + 2))
    return np.mean(told, axis=0)


@given(seeds)
@unhurried
def test_a_tree_predicts_what_scikit_learn_predicts(seed):
    values, coreferent, weights = some_pairs(seed)
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=7, random_state=3)
    reference.fit(values, coreferent, sample_weight=weights)
    pairs = unseen(values, seed)
    found = grow_tree(values, coreferent, weights, **TREE).predict(pairs)
    np.testing.assert_allclose(found, smoothed(reference, pairs), atol=1e-12)


@given(seeds, st.booleans())
@unhurried
def test_a_forest_predicts_what_scikit_learn_predicts(seed, close):
    values, coreferent, weights = some_pairs(seed)
    pairs = unseen(values, seed)
    if close:
        values, pairs = neighbours(seed)
    reference = RandomForestClassifier(6, min_samples_leaf=4, random_state=3)
    reference.fit(values, coreferent, sample_weight=weights)
    expected = smoothed_forest(reference, values, pairs)
    forest = grow_forest(values, coreferent, weights, **FOREST)
    np.testing.assert_allclose(forest.predict(pairs), expected, rtol=0, atol=1e-7)
    np.testing.assert_allclose(expected, reference.predict_proba(pairs)[:, 1], rtol=0, atol=1 / 6)


@given(seeds, st.booleans())
@unhurried
def test_a_forest_is_sound_and_reads_back(seed, close):
    values, coreferent, weights = some_pairs(seed, parts=1000)
    if close:
        values, _ = neighbours(seed)
    forest = grow_forest(values, coreferent, weights, **FOREST)
    again = Forest.from_data(json.loads(json.dumps(forest.to_data())), columns=3)
    assert again.to_data() == forest.to_data()
    assert again.predict(values).tobytes() == forest.predict(values).tobytes()


@given(st.lists(st.tuples(single_numbers, single_numbers), min_size=1))
def test_values_stay_on_their_side_of_a_threshold_rounded_down(ends):
    ends = np.array(ends, dtype=np.float32)
    thresholds = ends.astype(np.float64).mean(axis=1)
    rounded = _rounded_down(thresholds)
    assert rounded.dtype == np.float32
    above = np.nextafter(rounded, np.float32(np.inf))
    assert (rounded <= thresholds).all()
    assert (above > thresholds).all()


@pytest.mark.parametrize(("setting", "value"), [("size", 7), ("leaf", 30), ("seed", 4)])
def test_every_setting_of_a_forest_is_heeded(setting, value):
    some = some_pairs(0)
    first, again, other = (
        grow_forest(*some, **each).to_data() for each in (FOREST, FOREST, FOREST | {setting: value})
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize(("setting", "value"), [("depth", 2), ("leaf", 30)])
def test_every_setting_of_a_tree_is_heeded(setting, value):
    some = some_pairs(0)
    first, again, other = (
        grow_tree(*some, **each).to_data() for each in (TREE, TREE, TREE | {setting: value})
    )
    assert first == again
    assert first != other


def test_the_seed_decides_between_equally_good_questions():
    values, coreferent, weights = some_pairs(0)
    twice = np.repeat(values[:, :1], 9, axis=1)
    asked = {
        int(grow_tree(twice, coreferent, weights, **TREE | {"seed": seed}).column[0])
        for seed in range(9)
    }
    assert len(asked) > 1


@pytest.mark.parametrize("size", [1, 5])
def test_a_forest_has_as_many_trees_as_were_asked_for(size):
    forest = grow_forest(*some_pairs(0), size=size, leaf=4, seed=0)
    assert len(forest.trees.roots) == size


def test_no_leaf_of_a_forest_has_seen_few_pairs():
    values, coreferent, weights = some_pairs(0)
    forest = grow_forest(values, coreferent, weights, size=6, leaf=30, seed=0)
    leaves = forest.trees.value[forest.trees.column == LEAF]
    assert ((leaves >= 1 / 32) & (leaves <= 31 / 32)).all()
    for tree in range(6):
        shares = _of_one_tree(forest, tree).predict(values)
        assert np.unique(shares, return_counts=True)[1].min() >= 30


def _of_one_tree(forest: Forest, number: int) -> DecisionTree:
    trees = forest.trees
    start, end = [*trees.roots.tolist(), len(trees.column)][number : number + 2]
    left, right = (
        np.where(side == LEAF, LEAF, side - start)[start:end] for side in (trees.left, trees.right)
    )
    return DecisionTree(
        trees.column[start:end], trees.threshold[start:end], left, right, trees.value[start:end]
    )


def test_leaves_ask_nothing_and_questions_say_nothing():
    trees = grow_forest(*some_pairs(0), **FOREST).trees
    leaf = trees.column == LEAF
    assert (trees.left[leaf] == LEAF).all()
    assert (trees.right[leaf] == LEAF).all()
    assert (trees.threshold[leaf] == 0).all()
    assert (trees.value[~leaf] == 0).all()


def test_the_trees_of_a_forest_differ():
    values, coreferent, weights = some_pairs(0)
    forest = grow_forest(values, coreferent, weights, **FOREST)
    told = {_of_one_tree(forest, tree).predict(values).tobytes() for tree in range(6)}
    assert len(told) == 6


def test_questions_are_about_columns_drawn():
    """Only the first of nine columns tells anything; it is not always among the three drawn."""
    random = np.random.default_rng(0)
    values = random.random((300, 9), dtype=np.float32)
    forest = grow_forest(values, values[:, 0] > 0.5, np.ones(300), size=20, leaf=4, seed=0)
    first = forest.trees.column[forest.trees.roots]
    assert 1 < np.count_nonzero(first == 0) < 15


@pytest.mark.parametrize("share", [0.1, 0.75])
def test_pairs_weigh_what_they_are_said_to_weigh(share):
    """Half of the pairs are coreferent, and nothing tells them apart."""
    coreferent = np.arange(1000) < 500
    weights = np.where(coreferent, share, 1 - share)
    alike = np.zeros((1000, 1), dtype=np.float32)
    forest = grow_forest(alike, coreferent, weights, size=20, leaf=4, seed=0)
    tree = grow_tree(alike, coreferent, weights, **TREE)
    assert forest.predict(alike[:1]) == pytest.approx([share], abs=0.02)
    assert tree.predict(alike[:1]) == pytest.approx([share], abs=0.002)


def test_only_how_weights_compare_matters():
    values, coreferent, weights = some_pairs(0)
    forest = grow_forest(values, coreferent, weights, **FOREST)
    assert grow_forest(values, coreferent, weights * 8, **FOREST).to_data() == forest.to_data()


@pytest.mark.parametrize(("kind", "expected"), [(True, 4 / 5), (False, 1 / 5)])
def test_a_tree_grown_on_pairs_of_one_kind_has_some_doubt(kind, expected):
    tree = grow_tree(np.zeros((3, 1)), np.full(3, kind), np.ones(3), depth=6, leaf=1, seed=0)
    assert tree.predict(np.ones((1, 1), dtype=np.float32)) == pytest.approx([expected])


@pytest.mark.parametrize("size", [1, 3, 50])
@pytest.mark.parametrize("kind", [True, False])
def test_a_forest_grown_on_pairs_of_one_kind_has_more_doubt_than_a_tree(kind, size):
    """Each of its trees has seen some of the pairs: one at least, all at most."""
    values = np.random.default_rng(0).random((size, 2), dtype=np.float32)
    forest = grow_forest(values, np.full(size, kind), np.ones(size), size=9, leaf=1, seed=0)
    assert len(forest.trees.column) == 9
    (told, *others) = forest.predict(values)
    assert set(others) <= {told}
    assert 2 / 3 - 1e-6 <= (told if kind else 1 - told) <= (size + 1) / (size + 2) + 1e-6


@pytest.mark.parametrize("odd", [np.nan, np.inf])
@pytest.mark.parametrize(("grow", "settings"), [(grow_tree, TREE), (grow_forest, FOREST)])
def test_values_that_are_no_numbers_are_refused(grow, settings, odd):
    values, coreferent, weights = some_pairs(0)
    values[coreferent, 1] = odd
    with pytest.raises(ValuesError, match=r"column 1 .* no number"):
        grow(values, coreferent, weights, **settings)
