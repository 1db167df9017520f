import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from tests.weps.builders import unhurried
from weps.coreference import LEAF, BoostedTrees, boosted
from weps.errors import ModelError

# A tree that asks two questions, a leaf alone, a tree that asks one.
FOREST = {
    "base": -0.5,
    "roots": [0, 5, 6],
    "column": [0, 1, -1, -1, -1, -1, 1, -1, -1],
    "threshold": [0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.75, 0.0, 0.0],
    "left": [1, 2, -1, -1, -1, -1, 7, -1, -1],
    "right": [4, 3, -1, -1, -1, -1, 8, -1, -1],
    "value": [0.0, 0.0, -2.0, 0.5, 2.0, 0.25, 0.0, -1.0, 1.0],
}
ARRAYS = [name for name in FOREST if name != "base"]
NONE = {"base": 0.75} | {name: [] for name in ARRAYS}


def read(columns: int = 2, **changes: object) -> BoostedTrees:
    return BoostedTrees.from_data({**FOREST, **changes}, columns)


def changed(name: str, place: int, value: object) -> dict[str, object]:
    return {name: [*FOREST[name][:place], value, *FOREST[name][place + 1 :]]}


def pairs(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def random_forest(random: np.random.Generator, trees: int, columns: int = 3) -> BoostedTrees:
    """Trees of random shape; thresholds are eighths, so that values meet them."""
    data = {"base": float(random.normal()), "roots": []} | {name: [] for name in ARRAYS[1:]}

    def add(depth: int) -> int:
        node = len(data["column"])
        leaf = depth == 0 or random.random() < 0.2
        data["column"].append(LEAF if leaf else int(random.integers(columns)))
        data["threshold"].append(float(random.integers(9)) / 8)
        data["value"].append(float(np.float32(random.normal())))
        for side in ("left", "right"):
            data[side].append(LEAF)
        for side in () if leaf else ("left", "right"):
            data[side][node] = add(depth - 1)
        return node

    data["roots"] = [add(int(random.integers(5))) for _ in range(trees)]
    return BoostedTrees.from_data(data, columns)


def walked(trees: BoostedTrees, row: np.ndarray) -> float:
    """The log odds of one pair, walk by walk."""
    total = trees.base
    for node in trees.roots:
        while trees.column[node] != LEAF:
            smaller = row[trees.column[node]] <= trees.threshold[node]
            node = trees.left[node] if smaller else trees.right[node]  # noqa: PLW2901 - a walk
        total += float(trees.value[node])
    return total


@pytest.mark.parametrize(
    ("values", "log_odds"),
    [
        ((0, 0), -0.5 - 2 + 0.25 - 1),
        ((0.5, 0.25), -0.5 - 2 + 0.25 - 1),
        ((0.5, 0.26), -0.5 + 0.5 + 0.25 - 1),
        ((0.51, 0.75), -0.5 + 2 + 0.25 - 1),
        ((1, 1), -0.5 + 2 + 0.25 + 1),
    ],
)
def test_the_leaves_that_a_pair_comes_to_are_added_up(values, log_odds):
    assert read().predict(pairs(values)).tolist() == [expit(log_odds)]


@given(st.integers(0, 2**31 - 1), st.integers(0, 6))
@unhurried
def test_all_pairs_go_where_each_would_go_alone(seed, trees):
    random = np.random.default_rng(seed)
    forest = random_forest(random, trees)
    values = (random.integers(0, 17, (40, 3)) / 16).astype(np.float32)
    expected = expit([walked(forest, row) for row in values])
    np.testing.assert_allclose(forest.predict(values), expected, rtol=0, atol=1e-15)


@given(st.integers(0, 2**31 - 1), st.integers(1, 12))
@unhurried
def test_pairs_know_nothing_of_each_other(seed, block):
    random = np.random.default_rng(seed)
    forest = random_forest(random, 5)
    values = random.random((11, 3), dtype=np.float32)
    order = random.permutation(11)
    together = forest.predict(values)
    assert forest.predict(values[order]).tobytes() == together[order].tobytes()
    assert forest.predict(np.asfortranarray(values)).tobytes() == together.tobytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boosted, "_BLOCK", block)
        assert forest.predict(values).tobytes() == together.tobytes()


def test_no_pairs_no_predictions():
    assert read().predict(np.zeros((0, 2), dtype=np.float32)).shape == (0,)


