import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from eval.meta.improvements import Test, improvements, significant
from eval.ordering import estimate
from weps.errors import ValuesError

TOPICS, SYSTEMS = 40, 4
TOPIC, SYSTEM = np.repeat(np.arange(TOPICS), SYSTEMS), np.tile(np.arange(SYSTEMS), TOPICS)


def scores(seed: int = 0) -> np.ndarray:
    """Two measures of instances; later systems are better by the first, none by the second."""
    noise = np.random.default_rng(seed).normal(size=(2, TOPICS * SYSTEMS))
    noise[0] += SYSTEM
    return noise


@pytest.mark.parametrize("test", Test)
def test_pairs_are_tested_one_by_one(test: Test) -> None:
    values = scores()
    found = significant(values, TOPIC, SYSTEM, test=test)
    for measure, better, worse in np.ndindex(2, SYSTEMS, SYSTEMS):
        own, other = values[measure, better == SYSTEM], values[measure, worse == SYSTEM]
        if better == worse:
            p = 1.0
        elif test is Test.SIGNED_RANK:
            p = stats.wilcoxon(own, other, alternative="greater", method="exact").pvalue
        else:
            p = stats.mannwhitneyu(own, other, alternative="greater").pvalue
        assert found[measure, better, worse] == (p <= 0.025)
    assert found[0].any()


def test_a_pair_that_nothing_tells_apart_is_no_improvement() -> None:
    assert not significant(np.zeros((1, TOPICS * SYSTEMS)), TOPIC, SYSTEM).any()


def test_topics_without_an_answer_do_not_count() -> None:
    values = scores()
    kept = ~((SYSTEM == 3) & (TOPIC % 2 == 0))
    found = significant(values[:, kept], TOPIC[kept], SYSTEM[kept])
    assert np.array_equal(found[:, :3, :3], significant(values, TOPIC, SYSTEM)[:, :3, :3])
    odd = TOPIC % 2 == 1
    few = significant(values[:, odd], TOPIC[odd], SYSTEM[odd])
    assert np.array_equal(found[:, 3], few[:, 3])


@given(st.permutations(range(SYSTEMS)), st.permutations(range(TOPICS)))
def test_systems_and_topics_may_be_renamed(systems: list[int], topics: list[int]) -> None:
    values = scores()
    found = significant(values, np.array(topics)[TOPIC], np.array(systems)[SYSTEM])
    expected = significant(values, TOPIC, SYSTEM)
    assert np.array_equal(found[:, systems][:, :, systems], expected)


@given(st.integers(0, 20))
def test_rising_maps_of_differences_keep_the_scale_out(seed: int) -> None:
    values = scores(seed)
    found = significant(3 * values + 7, TOPIC, SYSTEM)
    assert np.array_equal(found, significant(values, TOPIC, SYSTEM))
    assert not (found & found.swapaxes(1, 2)).any()


def test_one_system_improves_nobody() -> None:
    assert significant([1.0, 2.0], [0, 1], [0, 0]).tolist() == [[[False]]]


def test_precision_and_recall_of_a_worked_example() -> None:
    real = np.zeros((3, 3), dtype=bool)
    real[2, 0] = real[2, 1] = real[1, 0] = True
    said = np.zeros((3, 3), dtype=bool)
    said[2, 0] = said[0, 1] = True
    found = improvements(said, real)
    assert (found.precision.pooled, found.recall.pooled) == (1 / 2, 1 / 3)
    assert estimate(found.recall).value == 1 / 3


def test_perfect_and_silent_measures() -> None:
    real = significant(scores()[:1], TOPIC, SYSTEM)[0]
    perfect, silent = improvements(real, real), improvements(np.zeros_like(real), real)
    assert (perfect.precision.pooled, perfect.recall.pooled) == (1, 1)
    assert np.isnan(silent.precision.pooled)
    assert silent.recall.pooled == 0
    assert improvements(real, real.T).precision.pooled == 0  # the wrong way round


def test_what_does_not_fit_is_refused() -> None:
    square = np.zeros((2, 2), dtype=bool)
    with pytest.raises(ValuesError, match="cannot be compared"):
        improvements(square, np.zeros((3, 3), dtype=bool))
    with pytest.raises(ValuesError, match="no truth values"):
        improvements(square, np.zeros((2, 2)))


def test_a_p_that_is_just_the_level_is_significant() -> None:
    topic, system = np.indices((5, 2)).reshape(2, -1)
    values = np.where(system == 0, topic + 1.0, 0.0)
    found = significant(values, topic, system, level=1 / 32)[0]  # all five signs
    assert found.tolist() == [[False, True], [False, False]]


def test_progress_counts_the_measures() -> None:
    told: list[tuple[str, int, int]] = []
    significant(scores(), TOPIC, SYSTEM, progress=lambda *each: told.append(each))
    assert told == [("testing improvements", done, 2) for done in range(3)]
