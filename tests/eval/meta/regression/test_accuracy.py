import numpy as np
import pytest
from scipy import stats

from eval.meta.correlation import Coefficient
from eval.meta.regression import accuracy, errors

TOPIC, SYSTEM = np.indices((15, 4)).reshape(2, -1)
HUMAN = np.random.default_rng(0).normal(size=60)
NEAR = HUMAN + np.random.default_rng(1).normal(0, 0.3, size=60)
FAR = HUMAN + np.random.default_rng(2).normal(0, 2, size=60)


def test_errors_and_correlations_of_a_learner() -> None:
    found = accuracy([NEAR, FAR], HUMAN, TOPIC, SYSTEM)
    assert found.absolute.value[0] == pytest.approx(np.abs(NEAR - HUMAN).mean())
    assert found.squared.value[1] == pytest.approx(((FAR - HUMAN) ** 2).mean())
    summary = found.per_summary[Coefficient.SPEARMAN].value[0]
    assert summary == pytest.approx(stats.spearmanr(NEAR, HUMAN).statistic)
    by_system = [
        stats.pearsonr(FAR[each == SYSTEM], HUMAN[each == SYSTEM]).statistic for each in range(4)
    ]
    assert found.per_system[Coefficient.PEARSON].value[1] == pytest.approx(np.mean(by_system))


def test_the_better_learner_is_better_in_all_resamples() -> None:
    found = accuracy([NEAR, FAR], HUMAN, TOPIC, SYSTEM, resamples=100)
    for figure in (found.absolute, found.squared):
        assert figure.difference(0, 1).low > 0
    for figures in (found.per_system, found.per_summary):
        for each in figures.values():
            assert each.difference(0, 1).high < 0


def test_perfect_estimates() -> None:
    found = accuracy(HUMAN, HUMAN, TOPIC, SYSTEM, resamples=20)
    assert found.absolute.estimates == ((0, 0, 0),)
    assert found.per_system[Coefficient.PEARSON].estimates[0] == pytest.approx((1, 1, 1))


def test_topics_of_many_instances_count_for_more() -> None:
    assert errors(np.array([[1.0, 2, 6]]), [0, 0, 5]).value.tolist() == [3]
