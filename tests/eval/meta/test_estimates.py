"""Accuracy of estimates, and estimates from scored outputs and from other systems."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.linear_model import LinearRegression

from tests.cases import each_case
from tests.eval.studies.made_up_scores import judged
from weps.errors import ValuesError
from weps_eval.meta import estimates as module
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.estimates import (
    PooledEstimates,
    RelativeQuality,
    estimate_accuracy,
    pair_precision,
    pooled_pairs,
    pooled_scores,
    relative_scores,
    system_gap,
    weighted_subscores,
)
from weps_eval.meta.regression import assign_folds
from weps_eval.stats import RESAMPLES, as_table, two_way_weights


def test_errors_and_correlations_of_a_learner():
    topic, system = np.indices((15, 4)).reshape(2, -1)
    human = np.random.default_rng(0).normal(size=60)
    near = human + np.random.default_rng(1).normal(0, 0.3, size=60)
    far = human + np.random.default_rng(2).normal(0, 2, size=60)
    found = estimate_accuracy(np.array([near, far]), human, topic, system, resamples=100)
    assert found.absolute.value[0] == pytest.approx(np.abs(near - human).mean())
    assert found.squared.value[1] == pytest.approx(((far - human) ** 2).mean())
    summary = found.per_summary[Coefficient.SPEARMAN].value[0]
    assert summary == pytest.approx(stats.spearmanr(near, human).statistic)
    by_system = [
        stats.pearsonr(far[each == system], human[each == system]).statistic for each in range(4)
    ]
    assert found.per_system[Coefficient.PEARSON].value[1] == pytest.approx(np.mean(by_system))
    for figure in (found.absolute, found.squared):
        assert figure.difference(0, 1).low > 0
    for figure in (*found.per_system.values(), *found.per_summary.values()):
        assert figure.difference(0, 1).high < 0


def test_topics_of_many_instances_count_for_more():
    topic, system, human = np.array([0, 0, 5]), np.array([0, 1, 0]), np.zeros(3)
    found = estimate_accuracy(np.array([[1.0, 2, 6]]), human, topic, system)
    assert found.absolute.value.tolist() == [3]


rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(1, 4).map(float), st.sampled_from([1.0, 2.0, 3.0])),
    min_size=1,
    max_size=15,
)


@given(rows)
def test_precision_is_counted_over_the_pairs_of_a_topic(rows):
    topic, human, found = (np.array(each) for each in zip(*rows, strict=True))
    right = total = 0
    for a, b in np.ndindex(len(rows), len(rows)):
        if topic[a] == topic[b] and human[a] > human[b]:
            total += 1
            right += found[a] > found[b]
    (share,) = pair_precision(found[None], human, topic).value
    assert share == pytest.approx(right / total if total else np.nan, nan_ok=True)


SIMILARITY = arrays(float, (5, 5), elements=st.integers(0, 4).map(lambda each: each / 4))
SCORES = arrays(float, 5, elements=st.integers(1, 5).map(float))


@given(SIMILARITY, SCORES)
def test_scores_are_means_of_similar_outputs(similarity, human):
    thresholds = np.array([0, 0.25, 0.6, 1, 1.1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 60)  # some thresholds at a time
        found = pooled_scores(similarity, human, thresholds)
    for row, limit in enumerate(thresholds):
        for x in range(5):
            near = [j for j in range(5) if j != x and similarity[x, j] >= limit]
            weight = sum(similarity[x, j] for j in near)
            total = sum(similarity[x, j] * human[j] for j in near)
            expected = total / weight if weight else np.nan
            assert found[row, x] == pytest.approx(expected, nan_ok=True)


@given(SIMILARITY, SCORES, st.sampled_from([0, 0.3, 1]))
def test_two_that_are_ranked_are_scored_by_the_others(similarity, human, threshold):
    found = pooled_pairs(similarity, human, threshold)
    for x, y in np.ndindex(5, 5):
        left = [each for each in range(5) if each != y]
        own, limits = similarity[np.ix_(left, left)], np.array([threshold])
        alone = np.nan if x == y else pooled_scores(own, human[left], limits)[0, left.index(x)]
        assert found[x, y] == pytest.approx(alone, nan_ok=True)


def test_similarities_are_not_below_zero():
    with pytest.raises(ValuesError, match="output 0 to output 1 is below 0"):
        pooled_scores(np.array([[1, -0.5], [0, 1]]), np.array([1.0, 2.0]), np.zeros(1))


TOPIC, SYSTEM = np.delete(np.indices((12, 4)).reshape(2, -1), [5, 22], axis=1)
"""Twelve topics, four systems, two of which have not answered one of them."""


def term(tables, human, x, system):
    """yᵢⱼ Sim(x, xᵢⱼ), one output at a time; 0 for x itself and systems without answer."""
    rows = [each for each in range(len(TOPIC)) if TOPIC[each] == TOPIC[x]]
    for place, other in enumerate(rows):
        if SYSTEM[other] == system and other != x:
            return human[other] * tables[TOPIC[x]][rows.index(x), place]
    return 0.0


@each_case(
    ("fold", "pools"),
    [(TOPIC % 3, {each: range(4) for each in range(3)}), (SYSTEM // 2, {0: [2, 3], 1: [0, 1]})],
)
@each_case("seed", range(3))
def test_it_is_equation_1_with_weights_of_the_other_folds(fold, pools, seed):
    generator = np.random.default_rng(seed)
    sizes = np.bincount(TOPIC).tolist()
    tables = {topic: generator.random((size, size)) for topic, size in enumerate(sizes)}
    human = generator.integers(1, 6, len(TOPIC)).astype(float)
    found = weighted_subscores(tables, human, TOPIC, SYSTEM, fold)
    for x in range(len(TOPIC)):
        pool = pools[fold[x]]
        seen = [each for each in range(len(TOPIC)) if fold[each] != fold[x]]
        terms = [[term(tables, human, each, system) for system in pool] for each in seen]
        model = LinearRegression().fit(terms, human[seen])
        expected = np.zeros(4)
        for weight, system in zip(model.coef_, pool, strict=True):
            expected[system] = weight * term(tables, human, x, system)
        assert found[0, x] == pytest.approx(model.intercept_)
        assert found[1:, x] == pytest.approx(expected)


def test_the_score_is_where_the_line_crosses_one_half():
    # the first system beats those of 1, 2, 4 on .9, .7, .3 of the topics: .5 at 3
    rates, human = np.full((4, 4), 0.5), np.array([0.0, 1, 2, 4])
    rates[0, 1:] = 0.9, 0.7, 0.3
    assert relative_scores(rates, human)[0] == pytest.approx(3)
    rates[0, 1:] = 0.4, 0.3, 0.1
    assert relative_scores(rates, human)[0] == pytest.approx(0)  # below all others
    assert relative_scores(rates, human, (0.5, 5))[0] == 0.5  # moved into the range


@given(st.integers(0, 100))
def test_it_is_a_regression_on_the_others(seed):
    generator = np.random.default_rng(seed)
    human, rates = generator.random(6), generator.random((6, 6))
    found = relative_scores(rates, human)
    for system in range(6):
        others = np.arange(6) != system
        slope, intercept = np.polyfit(human[others], rates[system, others], 1)
        assert found[system] == pytest.approx((0.5 - intercept) / slope)


@each_case(
    ("rates", "human"),
    [
        (np.full((3, 3), 0.5), np.array([1.0, 2, 3])),
        (np.random.default_rng(0).random((3, 3)), np.full(3, 2.0)),
        (np.array([[0.5, 1], [0, 0.5]]), np.array([1.0, 2])),
    ],
)
def test_level_lines_and_single_systems_say_nothing(rates, human):
    assert np.isnan(relative_scores(rates, human)).all()


# Estimates of outputs and of systems as a whole, against their definitions

OUTPUTS = judged(topics=4, systems=5)
OF_OUTPUTS = OUTPUTS.human, OUTPUTS.topic
OF_SYSTEMS = OUTPUTS.human, OUTPUTS.topic, OUTPUTS.system
ALIKE = {topic: 0.1 + 0.8 * np.random.default_rng(topic).random((5, 5)) for topic in range(4)}
THRESHOLDS = np.linspace(0, 1, 11)


def test_the_gap_is_over_the_outputs_that_have_an_estimate():
    pooled = PooledEstimates.by_means(ALIKE, *OF_OUTPUTS, THRESHOLDS)
    rows = np.flatnonzero(OUTPUTS.topic == 2)
    expected = pooled_scores(ALIKE[2], OUTPUTS.human[rows], THRESHOLDS)
    assert np.allclose(pooled.estimates[:, rows], expected, equal_nan=True)
    known = ~np.isnan(pooled.estimates)
    assert pooled.coverage == pytest.approx(known.mean(axis=1))
    gap = pooled.gap(*OF_OUTPUTS).value
    for value, row, there in zip(gap, pooled.estimates, known, strict=True):
        expected = np.abs(row - OUTPUTS.human)[there].mean() if there.any() else np.nan
        assert value == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("row", [0, 5])
def test_neither_of_a_pair_has_a_say_in_the_score_of_the_other(row):
    right = every = rival = 0
    for topic, table in ALIKE.items():
        rows = np.flatnonzero(OUTPUTS.topic == topic)
        human, values = OUTPUTS.human[rows], OUTPUTS.values[0, rows]
        scores = pooled_pairs(table, human, THRESHOLDS[row])
        for better, worse in np.argwhere(human[:, None] > human):
            if not np.isnan([scores[better, worse], scores[worse, better]]).any():
                right += (scores[better, worse] - scores[worse, better]).round(12) > 0
                rival += values[better] > values[worse]
                every += 1
    pooled = PooledEstimates.by_means(ALIKE, *OF_OUTPUTS, THRESHOLDS)
    found = pooled.precision(*OF_OUTPUTS, OUTPUTS.values[0])
    assert [each.value[row] for each in found] == pytest.approx([right / every, rival / every])


@pytest.mark.parametrize("unit", [OUTPUTS.topic, OUTPUTS.system], ids=["topics", "systems"])
def test_a_pair_is_ranked_without_the_terms_that_either_has_of_the_other(unit):
    human, topic, system = OF_SYSTEMS
    fold = assign_folds(unit, 2)
    pooled = PooledEstimates.by_equation_1(ALIKE, *OF_SYSTEMS, fold)
    parts = weighted_subscores(ALIKE, *OF_SYSTEMS, fold)
    estimates = parts.sum(axis=0)
    assert pooled.estimates == pytest.approx(estimates[None])
    assert pooled.gap(*OF_OUTPUTS).value == pytest.approx([np.abs(estimates - human).mean()])
    right = every = 0
    for better, worse in np.argwhere((human[:, None] > human) & (topic[:, None] == topic)):
        ours = estimates[better] - parts[1 + system[worse], better]
        right += ours > estimates[worse] - parts[1 + system[better], worse]
        every += 1
    precision, _ = pooled.precision(*OF_OUTPUTS, OUTPUTS.values[0])
    assert precision.value == pytest.approx([right / every])


def win_rates(values):
    """On which share of the topics, all answered by all, the row is above the column; ties half."""
    (table,) = as_table(values, OUTPUTS.topic, OUTPUTS.system)
    one, other = table[:, :, None], table[:, None, :]
    return ((one > other) + (one == other) / 2).mean(axis=0)


MEANS = np.array([OUTPUTS.human[OUTPUTS.system == each].mean() for each in range(5)])
LIMITS = OUTPUTS.human.min(), OUTPUTS.human.max()


@pytest.mark.parametrize("decimals", [9, 0], ids=["as they are", "tied"])
def test_systems_are_estimated_and_ranked_by_their_win_rates(decimals):
    values = OUTPUTS.values[[0, 3]].round(decimals)
    found = RelativeQuality.of(values, *OF_SYSTEMS)
    for row, own in enumerate(values):
        estimates = relative_scores(win_rates(own), MEANS, LIMITS)
        means = [own[OUTPUTS.system == each].mean() for each in range(5)]
        one = np.zeros(5, dtype=int)
        assert found.gap.value[row] == pytest.approx(np.nanmean(np.abs(estimates - MEANS)))
        known = ~np.isnan(estimates)
        expected = [
            pair_precision(np.array(each)[None, rows], MEANS[rows], one[rows]).value[0]
            for each, rows in ((estimates, known), (means, one == 0))
        ]
        assert [found.precision.value[row], found.plain.value[row]] == pytest.approx(expected)


def test_tied_systems_are_ranked_wrong():
    assert RelativeQuality.of(np.ones((1, 20)), *OF_SYSTEMS).plain.value == [0]


def test_a_resample_is_that_of_its_topics_and_systems():
    rows = np.stack([OUTPUTS.human, OUTPUTS.values[0]])
    people, values = as_table(rows, OUTPUTS.topic, OUTPUTS.system)
    weights = two_way_weights(4, 5, RESAMPLES, 0)
    gaps = RelativeQuality.of(OUTPUTS.values[:1], *OF_SYSTEMS).gap.rows[0]
    for gap, *drawn in itertools.islice(zip(gaps, *weights, strict=True), 20):
        topics, systems = (np.repeat(np.arange(len(each)), each.astype(int)) for each in drawn)
        rates = (values[topics, :, None] > values[topics, None, :]).mean(axis=0)
        scores = people[topics].mean(axis=0)
        apart = np.abs(relative_scores(rates, scores, LIMITS) - scores)[systems]
        expected = apart[~np.isnan(apart)].mean() if not np.isnan(apart).all() else np.nan
        assert gap == pytest.approx(expected, nan_ok=True)


def test_gap_of_systems_by_estimates_of_outputs():
    estimates = OUTPUTS.human + 0.25
    gone = np.where(OUTPUTS.system == 0, np.nan, estimates)
    gap = system_gap(np.vstack([estimates, gone]), *OF_SYSTEMS)
    assert gap.value == pytest.approx([0.25, 0.25])
    assert gap.samples == pytest.approx(np.full((2, RESAMPLES), 0.25))
