"""Logistic regression, and its mean with boosted trees."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from tests.cases import each_case
from tests.weps.coreference.cases import TREES, pairs, random_data, some_values
from weps.coreference.linear import LogisticClassifier, MeanClassifier
from weps.coreference.trees import BoostedTrees
from weps.errors import ModelError

LINE = {"intercept": -0.5, "coefficients": [2.0, -0.25]}
MEAN = {
    "trees": {"base": 1.0, **TREES},
    "tree_columns": [0, 1],
    "linear": LINE,
    "linear_columns": [0, 2],
    "size_column": -1,
}
NO_NUMBERS = (float("nan"), float("inf"), 10**400, "far", None, [1], {})


@each_case(
    ("values", "log_odds"), [((0, 0), -0.5), ((1, 0), 1.5), ((0.5, 1), 0.25), ((0, 2), -1.0)]
)
def test_log_odds_are_the_intercept_and_the_weighted_similarities(values, log_odds):
    line = LogisticClassifier.from_data(LINE, 2)
    assert line.predict(pairs(values)) == pytest.approx([expit(log_odds)])


def test_the_mean_is_taken_of_log_odds():
    mean = MeanClassifier.from_data(MEAN, 3)
    # Of the trees 1 + 1 + .25 + .75, of the regression -.5 + 2 - .25 · 3.
    assert mean.predict(pairs((1, 1, 3))) == pytest.approx([expit((3.0 + 0.75) / 2)])


@each_case(("pages", "weight"), [(1, 1 / 12), (5, 1 / 4), (45, 0.45)])
def test_the_fewer_the_pages_the_less_weight_has_the_regression(pages, weight):
    mean = MeanClassifier.from_data({**MEAN, "size_column": 3}, 4)
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
    assert max(len(str(each)) for each in line.to_data()["coefficients"]) < 16


def test_coefficients_are_as_short_as_single_precision_allows():
    coefficients = np.array([0.1, 1 / 3, -1e-20], dtype=np.float32)
    written = LogisticClassifier(0.0, coefficients).to_data()["coefficients"]
    assert list(map(str, written)) == ["0.1", "0.33333334", "-1e-20"]


@pytest.mark.parametrize("columns", [0, 1])
def test_there_is_a_coefficient_for_each_column(columns):
    with pytest.raises(ModelError, match=f"does not have {columns} coefficients"):
        LogisticClassifier.from_data(LINE, columns)
    with pytest.raises(ModelError):
        MeanClassifier.from_data(MEAN, columns)


@each_case(
    "data",
    [
        *(None, 7, [], "line", {}, {"intercept": 1.0}, {"coefficients": [1.0, 2.0]}),
        *({**LINE, "intercept": odd} for odd in NO_NUMBERS),
        *({**LINE, "coefficients": [1.0, odd]} for odd in (*NO_NUMBERS, 1e39)),
        *({**LINE, "coefficients": odd} for odd in (1.0, [[1.0, 2.0]], "12", {"0": 1})),
    ],
)
def test_what_is_no_logistic_regression_is_refused(data):
    with pytest.raises(ModelError, match="its logistic regression"):
        LogisticClassifier.from_data(data, 2)
    with pytest.raises(ModelError, match="its logistic regression"):
        MeanClassifier.from_data({**MEAN, "linear": data}, 3)


@each_case(
    "data",
    [
        *(None, 7, [], {}, {"trees": MEAN["trees"]}, {"linear": LINE}),
        *({key: part for key, part in MEAN.items() if key != left_out} for left_out in MEAN),
        *(
            {**MEAN, f"{part}_columns": odd}
            for part in ("tree", "linear")
            for odd in (*NO_NUMBERS, [0, 0], [0, 3], [-1, 0], [0.5, 1], [[0, 1]])
        ),
        *({**MEAN, "size_column": odd} for odd in (*NO_NUMBERS, 3, -2)),
    ],
)
def test_what_is_no_mean_is_refused(data):
    with pytest.raises(ModelError, match=r"its mean|its trees|does not have \d coefficients"):
        MeanClassifier.from_data(data, 3)


@each_case("trees", [None, {}, {"base": 1.0}, {**MEAN["trees"], "left": [0]}])
def test_the_trees_of_a_mean_are_read_as_strictly_as_any(trees):
    with pytest.raises(ModelError, match="its trees"):
        MeanClassifier.from_data({**MEAN, "trees": trees}, 3)
