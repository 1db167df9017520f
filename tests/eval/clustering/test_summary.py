"""Means over names, their errors, printed scores and signatures."""

import math

import pytest

from eval.clustering import mean, scorer, signature, standard_error, two_decimals

SCORES = {
    "A": {"purity": 0.2, "rand": 1.0},
    "B": {"purity": 0.4, "rand": 1.0},
    "C": {"purity": 0.9, "rand": 1.0},
}


def test_mean_over_names():
    assert mean(SCORES) == pytest.approx({"purity": 0.5, "rand": 1.0})


def test_standard_error_of_the_mean():
    deviation = math.sqrt((0.3**2 + 0.1**2 + 0.4**2) / 2)
    assert standard_error(SCORES) == pytest.approx({"purity": deviation / math.sqrt(3), "rand": 0})


def test_one_name_has_no_standard_error():
    assert all(math.isnan(value) for value in standard_error({"A": SCORES["A"]}).values())


def test_no_names_have_no_scores():
    assert mean({}) == standard_error({}) == {}


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0, "0.00"),
        (1, "1.00"),
        (0.994, "0.99"),
        (0.225, "0.23"),
        (0.825, "0.83"),
        (0.996, "1.00"),
        # The double nearest to 0.575 is smaller than that, even when multiplied by 100.
        (0.575, "0.57"),
    ],
)
def test_scores_are_printed_as_the_official_scorers_do(value, printed):
    assert two_decimals(value) == printed


@pytest.mark.parametrize(
    ("which", "missing"), [("weps1", "precision-1-recall-0"), ("weps2", "one-cluster")]
)
def test_a_signature_says_how_a_score_was_made(which, missing):
    line = signature(scorer(which), names=15, corpus="1a2b3c4d5e6f", version="0.1.0")
    assert line == (
        f"bcubed:extended|scorer:{which}|missing:{missing}|mean:names|names:15"
        "|corpus:sha256-1a2b3c4d|weps:0.1.0"
    )
