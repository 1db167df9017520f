import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import mannwhitneyu

from eval.ordering.accuracy import auc, auc_tally, max_pwa, max_pwa_tally, pwa, pwa_tally
from weps.errors import ValuesError

few_values = st.integers(0, 5).map(float)
measure = st.lists(few_values, min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("positive", "negative", "strict", "half"),
    [
        ([2], [1], 1, 1),
        ([1], [1], 0, 0.5),
        ([0], [1], 0, 0),
        ([3, 1], [2, 1], 0.5, 0.625),
        ([0.5, 0.5, 0.5], [0.5, 0.5], 0, 0.5),
    ],
)
def test_small_cases(
    positive: list[float], negative: list[float], strict: float, half: float
) -> None:
    assert pwa(positive, negative) == strict
    assert auc(positive, negative) == half


@given(measure, measure)
def test_pwa_and_auc_are_shares_of_all_comparisons(
    positive: list[float], negative: list[float]
) -> None:
    above = np.subtract.outer(positive, negative)
    assert pwa(positive, negative) == (above > 0).mean()
    assert auc(positive, negative) == pytest.approx(((above > 0) + (above == 0) / 2).mean())


def test_auc_is_the_statistic_of_mann_and_whitney() -> None:
    generator = np.random.default_rng(0)
    positive, negative = generator.integers(2, 12, 300), generator.integers(0, 10, 200)
    expected = mannwhitneyu(positive, negative).statistic / (300 * 200)
    assert auc(positive, negative) == pytest.approx(expected, abs=1e-12)


def test_max_pwa_asks_for_one_measure_that_is_right() -> None:
    positives = [[3, 1], [1, 1]]  # the first measure ranks the first positive right,
    negatives = [[2], [0]]  # the second one both
    assert max_pwa(positives, negatives) == 1
    assert max_pwa(positives[:1], negatives[:1]) == 0.5


@given(
    st.integers(1, 4).flatmap(
        lambda size: st.tuples(
            arrays(float, st.tuples(st.just(size), st.integers(1, 30)), elements=few_values),
            arrays(float, st.tuples(st.just(size), st.integers(1, 30)), elements=few_values),
        )
    )
)
def test_max_pwa_bounds_every_measure_and_never_falls(
    sides: tuple[np.ndarray, np.ndarray],
) -> None:
    positives, negatives = sides
    bounds = [max_pwa(positives[:k], negatives[:k]) for k in range(1, len(positives) + 1)]
    assert bounds == sorted(bounds)
    singles = [pwa(*pair) for pair in zip(positives, negatives, strict=True)]
    assert max(singles) <= bounds[-1] <= min(1, sum(singles)) + 1e-12
    combined = pwa(positives.sum(axis=0), negatives.sum(axis=0))
    assert combined <= bounds[-1]  # no way of weighting measures does better


@given(measure, measure, st.data())
def test_the_tally_by_groups_adds_up_to_the_whole(
    positive: list[float], negative: list[float], data: st.DataObject
) -> None:
    def groups(size: int) -> list[int]:
        return data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))

    ours, theirs = groups(len(positive)), groups(len(negative))
    for tally, whole in (
        (pwa_tally(positive, negative, ours, theirs), pwa(positive, negative)),
        (auc_tally(positive, negative, ours, theirs), auc(positive, negative)),
        (max_pwa_tally(positive, negative, ours, theirs), pwa(positive, negative)),
    ):
        assert tally.pooled == whole
        for group in range(len(tally.total)):
            own = [x for x, g in zip(positive, ours, strict=True) if g == group]
            other = [x for x, g in zip(negative, theirs, strict=True) if g == group]
            assert tally.total[group, group] == len(own) * len(other)


@pytest.mark.parametrize("function", [pwa, auc, max_pwa])
def test_nan_is_refused_with_its_place(function: object) -> None:
    with pytest.raises(ValuesError, match=r"1 values are NaN, the first is instance 1"):
        function([1.0, np.nan], [0.0])  # type: ignore[operator]
