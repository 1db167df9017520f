"""Correlation with people, and its levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike
from scipy import stats

from eval.meta import correlation
from eval.meta.correlation import Coefficient, bootstrap_coefficients, row_coefficients
from eval.meta.correlation_levels import (
    Level,
    Sample,
    correlate_with_humans,
    williams_against,
    williams_test,
)
from eval.stats.estimate import bootstrap_weights
from weps.errors import ValuesError

OF_SCIPY = {
    Coefficient.PEARSON: stats.pearsonr,
    Coefficient.SPEARMAN: stats.spearmanr,
    Coefficient.KENDALL: stats.kendalltau,
}
tables = st.integers(1, 9).flatmap(
    lambda size: arrays(float, (2, 3, size), elements=st.integers(-3, 3).map(float))
)


@pytest.mark.parametrize("kind", Coefficient)
@given(tables)
def test_each_row_has_the_coefficient_of_scipy(kind, pair):
    found = row_coefficients(*pair, kind)
    for value, first, second in zip(found, *pair, strict=True):
        if np.ptp(first) and np.ptp(second):
            assert value == pytest.approx(OF_SCIPY[kind](first, second).statistic, abs=1e-12)
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("kind", Coefficient)
@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_no_scale_is_too_small_or_too_great(kind, factor):
    first, second = np.array([[1.0, 2, 4]]), np.array([[1.0, 3, 2]])
    expected = row_coefficients(first, second, kind)
    assert row_coefficients(factor * first, second, kind) == pytest.approx(expected)


@pytest.mark.parametrize("kind", Coefficient)
def test_one_row_may_be_held_against_all(kind):
    first = np.random.default_rng(0).integers(0, 5, (4, 30)).astype(float)
    second = np.random.default_rng(1).integers(0, 5, (1, 30)).astype(float)
    expected = row_coefficients(first, np.repeat(second, 4, axis=0), kind)
    assert (row_coefficients(first, second, kind) == expected).all()


instances = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=14
)
draws = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=4)


@pytest.mark.parametrize(("by_cells", "few"), [(True, 0), (False, 0), (False, 2048)])
@pytest.mark.parametrize("kind", Coefficient)
@given(rows=instances, drawn=draws)
def test_drawn_groups_are_as_good_as_copied_instances(kind, by_cells, few, rows, drawn):
    first, second = np.array(rows, dtype=float)[:, :2].T
    group = np.array(rows)[:, 2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correlation, "_cost_by_groups", lambda *_: 10**12 if by_cells else 0)
        patch.setattr(correlation, "_FEW", few)  # both ways of counting pairs by groups
        patch.setattr(correlation, "_CELLS", 20)  # some resamples at a time
        found = bootstrap_coefficients(first, second, group, np.array(drawn, dtype=float), kind)
    for value, times in zip(found, drawn, strict=True):
        copies = np.repeat(np.arange(len(rows)), np.array(times)[group])
        expected = np.nan
        if len(copies):
            expected = row_coefficients(first[None, copies], second[None, copies], kind)[0]
        assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("kind", Coefficient)
def test_far_from_zero_nothing_is_lost(kind):
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 60))
    group, once = np.arange(60) // 6, np.ones((1, 10))
    near = bootstrap_coefficients(first, second, group, once, kind)
    far = bootstrap_coefficients(first + 1e6, 1e-6 * second, group, once, kind)
    assert far == pytest.approx(near, abs=1e-9)


def test_all_ways_to_count_pairs_give_the_same_to_the_last_bit(monkeypatch):
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 300)).round(1)
    group, drawn = np.arange(300) // 10, generator.multinomial(30, np.full(30, 1 / 30), 40) * 1.0
    found = []
    for cost, few in ((10**12, 0), (0, 0), (0, 2048)):
        monkeypatch.setattr(correlation, "_cost_by_groups", lambda *_, cost=cost: cost)
        monkeypatch.setattr(correlation, "_FEW", few)
        found.append(bootstrap_coefficients(first, second, group, drawn, Coefficient.KENDALL))
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()


TOPICS, SYSTEMS = 12, 5
TOPIC, SYSTEM = np.indices((TOPICS, SYSTEMS)).reshape(2, -1)
HUMAN = np.random.default_rng(0).integers(1, 6, TOPICS * SYSTEMS).astype(float)
VALUES = HUMAN + np.random.default_rng(1).normal(size=(3, TOPICS * SYSTEMS))


def one(first: np.ndarray, second: np.ndarray, kind: Coefficient) -> float:
    return float(row_coefficients(first[None], second[None], kind)[0])


def plain(
    level: Level, kind: Coefficient, values: np.ndarray, topics: list[int], systems: list[int]
) -> float:
    """The coefficient over some topics and systems, each as often as it is listed."""
    rows = [SYSTEMS * topic + system for topic in topics for system in systems]
    x, y = (part[rows].reshape(len(topics), len(systems)) for part in (values, HUMAN))
    if level is Level.SEGMENT:
        return one(x.ravel(), y.ravel(), kind)
    if level is Level.SYSTEM:
        return one(x.mean(axis=0).round(9), y.mean(axis=0).round(9), kind)
    parts = zip(x.T, y.T, strict=True) if level is Level.WITHIN_SYSTEM else zip(x, y, strict=True)
    return float(np.nanmean([one(*each, kind) for each in parts]))


@pytest.mark.parametrize("sample", Sample)
@pytest.mark.parametrize("kind", Coefficient)
@pytest.mark.parametrize("level", Level)
def test_value_and_resamples_are_those_of_plain_python(level, kind, sample):
    found = correlate_with_humans(
        VALUES, HUMAN, TOPIC, SYSTEM, level=level, kind=kind, sample=sample, resamples=9, seed=4
    )
    drawn = np.column_stack([found.value, found.samples])
    size = TOPICS if sample is Sample.TOPICS else SYSTEMS
    for resample, times in enumerate(bootstrap_weights(size, 9, seed=4)):
        every = [list(range(TOPICS)), list(range(SYSTEMS))]
        every[sample is Sample.SYSTEMS] = np.repeat(np.arange(size), times.astype(int)).tolist()
        expected = [plain(level, kind, each, *every) for each in VALUES]
        assert drawn[:, resample] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", Level)
def test_a_perfect_measure_is_one_everywhere_and_a_constant_nothing(level):
    found = correlate_with_humans(
        [2 * HUMAN, 0 * HUMAN], HUMAN, TOPIC, SYSTEM, level=level, kind=Coefficient.KENDALL
    )
    assert found.estimates[0] == pytest.approx((1, 1, 1))
    assert np.isnan(found.value[1])
    assert np.isnan(found.estimates[1]).all()


def test_systems_are_compared_by_the_topics_they_share():
    kept = ~((TOPIC == 0) & (SYSTEM == 2))
    rest = TOPIC > 0
    found, expected = (
        correlate_with_humans(
            VALUES[:, rows], HUMAN[rows], TOPIC[rows], SYSTEM[rows], level=Level.SYSTEM
        ).value
        for rows in (kept, rest)
    )
    assert found == pytest.approx(expected)


def test_equal_means_are_equal_however_they_are_added_up():
    human = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])  # both 0.2 but for rounding
    topic, system = np.indices((3, 2)).reshape(2, -1)
    found = correlate_with_humans(
        np.arange(6), human.ravel(), topic, system, level=Level.SYSTEM, resamples=1
    )
    assert np.isnan(found.value[0])


def test_topics_of_different_sizes_count_alike():
    topic, system = [0, 0, 0, 1, 1, 1, 1, 2], [0, 1, 2, 0, 1, 2, 3, 0]
    values, human = [1, 2, 3, 4, 3, 2, 1, 9], [1, 2, 3, 1, 2, 3, 4, 1]
    found = correlate_with_humans(values, human, topic, system, level=Level.WITHIN_TOPIC)
    assert found.value[0] == pytest.approx(0)  # 1 and -1; a single instance says nothing


def test_one_topic_has_no_interval():
    rows = TOPIC == 0
    for level in (Level.SYSTEM, Level.SEGMENT, Level.WITHIN_TOPIC):
        found = correlate_with_humans(
            VALUES[:, rows], HUMAN[rows], TOPIC[rows], SYSTEM[rows], level=level
        )
        assert not np.isnan(found.value).any()
        assert np.isnan(found.samples).all()


def test_systems_without_a_common_topic_are_refused():
    with pytest.raises(ValuesError, match="no topic was answered by all systems"):
        correlate_with_humans([1, 2], [1, 2], [0, 1], [0, 1], level=Level.SYSTEM)


def williams_table(values: ArrayLike, human: ArrayLike) -> np.ndarray:
    """Every measure against all."""
    return np.array([williams_against(values, human, best) for best in range(len(values))])


def test_a_worked_example():
    # r = .4 and .6 with people, .5 between them, 20 instances:
    # K = 1 - .16 - .36 - .25 + .24 = .47; t = -.2 √(19 · 1.5) / √(.94 · 19/17 + .25 · .125)
    t = -0.2 * np.sqrt(28.5) / np.sqrt(0.94 * 19 / 17 + 0.03125)
    assert williams_test(0.4, 0.6, 0.5, 20) == pytest.approx(stats.t.sf(t, 17))
    assert t == pytest.approx(-1.0266, abs=1e-4)


@given(st.integers(0, 1000))
def test_the_other_way_round_is_the_other_side(seed):
    human, *values = np.random.default_rng(seed).normal(size=(4, 12))
    table = williams_table(values, human)
    assert table + table.T == pytest.approx(np.ones((3, 3)))
    assert np.diag(table).tolist() == [0.5] * 3


def test_measures_of_another_scale_are_not_told_apart():
    human, measure = np.random.default_rng(2).normal(size=(2, 9))
    assert williams_table([measure, 2 * measure + 1], human) == pytest.approx(np.full((2, 2), 0.5))


def test_what_cannot_be_tested_is_nan():
    assert np.isnan(williams_test(0.4, 0.6, 0.5, 3))
    table = williams_table([[1, 1, 1, 1, 1], [1, 2, 3, 5, 4]], [1, 2, 3, 4, 5])
    assert np.isnan([table[0, 0], table[0, 1], table[1, 0]]).all()
    assert table[1, 1] == 0.5
