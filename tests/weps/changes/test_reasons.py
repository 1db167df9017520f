from types import SimpleNamespace

import numpy as np
import pytest

from tests.weps.answers import answer_of
from weps.changes.reasons import NO_REASON, Reason, between, beyond
from weps.corrections.file import from_text

CHAIN = [((4, 5), 0.9), ((5, 6), 0.6)]
"""6 comes to 4 through 5."""


def side(*ranks: int) -> frozenset[int]:
    return frozenset(ranks)


@pytest.mark.parametrize(
    ("said", "apart", "expected"),
    [
        ("same 2 3", False, Reason((3, 2), 1.0, said=True)),
        ("same 1 4\nsame 2 3 4", False, Reason((3, 2), 1.0, said=True)),
        ("split 3 / 1 2", True, Reason((3, 1), 0.0, said=True)),
        ("different 1 / 4", True, Reason((4, 1), 0.0, said=True)),
        ("different 1 / 4", False, Reason((3, 2), 0.7)),
        ("same 2 3", True, Reason((3, 2), 0.7)),
        ("same 3 4", False, Reason((3, 2), 0.7)),
        ("called 3 Ann", False, Reason((3, 2), 0.7)),
    ],
)
def test_what_a_user_said_of_both_sides_is_the_reason(said, apart, expected):
    answer = answer_of({1, 2}, {3, 4}, merges=[((2, 3), 0.7)], corrections=from_text(said))
    assert between(side(3, 4), side(1, 2), answer, apart=apart) == expected


def test_a_merge_that_other_pages_show_is_told_by_the_most_probable_pair_of_both_sides():
    ranks, probability = (4, 5, 6, 7), np.array([0.9, 0.2, 0.1, 0.6, 0.1, 0.5])
    alternatives = SimpleNamespace(ranks=ranks, probability=probability)
    answer = answer_of({4, 5, 6}, {7}, merges=CHAIN, alternatives=alternatives)
    assert between(side(6), side(4), answer, apart=False) == Reason((6, 4), 0.6)
    assert between(side(6, 7), side(4), answer, apart=False) == Reason((6, 4), 0.6)
    assert between(side(6), side(4, 5), answer, apart=True) == Reason((6, 5), 0.6)


def test_where_pairs_are_not_known_the_merge_is_told_by_its_own():
    assert between(side(6), side(4), answer_of({4, 5, 6}, merges=CHAIN), apart=False) == Reason(
        (6, 5), 0.6
    )


def test_without_a_merge_there_is_no_reason():
    answer = answer_of({1}, {2})
    assert between(side(1), side(2), answer, apart=True) == NO_REASON
    assert beyond(side(1), answer.merges) == NO_REASON
