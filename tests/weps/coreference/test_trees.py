import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.cases import each_case
from tests.weps.builders import smoothed
from tests.weps.coreference.cases import (
    NONE,
    QUICK,
    STUMP,
    TREE_SETTINGS,
    TREES,
    pairs,
    random_data,
    some_pairs,
    some_values,
    unseen,
    walked,
)
from weps.coreference import trees
from weps.coreference.trees import BoostedTrees, DecisionTree
from weps.errors import ModelError

BOOSTED = {"base": -0.5, **TREES}
DATA = {BoostedTrees: BOOSTED, DecisionTree: STUMP}
seeds = st.integers(0, 2**31 - 1)
NAN, INF = float("nan"), float("inf")


def read(kind: type = BoostedTrees, columns: int = 2, **changes: object):
    return kind.from_data({**DATA[kind], **changes}, columns)


def changed_in(kind: type, name: str, place: int, value: object):
    array = DATA[kind][name]
    return read(kind, **{name: [*array[:place], value, *array[place + 1 :]]})


@each_case(
    ("values", "leaf", "leaves"),
    [
        ((0, 0), 0.0, 0.125 + 0.25 + 0),
        ((0.5, 0.25), 0.0, 0.125 + 0.25 + 0),
        ((0.5, 0.26), 0.5, 0.5 + 0.25 + 0),
        ((0.51, 0.75), 1.0, 1 + 0.25 + 0),
        ((1, 1), 1.0, 1 + 0.25 + 0.75),
        ((NAN, 0.0), 1.0, 1 + 0.25 + 0),  # what cannot be compared goes right
        ((INF, NAN), 1.0, 1 + 0.25 + 0.75),
        ((-INF, 0.0), 0.0, 0.125 + 0.25 + 0),
    ],
)
def test_values_up_to_the_threshold_go_left(values, leaf, leaves):
    pair = pairs(values)
    assert read(DecisionTree).predict(pair).tolist() == [leaf]
    assert read().log_odds(pair).tolist() == [leaves - 0.5]
    assert read().predict(pair).tolist() == [expit(leaves - 0.5)]


def test_there_may_be_no_trees_or_a_single_leaf():
    values = np.zeros((3, 0), dtype=np.float32)
    trees = BoostedTrees.from_data({"base": 0.75, **NONE}, columns=0)
    assert trees.predict(values).tolist() == [expit(0.75)] * 3
    assert trees.to_data() == {"base": 0.75, **NONE}
    leaf = {name: [numbers[-1]] for name, numbers in STUMP.items()}
    assert DecisionTree.from_data(leaf, columns=0).predict(values).tolist() == [1.0] * 3


@given(seeds, st.integers(0, 6), st.sampled_from([0, 1, 3, 8]))
def test_leaves_are_those_of_every_walk(seed, count, tests):
    random = np.random.default_rng(seed)
    data, values = random_data(random, count), some_values(random)
    expected = [sum(walked(data, row)) for row in values]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_MAX_TESTS", tests)
        found = BoostedTrees.from_data({"base": 0.0, **data}, columns=3).log_odds(values)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
    alone = random_data(random, 1)
    arrays = {name: alone[name] for name in STUMP if name != "probability"}
    tree = DecisionTree.from_data({**arrays, "probability": alone["value"]}, columns=3)
    assert tree.predict(values).tolist() == [walked(alone, row)[0] for row in values]


@given(seeds, st.integers(1, 12))
def test_pairs_know_nothing_of_each_other(seed, block):
    random = np.random.default_rng(seed)
    some = BoostedTrees.from_data({"base": 0.0, **random_data(random, 5)}, columns=3)
    values = random.random((11, 3), dtype=np.float32)
    order = random.permutation(11)
    together = some.log_odds(values)
    assert some.log_odds(values[order]).tobytes() == together[order].tobytes()
    assert some.log_odds(np.asfortranarray(values)).tobytes() == together.tobytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_BLOCK_PAIRS", block)
        assert some.log_odds(values).tobytes() == together.tobytes()


@each_case(
    ("kind", "name", "place", "value"),
    [
        (BoostedTrees, "roots", 0, 1),  # one node of two trees
        (BoostedTrees, "roots", 1, 4),
        (BoostedTrees, "roots", 1, 0),  # one tree twice, another never
        (BoostedTrees, "roots", 2, 9),
        (BoostedTrees, "roots", 2, -1),
        (BoostedTrees, "column", 0, 2),
        (BoostedTrees, "column", 0, -2),
        (BoostedTrees, "column", 5, 0),  # the leaf alone asks now, and has no children
        (BoostedTrees, "column", 1, -1),  # children that no pair reaches
        (BoostedTrees, "left", 0, 0),  # round and round
        (BoostedTrees, "left", 1, 0),
        (BoostedTrees, "left", 1, -1),
        (BoostedTrees, "left", 6, 3),  # into another tree
        (BoostedTrees, "left", 1, 3),  # both to one child
        (BoostedTrees, "right", 0, 5),
        (BoostedTrees, "right", 0, 2**31 - 1),
        (BoostedTrees, "threshold", 0, NAN),
        (BoostedTrees, "threshold", 1, 1e39),  # beyond single precision
        (BoostedTrees, "value", 2, NAN),
        (BoostedTrees, "value", 2, -1e39),
        (DecisionTree, "column", 3, 0),
        (DecisionTree, "right", 1, 1),
        (DecisionTree, "threshold", 1, INF),
        (DecisionTree, "probability", 2, -0.1),
        (DecisionTree, "probability", 2, 1.1),
        (DecisionTree, "probability", 2, NAN),
    ],
)
def test_a_walk_that_would_leave_its_tree_is_refused(kind, name, place, value):
    with pytest.raises(ModelError, match="damaged"):
        changed_in(kind, name, place, value)


