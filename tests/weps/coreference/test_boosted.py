import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

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
from weps.coreference import BoostedTrees
from weps.errors import ModelError

BOOSTED = {"base": -0.5, **TREES}


def read(columns: int = 2, **changes: object) -> BoostedTrees:
    return BoostedTrees.from_data({**BOOSTED, **changes}, columns)


@pytest.mark.parametrize(
    ("values", "log_odds"),
    [
        ((0, 0), -0.5 + 0.125 + 0.25),
        ((0.5, 0.26), -0.5 + 0.5 + 0.25),
        ((1, 1), -0.5 + 1 + 0.25 + 0.75),
    ],
)
def test_log_odds_are_the_base_and_the_leaves(values, log_odds):
    assert read().predict(pairs(values)).tolist() == [expit(log_odds)]


@given(st.integers(0, 2**31 - 1), st.integers(0, 6), st.floats(-5, 5))
@unhurried
def test_what_every_walk_finds_is_added_to_the_base(seed, trees, base):
    random = np.random.default_rng(seed)
    data, values = random_data(random, trees), some_values(random)
    expected = expit([base + sum(walked(data, row)) for row in values])
    found = BoostedTrees.from_data({"base": base, **data}, columns=3).predict(values)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)


def test_no_pairs_no_predictions():
    assert read().predict(np.zeros((0, 2), dtype=np.float32)).shape == (0,)


def test_without_trees_every_pair_has_the_base():
    trees = BoostedTrees.from_data({"base": 0.75, **NONE}, columns=0)
    values = np.zeros((3, 0), dtype=np.float32)
    assert trees.predict(values).tolist() == [expit(0.75)] * 3
    assert trees.to_data() == {"base": 0.75, **NONE}


@pytest.mark.parametrize(("base", "expected"), [(-1e6, 0.0), (1e6, 1.0)])
def test_huge_log_odds_are_certainty(base, expected):
    assert read(base=base).predict(pairs((0, 0))).tolist() == [expected]


@pytest.mark.parametrize("value", [-3.0, 7.5])
def test_leaves_may_say_anything(value):
    assert read(**changed("value", 5, value)).predict(pairs((0, 0))) == expit(-0.5 + 0.125 + value)


@given(st.integers(0, 2**31 - 1), st.floats(allow_nan=False, allow_infinity=False))
@unhurried
def test_base_and_trees_read_back_from_json(seed, base):
    random = np.random.default_rng(seed)
    boosted = BoostedTrees.from_data({"base": base, **random_data(random, 4)}, columns=3)
    text = json.dumps(boosted.to_data(), allow_nan=False)
    again = BoostedTrees.from_data(json.loads(text), columns=3)
    values = some_values(random)
    assert again.base == base
    assert json.dumps(again.to_data()) == text
    assert again.predict(values).tobytes() == boosted.predict(values).tobytes()


@pytest.mark.parametrize("data", [None, [], "trees", 7, {}])
def test_what_are_no_boosted_trees_is_refused(data):
    with pytest.raises(ModelError, match="its trees cannot be read"):
        BoostedTrees.from_data(data, columns=2)


@pytest.mark.parametrize(
    "changes", [{"left": None}, changed("left", 0, 0), changed("value", 2, float("nan"))]
)
def test_damaged_trees_are_refused(changes):
    with pytest.raises(ModelError, match=r"^its trees "):
        read(**changes)


def test_a_missing_base_is_named():
    with pytest.raises(ModelError, match=r"the base of its trees cannot be read .*base"):
        BoostedTrees.from_data(TREES, columns=2)


@pytest.mark.parametrize(
    ("base", "told"),
    [
        *((base, "is no number") for base in (float("nan"), float("inf"), "nan", 1e400, -1e400)),
        *((base, "cannot be read") for base in (10**400, None, "abc", [], [1], {})),
    ],
)
def test_the_base_is_a_number(base, told):
    with pytest.raises(ModelError, match=f"the base of its trees {told}"):
        read(base=base)


def test_trees_over_more_columns_than_there_are_are_refused():
    with pytest.raises(ModelError, match="damaged"):
        read(columns=1)
