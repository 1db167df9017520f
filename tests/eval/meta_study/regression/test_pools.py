import numpy as np
import pytest

from eval.meta.regression import gaps, pair_precision, pooled_pairs, pooled_scores
from eval.meta_study.regression.pools import Pools, pools
from tests.eval.meta_study.made_up_scores import judged

OUTPUTS = judged(topics=4, systems=5)


def alike(seed: int = 0):
    """Two measures, from 0.1 to 0.9 between different outputs."""
    generator = np.random.default_rng(seed)
    return {topic: 0.1 + 0.8 * generator.random((2, 5, 5)) for topic in range(4)}


@pytest.fixture(scope="module")
def found() -> Pools:
    return pools(OUTPUTS, alike(), ("one", "two"), resamples=30)


def test_estimates_come_from_the_topic_alone(found):
    rows = np.flatnonzero(OUTPUTS.topic == 2)
    expected = pooled_scores(alike()[2][1], OUTPUTS.human[rows], found.thresholds)
    assert np.allclose(found.pools[1].estimates[:, rows], expected, equal_nan=True)


def test_gap_coverage_and_precision(found):
    pool = found.pools[0]
    expected = gaps(pool.estimates, OUTPUTS.human)
    assert pool.coverage == pytest.approx(expected.coverage)
    assert np.allclose(pool.gap.value, expected.gap, equal_nan=True)


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
    assert found.pools[0].rival.value[row] == pytest.approx(own / every)


def test_the_rival_is_the_best_measure_on_the_same_pairs(found):
    assert found.best == "rouge(n=1)"
    pool = found.pools[0]
    assert pool.rival.value[0] == pytest.approx(found.best_precision.value[0])
    expected = pair_precision(OUTPUTS.values[0], OUTPUTS.human, OUTPUTS.topic).pooled
    assert pool.rival.value[0] == pytest.approx(expected)


def test_the_last_threshold_that_covers_enough(found):
    pool = found.pools[0]
    assert pool.coverage[0] == 1
    at = pool.at(0.5)
    assert pool.coverage[at] >= 0.5 > pool.coverage[at + 1]
    assert pool.at(1.1) is None
    assert pool.places([1.1, 0.5, 0.5]) == [at]


def test_thresholds_reach_the_highest_similarity():
    tables = {topic: 5 * table for topic, table in alike().items()}
    highest = max(table.max() for table in tables.values())
    assert pools(OUTPUTS, tables, ("one",), resamples=5).thresholds[-1] == highest
