"""Correlation with people, and its levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from tests.cases import each_case
from tests.eval.studies.made_up_scores import NAMES, judged
from weps.errors import ValuesError
from weps_eval.meta import correlation
from weps_eval.meta.correlation import (
    Coefficient,
    Level,
    Sample,
    _bootstrap_coefficients,
    compare_with_best,
    correlate_levels,
    correlate_with_humans,
    row_coefficients,
    split_half_agreement,
    williams_test,
)
from weps_eval.stats import bootstrap_weights

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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correlation, "_CELLS", 20)  # some rows at a time
        found = row_coefficients(*pair, kind)
    for value, first, second in zip(found, *pair, strict=True):
        if np.ptp(first) and np.ptp(second):
            assert value == pytest.approx(OF_SCIPY[kind](first, second).statistic, abs=1e-12)
        else:
            assert np.isnan(value)


@each_case("kind", Coefficient)
@each_case("factor", [1e-200, 1e200])
def test_no_scale_is_too_small_or_too_great(kind, factor):
    first, second = np.array([[1.0, 2, 4]]), np.array([[1.0, 3, 2]])
    expected = row_coefficients(first, second, kind)
    assert row_coefficients(factor * first, second, kind) == pytest.approx(expected)


instances = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=14
)
draws = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=4)


@pytest.mark.parametrize("few", [0, 2048])
@pytest.mark.parametrize("kind", Coefficient)
@given(rows=instances, drawn=draws)
def test_drawn_groups_are_as_good_as_copied_instances(kind, few, rows, drawn):
    first, second = np.array(rows, dtype=float)[:, :2].T
    group = np.array(rows)[:, 2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(correlation, "_FEW", few)  # both ways of counting pairs by groups
        patch.setattr(correlation, "_CELLS", 20)  # some resamples at a time
        found = _bootstrap_coefficients(first, second, group, np.array(drawn, dtype=float), kind)
    for value, times in zip(found, drawn, strict=True):
        copies = np.repeat(np.arange(len(rows)), np.array(times)[group])
        expected = np.nan
        if len(copies):
            expected = row_coefficients(first[None, copies], second[None, copies], kind)[0]
        assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


@each_case("kind", Coefficient)
def test_far_from_zero_nothing_is_lost(kind):
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 60))
    group, once = np.arange(60) // 6, np.ones((1, 10))
    near = _bootstrap_coefficients(first, second, group, once, kind)
    far = _bootstrap_coefficients(first + 1e6, 1e-6 * second, group, once, kind)
    assert far == pytest.approx(near, abs=1e-9)


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
    found = np.array([one(*each, kind) for each in parts])
    return float(np.mean(found[~np.isnan(found)])) if not np.isnan(found).all() else np.nan


@each_case(("level", "sample"), [*((level, None) for level in Level), (Level.SEGMENT, Sample.BOTH)])
@each_case("kind", Coefficient)
def test_value_and_resamples_are_those_of_plain_python(level, kind, sample):
    found = correlate_with_humans(
        VALUES, HUMAN, TOPIC, SYSTEM, level=level, kind=kind, sample=sample, resamples=9, seed=4
    )
    weights = [bootstrap_weights(TOPICS, 9, seed=4), bootstrap_weights(SYSTEMS, 9, seed=5)]
    if (sample or correlation.DRAWN[level]) is Sample.TOPICS:
        weights[1] = np.ones_like(weights[1])
    for row, *times in zip(found.rows.T, *weights, strict=True):
        drawn = [np.repeat(np.arange(len(each)), each.astype(int)).tolist() for each in times]
        expected = [plain(level, kind, each, *drawn) for each in VALUES]
        assert row == pytest.approx(expected, abs=1e-8, nan_ok=True)


@each_case("level", Level)
def test_a_perfect_measure_is_one_everywhere_and_a_constant_nothing(level):
    found = correlate_with_humans(
        np.array([2 * HUMAN, 0 * HUMAN]),
        HUMAN,
        TOPIC,
        SYSTEM,
        level=level,
        kind=Coefficient.KENDALL,
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
        np.arange(6.0), human.ravel(), topic, system, level=Level.SYSTEM, resamples=1
    )
    assert np.isnan(found.value[0])


def test_topics_of_different_sizes_count_alike():
    topic, system = np.array([[0, 0, 0, 1, 1, 1, 1, 2], [0, 1, 2, 0, 1, 2, 3, 0]])
    values, human = np.array([[1.0, 2, 3, 4, 3, 2, 1, 9], [1, 2, 3, 1, 2, 3, 4, 1]])
    found = correlate_with_humans(values[None], human, topic, system, level=Level.WITHIN_TOPIC)
    assert found.value[0] == pytest.approx(0)  # 1 and -1; a single instance says nothing


def test_systems_without_a_common_topic_are_refused():
    with pytest.raises(ValuesError, match="no topic was answered by all systems"):
        correlate_with_humans(HUMAN[:2], HUMAN[:2], np.arange(2), np.arange(2), level=Level.SYSTEM)


@each_case(
    ("level", "human", "p"),
    [
        # Each of four units has the one order for the first measure, the other for the second:
        # of 16 ways to exchange them, none and all leave so great a lead, of either.
        (Level.WITHIN_TOPIC, [[0, 1, 2]] * 4, 2 / 16),
        # Of the three systems the middle one has the same mean by both: 2 · 2 of 2³ ways.
        (Level.SYSTEM, [[0, 1, 2]] * 4, 4 / 8),
        (Level.SEGMENT, [[0, 1, 2]] * 4, 4 / 8),  # the greater of 2 / 16 by topics and this
        (Level.WITHIN_SYSTEM, np.repeat(np.arange(4), 3).reshape(4, 3), 2 / 16),
    ],
)
def test_a_worked_example(level, human, p):
    people = np.ravel(human).astype(float)
    topic, system = np.indices((4, 3)).reshape(2, -1)
    found = compare_with_best(np.array([people, 5 - people]), people, topic, system, 0, level=level)
    assert found == pytest.approx([np.nan, p], nan_ok=True)


def share_below(
    level: Level, measures: int, lead: float = 0.0, runs: int = 1000, *, suits: bool = False
) -> float:
    """How often the smallest p is .05 at most, of measures that are equally good but for a lead.

    The errors of all outputs of a topic are alike or, by systems and where each measure ``suits``
    some systems, of all outputs of a system.
    """
    generator, low, many = np.random.default_rng(3), [], (20, 10)
    own = (1, many[1]) if suits or level is Level.SYSTEM else (many[0], 1)
    topic, system = np.indices(many).reshape(2, -1)
    for seed in range(runs):
        human = generator.normal(size=many) + generator.normal(size=own)
        apart = generator.normal(size=(measures, *many)) + 3 * generator.normal(
            size=(measures, *own)
        )
        values = human + apart
        values[0] += lead * human
        scored = values.reshape(measures, -1), human.ravel(), topic, system
        best = correlate_with_humans(*scored, level=level, resamples=1).value.argmax()
        found = compare_with_best(*scored, int(best), level=level, permutations=200, seed=seed)
        low.append(np.nanmin(found) <= 0.05)
    return float(np.mean(low))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "measures"), [*((level, 2) for level in Level), (Level.SEGMENT, 6), (Level.SYSTEM, 6)]
)
def test_equally_good_measures_seldom_differ(level, measures):
    assert 0.03 <= share_below(level, measures) <= 0.07


def test_by_segments_measures_that_suit_other_systems_are_no_better():
    """Exchanging topics alone, the share would be .69."""
    assert share_below(Level.SEGMENT, 2, runs=200, suits=True) <= 0.09


@pytest.mark.parametrize(
    ("shape", "least", "most"),
    [((30, 30), 0.93, 0.97), pytest.param((100, 16), 0.85, 0.93, marks=pytest.mark.slow)],
)
def test_coverage_of_intervals_by_topics_and_systems(shape, least, most):
    """How often intervals have the coefficient of the population, by segments.

    Of few systems on many topics they are too narrow. People and the measure see the quality of
    topic and system, and each has effects of topics, of systems and of outputs of its own: the
    coefficient is .74 / (.74 + .25 + 1).
    """
    generator, covered = np.random.default_rng(0), []
    topic, system = np.indices(shape).reshape(2, -1)

    def effects(by_topic: float, by_system: float) -> np.ndarray:
        of_topics = by_topic * generator.normal(size=(shape[0], 1))
        return of_topics + by_system * generator.normal(size=(1, shape[1]))

    for _ in range(200):
        quality = effects(0.5, 0.7)
        human, measure = (
            (quality + effects(0.3, 0.4) + generator.normal(size=shape)).ravel() for _ in range(2)
        )
        found = correlate_with_humans(
            measure[None], human, topic, system, sample=Sample.BOTH, resamples=200
        ).estimates[0]
        covered.append(found.low <= 0.74 / 1.99 <= found.high)
    assert least <= np.mean(covered) <= most


@each_case("level", Level)
def test_a_better_measure_is_found(level):
    assert share_below(level, 2 if level is Level.SYSTEM else 6, lead=9.0, runs=30) > 0.6


@pytest.mark.slow
def test_coverage_of_intervals_by_systems():
    """How often an interval has the mean coefficient of such studies, which draw 16 systems.

    Systems, topics and outputs vary; systems' means correlate with .8 but for the outputs.
    """
    generator, (topic, system) = np.random.default_rng(0), np.indices((100, 16)).reshape(2, -1)

    def study() -> np.ndarray:
        systems = generator.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 16).T[:, None]
        noise = generator.normal(size=(2, 100, 1)) + 3 * generator.normal(size=(2, 100, 16))
        return systems + noise

    mean = np.mean([one(*study().mean(axis=1), Coefficient.PEARSON) for _ in range(2000)])
    covered = []
    for human, measure in (study().reshape(2, -1) for _ in range(200)):
        found = correlate_with_humans(
            measure[None], human, topic, system, level=Level.SYSTEM, resamples=300
        ).estimates[0]
        covered.append(found.low <= mean <= found.high)
    assert 0.93 <= np.mean(covered) <= 1


def test_measures_of_another_scale_are_not_told_apart():
    values = np.array([2e-200 * (VALUES[0] + 1), VALUES[0], 0 * VALUES[0]])
    found = compare_with_best(values, HUMAN, TOPIC, SYSTEM, 1)
    assert found == pytest.approx([1, np.nan, np.nan], nan_ok=True)


def scores_of(names=NAMES, topics=8, systems=7):
    """Values of measures, human scores, topics and systems."""
    made = judged(names, topics, systems)
    return made.values, made.human, made.topic, made.system


def test_the_other_half_is_of_other_systems_and_splits_depend_on_the_seed():
    assert (split_half_agreement(*scores_of(topics=2))[Level.SEGMENT] < 1).any()
    first, other = (split_half_agreement(*scores_of(), seed) for seed in (0, 1))
    assert (first[Level.SYSTEM] != other[Level.SYSTEM]).any()


@pytest.mark.parametrize(("systems", "measures"), [(5, 7), (7, 3)])
def test_few_systems_or_measures_cannot_be_split(systems, measures):
    assert split_half_agreement(*scores_of(NAMES[:measures], systems=systems)) is None


def test_levels_that_are_compared_have_the_same_resamples():
    found, jointly = correlate_levels(*scores_of(), levels=list(Level))
    assert set(jointly) == {Level.SYSTEM, Level.SEGMENT, Level.WITHIN_SYSTEM}
    topics = found[Level.SEGMENT, Coefficient.PEARSON]
    assert jointly[Level.SEGMENT].value == pytest.approx(topics.value)
    assert not np.allclose(jointly[Level.SEGMENT].samples, topics.samples)
    assert jointly[Level.SYSTEM] is found[Level.SYSTEM, Coefficient.PEARSON]


def test_without_a_topic_that_all_have_answered_there_is_no_level_of_systems():
    values, _, topic, system = (each[..., [0, 2, 5, 7]] for each in scores_of(NAMES, 4, 2))
    found, _ = correlate_levels(values, np.arange(4.0), topic, system, list(Level))
    assert {level for level, _ in found} >= {Level.SEGMENT}
    assert Level.SYSTEM not in {level for level, _ in found}


def test_systems_are_compared_by_the_topics_that_all_have_answered():
    whole = scores_of(topics=5)  # the last system lacks the last topic, or all do
    ours, theirs = (
        compare_with_best(*(each[..., :size] for each in whole), 0, level=Level.SYSTEM)
        for size in (34, 28)
    )
    assert ours == pytest.approx(theirs, nan_ok=True)


def correlated(*coefficients: float, size: int) -> np.ndarray:
    """Three samples with exactly these coefficients: of the first two, with the third, and so."""
    noise = np.random.default_rng(0).normal(size=(3, size))
    whole, _ = np.linalg.qr((noise - noise.mean(axis=1, keepdims=True)).T)
    one, two, three = coefficients
    wanted = np.array([[1, one, two], [one, 1, three], [two, three, 1]])
    return np.linalg.cholesky(wanted) @ whole.T


@each_case(
    ("first", "second", "between", "size", "t"),
    [
        (0.4, 0.5, 0.1, 103, -0.89),  # as r.test of the R package psych prints it
        (0.5, 0.4, 0.1, 103, 0.89),
        (0.6, 0.6, 0.3, 16, 0.0),
    ],
)
def test_correlations_with_people_are_compared_as_williams_did(first, second, between, size, t):
    human, ours, theirs = correlated(first, second, between, size=size)
    p = williams_test(ours, theirs, human)
    assert stats.t.isf(p, size - 3) == pytest.approx(t, abs=0.005)
    assert p + williams_test(theirs, ours, human) == pytest.approx(1)


def test_by_williams_equal_measures_differ_as_often_as_is_said():
    draw = np.random.default_rng(1).normal
    people = draw(size=(800, 16))
    ours, theirs = people + draw(size=(2, 800, 16))
    found = [williams_test(*each) for each in zip(ours, theirs, people, strict=True)]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.025)
    assert np.isnan(williams_test(ours[0], ours[0], people[0]))
    assert np.isnan(williams_test(ours[0, :3], theirs[0, :3], people[0, :3]))
