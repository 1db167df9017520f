from dataclasses import replace

import numpy as np
import pytest

from tests.eval.studies.made_up_scores import judged
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.estimates import (
    pair_precision,
    pooled_pairs,
    pooled_scores,
    relative_scores,
    weighted_subscores,
)
from weps_eval.meta.judged import as_table
from weps_eval.meta.regression import (
    assign_folds,
    cross_validate_scores,
    multiple_regression,
    simple_regression,
)
from weps_eval.stats.estimate import two_way_weights
from weps_eval.studies.measures import JudgedOutputs
from weps_eval.studies.regression.findings import (
    VRM,
    LeftOut,
    Plan,
    PooledResults,
    compute_findings,
    evaluate_learners,
    pooled_estimates,
    relative_quality,
    system_gap,
)
from weps_eval.studies.regression.report import report_tables

FEW = {"folds": 4, "resamples": 30}


@pytest.fixture(scope="module")
def found():
    return evaluate_learners(judged(), Plan((0, 2, 3), **FEW))


def test_learners_and_measures_alone(found):
    assert found.names[0] == VRM
    assert found.rivals == ["best AICc", "multiple", "ridge", "lasso", "simple"]
    assert found.names[6:] == (
        "rouge(n=1) alone",
        "rouge(n=2) alone",  # no variable, but the paper's baseline
        "cosine alone",
        "dice alone",
    )
    assert found.baselines == {"ROUGE-1": "rouge(n=1) alone", "ROUGE-2": "rouge(n=2) alone"}


@pytest.mark.parametrize(
    ("name", "learner", "rows"),
    [("multiple", multiple_regression, [0, 2, 3]), ("rouge(n=2) alone", simple_regression, [1])],
)
def test_errors_are_those_of_scores_that_were_not_seen(found, name, learner, rows):
    outputs = judged()
    fold = assign_folds(outputs.topic, 4)
    estimates = cross_validate_scores(learner, outputs.values[rows], outputs.human, fold)
    expected = np.abs(estimates - outputs.human).mean()
    assert found.accuracy.absolute.value[found.names.index(name)] == pytest.approx(expected)


def test_a_better_measure_has_a_smaller_error_and_more_votes(found):
    error = dict(zip(found.names, found.accuracy.absolute.value, strict=True))
    assert error["rouge(n=1) alone"] < error["dice alone"]
    assert found.model.support[0] == 1
    assert found.effects[0] > found.effects[2]
    pearson = found.accuracy.per_summary[Coefficient.PEARSON].value
    assert pearson[found.names.index("rouge(n=1) alone")] > 0.8


def test_systems_may_be_left_out_and_support_vectors_added(found):
    """There are no more folds than systems."""
    assert "SVR" not in found.names
    plan = Plan((0, 2, 3), LeftOut.SYSTEMS, folds=100, svr=True, resamples=30)
    other = evaluate_learners(judged(), plan)
    assert other.names.index("SVR") == 5
    errors = np.delete(other.accuracy.absolute.value, 5)
    assert (errors != found.accuracy.absolute.value).all()


def test_with_no_room_for_votes_the_best_regression_is_the_model():
    outputs = judged(topics=6)
    best, many = (
        evaluate_learners(
            outputs, Plan((0, 1, 2, 3), folds=3, within=within, resamples=5)
        ).accuracy.absolute
        for within in (0.0, 50.0)
    )
    assert best.value[0] == pytest.approx(best.value[1])
    assert many.value[0] != pytest.approx(many.value[1])


OUTPUTS = judged(topics=4, systems=5)


def alike(seed: int = 0):
    """Two measures, from 0.1 to 0.9 between different outputs."""
    generator = np.random.default_rng(seed)
    return {topic: 0.1 + 0.8 * generator.random((2, 5, 5)) for topic in range(4)}


@pytest.fixture(scope="module")
def pools() -> PooledResults:
    return pooled_estimates(OUTPUTS, alike(), ("one", "two"), Plan((), resamples=30))


