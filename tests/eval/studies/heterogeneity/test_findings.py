from dataclasses import replace

import numpy as np
import pytest

from tests.eval.meta.made_up import heterogeneity
from tests.eval.studies.made_up_groups import NAMES, grouped, labelled
from weps_eval.meta import heterogeneity as agreement
from weps_eval.meta.heterogeneity import (
    PairwisePreferences,
    every_pair,
    pairs_of_measures,
    random_sets,
    set_heterogeneities,
)
from weps_eval.meta.labelled import LabelledConditions, mean_superiority
from weps_eval.meta.reliability import (
    bootstrap_gains,
    count_corroboration,
    levels_by_group,
)
from weps_eval.ranking.pwa import max_pwa
from weps_eval.studies.grouped import GroupedInstances
from weps_eval.studies.heterogeneity import findings
from weps_eval.studies.heterogeneity.findings import (
    Findings,
    SetCounts,
    Settings,
    choose_features,
    compute_findings,
    count_by_group,
    mean_heterogeneity,
    split_pairs,
)

SETTINGS = Settings(each=6, samples=0)


def found(source: GroupedInstances) -> Findings:
    return compute_findings(source, SETTINGS)


@pytest.fixture(scope="module")
def result() -> Findings:
    return found(grouped())


def test_figures_are_those_of_the_arithmetic(result):
    source = grouped()
    (people,) = result.human_agreement
    values, quality = source.values, source.quality["quality"]
    verdicts, judged = (PairwisePreferences.exact(each, source.group) for each in (values, quality))
    two = pairs_of_measures(len(values))
    both = count_corroboration(verdicts, judged, two).reliability
    alone = count_corroboration(verdicts, judged, np.eye(len(values), dtype=bool)).reliability
    assert people.added.value == pytest.approx(both - np.where(two, alone, -1).max(axis=1))
    assert result.whole.value == pytest.approx(heterogeneity(values, source.group))
    pairs = every_pair(len(quality), source.group)
    once = np.ones((1, len(pairs.first)))
    expected = bootstrap_gains(values, quality, pairs, result.sets, once)[:, 0]
    assert people.gains.value == pytest.approx(expected)
    increase = levels_by_group(values, quality, verdicts, source.group).cut()
    assert np.allclose(people.increase, increase)
    assert result.pairs[1] == pytest.approx(heterogeneity(values[[0, 2]], source.group))


def test_shares_and_coefficients_are_over_the_sets(result):
    (people,) = result.human_agreement
    assert people.additive.value == pytest.approx((people.added.value >= 0).mean())
    assert people.gaining.value == pytest.approx((people.gains.value >= 0).mean())
    assert people.additive.low <= people.additive.value <= people.additive.high
    reliability = people.random.reliability.value
    expected = np.corrcoef(result.heterogeneity, reliability)[0, 1]
    assert people.correlation(people.random.reliability).value == pytest.approx(expected)
    expected = np.corrcoef(result.heterogeneity, people.gains.value)[0, 1]
    assert people.correlation(people.gains).value == pytest.approx(expected)
    assert people.correlation(people.random.sensitivity).high < 0
    assert people.increase_correlation.low > 0


def test_sets_are_as_large_as_there_are_measures(result):
    assert list(result.sizes) == [2, 3, 5]
    assert [int(rows.sum()) for rows in result.sizes.values()] == [6, 6, 6]
    assert list(found(grouped(("a", "b"))).sizes) == [2]


def test_without_people_heterogeneity_is_what_is_found(result):
    unjudged = found(replace(grouped(), quality={}))
    assert unjudged.human_agreement == ()
    assert unjudged.heterogeneity.tolist() == result.heterogeneity.tolist()
    assert 0 < unjudged.whole.low < unjudged.whole.high <= 1


@pytest.mark.slow
def test_several_jobs_find_the_same():
    source = grouped(groups=3)
    both = replace(source, quality=dict.fromkeys(("one", "two"), source.quality["quality"]))
    alone, shared = (compute_findings(both, SETTINGS, jobs=jobs) for jobs in (1, 2))
    for one, other in zip(alone.human_agreement, shared.human_agreement, strict=True):
        assert one.criterion == other.criterion
        assert np.array_equal(one.random.reliability.rows, other.random.reliability.rows)


def test_one_group_has_no_intervals():
    (people,) = found(grouped(groups=1, size=15)).human_agreement
    for each in (
        people.additive,
        people.gaining,
        people.correlation(people.random.reliability),
        people.increase_correlation,
    ):
        assert not np.isnan(each.value)
        assert np.isnan(each.low)


