import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import logit
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tests.cases import each_case
from tests.weps.builders import smoothed
from tests.weps.training.cases import some_pairs, unseen
from weps.coreference.base import LEAF
from weps.coreference.trees import BoostedTrees, Forest
from weps.errors import ValuesError
from weps.training.learners import (
    _bin_values,
    _candidate_thresholds,
    _round_down,
    checked_values,
    fit_boosted,
    fit_forest,
    fit_hbr,
    fit_linear,
    fit_mean,
    fit_tree,
)

QUICK = {"rounds": 8, "leaves": 5, "leaf": 5, "share_of_columns": 1.0}
PARTS = {"tree_columns": np.array([2, 1]), "linear_columns": np.array([0, 1]), "size_column": 2}
MEAN = {**QUICK, **PARTS, "penalty": 1.0, "share_of_columns": 0.4}


def single(classifier: HistGradientBoostingClassifier) -> HistGradientBoostingClassifier:
    """The classifier, its leaves rounded to single precision as they are kept."""
    for (tree,) in classifier._predictors:
        tree.nodes["value"] = tree.nodes["value"].astype(np.float32)
    return classifier


@given(st.integers(0, 2**31 - 1))
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
    found = fit_boosted(values, coreferent, weights, **settings)
    pairs = unseen(values, seed)
    expected = single(reference).predict_proba(pairs)[:, 1]
    np.testing.assert_allclose(found.predict(pairs), expected, rtol=0, atol=1e-12)


@given(st.integers(0, 2**31 - 1))
def test_boosted_trees_are_sound_and_read_back(seed):
    values, coreferent, weights = some_pairs(seed, parts=1000)
    boosted = fit_boosted(values, coreferent, weights, **QUICK)
    again = BoostedTrees.from_data(json.loads(json.dumps(boosted.to_data())), columns=3)
    assert again.predict(values).tobytes() == boosted.predict(values).tobytes()


def test_pairs_weigh_what_they_are_said_to_weigh():
    values, coreferent, _ = some_pairs(0)
    heavy = fit_boosted(values, coreferent, np.where(coreferent, 9.0, 1.0), **QUICK)
    even = fit_boosted(values, coreferent, np.ones(len(values)), **QUICK)
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
    free = np.diff(fit_boosted(values, wavy, np.ones(300), **settings).predict(ladder))
    ruled = fit_boosted(values, wavy, np.ones(300), **settings, monotone=[direction])
    assert (free * direction < 0).any()
    assert (np.diff(ruled.predict(ladder)) * direction >= 0).all()


@each_case(("kinds", "expected"), [([True], 2 / 3), ([False] * 3, 1 / 5), ([True] * 8, 9 / 10)])
def test_pairs_of_one_kind_need_no_trees(kinds, expected):
    size = len(kinds)
    values = np.random.default_rng(0).random((size, 2), dtype=np.float32)
    boosted = fit_boosted(values, np.array(kinds), np.ones(size))
    assert len(boosted.trees.roots) == 0
    assert boosted.predict(values) == pytest.approx([expected] * size)
    assert BoostedTrees.from_data(boosted.to_data(), columns=2).to_data() == boosted.to_data()


@given(st.integers(0, 2**31 - 1))
def test_a_line_predicts_what_scikit_learn_predicts_from_standardised_columns(seed):
    values, coreferent, weights = some_pairs(seed)
    values[:, 2] = 0.25  # says nothing, and cannot be standardised
    scaler = StandardScaler().fit(values.astype(np.float64))
    reference = LogisticRegression(C=0.5)
    reference.fit(scaler.transform(values), coreferent, sample_weight=weights / weights.mean())
    pairs = unseen(values, seed)
    pairs[:, 2] = 0.25
    expected = reference.predict_proba(scaler.transform(pairs))[:, 1]
    found = fit_linear(values, coreferent, weights, penalty=2.0)
    np.testing.assert_allclose(found.predict(pairs), expected, rtol=0, atol=1e-3)


def test_a_mean_has_the_trees_and_the_line_of_its_pairs():
    some = some_pairs(0)
    mean = fit_mean(*some, **MEAN, seed=3)
    values, *labels = some
    trees = fit_boosted(values[:, [2, 1]], *labels, **QUICK | {"share_of_columns": 0.4, "seed": 3})
    line = fit_linear(values[:, [0, 1]], *labels, penalty=MEAN["penalty"])
    assert mean.to_data() == {
        "trees": trees.to_data(),
        "tree_columns": [2, 1],
        "linear": line.to_data(),
        "linear_columns": [0, 1],
        "size_column": 2,
    }


@each_case(("coreferent", "others"), [(0, 5), (5, 0), (19, 60), (60, 3)])
def test_few_pairs_of_a_kind_teach_a_line_their_share_alone(coreferent, others):
    truth = np.arange(coreferent + others) < coreferent
    values = truth[:, np.newaxis].astype(np.float32)
    line = fit_linear(values, truth, np.ones(len(truth)), penalty=1.0)
    expected = (coreferent + 1) / (coreferent + others + 2)
    assert line.predict(values) == pytest.approx([expected] * len(truth))


numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.lists(numbers, min_size=1, max_size=30), st.lists(numbers, max_size=10))
@example(column=[2.0**127, 1.5 * 2.0**127], others=[])  # their sum is infinite
def test_thresholds_part_all_neighbours_of_few_values(column, others):
    distinct = np.unique(np.array(column, dtype=np.float32))
    thresholds = _candidate_thresholds(np.array(column, dtype=np.float32), 29)
    assert len(thresholds) == len(distinct) - 1
    assert np.isfinite(thresholds).all()
    assert (thresholds >= distinct[:-1]).all()
    assert (thresholds <= distinct[1:]).all()
    values = np.array(column + others, dtype=np.float32)
    coarse = _bin_values(values[:, np.newaxis], [thresholds])[:, 0]
    for number, threshold in enumerate(thresholds):
        assert ((coarse <= number) == (values <= threshold)).all()


@each_case("most", [1, 31, 254])
@each_case("share_of_zeros", [0.0, 0.5, 0.999])
def test_many_values_are_parted_as_equally_as_may_be(share_of_zeros, most):
    random = np.random.default_rng(0)
    column = random.random(20_000, dtype=np.float32)
    column[random.random(20_000) < share_of_zeros] = 0
    thresholds = _candidate_thresholds(column, most)
    assert 1 <= len(thresholds) <= most
    assert (np.diff(thresholds) > 0).all()
    coarse = _bin_values(column[:, np.newaxis], [thresholds])[:, 0]
    assert np.bincount(coarse[column > 0].astype(int)).max() <= 20_000 / (most + 1) + 1


FEW = {"rivals": 20, "samples": 30, "shown": 150}


def test_rivals_are_pairs_that_were_given_and_samples_are_of_two():
    values, coreferent, weights = some_pairs(0)
    found = fit_hbr(values, coreferent, weights, **FEW, seed=1)
    given = {tuple(row) for row in values.tolist()}
    assert {tuple(row) for row in found.rivals.tolist()} <= given
    assert found.rivals.shape == (20, 3)
    assert found.samples.shape == (30, 2)
    assert (found.samples[:, 0] != found.samples[:, 1]).all()


def test_probabilities_are_calibrated():
    values, coreferent, weights = some_pairs(2, size=2000)
    found = fit_hbr(values, coreferent, np.ones_like(weights), **FEW, seed=1)
    assert found.predict(values).mean() == pytest.approx(coreferent.mean(), abs=0.1)
    assert found.predict(values)[coreferent].mean() > found.predict(values)[~coreferent].mean()


@pytest.mark.parametrize("size", [1, 2])
def test_hardly_any_pairs_are_enough(size):
    values, coreferent, weights = (each[:size] for each in some_pairs(4))
    found = fit_hbr(values, coreferent, weights, **FEW, seed=0)
    assert np.isfinite(found.predict(values)).all()


seeds = st.integers(0, 2**31 - 1)
TREE = {"depth": 4, "leaf": 7, "seed": 3}
FOREST = {"size": 6, "leaf": 4, "seed": 3}


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
    predicted = []
    for tree, sampled in zip(classifier.estimators_, classifier.estimators_samples_, strict=True):
        seen = tree.apply(learnt[np.unique(sampled)])
        pairs = np.array([np.count_nonzero(seen == leaf) for leaf in tree.apply(values)])
        predicted.append((tree.predict_proba(values)[:, 1] * pairs + 1) / (pairs + 2))
    return np.mean(predicted, axis=0)


@given(seeds)
def test_a_tree_predicts_what_scikit_learn_predicts(seed):
    values, coreferent, weights = some_pairs(seed)
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=7, random_state=3)
    reference.fit(values, coreferent, sample_weight=weights)
    pairs = unseen(values, seed)
    found = fit_tree(values, coreferent, weights, **TREE).predict(pairs)
    np.testing.assert_allclose(found, smoothed(reference, pairs), atol=1e-12)


@given(seeds, st.booleans())
def test_a_forest_predicts_what_scikit_learn_predicts(seed, close):
    values, coreferent, weights = some_pairs(seed)
    pairs = unseen(values, seed)
    if close:
        values, pairs = neighbours(seed)
    reference = RandomForestClassifier(6, min_samples_leaf=4, random_state=3)
    reference.fit(values, coreferent, sample_weight=weights)
    expected = smoothed_forest(reference, values, pairs)
    forest = fit_forest(values, coreferent, weights, **FOREST)
    np.testing.assert_allclose(forest.predict(pairs), expected, rtol=0, atol=1e-7)
    np.testing.assert_allclose(expected, reference.predict_proba(pairs)[:, 1], rtol=0, atol=1 / 6)


@given(seeds, st.booleans())
def test_a_forest_is_sound_and_reads_back(seed, close):
    values, coreferent, weights = some_pairs(seed, parts=1000)
    if close:
        values, _ = neighbours(seed)
    forest = fit_forest(values, coreferent, weights, **FOREST)
    again = Forest.from_data(json.loads(json.dumps(forest.to_data())), columns=3)
    assert again.to_data() == forest.to_data()
    assert again.predict(values).tobytes() == forest.predict(values).tobytes()