def test_estimates_come_from_the_topic_alone(pools):
    rows = np.flatnonzero(OUTPUTS.topic == 2)
    expected = pooled_scores(alike()[2][1], OUTPUTS.human[rows], pools.thresholds)
    assert np.allclose(pools.pools[1].estimates[:, rows], expected, equal_nan=True)


def test_gap_coverage_and_precision(pools):
    pool = pools.pools[0]
    known = ~np.isnan(pool.estimates)
    assert pool.coverage == pytest.approx(known.mean(axis=1))
    for value, row, there in zip(pool.gap.value, pool.estimates, known, strict=True):
        expected = np.abs(row - OUTPUTS.human)[there].mean() if there.any() else np.nan
        assert value == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("row", [0, 25])
def test_neither_of_a_pair_has_a_say_in_the_score_of_the_other(pools, row):
    right = every = own = 0
    for topic, tables in alike().items():
        rows = np.flatnonzero(OUTPUTS.topic == topic)
        human, values = OUTPUTS.human[rows], OUTPUTS.values[0, rows]
        scores = pooled_pairs(tables[0], human, pools.thresholds[row])
        for better, worse in np.argwhere(human[:, None] > human):
            if not np.isnan([scores[better, worse], scores[worse, better]]).any():
                right += (scores[better, worse] - scores[worse, better]).round(12) > 0
                own += values[better] > values[worse]
                every += 1
    assert pools.pools[0].precision.value[row] == pytest.approx(right / every)
    assert pools.pools[0].best_measure_precision.value[row] == pytest.approx(own / every)


@pytest.mark.parametrize("left_out", list(LeftOut))
def test_equation_1_is_learned_from_the_folds_that_learners_have(left_out):
    """A pair is ranked without the terms that either has of the other."""
    plan = Plan((), left_out, folds=2, resamples=30)
    pool = pooled_estimates(OUTPUTS, alike(), ("one", "two"), plan).weighted[1]
    human, topic, system = OUTPUTS.human, OUTPUTS.topic, OUTPUTS.system
    fold = assign_folds(topic if left_out is LeftOut.TOPICS else system, 2)
    tables = {each: both[1] for each, both in alike().items()}
    parts = weighted_subscores(tables, human, topic, system, fold)
    estimates = parts.sum(axis=0)
    assert pool.estimates == pytest.approx(estimates[None])
    assert pool.coverage.tolist() == [1]
    assert pool.gap.value == pytest.approx([np.abs(estimates - human).mean()])
    right = every = 0
    for better, worse in np.argwhere((human[:, None] > human) & (topic[:, None] == topic)):
        ours = estimates[better] - parts[1 + system[worse], better]
        right += ours > estimates[worse] - parts[1 + system[better], worse]
        every += 1
    assert pool.precision.value == pytest.approx([right / every])


def test_the_table_has_a_row_for_either_estimator():
    found = compute_findings(OUTPUTS, Plan((0,), folds=2, resamples=5), alike(), ("one", "two"))
    table = next(each for each in report_tables(found) if each.key == "gap-coverage")
    rows = [[column.value(each) for column in table.columns] for each in table.records]
    assert [row[0] for row in rows] == ["Kazawa, eq. 1", "weighted mean"] * 2
    assert [row[1] for row in rows] == ["one", "one", "two", "two"]
    assert rows[2][2] == found.pools.weighted[1].gap.value[0]
    assert rows[3][2] == found.pools.pools[1].gap.value[found.pools.pools[1].at(1.0)]
    assert np.isnan(rows[2][3:]).all()  # it has no threshold
    assert not np.isnan(rows[3][3:]).any()


def test_the_rival_is_the_best_measure_on_the_same_pairs(pools):
    assert pools.best == "rouge(n=1)"
    pool = pools.pools[0]
    assert pool.best_measure_precision.value[0] == pytest.approx(pools.best_precision.value[0])
    expected = pair_precision(OUTPUTS.values[0], OUTPUTS.human, OUTPUTS.topic).pooled
    assert pool.best_measure_precision.value[0] == pytest.approx(expected)


