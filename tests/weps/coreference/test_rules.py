"""Rules and explanations of classifiers."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from tests.cases import each_case
from tests.weps.coreference.cases import NONE, TREES, pairs, random_data, some_values
from weps.coreference.base import Classifier
from weps.coreference.explanation import Step, decision_path, group_effects
from weps.coreference.linear import LogisticClassifier, MeanClassifier
from weps.coreference.rules import CLASSIFIERS, RuleCorrectedClassifier, classifier_from_data
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest
from weps.errors import ModelError

ONE = {"column": [0, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]}
DATA = {
    "tree": {**ONE, "probability": [0.4, 0.25, 0.75]},
    "boosted": {"base": 0.0, "roots": [0], **ONE, "value": [0, -1.0, 1.0]},
    "forest": {"roots": [0], **ONE, "value": [0, 0.25, 0.75]},
    "logistic": {"intercept": -1.0, "coefficients": [2.0]},
}
DATA["mean"] = {
    "trees": DATA["boosted"],
    "tree_columns": [0],
    "linear": DATA["logistic"],
    "linear_columns": [0],
    "size_column": -1,
}


@each_case("kind", DATA)
def test_a_classifier_is_read_by_its_kind(kind):
    read = classifier_from_data(kind, DATA[kind], columns=1)
    assert type(read) is CLASSIFIERS[kind]
    assert json.loads(json.dumps(read.to_data())) == DATA[kind]
    low, high = read.predict(np.array([[0.25], [0.75]], dtype=np.float32))
    assert 0 <= low < 0.5 < high <= 1


@each_case("kind", ["woods", "", "Tree", None, 7, [], {}, ["tree"], "x" * 10**6])
def test_an_unknown_kind_is_refused_with_those_there_are(kind):
    with pytest.raises(ModelError, match="tree, boosted, forest") as caught:
        classifier_from_data(kind, DATA["tree"], columns=1)
    assert caught.value.remedy
    assert len(str(caught.value)) < 300


STUMP = {
    "column": [0, -1, -1],
    "threshold": [0.5, 0.0, 0.0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "probability": [0.5, 0.25, 0.75],
}
RULES_DATA = {"kind": "tree", "inner": STUMP, "seen": [1], "ruled": [2, 0], "weights": [-4.0, 1.0]}


def read(columns: int = 3, **changes: object) -> RuleCorrectedClassifier:
    return RuleCorrectedClassifier.from_data({**RULES_DATA, **changes}, columns)


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
    certain = read(inner={**STUMP, "probability": [sure] * 3}, weights=[30.0, -30.0])
    low, unruled, high = predicted(certain, (1, 0, 0), (0, 0, 0), (0, 0, 1))
    assert 0 < low < 1e-6 < 1 - 1e-6 < high <= 1
    assert unruled == pytest.approx(sure, abs=2e-6)


@each_case("data", [None, [], "ruled", 7, {}, *({**RULES_DATA, k: None} for k in RULES_DATA)])
def test_what_is_no_ruled_classifier_is_refused(data):
    with pytest.raises(ModelError):
        RuleCorrectedClassifier.from_data(data, columns=3)


@each_case(
    ("changes", "problem"),
    [
        ({"seen": [3]}, "columns"),
        ({"seen": [-1]}, "columns"),
        ({"seen": [1, 1]}, "columns"),
        ({"seen": [[1]]}, "columns"),
        ({"seen": [1.5]}, "cannot be read"),
        ({"seen": ["a"]}, "cannot be read"),
        ({"seen": []}, "damaged"),
        ({"seen": [0] * 10**5}, "columns"),
        ({"ruled": [2, 3]}, "columns"),
        ({"ruled": [2, 2]}, "columns"),
        ({"ruled": 2}, "columns"),
        ({"ruled": [2]}, "damaged"),
        ({"weights": [1.0]}, "damaged"),
        ({"weights": [1.0, float("nan")]}, "damaged"),
        ({"weights": [1.0, float("inf")]}, "damaged"),
        ({"weights": [1.0, [2.0]]}, "cannot be read"),
        ({"kind": "woods"}, "no classifier of the kind"),
        ({"kind": "ruled", "inner": RULES_DATA}, "no classifier of the kind"),
        ({"kind": ["tree"]}, "no classifier of the kind"),
        ({"kind": "boosted"}, "cannot be read"),
        ({"kind": "forest"}, "cannot be read"),
    ],
)
def test_damaged_rules_are_refused(changes, problem):
    with pytest.raises(ModelError, match=problem):
        read(**changes)


# Column 0 above .5 is one person; otherwise column 1 above .25 leaves it open.
TREE = DecisionTree.from_data(
    {
        "column": [0, 1, -1, -1, -1],
        "threshold": [0.5, 0.25, 0.0, 0.0, 0.0],
        "left": [1, 2, -1, -1, -1],
        "right": [4, 3, -1, -1, -1],
        "probability": [0.4, 0.2, 0.0625, 0.5, 1.0],
    },
    columns=2,
)
BOOSTED = BoostedTrees.from_data({"base": -1.0, **TREES}, columns=2)


def ruled(inner: Classifier, seen: list[int], rules: dict[int, float]) -> RuleCorrectedClassifier:
    """The inner classifier of those columns, under rules: column → weight."""
    weights = np.array(list(rules.values()), dtype=np.float64)
    return RuleCorrectedClassifier(
        inner, np.array(seen, np.int32), np.array(list(rules), np.int32), weights
    )


@each_case(
    ("row", "expected"),
    [
        ((0.75, 0.0), [(0, 0.75, 0.5, 1.0)]),
        ((0.5, 0.25), [(0, 0.5, 0.5, 0.2), (1, 0.25, 0.25, 0.0625)]),
        ((0.0, 0.375), [(0, 0.0, 0.5, 0.2), (1, 0.375, 0.25, 0.5)]),
    ],
)
def test_the_path_has_every_test_and_where_it_leads(row, expected):
    assert decision_path(TREE, pairs(row)[0]) == tuple(Step(*each) for each in expected)


def test_under_rules_the_path_names_columns_of_the_pair_table():
    judge = ruled(TREE, [3, 1], {0: -2.0})
    row = pairs((1.0, 0.125, 0.0, 0.5))[0]
    assert decision_path(judge, row) == (Step(3, 0.5, 0.5, 0.2), Step(1, 0.125, 0.25, 0.0625))


@each_case("judge", [BOOSTED, Forest.from_data(TREES, 2), ruled(BOOSTED, [0, 1], {})])
def test_many_trees_have_no_path(judge):
    assert decision_path(judge, pairs((0.75, 0.75))[0]) == ()


@given(st.integers(0, 2**31 - 1))
def test_a_path_ends_in_what_the_tree_predicts(seed):
    random = np.random.default_rng(seed)
    data = random_data(random, 1)
    values = some_values(random)
    tree = DecisionTree.from_data({**data, "probability": data["value"]}, columns=3)
    for row, predicted in zip(values, tree.predict(values), strict=True):
        steps = decision_path(tree, row)
        assert [step.probability for step in steps[-1:]] in ([], [predicted])
        assert bool(steps) == (tree.column[0] != -1)
        assert all(step.value == row[step.column] for step in steps)


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


def test_certainty_counts_as_one_in_a_million():
    found = group_effects(TREE, pairs((0.75, 0.0)), [[0]])
    assert found == pytest.approx(logit(1 - 1e-6) - logit(0.0625))


def test_rules_add_their_weights_exactly_even_to_certainty():
    judge = ruled(TREE, [1, 3], {0: -30.0, 2: 2.0})
    values = pairs((1.0, 0.75, 0.5, 0.0), (0.0, 0.0, 1.0, 0.5))
    found = group_effects(judge, values, [[0], [2], [1], [3]])
    sure, possible = logit(1 - 1e-6) - logit(0.0625), logit(0.5) - logit(0.0625)
    expected = [[-30.0, 1.0, sure, 0.0], [0.0, 2.0, 0.0, possible]]
    assert found == pytest.approx(np.array(expected))


@given(st.integers(0, 2**31 - 1), st.sampled_from([*DATA, "ruled"]), st.integers(0, 4))
def test_effects_add_up_to_what_the_pair_has_over_one_without_evidence(seed, kind, parts):
    random = np.random.default_rng(seed)
    data, values, single = random_data(random, 3), some_values(random, 6, 4), random_data(random, 1)
    trees = BoostedTrees.from_data({"base": 0.5, **data}, 4)
    line = LogisticClassifier(0.1, random.normal(size=4).astype(np.float32))
    judge = {
        "boosted": trees,
        "forest": Forest.from_data(data, 4),
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
