"""Improvements of systems, undetected losses, the oracle test, and counter-samples."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta.improvements import (
    PAPER_THRESHOLDS,
    Scale,
    Test,
    Thresholds,
    _rank_sum,
    _signed_rank,
    counter_samples,
    mean_of_measures,
    oracle_scores,
    quality_decreases,
    significant_improvements,
    sip_and_sir,
)

few = st.sampled_from([0.0, 1.0, 2.0, np.inf])
finite = st.integers(0, 3).map(float)


@given(arrays(float, (2, 3, 4), elements=few), arrays(float, (3, 4), elements=finite))
def test_it_is_the_formula(values, human):
    topic, system = np.indices((3, 4)).reshape(2, -1)
    found = quality_decreases(values.reshape(2, -1), human.ravel(), topic, system, chosen=1)
    for measure, case in np.ndindex(2, 3):
        lost = [
            human[case, 1] - human[case, t]
            for t in range(4)
            if values[measure, case, 1] <= values[measure, case, t]
        ]
        assert found[measure, case] == max(lost)


def test_topics_without_the_chosen_system_say_nothing():
    topic, system = np.array([[0, 0, 1], [0, 1, 1]])
    found = quality_decreases(np.array([[1.0, 2, 3]]), np.array([3.0, 2, 1]), topic, system, 0)
    assert np.array_equal(found, [[1, np.nan]], equal_nan=True)


TOPICS, SYSTEMS = 40, 4
TOPIC, SYSTEM = np.indices((TOPICS, SYSTEMS)).reshape(2, -1)


def scores(seed: int = 0) -> np.ndarray:
    """Two measures of instances; later systems are better by the first, none by the second."""
    noise = np.random.default_rng(seed).normal(size=(2, TOPICS * SYSTEMS))
    noise[0] += SYSTEM
    return noise


@pytest.mark.parametrize("test", Test)
def test_pairs_are_tested_one_by_one(test):
    values = scores()
    found = significant_improvements(values, TOPIC, SYSTEM, test=test)
    for measure, better, worse in np.ndindex(2, SYSTEMS, SYSTEMS):
        own, other = (
            values[measure, better == SYSTEM],
            values[measure, worse == SYSTEM],
        )
        if better == worse:
            p = 1.0
        elif test is Test.SIGNED_RANK:
            p = stats.wilcoxon(own, other, alternative="greater", method="exact").pvalue
        else:
            p = stats.mannwhitneyu(own, other, alternative="greater").pvalue
        assert found[measure, better, worse] == (p <= 0.025)
    assert found[0].any()


def test_topics_without_an_answer_do_not_count():
    values = scores()
    kept = ~((SYSTEM == 3) & (TOPIC % 2 == 0))
    found = significant_improvements(values[:, kept], TOPIC[kept], SYSTEM[kept])
    assert np.array_equal(
        found[:, :3, :3],
        significant_improvements(values, TOPIC, SYSTEM)[:, :3, :3],
    )
    odd = TOPIC % 2 == 1
    few = significant_improvements(values[:, odd], TOPIC[odd], SYSTEM[odd])
    assert np.array_equal(found[:, 3], few[:, 3])


def test_one_system_improves_nobody():
    values, topic = np.array([[1.0, 2.0]]), np.arange(2)
    assert significant_improvements(values, topic, 0 * topic).tolist() == [[[False]]]


def test_precision_and_recall_of_a_worked_example():
    real = np.zeros((3, 3), dtype=bool)
    real[2, 0] = real[2, 1] = real[1, 0] = True
    detected = np.zeros((3, 3), dtype=bool)
    detected[2, 0] = detected[0, 1] = True
    assert [each.pooled for each in sip_and_sir(detected, real)] == [1 / 2, 1 / 3]
    assert [each.pooled for each in sip_and_sir(real, real.T)] == [0, 0]  # the wrong way round
    precision, recall = sip_and_sir(np.zeros_like(real), real)
    assert np.isnan(precision.pooled)
    assert recall.pooled == 0


def test_a_p_that_is_just_the_level_is_significant():
    topic, system = np.indices((5, 2)).reshape(2, -1)
    values = np.where(system == 0, topic + 1.0, 0.0)[None]
    found = significant_improvements(values, topic, system, level=1 / 32)[0]  # all five signs
    assert found.tolist() == [[False, True], [False, False]]
    other = significant_improvements(-values, topic, system, level=1 / 32)[0]
    assert other.tolist() == [[False, False], [True, False]]


@given(arrays(float, (3, 12), elements=few), arrays(float, 12, elements=finite), st.data())
def test_the_oracle_takes_the_highest(values, human, data):
    topic = np.array(data.draw(st.permutations([0] * 3 + [1] * 4 + [2] * 5)))
    found = oracle_scores(values, human, topic)
    for measure, number in np.ndindex(3, 3):
        own = values[measure, topic == number]
        top = human[topic == number][own == own.max()]
        assert found[measure, number] == pytest.approx(top.mean())


small = st.lists(st.tuples(st.integers(0, 3), st.integers(2, 10)), min_size=1, max_size=6)


@given(small)
def test_ties_are_broken_in_every_way(rows):
    measure, human = np.array(rows, dtype=float).T
    ordered, low, high = np.sort(human), [], []
    for order in permutations(range(len(rows))):
        if (np.diff(measure[list(order)]) >= 0).all():
            people = human[list(order)]
            low.append(((ordered <= 3) & (people >= 5)).sum())
            high.append(((ordered >= 7) & (people <= 4)).sum())
    topic = np.zeros(len(rows), dtype=int)
    found = counter_samples(measure[None], human, topic, PAPER_THRESHOLDS)
    for (ratio,), errors, extreme in zip(
        (each.value for each in found), (low, high), (ordered <= 3, ordered >= 7), strict=True
    ):
        expected = np.mean(errors) / extreme.sum() if extreme.any() else np.nan
        assert ratio == pytest.approx(expected, nan_ok=True)


def test_thresholds_on_other_scales():
    assert PAPER_THRESHOLDS.on_scale(2, 10) == PAPER_THRESHOLDS
    assert PAPER_THRESHOLDS.on_scale(0, 1) == Thresholds(1 / 8, 3 / 8, 5 / 8, 1 / 4)


differences = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


def by_all_signs(differences: list[float]) -> tuple[float, float]:
    """Exact p by going through every choice of signs."""
    left = [each for each in differences if each]
    ranks = stats.rankdata(np.abs(left)) if left else np.zeros(0)
    seen = sum(rank for rank, each in zip(ranks, left, strict=True) if each > 0)
    sums = [
        sum(rank for rank, plus in zip(ranks, signs, strict=True) if plus)
        for signs in product([False, True], repeat=len(left))
    ]
    return float(np.mean([s >= seen for s in sums])), float(np.mean([s <= seen for s in sums]))


@given(differences)
def test_few_differences_are_tested_exactly(differences):
    above, below = _signed_rank(np.array([differences]).T)
    assert (above[0], below[0]) == pytest.approx(by_all_signs(differences))


@each_case("size", [30, 50, 51, 400])
def test_without_ties_it_is_that_of_scipy(size):
    differences = np.random.default_rng(size).normal(0.2, size=(size, 3))
    method = "exact" if size <= 50 else "asymptotic"
    for found, side in zip(_signed_rank(differences), ("greater", "less"), strict=True):
        expected = stats.wilcoxon(differences, alternative=side, method=method).pvalue
        assert found == pytest.approx(expected, rel=1e-9)


def test_missing_differences_do_not_count():
    differences = np.random.default_rng(1).normal(0.5, size=(90, 1))
    longer = np.vstack([differences, np.full((20, 1), np.nan)])
    assert np.array_equal(_signed_rank(longer), _signed_rank(differences))


@each_case("nothing", [[[0.0]], [[np.nan]], [[0.0], [np.nan]]])
def test_no_difference_is_never_significant(nothing):
    assert [each.tolist() for each in _signed_rank(np.array(nothing))] == [[1], [1]]


def test_infinite_differences_rank_highest():
    assert _signed_rank(np.array([[1.0], [2], [np.inf]]))[0][0] == 1 / 8


def test_rank_sums_need_no_pairs():
    first, second = np.random.default_rng(4).normal(size=(2, 30, 1))
    holes = np.where(np.arange(30)[:, None] % 3 == 0, np.nan, first)
    expected = stats.mannwhitneyu(first[np.arange(30) % 3 > 0, 0], second[:, 0])[1]
    above, below = _rank_sum(holes, second)
    assert 2 * min(above[0], below[0]) == pytest.approx(expected)


def test_thirds_are_tied_whatever_rounding_says():
    # scores are means of three people's
    ours, theirs = np.random.default_rng(0).integers(3, 16, (2, 40, 5))
    expected = _signed_rank((ours - theirs).astype(float))
    assert np.array_equal(_signed_rank(ours / 3 - theirs / 3), expected)


@pytest.mark.parametrize("small", [1e-9, 1e9])
def test_small_differences_beside_great_ones_count(small):
    differences = np.array([[1.0, 2.0, -4.0, 5.0, 1e15]]).T
    scaled = differences * small
    assert np.array_equal(_signed_rank(scaled), _signed_rank(differences))
    assert _signed_rank(differences)[0] == pytest.approx([by_all_signs([1, 2, -4, 5, 9])[0]])


def test_the_company_of_a_pair_does_not_change_its_rank_sum_test():
    low, high = np.array([[1.0, 2, 3, 4, 5]]).T, np.array([[6.0, 7, 8, 9, 2.5]]).T
    alone = _rank_sum(high, low)
    among = _rank_sum(np.hstack([high, low]), np.hstack([low, low]))  # the second pair is tied
    assert (among[0][0], among[1][0]) == (alone[0][0], alone[1][0])
    assert alone[0][0] == pytest.approx(7 / 252)  # ranks that add up to 37 or more


def test_equal_values_are_never_significant_by_rank_sum():
    same = np.full((12, 1), 3.0)
    assert np.array(_rank_sum(same, same)).tolist() == [[1.0], [1.0]]


SCALED = np.array([[0.2, 0.4], [10, 30], [1, 1]])


@each_case(
    ("scale", "expected"),
    [
        (Scale.NONE, [11.2 / 3, 31.4 / 3]),
        (Scale.MAXIMUM, [(0.5 + 1 / 3 + 1) / 3, 1]),
        (Scale.DEVIATION, [-2 / 3, 2 / 3]),  # the constant says nothing
    ],
)
def test_worked_example(scale, expected):
    assert mean_of_measures(SCALED, scale=scale) == pytest.approx(expected)


def test_a_measure_without_a_value_above_zero_cannot_be_scaled():
    with pytest.raises(ValuesError, match="no value of measure 1 is above 0"):
        mean_of_measures(np.array([[1.0, 2], [-1, 0]]), scale=Scale.MAXIMUM)
