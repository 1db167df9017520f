"""Improvements of systems, undetected losses, the oracle test, and counter-samples."""

from itertools import permutations

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
    Test,
    Thresholds,
    counter_samples,
    oracle_scores,
    quality_decreases,
    significant_improvements,
    sip_and_sir,
)
from weps_eval.stats.estimate import estimate_share


@each_case(
    ("measure", "expected"),
    [
        ([1, 2, 3, 1, 2, 3], [5.5, 2]),  # everything reaches the chosen system
        ([2, 1, 3, 2, 2, 1], [2.5, 0]),  # a tie reaches it; what is better is no loss
        ([9, 1, 1, 9, 1, 1], [0, 0]),
        ([np.inf, np.inf, 1, 0, 0, -np.inf], [5.5, 0]),
    ],
)
def test_worked_examples(measure, expected):
    topic, system = np.indices((2, 3)).reshape(2, -1)
    found = quality_decreases(measure, [8.5, 3, 6, 4, 5, 2], topic, system, 0)
    assert found.tolist() == [expected]


few = st.integers(0, 3).map(float)


@given(arrays(float, (2, 3, 4), elements=few), arrays(float, (3, 4), elements=few))
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
    best = quality_decreases(human.ravel(), human.ravel(), topic, system, chosen=1)
    assert (found >= 0).all()
    assert (best == 0).all()  # people are not to be cheated


def test_topics_without_the_chosen_system_say_nothing():
    found = quality_decreases([1, 2, 3], [3, 2, 1], [0, 0, 1], [0, 1, 1], chosen=0)
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
    assert significant_improvements([1.0, 2.0], [0, 1], [0, 0]).tolist() == [[[False]]]


def test_precision_and_recall_of_a_worked_example():
    real = np.zeros((3, 3), dtype=bool)
    real[2, 0] = real[2, 1] = real[1, 0] = True
    detected = np.zeros((3, 3), dtype=bool)
    detected[2, 0] = detected[0, 1] = True
    found = sip_and_sir(detected, real)
    assert (found.precision.pooled, found.recall.pooled) == (1 / 2, 1 / 3)
    assert estimate_share(found.recall).value == 1 / 3


def test_perfect_and_silent_measures():
    real = significant_improvements(scores()[:1], TOPIC, SYSTEM)[0]
    perfect, silent = sip_and_sir(real, real), sip_and_sir(np.zeros_like(real), real)
    assert (perfect.precision.pooled, perfect.recall.pooled) == (1, 1)
    assert np.isnan(silent.precision.pooled)
    assert silent.recall.pooled == 0
    assert sip_and_sir(real, real.T).precision.pooled == 0  # the wrong way round


def test_what_does_not_fit_is_refused():
    square = np.zeros((2, 2), dtype=bool)
    with pytest.raises(ValuesError, match="cannot be compared"):
        sip_and_sir(square, np.zeros((3, 3), dtype=bool))
    with pytest.raises(ValuesError, match="expected truth values"):
        sip_and_sir(square, np.zeros((2, 2)))


def test_a_p_that_is_just_the_level_is_significant():
    topic, system = np.indices((5, 2)).reshape(2, -1)
    values = np.where(system == 0, topic + 1.0, 0.0)
    found = significant_improvements(values, topic, system, level=1 / 32)[0]  # all five signs
    assert found.tolist() == [[False, True], [False, False]]
    other = significant_improvements(-values, topic, system, level=1 / 32)[0]
    assert other.tolist() == [[False, False], [True, False]]


@each_case(
    ("measure", "expected"),
    [
        ([1, 2, 3, 1, 2], [10, 5]),
        ([3, 2, 1, 2, 1], [2, 3]),
        ([1, 2, 2, 0, 0], [8, 4]),  # ties: as if one were drawn
        ([np.inf, 0, 0, -np.inf, 0], [2, 5]),
    ],
)
def test_the_oracle_takes_the_highest(measure, expected):
    found = oracle_scores(measure, [2, 6, 10, 3, 5], [0, 0, 0, 2, 2])
    assert found.chosen.tolist() == [expected]
    assert found.random.tolist() == [6, 4]
    assert found.least.tolist() == [2, 3]
    assert found.most.tolist() == [10, 5]


@given(arrays(float, (3, 12), elements=few), arrays(float, 12, elements=few), st.data())
def test_bounds_and_relabelling(values, human, data):
    topic = np.array(data.draw(st.permutations([0] * 3 + [1] * 4 + [2] * 5)))
    found = oracle_scores(values, human, topic)
    assert (found.least <= found.chosen).all()
    assert (found.chosen <= found.most).all()
    assert found.chosen.shape == (3, 3)
    order = data.draw(st.permutations(range(12)))
    again = oracle_scores(2 * values[:, order] + 1, human[order], topic[order])
    assert again.chosen == pytest.approx(found.chosen)
    constant = oracle_scores(np.zeros(12), human, topic)
    assert constant.chosen[0] == pytest.approx(constant.random)


small = st.lists(st.tuples(st.integers(0, 3), st.integers(2, 10)), min_size=1, max_size=6)


def test_a_worked_example():
    human = [2, 3, 8, 9]
    measure = [0.9, 0.2, 0.1, 0.8]  # low: the second and third, high: the first and fourth
    found = counter_samples(measure, human)
    assert found.low.value.tolist() == [1 / 2]
    assert found.high.value.tolist() == [1 / 2]


@given(small)
def test_ties_are_broken_in_every_way(rows):
    measure, human = np.array(rows, dtype=float).T
    ordered, low, high = np.sort(human), [], []
    for order in permutations(range(len(rows))):
        if (np.diff(measure[list(order)]) >= 0).all():
            people = human[list(order)]
            low.append(((ordered <= 3) & (people >= 5)).sum())
            high.append(((ordered >= 7) & (people <= 4)).sum())
    found = counter_samples(measure, human)
    for ratio, errors, extreme in (
        (found.low.value[0], low, ordered <= 3),
        (found.high.value[0], high, ordered >= 7),
    ):
        expected = np.mean(errors) / extreme.sum() if extreme.any() else np.nan
        assert ratio == pytest.approx(expected, nan_ok=True)


def test_intervals_are_over_topics():
    generator = np.random.default_rng(0)
    human = generator.integers(2, 11, 200).astype(float)
    measure = human + generator.normal(0, 3, 200)
    value, low, high = counter_samples(measure, human, np.arange(200) // 4).low.estimates[0]
    assert low < value < high
    assert np.isnan(counter_samples(measure, human).low.estimates[0][1:]).all()


def test_thresholds_on_other_scales():
    assert PAPER_THRESHOLDS.on_scale(2, 10) == PAPER_THRESHOLDS
    assert PAPER_THRESHOLDS.on_scale(0, 1) == Thresholds(1 / 8, 3 / 8, 5 / 8, 1 / 4)