def test_a_measure_twice_is_no_less_reliable():
    source = grouped(("a", "b"), groups=6)
    source.values[1] = source.values[0]
    (people,) = compute_findings(source, Settings(each=2)).human_agreement
    assert people.additive == (1, 1, 1)


def test_long_tables_are_worked_on_in_blocks(result, monkeypatch):
    (whole,) = result.human_agreement
    monkeypatch.setattr(findings, "_ROWS", 2)
    (parts,) = found(grouped()).human_agreement
    assert (parts.added.samples == whole.added.samples).all()
    assert parts.additive == whole.additive


def test_linguistic_measures_that_contradict_those_of_words_add_heterogeneity():
    source = grouped(noise=0.2, groups=20)
    source.values[4:] *= -1
    gain = found(source).linguistic_gain
    assert gain is not None
    assert gain.low > 0
    assert found(grouped(NAMES[:4])).linguistic_gain is None
    assert found(grouped(("a", "b", *NAMES)[:5])).linguistic_gain is None


SOURCE = grouped(groups=5, size=6)
SETS = random_sets(len(SOURCE.measures), (1, 2, 4), 5)


@pytest.fixture(scope="module")
def counts() -> SetCounts:
    return count_by_group(SOURCE.judged_instances("quality"), SETS, 0)


def test_counts_by_group_add_up_to_those_of_all(counts):
    every, quality = (
        PairwisePreferences.exact(each, SOURCE.group)
        for each in (SOURCE.values, SOURCE.quality["quality"])
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
    monkeypatch.setattr(findings, "_PAIRS", 4)
    monkeypatch.setattr(findings, "_ROWS", 2)
    monkeypatch.setattr(agreement, "_CELLS", 1)
    judged, calls = SOURCE.judged_instances("quality"), []
    found = count_by_group(judged, SETS, 0, lambda *each: calls.append(each))
    assert (found.reliability.samples == counts.reliability.samples).all()
    for number, pairs in enumerate(split_pairs(SOURCE.group)):
        every, quality = (
            PairwisePreferences.of(each, pairs) for each in (judged.values, judged.quality)
        )
        expected = count_corroboration(every, quality, SETS)
        contradicted = set_heterogeneities(every, SETS) * every.pairs
        assert found.counts[0][:, number] == pytest.approx(contradicted)
        assert (found.counts[1][:, number] == expected.corroborated).all()
        assert (found.counts[2][:, number] == expected.real).all()
    assert [done for _, done, _ in calls] == [0, 1, 2, 3, 4, 5]


def test_means_are_over_sets_of_each_size():
    source = grouped()
    found = mean_heterogeneity(source, seed=0)
    assert found is not None
    words, every = found
    assert [len(each.value) for each in found] == [4, 7]
    assert words.value[0] == every.value[0] == 0
    assert words.value[3] == pytest.approx(heterogeneity(source.values[:4], source.group))
    assert every.value[6] == pytest.approx(heterogeneity(source.values, source.group))
    pairs = [source.values[[i, j]] for i, j in zip(*every_pair(4), strict=True)]
    mean = np.mean([heterogeneity(each, source.group) for each in pairs])
    assert words.value[1] == pytest.approx(mean)


def test_both_ways_side_by_side():
    source = labelled()
    found = choose_features(source)
    assert len(found) == len(source.measures)
    assert {each.by_king for each in found} == set(source.measures)
    assert {each.by_max_pwa for each in found} == set(source.measures)
    positive = source.quality["label"] > 0
    ours, theirs = source.values[:, positive], source.values[:, ~positive]
    passing = LabelledConditions.of(ours, theirs, source.group[positive], source.group[~positive])
    for size, each in enumerate(found, start=1):
        by_king, by_max_pwa = (
            [source.measures.index(getattr(step, way)) for step in found[:size]]
            for way in ("by_king", "by_max_pwa")
        )
        assert each.king == pytest.approx(mean_superiority(passing, by_king))
        assert each.max_pwa_king == pytest.approx(mean_superiority(passing, by_max_pwa))
        assert each.king_max_pwa == pytest.approx(max_pwa(ours[by_king], theirs[by_king]))
        assert each.max_pwa == pytest.approx(max_pwa(ours[by_max_pwa], theirs[by_max_pwa]))
        assert each.max_pwa >= each.king_max_pwa - 1e-12 or size > 1


def test_there_is_nothing_to_choose_without_labels_or_positives():
    assert choose_features(grouped()) == ()
    source = labelled()
    single = np.zeros(len(source.group))
    single[0] = 1
    assert choose_features(replace(source, quality={"label": single})) == ()
