import math

import pytest

from eval.meta_study.cells import NARROW, chance, name_cell, two, two_between
from eval.ordering import Estimate


@pytest.mark.parametrize(
    ("value", "told"), [(0.256, "0.26"), (-0.256, "−0.26"), (-0.001, "0.00"), (math.nan, "–")]
)
def test_two_decimals(value, told):
    assert two(value) == told


def test_intervals():
    assert two_between(Estimate(0.5, 0.4, 0.6)) == "0.50 (0.40 to 0.60)"
    assert two_between(Estimate(0.5, math.nan, math.nan)) == "0.50"


@pytest.mark.parametrize(
    ("value", "told"), [(0.0004, "<.001"), (0.0316, ".032"), (1.0, "1.000"), (math.nan, "–")]
)
def test_chances(value, told):
    assert chance(value) == told


def test_names_are_cut():
    assert name_cell("rouge") == "rouge"
    assert len(name_cell("rouge" * 20)) == NARROW