@given(st.lists(st.tuples(numbers, numbers), min_size=1))
def test_values_stay_on_their_side_of_a_threshold_rounded_down(ends):
    ends = np.array(ends, dtype=np.float32)
    thresholds = ends.astype(np.float64).mean(axis=1)
    rounded = _round_down(thresholds)
    assert rounded.dtype == np.float32
    above = np.nextafter(rounded, np.float32(np.inf))
    assert (rounded <= thresholds).all()
    assert (above > thresholds).all()


@each_case(
    ("fit", "settings", "changes"),
    [
        (fit_forest, FOREST, {"size": 7}),
        (fit_forest, FOREST, {"leaf": 30}),
        (fit_forest, FOREST, {"seed": 4}),
        (fit_tree, TREE, {"depth": 2}),
        (fit_tree, TREE, {"leaf": 30}),
        (fit_hbr, {**FEW, "seed": 1}, {"seed": 2}),
        (fit_linear, {"penalty": 1.0}, {"penalty": 9.0}),
        (fit_mean, MEAN, {"penalty": 9.0}),
        (fit_mean, MEAN, {"rounds": 9}),
        (fit_mean, MEAN, {"tree_columns": np.array([0, 1])}),
        (fit_mean, MEAN, {"linear_columns": np.array([1])}),
        (fit_mean, MEAN, {"size_column": 1}),
        (fit_mean, MEAN, {"seed": 5}),
        (fit_boosted, QUICK, {"rounds": 9}),
        (fit_boosted, QUICK, {"rate": 0.5}),
        (fit_boosted, QUICK, {"leaves": 3}),
        (fit_boosted, QUICK, {"leaf": 40}),
        (fit_boosted, QUICK, {"shrinkage": 50.0}),
        (fit_boosted, QUICK, {"share_of_columns": 0.4}),
        (fit_boosted, QUICK, {"steps": 4}),
        (fit_boosted, QUICK, {"monotone": [1, 1, -1]}),
    ],
)
def test_every_setting_is_heeded(fit, settings, changes):
    some = some_pairs(0)
    first, again, other = (
        fit(*some, **each).to_data() for each in (settings, settings, settings | changes)
    )
    assert first == again
    assert first != other


def test_leaves_ask_nothing_and_questions_say_nothing():
    trees = fit_forest(*some_pairs(0), **FOREST).trees
    leaf = trees.column == LEAF
    assert (trees.left[leaf] == LEAF).all()
    assert (trees.right[leaf] == LEAF).all()
    assert (trees.threshold[leaf] == 0).all()
    assert (trees.value[~leaf] == 0).all()


@pytest.mark.parametrize("share", [0.1, 0.75])
def test_the_share_of_pairs_is_weighted(share):
    """Half of the pairs are coreferent, and nothing tells them apart."""
    coreferent = np.arange(1000) < 500
    weights = np.where(coreferent, share, 1 - share)
    alike = np.zeros((1000, 1), dtype=np.float32)
    forest = fit_forest(alike, coreferent, weights, size=20, leaf=4, seed=0)
    tree = fit_tree(alike, coreferent, weights, **TREE)
    assert forest.predict(alike[:1]) == pytest.approx([share], abs=0.02)
    assert tree.predict(alike[:1]) == pytest.approx([share], abs=0.002)


@pytest.mark.parametrize(("kind", "expected"), [(True, 4 / 5), (False, 1 / 5)])
def test_a_tree_grown_on_pairs_of_one_kind_has_some_doubt(kind, expected):
    tree = fit_tree(np.zeros((3, 1)), np.full(3, kind), np.ones(3), depth=6, leaf=1, seed=0)
    assert tree.predict(np.ones((1, 1), dtype=np.float32)) == pytest.approx([expected])


@each_case("odd", [np.nan, np.inf])
@each_case(
    ("grow", "settings"),
    [
        (fit_tree, TREE),
        (fit_forest, FOREST),
        (fit_boosted, {}),
        (fit_linear, {"penalty": 1.0}),
        (fit_mean, MEAN),
        (fit_hbr, {**FEW, "seed": 0}),
    ],
)
def test_values_that_are_no_numbers_are_refused(grow, settings, odd):
    values, coreferent, weights = some_pairs(0)
    values[coreferent, 1] = odd
    with pytest.raises(ValuesError, match=r"column 1 .* infinite or NaN"):
        grow(values, coreferent, weights, **settings)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_values_are_read_in_single_precision(kind):
    values = np.array([[0.1, -3e38], [1 / 3, 0]], dtype=kind)
    found = checked_values(values)
    assert found.dtype == np.float32
    assert found.tolist() == values.astype(np.float32).tolist()


@each_case("odd", [np.nan, np.inf, -np.inf, 1e39])
@each_case("row", [0, 2])
def test_the_first_column_that_has_no_numbers_is_named(row, odd):
    values = np.zeros((3, 4))
    values[row, [1, 3]] = odd
    with pytest.raises(ValuesError, match="infinite or NaN") as caught:
        checked_values(values)
    assert caught.value.where == "column 1 of the pairs to learn from"
    assert caught.value.remedy
