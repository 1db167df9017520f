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
from weps.coreference import LEAF, Trees, trees
from weps.errors import ModelError


def read(columns: int = 2, **changes: object) -> Trees:
    return Trees.from_data({**TREES, **changes}, columns)


@pytest.mark.parametrize(
    ("values", "leaves"),
    [
        ((0, 0), 0.125 + 0.25 + 0),
        ((0.5, 0.25), 0.125 + 0.25 + 0),
        ((0.5, 0.26), 0.5 + 0.25 + 0),
        ((0.51, 0.75), 1 + 0.25 + 0),
        ((1, 1), 1 + 0.25 + 0.75),
    ],
)
def test_the_leaves_that_a_pair_comes_to_are_added_up(values, leaves):
    assert read().sums(pairs(values)).tolist() == [leaves]


@given(st.integers(0, 2**31 - 1), st.integers(0, 6))
@unhurried
def test_all_pairs_go_where_each_would_go_alone(seed, count):
    random = np.random.default_rng(seed)
    data, values = random_data(random, count), some_values(random)
    expected = [sum(walked(data, row)) for row in values]
    found = Trees.from_data(data, columns=3).sums(values)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)


@given(st.integers(0, 2**31 - 1), st.integers(1, 12))
@unhurried
def test_pairs_know_nothing_of_each_other(seed, block):
    random = np.random.default_rng(seed)
    some = Trees.from_data(random_data(random, 5), columns=3)
    values = random.random((11, 3), dtype=np.float32)
    order = random.permutation(11)
    together = some.sums(values)
    assert some.sums(values[order]).tobytes() == together[order].tobytes()
    assert some.sums(np.asfortranarray(values)).tobytes() == together.tobytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_BLOCK", block)
        assert some.sums(values).tobytes() == together.tobytes()


def test_no_pairs_no_sums():
    assert read().sums(np.zeros((0, 2), dtype=np.float32)).shape == (0,)


def test_there_may_be_no_trees():
    none = Trees.from_data(NONE, columns=0)
    assert none.sums(np.zeros((3, 0), dtype=np.float32)).tolist() == [0.0] * 3
    assert none.to_data() == NONE


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_harms_no_other_pair(odd):
    found = read().sums(pairs((0, 0), (odd, odd), (1, 1)))
    assert found[[0, 2]].tolist() == read().sums(pairs((0, 0), (1, 1))).tolist()
    assert 0 < found[1] <= 2


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_trees_read_back_from_json(seed):
    random = np.random.default_rng(seed)
    some = Trees.from_data(random_data(random, 4), columns=3)
    text = json.dumps(some.to_data(), allow_nan=False)
    again = Trees.from_data(json.loads(text), columns=3)
    values = some_values(random)
    assert json.dumps(again.to_data()) == text
    assert again.sums(values).tobytes() == some.sums(values).tobytes()


@pytest.mark.parametrize("name", ["threshold", "value"])
@given(value=st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_numbers_are_written_short_and_read_back_the_same(name, value):
    written = read(**changed(name, 1, value)).to_data()[name][1]
    assert np.float32(written) == np.float32(value)
    assert float(f"{written:.9g}") == written


@pytest.mark.parametrize("data", [None, [], "trees", 7, {}])
def test_what_are_no_trees_is_refused(data):
    with pytest.raises(ModelError, match="its trees cannot be read"):
        Trees.from_data(data, columns=2)


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {},
        "7",
        7,
        "abc",
        [[1]],
        [1, 2],
        ["a"] * 9,
        [None] * 9,
        [[0]] * 9,
        [10**400] * 9,
        {"0": 1},
    ],
)
def test_a_damaged_array_is_refused(name, values):
    with pytest.raises(ModelError, match=r"^its trees "):
        read(**{name: values})


@pytest.mark.parametrize("name", TREES)
def test_a_missing_array_is_named(name):
    with pytest.raises(ModelError, match=f"its trees cannot be read .*{name}"):
        Trees.from_data({key: TREES[key] for key in TREES if key != name}, columns=2)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("roots", 0, 1),  # one node of two trees
        ("roots", 1, 4),
        ("roots", 1, 0),  # one tree twice, another never
        ("roots", 2, 9),
        ("roots", 2, -1),
        ("column", 0, 2),
        ("column", 0, -2),
        ("column", 5, 0),  # the leaf alone asks now, and has no children
        ("column", 1, -1),  # children that nobody sends pairs to
        ("left", 0, 0),  # round and round
        ("left", 1, 0),
        ("left", 1, -1),
        ("left", 6, 3),  # into another tree
        ("left", 1, 3),  # both to one child
        ("right", 0, 5),
        ("right", 0, 9),
        ("right", 0, 2**31 - 1),
        ("threshold", 0, float("nan")),
        ("threshold", 1, float("inf")),
        ("threshold", 1, 1e39),  # beyond single precision
        ("value", 2, float("nan")),
        ("value", 2, -1e39),
    ],
)
def test_a_walk_that_would_leave_its_tree_is_refused(name, place, value):
    with pytest.raises(ModelError, match="its trees are damaged"):
        read(**changed(name, place, value))


def test_two_questions_that_are_each_other_s_children_are_refused():
    """Every node is a root or a child, once; yet nobody who came to node 1 would ever leave."""
    cycle = {
        "roots": [0],
        "column": [-1, 0, 0, -1, -1],
        "threshold": [0.0] * 5,
        "left": [-1, 2, 1, -1, -1],
        "right": [-1, 3, 4, -1, -1],
        "value": [0.0] * 5,
    }
    with pytest.raises(ModelError, match="damaged"):
        Trees.from_data(cycle, columns=1)


@pytest.mark.parametrize(
    ("name", "place"), [("roots", 0), ("column", 1), ("left", 0), ("right", 0)]
)
def test_places_in_the_trees_are_whole_numbers(name, place):
    with pytest.raises(ModelError, match="cannot be read"):
        read(**changed(name, place, TREES[name][place] + 0.5))


def test_trees_over_more_columns_than_there_are_are_refused():
    with pytest.raises(ModelError, match="damaged"):
        read(columns=1)


@pytest.mark.parametrize("further", [0, 1])
def test_a_file_of_endless_trees_is_refused(further):
    size = trees._MOST_NODES + further
    leaves = {name: [LEAF] * size for name in ("column", "left", "right")}
    numbers = {name: [0.0] * size for name in ("threshold", "value")}
    data = {"roots": list(range(size)), **leaves, **numbers}
    if not further:
        assert Trees.from_data(data, columns=0).roots.size == size
        return
    with pytest.raises(ModelError, match="its trees have more than 1,000,000 nodes"):
        Trees.from_data(data, columns=0)


def test_a_long_chain_of_questions_is_answered():
    """One tree of 20,001 nodes: each question has a leaf on its left and the next on its right."""
    size = 20_001
    asks = np.arange(size) % 2 == 0
    asks[-1] = False
    chain = {
        "roots": [0],
        "column": np.where(asks, 0, LEAF).tolist(),
        "threshold": np.where(asks, np.arange(size), 0).tolist(),
        "left": np.where(asks, np.arange(size) + 1, LEAF).tolist(),
        "right": np.where(asks, np.arange(size) + 2, LEAF).tolist(),
        "value": (np.arange(size) / size).tolist(),
    }
    found = Trees.from_data(chain, columns=1).sums(pairs((-1,), (1e6,)))
    assert found.tolist() == pytest.approx([1 / size, (size - 1) / size], abs=1e-7)
