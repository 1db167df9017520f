from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from tests.weps.corrections.cases import consistent, corrections_of
from weps.corrections import Correction, Corrections
from weps.errors import CorrectionsError


def test_rows_are_numbered_by_the_first_that_must_be_together():
    ruling = corrections_of("same 20 40", "different 20 / 30", "confirm 50 / 60").ruling(
        [10, 20, 30, 40, 50]
    )
    assert ruling.component.tolist() == [0, 1, 2, 1, 3]
    assert np.argwhere(ruling.apart).tolist() == [[1, 2], [2, 1]]
    assert ruling.right.tolist() == [False, False, False, False, True]
    assert ruling.least == 1


def test_pages_that_are_not_there_still_tie_others():
    ruling = corrections_of("same 1 99", "same 99 3", "different 99 / 2").ruling([1, 2, 3])
    assert ruling.component.tolist() == [0, 1, 0]
    assert ruling.different.tolist() == [True, False, True]


def test_only_the_pages_confirmed_are_vouched_for():
    ruling = corrections_of("confirm 1 / 2", "confirm 3 4").ruling([1, 2, 3, 4])
    assert ruling.right.tolist() == [True, False, True, True]


def test_nothing_said():
    ruling = Corrections().ruling([4, 5])
    assert (ruling.component.tolist(), ruling.apart.any()) == ([0, 1], False)


def test_contradictions_settle_nothing():
    said = tuple(Correction(kind, ((1,), (2,))) for kind in ("confirm", "different"))
    with pytest.raises(CorrectionsError, match="are one person by"):
        Corrections(said).ruling([1, 2])


@given(consistent(), st.permutations(range(15)))
@unhurried
def test_it_is_closed_and_says_no_more_than_follows(corrections, ranks):
    ruling = corrections.ruling(ranks)
    size = len(ranks)
    same, different = np.zeros((2, size, size), dtype=bool)
    pairs = np.triu_indices(size, k=1)
    same[pairs], different[pairs] = ruling.same, ruling.different
    one, two = same | same.T | np.eye(size, dtype=bool), different | different.T
    row = {rank: number for number, rank in enumerate(ranks)}
    by_hand, apart = np.eye(size, dtype=bool), np.zeros((size, size), dtype=bool)
    for ours in corrections.same:
        for first, second in combinations([row[rank] for rank in ours], 2):
            by_hand[first, second] = by_hand[second, first] = True
    for _ in range(4):
        by_hand = by_hand @ by_hand
    for left, right in corrections.different:
        rows = np.ix_([row[rank] for rank in left], [row[rank] for rank in right])
        apart[rows] = True
    assert (one == by_hand).all()
    assert (two == (by_hand @ (apart | apart.T) @ by_hand)).all()
