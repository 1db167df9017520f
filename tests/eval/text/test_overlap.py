import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Overlap, Text, or_wholes, words_of

COUNTS = st.integers(0, 50)


@pytest.mark.parametrize(
    ("overlap", "precision", "recall"),
    [
        (Overlap(1, 2, 4), 0.5, 0.25),
        (Overlap(0, 2, 4), 0, 0),
        (Overlap(0, 0, 4), 0, 0),
        (Overlap(0, 2, 0), 0, 0),
        (Overlap(0, 0, 0), 1, 1),
    ],
)
def test_shares_are_defined_everywhere(overlap: Overlap, precision: float, recall: float) -> None:
    assert (overlap.precision, overlap.recall) == (precision, recall)


@pytest.mark.parametrize(
    ("beta", "expected"),
    [(1, 1 / 3), (0, 0.5), (math.inf, 0.25), (2, 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))],
)
def test_f_goes_from_precision_to_recall(beta: float, expected: float) -> None:
    assert Overlap(1, 2, 4).f(beta) == pytest.approx(expected)


@given(COUNTS, COUNTS, COUNTS, st.floats(0, 1e6))
def test_f_lies_between_precision_and_recall(
    shared: int, left: int, right: int, beta: float
) -> None:
    overlap = Overlap(shared, shared + left, shared + right)
    low, high = sorted((overlap.precision, overlap.recall))
    assert low - 1e-12 <= overlap.f(beta) <= high + 1e-12


def test_overlaps_add_up() -> None:
    assert Overlap(1, 2, 3) + Overlap(10, 20, 30) == Overlap(11, 22, 33)


@pytest.mark.parametrize(
    ("overlap", "output", "reference", "expected"),
    [
        (Overlap(0, 0, 0), (("a",),), (("a",),), Overlap(1, 1, 1)),
        (Overlap(0, 0, 0), (("a",),), (("b",),), Overlap(0, 1, 1)),
        (Overlap(0, 0, 0), (), ((),), Overlap(1, 1, 1)),
        (Overlap(0, 0, 1), (("a",),), (("a", "b"),), Overlap(0, 0, 1)),
    ],
)
def test_texts_without_units_match_as_wholes(
    overlap: Overlap, output: Text, reference: Text, expected: Overlap
) -> None:
    assert or_wholes(overlap, output, reference) == expected


def test_words_are_of_all_sentences_in_order() -> None:
    assert words_of((("b", "a"), (), ("b",))) == ("b", "a", "b")