def test_two_questions_that_are_each_other_s_children_are_refused():
    """Every node is a root or a child, once; yet no pair would leave node 1."""
    cycle = {
        "base": 0.0,
        "roots": [0],
        "column": [-1, 0, 0, -1, -1],
        "threshold": [0.0] * 5,
        "left": [-1, 2, 1, -1, -1],
        "right": [-1, 3, 4, -1, -1],
        "value": [0.0] * 5,
    }
    with pytest.raises(ModelError, match="damaged"):
        BoostedTrees.from_data(cycle, columns=1)


def single(classifier: HistGradientBoostingClassifier) -> HistGradientBoostingClassifier:
    """The classifier, its leaves rounded to single precision as they are kept."""
    for (tree,) in classifier._predictors:
        tree.nodes["value"] = tree.nodes["value"].astype(np.float32)
    return classifier


@given(seeds)
def test_boosted_trees_predict_what_scikit_learn_predicts(seed):
    """Few values, so that the thresholds to choose from are scikit-learn's own."""
    values, coreferent, weights = some_pairs(seed)
    reference = HistGradientBoostingClassifier(
        max_iter=8,
        learning_rate=0.2,
        max_leaf_nodes=5,
        min_samples_leaf=5,
        l2_regularization=5.0,
        max_features=0.7,
        early_stopping=False,
        random_state=4,
    ).fit(values, coreferent, sample_weight=weights)
    settings = QUICK | {"rate": 0.2, "share_of_columns": 0.7, "seed": 4}
    found = BoostedTrees.fit(values, coreferent, weights, **settings)
    others = unseen(values, seed)
    expected = single(reference).predict_proba(others)[:, 1]
    np.testing.assert_allclose(found.predict(others), expected, rtol=0, atol=1e-12)


@each_case(("kinds", "expected"), [([True], 2 / 3), ([False] * 3, 1 / 5), ([True] * 8, 9 / 10)])
def test_pairs_of_one_kind_need_no_trees(kinds, expected):
    size = len(kinds)
    values = np.random.default_rng(0).random((size, 2), dtype=np.float32)
    boosted = BoostedTrees.fit(values, np.array(kinds), np.ones(size), **QUICK)
    assert len(boosted.roots) == 0
    assert boosted.predict(values) == pytest.approx([expected] * size)


numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.lists(numbers, min_size=1, max_size=30))
@example(column=[2.0**127, 1.5 * 2.0**127])  # their sum is infinite
def test_thresholds_part_all_neighbours_of_few_values(column):
    distinct = np.unique(np.array(column, dtype=np.float32))
    thresholds = trees._candidate_thresholds(np.array(column, dtype=np.float32))
    assert len(thresholds) == len(distinct) - 1
    assert np.isfinite(thresholds).all()
    assert (thresholds >= distinct[:-1]).all()
    assert (thresholds <= distinct[1:]).all()


@each_case("most", [1, 31, 254])
@each_case("share_of_zeros", [0.0, 0.5, 0.999])
def test_many_values_are_parted_as_equally_as_may_be(share_of_zeros, most):
    random = np.random.default_rng(0)
    column = random.random(20_000, dtype=np.float32)
    column[random.random(20_000) < share_of_zeros] = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_MAX_THRESHOLDS", most)
        thresholds = trees._candidate_thresholds(column)
    assert 1 <= len(thresholds) <= most
    assert (np.diff(thresholds) > 0).all()
    coarse = np.searchsorted(thresholds, column[column > 0])
    assert np.bincount(coarse).max() <= 20_000 / (most + 1) + 1


@given(seeds)
def test_a_tree_predicts_what_scikit_learn_predicts(seed):
    values, coreferent, weights = some_pairs(seed)
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=7, random_state=3)
    reference.fit(values, coreferent, sample_weight=weights)
    others = unseen(values, seed)
    found = DecisionTree.fit(values, coreferent, weights, **TREE_SETTINGS).predict(others)
    np.testing.assert_allclose(found, smoothed(reference, others), atol=1e-12)


@pytest.mark.parametrize(("kind", "expected"), [(True, 4 / 5), (False, 1 / 5)])
def test_a_tree_grown_on_pairs_of_one_kind_has_some_doubt(kind, expected):
    labels = np.full(3, kind), np.ones(3)
    tree = DecisionTree.fit(np.zeros((3, 1)), *labels, depth=6, leaf=1, seed=0)
    assert tree.predict(np.ones((1, 1), dtype=np.float32)) == pytest.approx([expected])
