import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.eval.studies.made_up_scores import judged
from weps.errors import ValuesError
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
from weps_eval.meta.judged import as_table
from weps_eval.meta.regression import assign_folds
from weps_eval.stats.estimate import RESAMPLES, estimate_share, two_way_weights

TOPIC, SYSTEM = np.indices((15, 4)).reshape(2, -1)
HUMAN = np.random.default_rng(0).normal(size=60)
NEAR = HUMAN + np.random.default_rng(1).normal(0, 0.3, size=60)
FAR = HUMAN + np.random.default_rng(2).normal(0, 2, size=60)


def test_errors_and_correlations_of_a_learner():
    found = estimate_accuracy([NEAR, FAR], HUMAN, TOPIC, SYSTEM)
    assert found.absolute.value[0] == pytest.approx(np.abs(NEAR - HUMAN).mean())
    assert found.squared.value[1] == pytest.approx(((FAR - HUMAN) ** 2).mean())
    summary = found.per_summary[Coefficient.SPEARMAN].value[0]
    assert summary == pytest.approx(stats.spearmanr(NEAR, HUMAN).statistic)
    by_system = [
        stats.pearsonr(FAR[each == SYSTEM], HUMAN[each == SYSTEM]).statistic for each in range(4)
    ]
    assert found.per_system[Coefficient.PEARSON].value[1] == pytest.approx(np.mean(by_system))
    uneven = estimate_accuracy([1, 2, 6], [0, 0, 0], [0, 0, 5], [0, 1, 0])
    assert uneven.absolute.value.tolist() == [3]  # topics of many instances count for more


def test_the_better_learner_is_better_in_all_resamples():
    found = estimate_accuracy([NEAR, FAR], HUMAN, TOPIC, SYSTEM, resamples=100)
    for figure in (found.absolute, found.squared):
        assert figure.difference(0, 1).low > 0
    for figures in (found.per_system, found.per_summary):
        for each in figures.values():
            assert each.difference(0, 1).high < 0


triples = st.lists(
    st.tuples(
        st.integers(0, 2), st.integers(1, 4).map(float), st.sampled_from([1.0, 2.0, 3.0, np.nan])
    ),
    min_size=1,
    max_size=15,
)


@given(triples)
def test_precision_is_counted_over_the_pairs_of_a_topic(rows):
    topic, human, found = (list(each) for each in zip(*rows, strict=True))
    right = total = 0
    for a, b in np.ndindex(len(rows), len(rows)):
        if topic[a] == topic[b] and human[a] > human[b] and not np.isnan(found[a] + found[b]):
            total += 1
            right += found[a] > found[b]
    tally = pair_precision(found, human, topic)
    assert tally.pooled == pytest.approx(right / total if total else np.nan, nan_ok=True)


def test_perfect_opposite_and_constant_estimates():
    human, topic = np.arange(12.0) % 4, np.arange(12) // 4
    for found, expected in ((human, 1), (-human, 0), (np.zeros(12), 0)):
        assert estimate_share(pair_precision(found, human, topic)) == (expected, expected, expected)


def test_precision_by_topic():
    tally = pair_precision([1, 2, 1, 2, 3, 1], [1, 2, 2, 1, 1, 2], [0, 0, 1, 1, 4, 4])
    assert tally.by_group.tolist()[:2] == [1, 0]
    assert tally.pooled == pytest.approx(1 / 3)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValuesError, match=r"shape \(2,\) do not match 3 human scores"):
        pair_precision([1, 2], [1, 2, 3], [0, 0, 0])
    with pytest.raises(ValuesError, match="human: 1 values are NaN"):
        pair_precision([1, 2], [1, np.nan], [0, 0])


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
        expected = [pair_precision(each, MEANS, one).pooled for each in (estimates, means)]
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
