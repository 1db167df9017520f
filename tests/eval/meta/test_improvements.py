"""Improvements, and their unanimity (ULC)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from eval.meta.improvements import (
    Test,
    oracle_scores,
    quality_decreases,
    significant_improvements,
    sip_and_sir,
)
from eval.meta.ulc import Scale, ulc
from eval.stats.estimate import estimate_share
from weps.errors import ValuesError

TOPIC, SYSTEM = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
HUMAN = [8.5, 3, 6, 4, 5, 2]


@pytest.mark.parametrize(
    ("measure", "itself", "expected"),
    [
        ([1, 2, 3, 1, 2, 3], True, [5.5, 2]),  # everything reaches the chosen system
        ([1, 2, 3, 1, 2, 3], False, [5.5, 2]),
        ([2, 1, 3, 2, 2, 1], True, [2.5, 0]),  # a tie reaches it; what is better is no loss
        ([2, 1, 3, 2, 2, 1], False, [2.5, -1]),
        ([9, 1, 1, 9, 1, 1], True, [0, 0]),
        ([9, 1, 1, 9, 1, 1], False, [np.nan, np.nan]),
        ([np.inf, np.inf, 1, 0, 0, -np.inf], True, [5.5, 0]),
    ],
)
def test_worked_examples(measure: list[float], itself: bool, expected: list[float]) -> None:
    found = quality_decreases(measure, HUMAN, TOPIC, SYSTEM, 0, itself=itself)
    assert np.array_equal(found, [expected], equal_nan=True)


few = st.integers(0, 3).map(float)


@given(arrays(float, (2, 3, 4), elements=few), arrays(float, (3, 4), elements=few))
def test_it_is_the_formula(values: np.ndarray, human: np.ndarray) -> None:
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


def test_topics_without_the_chosen_system_say_nothing() -> None:
    found = quality_decreases([1, 2, 3], [3, 2, 1], [0, 0, 1], [0, 1, 1], chosen=0)
    assert np.array_equal(found, [[1, np.nan]], equal_nan=True)


TOPICS, SYSTEMS = 40, 4
TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS = (
    np.repeat(np.arange(TOPICS), SYSTEMS),
    np.tile(np.arange(SYSTEMS), TOPICS),
)


def scores(seed: int = 0) -> np.ndarray:
    """Two measures of instances; later systems are better by the first, none by the second."""
    noise = np.random.default_rng(seed).normal(size=(2, TOPICS * SYSTEMS))
    noise[0] += SYSTEM_IMPROVEMENTS
    return noise


@pytest.mark.parametrize("test", Test)
def test_pairs_are_tested_one_by_one(test: Test) -> None:
    values = scores()
    found = significant_improvements(values, TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS, test=test)
    for measure, better, worse in np.ndindex(2, SYSTEMS, SYSTEMS):
        own, other = (
            values[measure, better == SYSTEM_IMPROVEMENTS],
            values[measure, worse == SYSTEM_IMPROVEMENTS],
        )
        if better == worse:
            p = 1.0
        elif test is Test.SIGNED_RANK:
            p = stats.wilcoxon(own, other, alternative="greater", method="exact").pvalue
        else:
            p = stats.mannwhitneyu(own, other, alternative="greater").pvalue
        assert found[measure, better, worse] == (p <= 0.025)
    assert found[0].any()


def test_a_pair_that_nothing_tells_apart_is_no_improvement() -> None:
    assert not significant_improvements(
        np.zeros((1, TOPICS * SYSTEMS)), TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS
    ).any()


def test_topics_without_an_answer_do_not_count() -> None:
    values = scores()
    kept = ~((SYSTEM_IMPROVEMENTS == 3) & (TOPIC_IMPROVEMENTS % 2 == 0))
    found = significant_improvements(
        values[:, kept], TOPIC_IMPROVEMENTS[kept], SYSTEM_IMPROVEMENTS[kept]
    )
    assert np.array_equal(
        found[:, :3, :3],
        significant_improvements(values, TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS)[:, :3, :3],
    )
    odd = TOPIC_IMPROVEMENTS % 2 == 1
    few = significant_improvements(
        values[:, odd], TOPIC_IMPROVEMENTS[odd], SYSTEM_IMPROVEMENTS[odd]
    )
    assert np.array_equal(found[:, 3], few[:, 3])


@given(st.permutations(range(SYSTEMS)), st.permutations(range(TOPICS)))
def test_systems_and_topics_may_be_renamed(systems: list[int], topics: list[int]) -> None:
    values = scores()
    found = significant_improvements(
        values, np.array(topics)[TOPIC_IMPROVEMENTS], np.array(systems)[SYSTEM_IMPROVEMENTS]
    )
    expected = significant_improvements(values, TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS)
    assert np.array_equal(found[:, systems][:, :, systems], expected)


@given(st.integers(0, 20))
def test_rising_maps_of_differences_keep_the_scale_out(seed: int) -> None:
    values = scores(seed)
    found = significant_improvements(3 * values + 7, TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS)
    assert np.array_equal(
        found, significant_improvements(values, TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS)
    )
    assert not (found & found.swapaxes(1, 2)).any()


def test_one_system_improves_nobody() -> None:
    assert significant_improvements([1.0, 2.0], [0, 1], [0, 0]).tolist() == [[[False]]]


def test_precision_and_recall_of_a_worked_example() -> None:
    real = np.zeros((3, 3), dtype=bool)
    real[2, 0] = real[2, 1] = real[1, 0] = True
    said = np.zeros((3, 3), dtype=bool)
    said[2, 0] = said[0, 1] = True
    found = sip_and_sir(said, real)
    assert (found.precision.pooled, found.recall.pooled) == (1 / 2, 1 / 3)
    assert estimate_share(found.recall).value == 1 / 3


def test_perfect_and_silent_measures() -> None:
    real = significant_improvements(scores()[:1], TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS)[0]
    perfect, silent = sip_and_sir(real, real), sip_and_sir(np.zeros_like(real), real)
    assert (perfect.precision.pooled, perfect.recall.pooled) == (1, 1)
    assert np.isnan(silent.precision.pooled)
    assert silent.recall.pooled == 0
    assert sip_and_sir(real, real.T).precision.pooled == 0  # the wrong way round


def test_what_does_not_fit_is_refused() -> None:
    square = np.zeros((2, 2), dtype=bool)
    with pytest.raises(ValuesError, match="cannot be compared"):
        sip_and_sir(square, np.zeros((3, 3), dtype=bool))
    with pytest.raises(ValuesError, match="expected truth values"):
        sip_and_sir(square, np.zeros((2, 2)))


def test_a_p_that_is_just_the_level_is_significant() -> None:
    topic, system = np.indices((5, 2)).reshape(2, -1)
    values = np.where(system == 0, topic + 1.0, 0.0)
    found = significant_improvements(values, topic, system, level=1 / 32)[0]  # all five signs
    assert found.tolist() == [[False, True], [False, False]]


def test_progress_counts_the_measures() -> None:
    told: list[tuple[str, int, int]] = []
    significant_improvements(
        scores(), TOPIC_IMPROVEMENTS, SYSTEM_IMPROVEMENTS, progress=lambda *each: told.append(each)
    )
    assert told == [("testing improvements", done, 2) for done in range(3)]


TOPIC_ORACLE = [0, 0, 0, 2, 2]
HUMAN_ORACLE = [2, 6, 10, 3, 5]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ([1, 2, 3, 1, 2], [10, 5]),
        ([3, 2, 1, 2, 1], [2, 3]),
        ([1, 2, 2, 0, 0], [8, 4]),  # ties: as if one were drawn
        ([np.inf, 0, 0, -np.inf, 0], [2, 5]),
    ],
)
def test_worked_examples_oracle(measure: list[float], expected: list[float]) -> None:
    found = oracle_scores(measure, HUMAN_ORACLE, TOPIC_ORACLE)
    assert found.chosen.tolist() == [expected]
    assert found.random.tolist() == [6, 4]
    assert found.least.tolist() == [2, 3]
    assert found.most.tolist() == [10, 5]


few_oracle = st.integers(0, 4).map(float)


@given(
    arrays(float, (3, 12), elements=few_oracle), arrays(float, 12, elements=few_oracle), st.data()
)
def test_bounds_and_relabelling(values: np.ndarray, human: np.ndarray, data: st.DataObject) -> None:
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


VALUES = [[0.2, 0.4], [10, 30], [1, 1]]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (Scale.NONE, [11.2 / 3, 31.4 / 3]),
        (Scale.MAXIMUM, [(0.5 + 1 / 3 + 1) / 3, 1]),
        (Scale.DEVIATION, [-2 / 3, 2 / 3]),  # the constant says nothing
    ],
)
def test_worked_example(scale: Scale, expected: list[float]) -> None:
    assert ulc(VALUES, scale=scale) == pytest.approx(expected)


@given(st.permutations(range(3)), st.sampled_from(Scale))
def test_the_order_of_measures_does_not_matter(order: list[int], scale: Scale) -> None:
    values = np.array(VALUES)
    assert ulc(values[order], scale=scale) == pytest.approx(ulc(values, scale=scale))


@given(st.floats(0.01, 100))
def test_scaled_measures_count_alike(factor: float) -> None:
    values = np.array(VALUES)
    larger = values * [[factor], [1], [1]]
    for scale in (Scale.MAXIMUM, Scale.DEVIATION):
        assert ulc(larger, scale=scale) == pytest.approx(ulc(values, scale=scale))


def test_one_measure_is_itself() -> None:
    assert ulc([3, 1, 2]).tolist() == [3, 1, 2]


@pytest.mark.parametrize(
    ("values", "scale", "told"),
    [
        ([[1, np.inf]], Scale.NONE, "instance 1 of measure 0 is infinite"),
        ([[1, 2], [-1, 0]], Scale.MAXIMUM, "no value of measure 1 is above 0"),
        ([[1, np.nan]], Scale.NONE, "NaN"),
    ],
)
def test_what_has_no_mean_is_refused(values: object, scale: Scale, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        ulc(values, scale=scale)  # type: ignore[arg-type]
