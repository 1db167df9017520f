import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from tests.cases import each_case
from tests.weps.coreference.cases import (
    NONE,
    TREES,
    changed,
    pairs,
    random_data,
    some_values,
    walked,
)
from weps.coreference import trees
from weps.coreference.base import LEAF
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest, Trees
from weps.errors import ModelError

BOOSTED = {"base": -0.5, **TREES}


def read(columns: int = 2, **changes: object) -> BoostedTrees:
    return BoostedTrees.from_data({**BOOSTED, **changes}, columns)


@each_case(
    ("values", "log_odds"),
    [
        ((0, 0), -0.5 + 0.125 + 0.25),
        ((0.5, 0.26), -0.5 + 0.5 + 0.25),
        ((1, 1), -0.5 + 1 + 0.25 + 0.75),
    ],
)
def test_log_odds_are_the_base_and_the_leaves(values, log_odds):
    assert read().predict(pairs(values)).tolist() == [expit(log_odds)]


def test_without_trees_every_pair_has_the_base():
    trees = BoostedTrees.from_data({"base": 0.75, **NONE}, columns=0)
    values = np.zeros((3, 0), dtype=np.float32)
    assert trees.predict(values).tolist() == [expit(0.75)] * 3
    assert trees.to_data() == {"base": 0.75, **NONE}


def test_a_missing_base_is_named():
    with pytest.raises(ModelError, match=r"the base of its trees cannot be read .*base"):
        BoostedTrees.from_data(TREES, columns=2)


@each_case(
    ("base", "problem"),
    [
        *(
            (base, "is not a finite number")
            for base in (float("nan"), float("inf"), "nan", 1e400, -1e400)
        ),
        *((base, "cannot be read") for base in (10**400, None, "abc", [], [1], {})),
    ],
)
def test_the_base_is_a_number(base, problem):
    with pytest.raises(ModelError, match=f"the base of its trees {problem}"):
        read(base=base)


seeds = st.integers(0, 2**31 - 1)


def read_forest(columns: int = 2, **changes: object) -> Forest:
    return Forest.from_data({**TREES, **changes}, columns)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0.5, 0.25), (0.125 + 0.25 + 0) / 3),
        ((1, 1), (1 + 0.25 + 0.75) / 3),
    ],
)
def test_a_pair_s_probability_is_the_mean_of_its_leaves(values, expected):
    assert read_forest().predict(pairs(values)).tolist() == [expected]


def test_it_has_a_tree():
    with pytest.raises(ModelError, match="its forest has no trees"):
        Forest.from_data(NONE, columns=2)


@each_case("share", [-1e-30, -1, 1.0000002, 2, 3e38])
@each_case("leaf", [2, 5, 8])
def test_a_leaf_that_holds_no_share_is_refused(leaf, share):
    with pytest.raises(ModelError, match="the leaves of its forest are not between 0 and 1"):
        read_forest(**changed("value", leaf, share))


STUMP = {
    "column": [0, 1, -1, -1, -1],
    "threshold": [0.5, 0.25, 0.0, 0.0, 0.0],
    "left": [1, 2, -1, -1, -1],
    "right": [4, 3, -1, -1, -1],
    "probability": [0.4, 0.2, 0.0, 0.5, 1.0],
}


def read_tree(columns: int = 2, **changes: object) -> DecisionTree:
    return DecisionTree.from_data({**STUMP, **changes}, columns)


def changed_tree(name: str, place: int, value: object) -> dict[str, object]:
    return {name: [*STUMP[name][:place], value, *STUMP[name][place + 1 :]]}


