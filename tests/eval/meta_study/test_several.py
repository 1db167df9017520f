import numpy as np
import pytest

from eval.meta.drawn import Drawn
from eval.meta_study.several import alike, chosen, joined, known, middle, together

FIRST = Drawn(np.array([1.0, np.nan, 3.0]), np.array([[1.0, 2.0], [9.0, 9.0], [3.0, 1.0]]))
SECOND = Drawn(np.array([5.0, 6.0, 7.0]), np.array([[5.0, 5.0], [6.0, 6.0], [7.0, 7.0]]))


def test_only_measures_that_all_know_count():
    found = together(lambda ours, theirs: (theirs - ours).max(axis=0), FIRST, SECOND)
    assert found.value == 4
    assert (found.low, found.high) == (pytest.approx(4.05), pytest.approx(5.95))


def test_nothing_is_known_of_no_measure():
    nothing = Drawn(np.full(2, np.nan), np.full((2, 3), np.nan))
    assert np.isnan(together(lambda values: values.max(axis=0), nothing).value)


def test_pearson_over_measures():
    first = np.array([[1.0, 1.0, np.nan], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
    second = np.array([[2.0, 3.0, 1.0], [4.0, 2.0, 2.0], [6.0, 1.0, 3.0]])
    found = alike(first, second)
    assert found[:2] == pytest.approx([1, -1])
    assert np.isnan(found[2])
    assert np.isnan(alike(first[:2], second[:2])).all()


def test_choosing_and_joining():
    assert chosen(SECOND, [2, 0]).value.tolist() == [7, 5]
    assert joined([SECOND, chosen(SECOND, [0])]).value.tolist() == [5, 6, 7, 5]
    assert known(FIRST) == [2, 0]


def test_the_middle_is_that_of_the_measures_that_are_known():
    values = np.array([[1, np.nan, np.nan], [2, 4, np.nan], [9, 6, np.nan]])
    assert middle(values) == pytest.approx(np.array([2, 5, np.nan]), nan_ok=True)
