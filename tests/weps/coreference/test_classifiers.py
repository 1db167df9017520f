"""Kinds of classifiers, rules over one, and explanations."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from tests.cases import each_case
from tests.weps.coreference.cases import (
    LINE,
    MEAN,
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
)
from weps.coreference import classifiers as module
from weps.coreference.classifiers import (
    CLASSIFIERS,
    Classifier,
    HeterogeneityRanking,
    LogisticClassifier,
    MeanClassifier,
    RuleCorrectedClassifier,
    group_effects,
)
from weps.coreference.trees import BoostedTrees, DecisionTree
from weps_eval.meta.heterogeneity import Pairs, PairwisePreferences, pairwise_contradictions

FEW = {"rivals": 20, "samples": 30, "shown": 150}
PARTS = {"tree_columns": np.array([2, 1]), "linear_columns": np.array([0, 1]), "size_column": 2}
MEAN_SETTINGS = {**QUICK, **PARTS, "penalty": 1.0, "share_of_columns": 0.4}


def ranking_of(seed: int, columns: int = 5) -> HeterogeneityRanking:
    random = np.random.default_rng(seed)
    values = (random.integers(0, 4, (7, columns)) / 4).astype(np.float32)
    sampled = random.integers(0, 7, (9, 2)).astype(np.int32)
    return HeterogeneityRanking(values, sampled)


def some_rows(seed: int, columns: int = 5, pairs: int = 11) -> np.ndarray:
    return (np.random.default_rng(seed).integers(0, 5, (pairs, columns)) / 4).astype(np.float32)


@given(st.integers(0, 2**31 - 1), st.sampled_from([1, 5, 64, 65, 130]))
def test_scores_are_those_of_the_arithmetic(seed, columns):
    ranking, values = ranking_of(seed, columns), some_rows(seed + 1, columns)
    together = np.concatenate([values, ranking.rivals]).T
    sampled = len(values) + ranking.samples
    preferences = PairwisePreferences.of(together, Pairs(sampled[:, 0], sampled[:, 1]))
    first = np.repeat(np.arange(len(values)), len(ranking.rivals))
    second = np.tile(len(values) + np.arange(len(ranking.rivals)), len(values))
    found = pairwise_contradictions(together, preferences, Pairs(first, second))
    expected = found.reshape(len(values), -1).mean(axis=1) / len(sampled)
    assert ranking.scores(values) == pytest.approx(expected)


def test_a_pair_is_judged_alike_alone_and_among_others(monkeypatch):
    ranking, values = ranking_of(5), some_rows(6)
    expected = ranking.predict(values).tolist()
    assert [float(ranking.predict(row[None])[0]) for row in values] == expected
    monkeypatch.setattr(module, "_MAX_CELLS", 1)
    assert ranking.predict(values).tolist() == expected
    assert ranking.predict(values[:0]).shape == (0,)


PARTED = {**MEAN, "linear_columns": [0, 2]}


@each_case(
    ("values", "log_odds"), [((0, 0), -0.5), ((1, 0), 1.5), ((0.5, 1), 0.25), ((0, 2), -1.0)]
)
def test_log_odds_are_the_intercept_and_the_weighted_similarities(values, log_odds):
    line = LogisticClassifier.from_data(LINE, 2)
    assert line.predict(pairs(values)) == pytest.approx([expit(log_odds)])


@each_case(("pages", "weight"), [(1, 1 / 12), (5, 1 / 4), (45, 0.45)])
def test_the_fewer_the_pages_the_less_weight_has_the_regression(pages, weight):
    mean = MeanClassifier.from_data({**PARTED, "size_column": 3}, 4)
    expected = (1 - weight) * 3.0 + weight * 0.75
    assert mean.predict(pairs((1, 1, 3, 1 / pages))) == pytest.approx([expit(expected)])


@given(st.integers(0, 2**31 - 1))
def test_the_mean_lies_between_its_parts_and_reads_back(seed):
    random = np.random.default_rng(seed)
    line = LogisticClassifier(float(random.normal()), random.normal(size=3).astype(np.float32))
    trees = BoostedTrees.from_data({"base": 0.1, **random_data(random, 3)}, 3)
    columns, values = np.arange(3, dtype=np.int32), some_values(random)
    mean = MeanClassifier(trees, columns, line, columns)
    odds = [logit(each.predict(values)) for each in (trees, line, mean)]
    assert odds[2] == pytest.approx((odds[0] + odds[1]) / 2)
    for each in (line, mean):
        again = type(each).from_data(json.loads(json.dumps(each.to_data())), 3)
        assert again.predict(values).tobytes() == each.predict(values).tobytes()


LEAST = {"column": [0, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]}
RULES = {
    "kind": "tree",
    "inner": {**LEAST, "probability": [0.5, 0.25, 0.75]},
    "seen": [1],
    "ruled": [2, 0],
    "weights": [-4.0, 1.0],
}


def read(columns: int = 3, **changes: object) -> RuleCorrectedClassifier:
    return RuleCorrectedClassifier.from_data({**RULES, **changes}, columns)


def predicted(classifier: RuleCorrectedClassifier, *rows: tuple[float, ...]) -> list[float]:
    return classifier.predict(np.array(rows, dtype=np.float32)).tolist()


def test_rules_add_to_the_log_odds():
    odds = np.array([1 / 3, 3, np.e * 3, np.exp(-4) * 3, np.exp(-3) / 3])
    rows = [(0, 0, 0), (0, 1, 0), (1, 1, 0), (0, 1, 1), (1, 0, 1)]
    assert predicted(read(), *rows) == pytest.approx(odds / (1 + odds), abs=1e-12)
    bare = read(ruled=[], weights=[])
    assert predicted(bare, (1, 0, 1), (1, 1, 1)) == pytest.approx([0.25, 0.75], abs=1e-12)


@pytest.mark.parametrize("sure", [0.0, 1.0])
def test_certainty_gives_way_to_rules(sure):
    certain = read(inner={**RULES["inner"], "probability": [sure] * 3}, weights=[30.0, -30.0])
    low, unruled, high = predicted(certain, (1, 0, 0), (0, 0, 0), (0, 0, 1))
    assert 0 < low < 1e-6 < 1 - 1e-6 < high <= 1
    assert unruled == pytest.approx(sure, abs=2e-6)


# Column 0 above .5 is one person; otherwise column 1 above .25 leaves it open.
TREE = DecisionTree.from_data({**STUMP, "probability": [0.4, 0.2, 0.0625, 0.5, 1.0]}, columns=2)
BOOSTED = BoostedTrees.from_data({"base": -1.0, **TREES}, columns=2)


def ruled(inner: Classifier, seen: list[int], rules: dict[int, float]) -> RuleCorrectedClassifier:
    """The inner classifier of those columns, under rules: column → weight."""
    weights = np.array(list(rules.values()), dtype=np.float64)
    return RuleCorrectedClassifier(
        inner, np.array(seen, np.int32), np.array(list(rules), np.int32), weights
    )


def test_boosted_trees_add_the_difference_of_their_leaves():
    # Leaves without column 0: .125 and .25, without column 1: 1.0 and .25 and 0.
    # Column 0 adds .875 to nothing and .5 to column 1, which adds 1.125 to nothing, then .75.
    values = pairs((0.75, 1.0), (0.0, 0.5), (0.0, 0.0))
    expected = np.array([[0.6875, 0.9375], [0, 0.375], [0, 0]])
    assert group_effects(BOOSTED, values, [[0], [1]]) == pytest.approx(expected)
    assert group_effects(BOOSTED, values, [[1], [0]]) == pytest.approx(expected[:, ::-1])
    together = expected.sum(axis=1, keepdims=True)
    assert group_effects(BOOSTED, values, [[0, 1]]) == pytest.approx(together)


def test_a_group_of_no_columns_and_no_group_at_all_add_nothing():
    assert group_effects(BOOSTED, pairs((0.75, 1.0)), [[]]).tolist() == [[0.0]]
    assert group_effects(BOOSTED, pairs((0.75, 1.0)), []).shape == (1, 0)
    assert group_effects(BOOSTED, np.zeros((0, 2), np.float32), [[0], [1]]).shape == (0, 2)
    assert group_effects(BoostedTrees.from_data({"base": 0, **NONE}, 2), pairs((1, 1)), [[0]]) == [
        [0.0]
    ]


@given(
    st.integers(0, 2**31 - 1),
    st.sampled_from(["boosted", "tree", "logistic", "mean", "ruled"]),
    st.integers(0, 4),
)
def test_effects_add_up_to_what_the_pair_has_over_one_without_evidence(seed, kind, parts):
    random = np.random.default_rng(seed)
    data, values, single = random_data(random, 3), some_values(random, 6, 4), random_data(random, 1)
    trees = BoostedTrees.from_data({"base": 0.5, **data}, 4)
    line = LogisticClassifier(0.1, random.normal(size=4).astype(np.float32))
    judge = {
        "boosted": trees,
        "tree": DecisionTree.from_data({**single, "probability": single["value"]}, 4),
        "logistic": line,
        "mean": MeanClassifier(trees, np.arange(4), line, np.arange(4)),
        "ruled": ruled(BoostedTrees.from_data({"base": 0.5, **data}, 3), [2, 0, 1], {3: -1.5}),
    }[kind]
    group_of = random.integers(0, max(parts, 1), 4)
    groups = [np.flatnonzero(group_of == number).tolist() for number in range(parts)]
    without = values.copy()
    without[:, [column for group in groups for column in group]] = 0
    odds, start = (
        logit(np.clip(judge.predict(each), 1e-6, 1 - 1e-6)) for each in (values, without)
    )
    effects = group_effects(judge, values, groups)
    assert effects.sum(axis=1) == pytest.approx(odds - start)
    absent = [~values[:, group].any(axis=1) for group in groups]
    assert all((effects[none, number] == 0).all() for number, none in enumerate(absent))
    assert group_effects(judge, values, groups[::-1])[:, ::-1] == pytest.approx(effects)
    if kind == "logistic":
        for number, group in enumerate(groups):
            own = values[:, group].astype(np.float64) @ line.coefficients[group]
            assert effects[:, number] == pytest.approx(own)


def test_rivals_are_pairs_that_were_given_and_samples_are_of_two():
    values, coreferent, weights = some_pairs(0)
    found = HeterogeneityRanking.fit(values, coreferent, weights, **FEW, seed=1)
    given = {tuple(row) for row in values.tolist()}
    assert {tuple(row) for row in found.rivals.tolist()} <= given
    assert found.rivals.shape == (20, 3)
    assert found.samples.shape == (30, 2)
    assert (found.samples[:, 0] != found.samples[:, 1]).all()


def test_the_scores_of_a_ranking_are_calibrated():
    values, coreferent, weights = some_pairs(2, size=2000)
    found = HeterogeneityRanking.fit(values, coreferent, np.ones_like(weights), **FEW, seed=1)
    assert found.predict(values).mean() == pytest.approx(coreferent.mean(), abs=0.1)
    assert found.predict(values)[coreferent].mean() > found.predict(values)[~coreferent].mean()


@given(st.integers(0, 2**31 - 1))
def test_a_line_predicts_what_scikit_learn_predicts_from_standardised_columns(seed):
    values, coreferent, weights = some_pairs(seed)
    values[:, 2] = 0.25  # says nothing, and cannot be standardised
    scaler = StandardScaler().fit(values.astype(np.float64))
    reference = LogisticRegression(C=0.5)
    reference.fit(scaler.transform(values), coreferent, sample_weight=weights / weights.mean())
    others = unseen(values, seed)
    others[:, 2] = 0.25
    expected = reference.predict_proba(scaler.transform(others))[:, 1]
    found = LogisticClassifier.fit(values, coreferent, weights, penalty=2.0)
    np.testing.assert_allclose(found.predict(others), expected, rtol=0, atol=1e-3)


@each_case(("coreferent", "others"), [(0, 5), (5, 0), (19, 60), (60, 3)])
def test_few_pairs_of_a_kind_teach_a_line_their_share_alone(coreferent, others):
    truth = np.arange(coreferent + others) < coreferent
    values = truth[:, np.newaxis].astype(np.float32)
    line = LogisticClassifier.fit(values, truth, np.ones(len(truth)), penalty=1.0)
    expected = (coreferent + 1) / (coreferent + others + 2)
    assert line.predict(values) == pytest.approx([expected] * len(truth))


def test_a_mean_has_the_trees_and_the_line_of_its_pairs():
    values, *labels = some_pairs(0)
    mean = MeanClassifier.fit(values, *labels, **PARTS, **QUICK, penalty=1.0, seed=3)
    trees = BoostedTrees.fit(values[:, [2, 1]], *labels, **QUICK, seed=3)
    line = LogisticClassifier.fit(values[:, [0, 1]], *labels, penalty=1.0)
    assert mean.to_data() == {
        "trees": trees.to_data(),
        "tree_columns": [2, 1],
        "linear": line.to_data(),
        "linear_columns": [0, 1],
        "size_column": 2,
    }


@each_case(
    ("kind", "settings", "changes"),
    [
        ("tree", TREE_SETTINGS, {"depth": 2}),
        ("tree", TREE_SETTINGS, {"leaf": 30}),
        ("hbr", {**FEW, "seed": 1}, {"seed": 2}),
        ("logistic", {"penalty": 1.0}, {"penalty": 9.0}),
        ("mean", MEAN_SETTINGS, {"penalty": 9.0}),
        ("mean", MEAN_SETTINGS, {"rounds": 9}),
        ("mean", MEAN_SETTINGS, {"tree_columns": np.array([0, 1])}),
        ("mean", MEAN_SETTINGS, {"linear_columns": np.array([1])}),
        ("mean", MEAN_SETTINGS, {"size_column": 1}),
        ("mean", MEAN_SETTINGS, {"seed": 5}),
        ("boosted", QUICK, {"rounds": 9}),
        ("boosted", QUICK, {"rate": 0.5}),
        ("boosted", QUICK, {"leaves": 3}),
        ("boosted", QUICK, {"leaf": 40}),
        ("boosted", QUICK, {"share_of_columns": 0.4}),
    ],
)
def test_every_setting_is_heeded(kind, settings, changes):
    some = some_pairs(0)
    first, again, other = (
        CLASSIFIERS[kind].fit(*some, **each).to_data()
        for each in (settings, settings, settings | changes)
    )
    assert first == again
    assert first != other
