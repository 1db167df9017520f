import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from tests.weps.coreference.cases import random_data, some_values, walked
from weps.coreference import DecisionTree
from weps.errors import ModelError

# Column 0 above .5 is one person; otherwise column 1 above .25 leaves it open.
STUMP = {
    "column": [0, 1, -1, -1, -1],
    "threshold": [0.5, 0.25, 0.0, 0.0, 0.0],
    "left": [1, 2, -1, -1, -1],
    "right": [4, 3, -1, -1, -1],
    "probability": [0.4, 0.2, 0.0, 0.5, 1.0],
}


def read(columns: int = 2, **changes: object) -> DecisionTree:
    return DecisionTree.from_data({**STUMP, **changes}, columns)


def changed(name: str, place: int, value: object) -> dict[str, object]:
    return {name: [*STUMP[name][:place], value, *STUMP[name][place + 1 :]]}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0, 0), 0.0),
        ((0.5, 0.25), 0.0),
        ((0.5, 0.26), 0.5),
        ((0.51, 0), 1.0),
        ((1, 1), 1.0),
    ],
)
def test_values_up_to_the_threshold_go_left(values, expected):
    assert read().predict(np.array([values], dtype=np.float32)).tolist() == [expected]


def test_no_pairs_no_predictions():
    assert read().predict(np.zeros((0, 2), dtype=np.float32)).shape == (0,)


def test_a_tree_may_be_a_single_leaf():
    leaf = {name: [values[-1]] for name, values in STUMP.items()}
    tree = DecisionTree.from_data(leaf, columns=0)
    assert tree.predict(np.zeros((3, 0), dtype=np.float32)).tolist() == [1.0] * 3


def random_tree(random: np.random.Generator) -> dict[str, list]:
    data = random_data(random, 1)
    return {name: data[name] for name in STUMP if name != "probability"} | {
        "probability": data["value"]
    }


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_all_pairs_go_where_each_would_go_alone(seed):
    random = np.random.default_rng(seed)
    data, values = random_tree(random), some_values(random)
    alone = {**data, "roots": [0], "value": data["probability"]}
    found = DecisionTree.from_data(data, columns=3).predict(values)
    assert found.tolist() == [walked(alone, row)[0] for row in values]


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_a_tree_reads_back_from_json(seed):
    random = np.random.default_rng(seed)
    tree = DecisionTree.from_data(random_tree(random), columns=3)
    again = DecisionTree.from_data(json.loads(json.dumps(tree.to_data())), columns=3)
    values = some_values(random)
    assert again.to_data() == tree.to_data()
    assert again.predict(values).tolist() == tree.predict(values).tolist()


@pytest.mark.parametrize("data", [None, [], "tree", 7, {}])
def test_what_is_no_tree_is_refused(data):
    with pytest.raises(ModelError):
        DecisionTree.from_data(data, columns=2)


@pytest.mark.parametrize("name", STUMP)
@pytest.mark.parametrize(
    "values", [None, 7, [], "abc", [[1]], [1, 2], ["a"] * 5, [None] * 5, [[0]] * 5, [10**400] * 5]
)
def test_a_damaged_array_is_refused(name, values):
    with pytest.raises(ModelError):
        read(**{name: values})


@pytest.mark.parametrize("name", STUMP)
def test_a_missing_array_is_named(name):
    with pytest.raises(ModelError, match=name):
        DecisionTree.from_data({key: STUMP[key] for key in STUMP if key != name}, columns=2)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("column", 0, 2),
        ("column", 0, -2),
        ("column", 3, 0),
        ("left", 0, 0),
        ("left", 1, 0),
        ("left", 1, -1),
        ("right", 1, 1),
        ("right", 0, 5),
        ("right", 0, 2**31 - 1),
        ("threshold", 0, float("nan")),
        ("threshold", 1, float("inf")),
        ("probability", 2, -0.1),
        ("probability", 2, 1.1),
        ("probability", 2, float("nan")),
    ],
)
def test_a_walk_that_would_leave_the_tree_is_refused(name, place, value):
    with pytest.raises(ModelError, match="damaged"):
        read(**changed(name, place, value))


@pytest.mark.parametrize(("name", "place"), [("column", 1), ("left", 0), ("right", 0)])
def test_places_in_the_tree_are_whole_numbers(name, place):
    with pytest.raises(ModelError):
        read(**changed(name, place, STUMP[name][place] + 0.5))


def test_a_tree_over_more_columns_than_there_are_is_refused():
    with pytest.raises(ModelError, match="damaged"):
        read(columns=1)
