import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.estimates import estimate_accuracy, pair_precision
from weps_eval.stats.estimate import estimate_share

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