def test_the_last_threshold_that_covers_enough(pools):
    pool = pools.pools[0]
    assert pool.coverage[0] == 1
    at = pool.at(0.5)
    assert pool.coverage[at] >= 0.5 > pool.coverage[at + 1]
    assert pool.at(1.1) is None
    tables = {topic: 5 * table for topic, table in alike().items()}
    highest = max(table.max() for table in tables.values())
    assert (
        pooled_estimates(OUTPUTS, tables, ("one",), Plan((), resamples=5)).thresholds[-1] == highest
    )


SCORED = judged(topics=6, systems=5)
MEANS = np.array([SCORED.human[SCORED.system == each].mean() for each in range(5)])
ONE = np.zeros(5, dtype=int)


def win_rates(outputs: JudgedOutputs, measure: int) -> np.ndarray:
    """On which share of the topics, all answered by all, the row is above the column; ties half."""
    (table,) = as_table(outputs.values[measure], outputs.topic, outputs.system)
    one, other = table[:, :, None], table[:, None, :]
    return ((one > other) + (one == other) / 2).mean(axis=0)


@pytest.mark.parametrize(("row", "measure"), [(0, 0), (1, 3)])
def test_gap_and_precision_of_estimated_systems(row, measure):
    found = relative_quality(SCORED, Plan((0, 3), resamples=20))
    rates = win_rates(SCORED, measure)
    estimates = relative_scores(rates, MEANS, (1, 5))
    assert found.gap.value[row] == pytest.approx(np.nanmean(np.abs(estimates - MEANS)))
    precision = pair_precision(estimates, MEANS, ONE).pooled
    assert found.precision.value[row] == pytest.approx(precision)
    own = [SCORED.values[measure][SCORED.system == each].mean() for each in range(5)]
    assert found.plain.value[row] == pytest.approx(pair_precision(own, MEANS, ONE).pooled)


def test_a_resample_is_that_of_its_topics_and_systems():
    rows = np.stack([SCORED.human, SCORED.values[0]])
    people, values = as_table(rows, SCORED.topic, SCORED.system)
    weights = two_way_weights(6, 5, 20, 0)
    found = relative_quality(SCORED, Plan((0,), resamples=20)).gap.rows[0]
    for gap, *drawn in zip(found, *weights, strict=True):
        topics, systems = (np.repeat(np.arange(len(each)), each.astype(int)) for each in drawn)
        rates = (values[topics, :, None] > values[topics, None, :]).mean(axis=0)
        scores = people[topics].mean(axis=0)
        apart = np.abs(relative_scores(rates, scores, (1, 5)) - scores)[systems]
        expected = apart[~np.isnan(apart)].mean() if not np.isnan(apart).all() else np.nan
        assert gap == pytest.approx(expected, nan_ok=True)


def test_gap_of_systems_by_estimates_of_outputs():
    estimates = SCORED.human + 0.25
    gone = estimates.copy()
    gone[SCORED.system == 0] = np.nan
    gap = system_gap(SCORED, np.vstack([estimates, gone]), Plan((), resamples=20))
    assert gap.value == pytest.approx([0.25, 0.25])
    assert gap.samples == pytest.approx(np.full((2, 20), 0.25))


def test_ties_of_outputs_count_half_and_tied_systems_are_ranked_wrong():
    outputs = replace(SCORED, values=SCORED.values.round())
    rates = win_rates(outputs, 0)
    estimates = relative_scores(rates, MEANS, (1, 5))
    found = relative_quality(outputs, Plan((0,), resamples=5))
    assert found.gap.value == pytest.approx([np.nanmean(np.abs(estimates - MEANS))])
    constant = replace(SCORED, values=np.ones_like(SCORED.values))
    assert relative_quality(constant, Plan((0,), resamples=5)).plain.value == [0]
