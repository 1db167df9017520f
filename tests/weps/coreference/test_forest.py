import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from tests.weps.coreference.cases import (
    NONE,
    TREES,
    changed,
    pairs,
    random_data,
    some_values,
    walked,
)
from weps.coreference import DecisionTree, Forest
from weps.errors import ModelError

seeds = st.integers(0, 2**31 - 1)


def read(columns: int = 2, **changes: object) -> Forest:
    return Forest.from_data({**TREES, **changes}, columns)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0, 0), (0.125 + 0.25 + 0) / 3),
        ((0.5, 0.25), (0.125 + 0.25 + 0) / 3),
        ((0.5, 0.26), (0.5 + 0.25 + 0) / 3),
        ((0.51, 0.75), (1 + 0.25 + 0) / 3),
        ((1, 1), (1 + 0.25 + 0.75) / 3),
    ],
)
def test_a_pair_s_probability_is_the_mean_of_its_leaves(values, expected):
    assert read().predict(pairs(values)).tolist() == [expected]


@given(seeds, st.integers(1, 6))
@unhurried
def test_the_mean_is_that_of_every_walk(seed, trees):
    random = np.random.default_rng(seed)
    data, values = random_data(random, trees), some_values(random)
    found = Forest.from_data(data, columns=3).predict(values)
    expected = [np.mean(walked(data, row)) for row in values]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
    assert ((found >= 0) & (found <= 1)).all()


@given(seeds)
@unhurried
def test_a_forest_of_one_tree_is_that_tree(seed):
    random = np.random.default_rng(seed)
    data, values = random_data(random, 1), some_values(random)
    alone = {name: data[name] for name in ("column", "threshold", "left", "right")}
    tree = DecisionTree.from_data({**alone, "probability": data["value"]}, columns=3)
    found = Forest.from_data(data, columns=3).predict(values)
    assert found.tolist() == tree.predict(values).tolist()


def test_no_pairs_no_predictions():
    assert read().predict(np.zeros((0, 2), dtype=np.float32)).shape == (0,)


@given(seeds)
@unhurried
def test_a_forest_reads_back_from_json(seed):
    random = np.random.default_rng(seed)
    forest = Forest.from_data(random_data(random, 4), columns=3)
    text = json.dumps(forest.to_data(), allow_nan=False)
    again = Forest.from_data(json.loads(text), columns=3)
    values = some_values(random)
    assert json.dumps(again.to_data()) == text
    assert again.predict(values).tobytes() == forest.predict(values).tobytes()


def test_it_has_a_tree():
    with pytest.raises(ModelError, match="its forest has no trees"):
        Forest.from_data(NONE, columns=2)


@pytest.mark.parametrize("share", [0, 1, 1e-30])
def test_a_leaf_may_be_certain(share):
    found = read(**changed("value", 5, share)).predict(pairs((0, 0)))
    assert found == pytest.approx([(0.125 + share) / 3])


@pytest.mark.parametrize("share", [-1e-30, -1, 1.0000002, 2, 3e38])
@pytest.mark.parametrize("leaf", [2, 5, 8])
def test_a_leaf_that_holds_no_share_is_refused(leaf, share):
    with pytest.raises(ModelError, match="the leaves of its forest are no shares"):
        read(**changed("value", leaf, share))


@pytest.mark.parametrize("data", [None, [], "forest", 7, {}])
def test_what_is_no_forest_is_refused(data):
    with pytest.raises(ModelError, match="its trees cannot be read"):
        Forest.from_data(data, columns=2)


@pytest.mark.parametrize(
    "changes", [{"left": None}, changed("left", 0, 0), changed("value", 2, float("nan"))]
)
def test_damaged_trees_are_refused(changes):
    with pytest.raises(ModelError, match=r"^its trees "):
        read(**changes)


def test_a_forest_over_more_columns_than_there_are_is_refused():
    with pytest.raises(ModelError, match="damaged"):
        read(columns=1)
