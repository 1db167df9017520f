from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.text.overlap import Overlap
from eval.text.references import best, jackknife, maximum, mean, pooled
from weps.errors import ValuesError

OVER_REFERENCES = [mean, maximum, jackknife]
Scores = np.ndarray
SCORES = arrays(
    np.float64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(0, 1)
)


@pytest.mark.parametrize(
    ("combine", "expected"),
    [(mean, [0.4, 0.2]), (maximum, [0.8, 0.2]), (jackknife, [(0.8 + 0.8 + 0.4) / 3, 0.2])],
)
def test_three_references(combine: Callable[[object], Scores], expected: list[float]) -> None:
    scores = [[0.0, 0.8, 0.4], [0.2, 0.2, 0.2]]
    assert combine(scores).tolist() == pytest.approx(expected)


@given(SCORES)
def test_the_jackknife_leaves_every_reference_out_once(scores: Scores) -> None:
    references = scores.shape[1]
    without = [np.delete(scores, one, axis=1) for one in range(references)]
    expected = np.mean([maximum(each) for each in without], axis=0) if references > 1 else scores.T
    np.testing.assert_allclose(jackknife(scores), np.ravel(expected), rtol=1e-12)


@given(SCORES, st.integers(0, 99))
def test_the_order_of_references_does_not_matter(scores: Scores, seed: int) -> None:
    shuffled = np.random.default_rng(seed).permuted(scores, axis=1)
    for combine in OVER_REFERENCES:
        np.testing.assert_allclose(combine(shuffled), combine(scores), rtol=1e-12)


@given(SCORES)
def test_mean_jackknife_and_maximum_are_in_this_order(scores: Scores) -> None:
    assert (mean(scores) <= jackknife(scores) + 1e-12).all()
    assert (jackknife(scores) <= maximum(scores) + 1e-12).all()


def test_pooled_is_all_matches_over_all_totals() -> None:
    overlaps = [Overlap(1, 2, 4), Overlap(2, 2, 2)]
    assert pooled(overlaps) == Overlap(3, 4, 6)


def test_the_best_is_by_f_or_by_recall() -> None:
    shorter, longer = Overlap(1, 10, 1), Overlap(5, 10, 10)
    assert best([shorter, longer]) == longer
    assert best([shorter, longer], lambda overlap: overlap.recall) == shorter
    assert best([longer, Overlap(1, 2, 2)]) == longer


@pytest.mark.parametrize("combine", OVER_REFERENCES)
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((2, 0)), "no reference"),
        ([[0.5, float("nan")]], "no number"),
        ([0.5, 0.5], "outputs × references"),
    ],
)
def test_scores_that_cannot_be_combined(
    combine: Callable[[object], Scores], scores: object, message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        combine(scores)


@pytest.mark.parametrize("combine", [pooled, best])
def test_nothing_to_choose_from(combine: Callable[[list[Overlap]], Overlap]) -> None:
    with pytest.raises(ValuesError, match="no reference"):
        combine([])
