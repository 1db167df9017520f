"""The registry of measures, and F."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.clustering import MEASURES, compare, f_measure, measure
from weps.errors import FeatureError

SHARE = st.just(0.0) | st.floats(1e-6, 1)


def test_the_names_are_those_of_the_output_format():
    assert list(MEASURES) == [
        "bcubed_precision",
        "bcubed_recall",
        "bcubed_f05",
        "bcubed_f02",
        "purity",
        "inverse_purity",
        "purity_f05",
        "purity_f02",
        "rand",
        "jaccard",
        "fowlkes_mallows",
    ]


@pytest.mark.parametrize("declared", MEASURES.values(), ids=MEASURES)
def test_every_measure_is_described_and_cited(declared):
    assert measure(declared.name) is declared
    assert declared.description
    assert any(character.isdigit() for character in declared.source), "a year"


def test_every_measure_of_a_worked_case():
    found = compare([{1, 2, 3}], [{1, 2}, {3}])
    expected = {
        "bcubed_precision": 5 / 9,
        "bcubed_recall": 1,
        "bcubed_f05": 2 / (9 / 5 + 1),
        "bcubed_f02": 1 / (0.2 * 9 / 5 + 0.8),
        "purity": 2 / 3,
        "inverse_purity": 1,
        "purity_f05": 0.8,
        "purity_f02": 1 / (0.2 * 3 / 2 + 0.8),
        "rand": 1 / 3,
        "jaccard": 1 / 3,
        "fowlkes_mallows": 1 / 3**0.5,
    }
    assert {name: declared.value(found) for name, declared in MEASURES.items()} == pytest.approx(
        expected
    )


@given(SHARE, SHARE, SHARE)
def test_f_lies_between_its_parts(precision, recall, alpha):
    value = f_measure(precision, recall, alpha)
    if precision and recall:
        low, high = sorted((precision, recall))
        assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9)
    else:
        assert value == 0
    assert f_measure(recall, precision, 1 - alpha) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("F(alpha=0.5)", "bcubed_f05"),
        ("F(alpha=0.2)", "bcubed_f02"),
        ("F(alpha=1)", "bcubed_precision"),
        ("F(alpha=0)", "bcubed_recall"),
    ],
)
def test_f_with_any_alpha_can_be_asked_for(name, same):
    found = compare([{1, 2, 3}], [{1, 2}, {3, 1}])
    assert measure(name).name == name
    assert measure(name).value(found) == pytest.approx(measure(same).value(found))


@pytest.mark.parametrize("name", ["bcubed", "", "F", "F(alpha=2)", "F(alpha=-0.1)", "F(beta=1)"])
def test_an_unknown_measure_lists_the_known_ones(name):
    with pytest.raises(FeatureError, match=r"unknown measure; choose from bcubed_precision, .*F\("):
        measure(name)
