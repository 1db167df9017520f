import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from tests.weps.builders import unhurried
from tests.weps.coreference.cases import NONE, TREES, pairs, random_data, some_values
from weps.coreference.base import Classifier
from weps.coreference.explanation import Step, decision_path, group_effects
from weps.coreference.rules import RuleCorrectedClassifier
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest

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


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((0.75, 0.0), [(0, 0.75, 0.5, 1.0)]),
        ((0.5, 0.25), [(0, 0.5, 0.5, 0.2), (1, 0.25, 0.25, 0.0625)]),
        ((0.0, 0.375), [(0, 0.0, 0.5, 0.2), (1, 0.375, 0.25, 0.5)]),
    ],
)
def test_the_path_tells_every_question_and_where_the_answer_leads(row, expected):
    assert decision_path(TREE, pairs(row)[0]) == tuple(Step(*each) for each in expected)


def test_under_rules_the_path_names_columns_of_the_pair_table():
    judge = ruled(TREE, [3, 1], {0: -2.0})
    row = pairs((1.0, 0.125, 0.0, 0.5))[0]
    assert decision_path(judge, row) == (Step(3, 0.5, 0.5, 0.2), Step(1, 0.125, 0.25, 0.0625))


@pytest.mark.parametrize("judge", [BOOSTED, Forest.from_data(TREES, 2), ruled(BOOSTED, [0, 1], {})])
def test_many_trees_have_no_path(judge):
    assert decision_path(judge, pairs((0.75, 0.75))[0]) == ()


@given(st.integers(0, 2**31 - 1))
@unhurried
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
    found = group_effects(BOOSTED, pairs((0.75, 1.0), (0.0, 0.5), (0.0, 0.0)), [[0], [1], [0, 1]])
    assert found == pytest.approx(np.array([[0.5, 0.75, 1.625], [0, 0.375, 0.375], [0, 0, 0]]))


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
    found = group_effects(judge, values, [[0], [2], [0, 2], [1], [2, 3]])
    sure = logit(1 - 1e-6) - logit(0.0625)
    expected = [
        [-30.0, 1.0, -29.0, sure, 1.0],
        [0.0, 2.0, 2.0, 0.0, 2.0 + logit(0.5) - logit(0.0625)],
    ]
    assert found == pytest.approx(np.array(expected))


@given(st.integers(0, 2**31 - 1), st.sampled_from(["boosted", "forest", "tree", "ruled"]))
@unhurried
def test_all_effects_are_those_of_each_pair_and_group_alone(seed, kind):
    random = np.random.default_rng(seed)
    data, values = random_data(random, 3), some_values(random, size=6)
    single = random_data(random, 1)
    judge = {
        "boosted": BoostedTrees.from_data({"base": 0.5, **data}, 3),
        "forest": Forest.from_data(data, 3),
        "tree": DecisionTree.from_data({**single, "probability": single["value"]}, 3),
        "ruled": ruled(BoostedTrees.from_data({"base": 0.5, **data}, 3), [2, 0, 1], {}),
    }[kind]
    groups = [[0], [2, 1], [], [0, 1, 2]]
    expected = np.zeros((6, 4))
    for (pair, group), _ in np.ndenumerate(expected):
        without = values[[pair]].copy()
        without[0, groups[group]] = 0
        both = logit(
            np.clip(judge.predict(np.concatenate([values[[pair]], without])), 1e-6, 1 - 1e-6)
        )
        expected[pair, group] = both[0] - both[1]
    assert group_effects(judge, values, groups) == pytest.approx(expected)
    assert group_effects(judge, values, groups[::-1])[:, ::-1] == pytest.approx(expected)
