from dataclasses import replace

import numpy as np
import pytest

from eval.meta.judged import as_table
from eval.meta.regression.accuracy import pair_precision
from eval.meta.regression.outputs import pooled_pairs, pooled_scores, relative_scores
from eval.studies.measures import JudgedOutputs, StudyInput, judged_outputs
from eval.studies.regression.outputs import (
    PooledResults,
    output_similarities,
    pooled_estimates,
    relative_quality,
    system_gap,
)
from eval.text.matrix import MeasureMatrix
from eval.text.measures.topic import TextTools
from eval.text.registry import Measure
from eval.text.testbed import Output, Reference, Testbed, Topic
from tests.eval.studies.made_up_scores import judged

TEXTS = {"a": "the red cat sat", "b": "the red cat ran", "c": "a dog barked"}


def topic(name: str, systems: str) -> Topic:
    outputs = tuple(Output(each, TEXTS[each], {"quality": 1.0}) for each in systems)
    return Topic(name, (Reference("R", "the red cat"),), outputs)


TESTBED = Testbed(
    "made up", "en", "nowhere", (topic("one", "abc"), topic("two", "ca"), topic("three", "b"))
)


def outputs_of_rows(rows):
    """Of these topics and systems, in this order."""
    topics, systems = zip(*rows, strict=True)
    human = np.arange(float(len(rows)))[None]
    matrix = MeasureMatrix(topics, systems, ("m",), np.ones_like(human), ("quality",), human)
    return judged_outputs(StudyInput("x", matrix, (), ""), "quality")


def test_outputs_stand_in_the_order_of_the_judged_in_any_number_of_processes():
    outputs = outputs_of_rows([("two", "a"), ("one", "c"), ("two", "c"), ("one", "a")])
    work = (outputs, TESTBED, [Measure.parse("rouge(n=1)")], TextTools())
    found, again = (output_similarities(*work, jobs=jobs) for jobs in (1, 2))
    assert set(found) == {0, 1}
    assert all((found[each] == again[each]).all() for each in found)
    assert found[0].shape == (1, 2, 2)
    assert np.diagonal(found[1][0]) == pytest.approx([1, 1])


def test_rows_are_compared_with_columns():
    outputs = outputs_of_rows([("one", "a"), ("one", "b"), ("one", "c")])
    measures = [Measure.parse(each) for each in ("rouge(n=1)", "rouge(n=1, part=recall)")]
    (table,) = output_similarities(outputs, TESTBED, measures, TextTools()).values()
    assert table[0][0].tolist() == pytest.approx([1, 0.75, 0])
    assert table[1][0].tolist() == pytest.approx([1, 0.75, 0])


OUTPUTS = judged(topics=4, systems=5)


def alike(seed: int = 0):
    """Two measures, from 0.1 to 0.9 between different outputs."""
    generator = np.random.default_rng(seed)
    return {topic: 0.1 + 0.8 * generator.random((2, 5, 5)) for topic in range(4)}


@pytest.fixture(scope="module")
def found() -> PooledResults:
    return pooled_estimates(OUTPUTS, alike(), ("one", "two"), resamples=30)


def test_estimates_come_from_the_topic_alone(found):
    rows = np.flatnonzero(OUTPUTS.topic == 2)
    expected = pooled_scores(alike()[2][1], OUTPUTS.human[rows], found.thresholds)
    assert np.allclose(found.pools[1].estimates[:, rows], expected, equal_nan=True)


def test_gap_coverage_and_precision(found):
    pool = found.pools[0]
    known = ~np.isnan(pool.estimates)
    assert pool.coverage == pytest.approx(known.mean(axis=1))
    for value, row, there in zip(pool.gap.value, pool.estimates, known, strict=True):
        expected = np.abs(row - OUTPUTS.human)[there].mean() if there.any() else np.nan
        assert value == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("row", [0, 25])