def test_without_trees_every_pair_has_the_base():
    trees = BoostedTrees.from_data(NONE, columns=0)
    values = np.zeros((3, 0), dtype=np.float32)
    assert trees.predict(values).tolist() == [expit(0.75)] * 3
    assert trees.to_data() == NONE


@pytest.mark.parametrize(("base", "expected"), [(-1e6, 0.0), (1e6, 1.0)])
def test_huge_log_odds_are_certainty(base, expected):
    assert read(base=base).predict(pairs((0, 0))).tolist() == [expected]


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_harms_no_other_pair(odd):
    found = read().predict(pairs((0, 0), (odd, odd), (1, 1)))
    assert found[[0, 2]].tolist() == read().predict(pairs((0, 0), (1, 1))).tolist()
    assert 0 < found[1] < 1


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_trees_read_back_from_json(seed):
    random = np.random.default_rng(seed)
    forest = random_forest(random, 4)
    text = json.dumps(forest.to_data(), allow_nan=False)
    again = BoostedTrees.from_data(json.loads(text), columns=3)
    values = random.random((40, 3), dtype=np.float32)
    assert json.dumps(again.to_data()) == text
    assert again.predict(values).tobytes() == forest.predict(values).tobytes()


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_numbers_are_written_short_and_read_back_the_same(value):
    trees = read(**changed("value", 2, value))
    (written,) = trees.to_data()["value"][2:3]
    assert np.float32(written) == np.float32(value)
    assert float(f"{written:.9g}") == written


@pytest.mark.parametrize("data", [None, [], "trees", 7, {}])
def test_what_are_no_trees_is_refused(data):
    with pytest.raises(ModelError, match="cannot be read"):
        BoostedTrees.from_data(data, columns=2)


@pytest.mark.parametrize("name", ARRAYS)
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
    with pytest.raises(ModelError):
        read(**{name: values})


@pytest.mark.parametrize("name", FOREST)
def test_a_missing_array_is_named(name):
    with pytest.raises(ModelError, match=name):
        BoostedTrees.from_data({key: FOREST[key] for key in FOREST if key != name}, columns=2)


@pytest.mark.parametrize(
    "base", [float("nan"), float("inf"), "nan", 1e400, 10**400, None, "abc", [], [1], {}]
)
def test_the_base_is_a_number(base):
    with pytest.raises(ModelError, match="its boosted trees"):
        read(base=base)


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
    with pytest.raises(ModelError, match="damaged"):
        read(**changed(name, place, value))


def test_two_questions_that_are_each_other_s_children_are_refused():
    """Every node is a root or a child, once; yet nobody who came to node 1 would ever leave."""
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


@pytest.mark.parametrize(
    ("name", "place"), [("roots", 0), ("column", 1), ("left", 0), ("right", 0)]
)
def test_places_in_the_trees_are_whole_numbers(name, place):
    with pytest.raises(ModelError, match="cannot be read"):
        read(**changed(name, place, FOREST[name][place] + 0.5))


def test_trees_over_more_columns_than_there_are_are_refused():
    with pytest.raises(ModelError, match="damaged"):
        read(columns=1)


def test_a_file_of_endless_trees_is_refused():
    size = boosted._MOST_NODES + 1
    leaves = {name: [-1] * size for name in ("column", "left", "right")}
    numbers = {name: [0.0] * size for name in ("threshold", "value")}
    with pytest.raises(ModelError, match="more than 200,000 nodes"):
        read(roots=list(range(size)), **leaves, **numbers)


def test_a_long_chain_of_questions_is_answered():
    """One tree of 20,001 nodes: each question has a leaf on its left and the next on its right."""
    size = 20_001
    asks = np.arange(size) % 2 == 0
    asks[-1] = False
    chain = {
        "base": 0.0,
        "roots": [0],
        "column": np.where(asks, 0, LEAF).tolist(),
        "threshold": np.where(asks, np.arange(size), 0).tolist(),
        "left": np.where(asks, np.arange(size) + 1, LEAF).tolist(),
        "right": np.where(asks, np.arange(size) + 2, LEAF).tolist(),
        "value": (np.arange(size) / size).tolist(),
    }
    found = BoostedTrees.from_data(chain, columns=1).predict(pairs((-1,), (1e6,)))
    assert found.tolist() == pytest.approx(expit([1 / size, (size - 1) / size]), abs=1e-7)