@each_case(
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
    assert read_tree().predict(np.array([values], dtype=np.float32)).tolist() == [expected]


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
def test_all_pairs_go_where_each_would_go_alone(seed):
    random = np.random.default_rng(seed)
    data, values = random_tree(random), some_values(random)
    alone = {**data, "roots": [0], "value": data["probability"]}
    found = DecisionTree.from_data(data, columns=3).predict(values)
    assert found.tolist() == [walked(alone, row)[0] for row in values]


@each_case("name", STUMP)
@each_case(
    "values", [None, 7, [], "abc", [[1]], [1, 2], ["a"] * 5, [None] * 5, [[0]] * 5, [10**400] * 5]
)
def test_a_damaged_array_is_refused(name, values):
    with pytest.raises(ModelError):
        read_tree(**{name: values})


@each_case(
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
        read_tree(**changed_tree(name, place, value))


def read_trees(columns: int = 2, **changes: object) -> Trees:
    return Trees.from_data({**TREES, **changes}, columns)


@each_case(
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
    assert read_trees().sum_leaves(pairs(values)).tolist() == [leaves]


@given(st.integers(0, 2**31 - 1), st.integers(0, 6), st.sampled_from([0, 1, 3, 8]))
def test_leaves_are_those_of_every_walk(seed, count, tests):
    random = np.random.default_rng(seed)
    data, values = random_data(random, count), some_values(random)
    expected = [sum(walked(data, row)) for row in values]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_MAX_TESTS", tests)
        found = Trees.from_data(data, columns=3).sum_leaves(values)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)


def test_what_cannot_be_compared_goes_right_in_tables_as_in_walks():
    odd = pairs((float("nan"), 0.0), (float("inf"), float("nan")), (float("-inf"), 0.0))
    expected = [1 + 0.25 + 0, 1 + 0.25 + 0.75, 0.125 + 0.25 + 0]
    assert read_trees().sum_leaves(odd).tolist() == expected


@given(st.integers(0, 2**31 - 1), st.integers(1, 12))
def test_pairs_know_nothing_of_each_other(seed, block):
    random = np.random.default_rng(seed)
    some = Trees.from_data(random_data(random, 5), columns=3)
    values = random.random((11, 3), dtype=np.float32)
    order = random.permutation(11)
    together = some.sum_leaves(values)
    assert some.sum_leaves(values[order]).tobytes() == together[order].tobytes()
    assert some.sum_leaves(np.asfortranarray(values)).tobytes() == together.tobytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_BLOCK_PAIRS", block)
        assert some.sum_leaves(values).tobytes() == together.tobytes()


def test_there_may_be_no_trees():
    none = Trees.from_data(NONE, columns=0)
    assert none.sum_leaves(np.zeros((3, 0), dtype=np.float32)).tolist() == [0.0] * 3
    assert none.to_data() == NONE


@each_case("odd", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_harms_no_other_pair(odd):
    found = read_trees().sum_leaves(pairs((0, 0), (odd, odd), (1, 1)))
    assert found[[0, 2]].tolist() == read_trees().sum_leaves(pairs((0, 0), (1, 1))).tolist()
    assert 0 < found[1] <= 2


@pytest.mark.parametrize("name", ["threshold", "value"])
@given(value=st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_numbers_are_written_short_and_read_back_the_same(name, value):
    written = read_trees(**changed(name, 1, value)).to_data()[name][1]
    assert np.float32(written) == np.float32(value)
    assert float(f"{written:.9g}") == written


@each_case("name", TREES)
@each_case(
    "values",
    [None, [], {}, "7", 7, "abc", [[1]], [1, 2], {"0": 1}]
    + [[each] * 9 for each in ("a", None, [0], 10**400)],
)
def test_damaged_arrays_are_refused(name, values):
    with pytest.raises(ModelError, match=r"^its trees "):
        read_trees(**{name: values})


@each_case("name", TREES)
def test_missing_arrays_are_named(name):
    with pytest.raises(ModelError, match=f"its trees cannot be read .*{name}"):
        Trees.from_data({key: TREES[key] for key in TREES if key != name}, columns=2)


@each_case(
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
        ("column", 1, -1),  # children that no pair reaches
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
        read_trees(**changed(name, place, value))


def test_two_questions_that_are_each_other_s_children_are_refused():
    """Every node is a root or a child, once; yet no pair would leave node 1."""
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


@each_case(("name", "place"), [("roots", 0), ("column", 1), ("left", 0), ("right", 0)])
def test_places_in_the_trees_are_whole_numbers(name, place):
    with pytest.raises(ModelError, match="cannot be read"):
        read_trees(**changed(name, place, TREES[name][place] + 0.5))


@pytest.mark.parametrize("further", [0, 1])
def test_a_file_of_endless_trees_is_refused(further):
    size = trees._MAX_NODES + further
    leaves = {name: [LEAF] * size for name in ("column", "left", "right")}
    numbers = {name: [0.0] * size for name in ("threshold", "value")}
    data = {"roots": list(range(size)), **leaves, **numbers}
    if not further:
        assert Trees.from_data(data, columns=0).roots.size == size
        return
    with pytest.raises(ModelError, match="its trees have more than 1,000,000 nodes"):
        Trees.from_data(data, columns=0)


every_kind = each_case("kind", [DecisionTree, BoostedTrees, Forest, Trees])


def data_of(kind: type, random: np.random.Generator) -> dict[str, object]:
    """Random trees of three columns at least one of which asks something."""
    data = random_tree(random) if kind is DecisionTree else random_data(random, 4)
    return {"base": float(random.normal()), **data}


def outcome(trees: DecisionTree | BoostedTrees | Forest | Trees, values: np.ndarray) -> np.ndarray:
    return trees.sum_leaves(values) if isinstance(trees, Trees) else trees.predict(values)


@every_kind
@each_case("damaged", [None, [], "trees", 7, {}])
def test_what_are_no_trees_is_refused(kind, damaged):
    with pytest.raises(ModelError, match="cannot be read"):
        kind.from_data(damaged, columns=2)


@every_kind
def test_trees_over_more_columns_than_there_are_are_refused(kind):
    data = STUMP if kind is DecisionTree else BOOSTED
    assert kind.from_data(data, columns=2)
    with pytest.raises(ModelError, match="damaged"):
        kind.from_data(data, columns=1)
