"""Sets of measures counted by group."""

import numpy as np
import pytest

from tests.eval.meta.made_up import heterogeneity
from tests.eval.studies.made_up_groups import grouped
from weps_eval.meta import heterogeneity as agreement
from weps_eval.meta import set_reliability
from weps_eval.meta.heterogeneity import (
    PairwisePreferences,
    every_pair,
    pairs_of_measures,
    random_sets,
    set_heterogeneities,
)
from weps_eval.meta.reliability import bootstrap_gains, count_corroboration, levels_by_group
from weps_eval.meta.set_reliability import (
    SetCounts,
    SetReliability,
    count_sets_by_group,
    judge_sets,
    mean_by_size,
    split_pairs,
)

SOURCE = grouped(groups=5, size=6)
QUALITY = SOURCE.quality["quality"]
SETS = random_sets(len(SOURCE.measures), (1, 2, 4), 5)
LARGER = random_sets(len(SOURCE.measures), (2, 3, 5), 6)


def counted(**more) -> SetCounts:
    return count_sets_by_group(SOURCE.values, QUALITY, SOURCE.group, SETS, **more)


def judged(source=SOURCE, sets=LARGER) -> SetReliability:
    return judge_sets(source.values, source.quality["quality"], source.group, sets)


@pytest.fixture(scope="module")
def counts() -> SetCounts:
    return counted()


def test_counts_by_group_add_up_to_those_of_all(counts):
    every, quality = (
        PairwisePreferences.exact(each, SOURCE.group) for each in (SOURCE.values, QUALITY)
    )
    found = count_corroboration(every, quality, SETS)
    assert counts.reliability.value == pytest.approx(found.reliability)
    assert counts.sensitivity.value == pytest.approx(found.sensitivity)
    assert counts.heterogeneity.value == pytest.approx(set_heterogeneities(every, SETS))


def test_groups_are_resampled(counts):
    for each in (counts.heterogeneity, counts.reliability, counts.sensitivity):
        several = each.estimates[5:]  # single measures contradict nothing
        assert any(found.low < found.value < found.high for found in several)
        assert all(found.low <= found.high for found in several)


def test_sets_of_two_are_counted_as_those_that_are_looked_up(counts, monkeypatch):
    monkeypatch.setattr(set_reliability, "_PAIRS", 4)
    monkeypatch.setattr(set_reliability, "_ROWS", 2)
    monkeypatch.setattr(agreement, "_CELLS", 1)
    calls = []
    found = counted(progress=lambda *each: calls.append(each))
    assert (found.reliability.samples == counts.reliability.samples).all()
    for number, pairs in enumerate(split_pairs(SOURCE.group)):
        every, quality = (PairwisePreferences.of(each, pairs) for each in (SOURCE.values, QUALITY))
        expected = count_corroboration(every, quality, SETS)
        contradicted = set_heterogeneities(every, SETS) * every.pairs
        assert found.counts[0][:, number] == pytest.approx(contradicted)
        assert (found.counts[1][:, number] == expected.corroborated).all()
        assert (found.counts[2][:, number] == expected.real).all()
    assert [done for _, done, _ in calls] == [0, 1, 2, 3, 4, 5]


def test_reliability_is_that_of_the_arithmetic():
    found, values = judged(), SOURCE.values
    verdicts, people = (PairwisePreferences.exact(each, SOURCE.group) for each in (values, QUALITY))
    two = pairs_of_measures(len(values))
    both = count_corroboration(verdicts, people, two).reliability
    alone = count_corroboration(verdicts, people, np.eye(len(values), dtype=bool)).reliability
    assert found.added.value == pytest.approx(both - np.where(two, alone, -1).max(axis=1))
    pairs = every_pair(len(QUALITY), SOURCE.group)
    once = np.ones((1, len(pairs.first)))
    expected = bootstrap_gains(values, QUALITY, pairs, LARGER, once)[:, 0]
    assert found.gains.value == pytest.approx(expected)
    levels = levels_by_group(values, QUALITY, verdicts, SOURCE.group)
    assert np.allclose(found.increase, levels.cut())


def test_shares_and_coefficients_are_over_the_sets():
    found, summary = judged(), judged().summary
    h, r = found.sets.heterogeneity.value, found.sets.reliability.value
    assert summary["additive"].value == pytest.approx((found.added.value >= 0).mean())
    assert summary["gaining"].value == pytest.approx((found.gains.value >= 0).mean())
    assert summary["additive"].low <= summary["additive"].value <= summary["additive"].high
    for name, figure in (("reliability", r), ("gain", found.gains.value)):
        expected = np.corrcoef(h, figure)[0, 1]
        assert summary[f"heterogeneity_and_{name}"].value == pytest.approx(expected)
    assert summary["heterogeneity_and_sensitivity"].high < 0


def test_one_group_has_no_intervals():
    for name, each in judged(grouped(groups=1, size=15)).summary.items():
        assert not np.isnan(each.value), name
        assert np.isnan(each.low), name


def test_a_measure_twice_is_no_less_reliable():
    source = grouped(("a", "b"), groups=6)
    source.values[1] = source.values[0]
    assert judged(source, np.ones((2, 2), dtype=bool)).summary["additive"] == (1, 1, 1)


def test_long_tables_are_worked_on_in_blocks(monkeypatch):
    whole = judged()
    monkeypatch.setattr(set_reliability, "_ROWS", 2)
    parts = judged()
    assert (parts.added.samples == whole.added.samples).all()
    assert parts.summary["additive"] == whole.summary["additive"]


def test_means_are_over_sets_of_each_size():
    values = SOURCE.values[:4]
    found = mean_by_size(values, SOURCE.group, range(1, 11))
    assert len(found.value) == 4
    assert found.value[0] == 0
    assert found.value[3] == pytest.approx(heterogeneity(values, SOURCE.group))
    pairs = [values[[i, j]] for i, j in zip(*every_pair(4), strict=True)]
    mean = np.mean([heterogeneity(each, SOURCE.group) for each in pairs])
    assert found.value[1] == pytest.approx(mean)