def test_neither_of_a_pair_has_a_say_in_the_score_of_the_other(found, row):
    right = every = own = 0
    for topic, tables in alike().items():
        rows = np.flatnonzero(OUTPUTS.topic == topic)
        human, values = OUTPUTS.human[rows], OUTPUTS.values[0, rows]
        scores = pooled_pairs(tables[0], human, found.thresholds[row])
        for better, worse in np.argwhere(human[:, None] > human):
            if not np.isnan([scores[better, worse], scores[worse, better]]).any():
                right += (scores[better, worse] - scores[worse, better]).round(12) > 0
                own += values[better] > values[worse]
                every += 1
    assert found.pools[0].precision.value[row] == pytest.approx(right / every)
    assert found.pools[0].best_measure_precision.value[row] == pytest.approx(own / every)


def test_the_rival_is_the_best_measure_on_the_same_pairs(found):
    assert found.best == "rouge(n=1)"
    pool = found.pools[0]
    assert pool.best_measure_precision.value[0] == pytest.approx(found.best_precision.value[0])
    expected = pair_precision(OUTPUTS.values[0], OUTPUTS.human, OUTPUTS.topic).pooled
    assert pool.best_measure_precision.value[0] == pytest.approx(expected)


def test_the_last_threshold_that_covers_enough(found):
    pool = found.pools[0]
    assert pool.coverage[0] == 1
    at = pool.at(0.5)
    assert pool.coverage[at] >= 0.5 > pool.coverage[at + 1]
    assert pool.at(1.1) is None
    assert pool.threshold_rows([1.1, 0.5, 0.5]) == [at]
    tables = {topic: 5 * table for topic, table in alike().items()}
    highest = max(table.max() for table in tables.values())
    assert pooled_estimates(OUTPUTS, tables, ("one",), resamples=5).thresholds[-1] == highest


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
    found = relative_quality(SCORED, [0, 3], resamples=20)
    rates = win_rates(SCORED, measure)
    estimates = relative_scores(rates, MEANS, (1, 5))
    assert found.gap.value[row] == pytest.approx(np.nanmean(np.abs(estimates - MEANS)))
    precision = pair_precision(estimates, MEANS, ONE).pooled
    assert found.precision.value[row] == pytest.approx(precision)
    own = [SCORED.values[measure][SCORED.system == each].mean() for each in range(5)]
    assert found.plain.value[row] == pytest.approx(pair_precision(own, MEANS, ONE).pooled)


def test_a_resample_is_what_its_topics_say():
    """Of two topics: both, or the one or the other twice."""
    twice = SCORED.topic < 2
    small = replace(
        SCORED,
        values=SCORED.values[:, twice],
        human=SCORED.human[twice],
        topics=SCORED.topics[:2],
        topic=SCORED.topic[twice],
        system=SCORED.system[twice],
    )
    gap = relative_quality(small, [0], resamples=50).gap
    samples = gap.samples[0][~np.isnan(gap.samples[0])].round(9)
    assert gap.value[0].round(9) in samples
    assert len(np.unique(samples)) <= 3


def test_gap_of_systems_by_estimates_of_outputs():
    estimates = SCORED.human + 0.25
    gone = estimates.copy()
    gone[SCORED.system == 0] = np.nan
    gap = system_gap(SCORED, np.vstack([estimates, gone]), resamples=20)
    assert gap.value == pytest.approx([0.25, 0.25])
    assert gap.samples == pytest.approx(np.full((2, 20), 0.25))


def test_ties_of_outputs_count_half_and_tied_systems_are_ranked_wrong():
    outputs = replace(SCORED, values=SCORED.values.round())
    rates = win_rates(outputs, 0)
    estimates = relative_scores(rates, MEANS, (1, 5))
    found = relative_quality(outputs, [0], resamples=5)
    assert found.gap.value == pytest.approx([np.nanmean(np.abs(estimates - MEANS))])
    constant = replace(SCORED, values=np.ones_like(SCORED.values))
    assert relative_quality(constant, [0], resamples=5).plain.value == [0]
