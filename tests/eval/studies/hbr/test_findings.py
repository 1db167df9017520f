from dataclasses import replace

import numpy as np
import pytest

from tests.eval.studies.made_up_groups import grouped, labelled
from weps_eval.meta.hbr import hbr
from weps_eval.meta.heterogeneity import PairwisePreferences
from weps_eval.ranking.pwa import auc
from weps_eval.studies.grouped import GroupedInstances
from weps_eval.studies.hbr.findings import (
    HBR,
    TREES,
    CriterionFindings,
    Settings,
    compute_findings,
)

EXACT = Settings(samples=0)


def by_people(source: GroupedInstances, settings: Settings = EXACT) -> CriterionFindings:
    (against,) = compute_findings(source, settings).human_agreement
    return against


@pytest.fixture(scope="module")
def thirty() -> CriterionFindings:
    """Thirty groups of eight outputs."""
    return by_people(grouped(groups=30))


def test_the_ranking_is_hbr_within_groups():
    source = grouped()
    expected = hbr(
        source.values, PairwisePreferences.exact(source.values, source.group), source.group
    ).tolist()
    assert compute_findings(source, EXACT).ranking.tolist() == expected
    for settings in (Settings(samples=50), Settings(samples=0, rivals=3)):
        assert compute_findings(source, settings).ranking.tolist() != expected


def test_auc_is_over_pairs_of_one_group():
    source = labelled(groups=1, size=20)
    against = by_people(source)
    positive = source.quality["label"] > 0
    expected = [auc(each[positive], each[~positive]) for each in source.values]
    assert against.auc.value[: against.hbr].tolist() == pytest.approx(expected)
    assert against.names[against.hbr] == HBR


def test_pwa_is_for_labels_and_a_tie_is_no_success(thirty):
    source = labelled(groups=2, size=10)
    source.values[0] = 1.0
    against = by_people(source)
    assert against.pwa is not None
    assert against.pwa.value[0] == 0
    assert against.auc.value[0] == 0.5
    assert thirty.pwa is None


def test_the_worse_half_comes_best_first_and_united_it_is_better():
    against = by_people(grouped(tuple("abcdefgh"), groups=30, noise=2.0))
    *singles, united = against.of_worse_half.value.tolist()
    assert singles == sorted(against.auc.value[: against.hbr].tolist())[:4][::-1]
    assert united > singles[0]


def test_agreement_with_hbr_predicts_agreement_with_people(thirty):
    assert thirty.predictive.low > 0.8
    assert thirty.predicted.value[thirty.hbr] == pytest.approx(1)
    assert thirty.elsewhere.low < thirty.elsewhere.value < thirty.elsewhere.high


def test_people_who_judged_elsewhere_judged_all_other_groups():
    against = by_people(grouped(groups=3))
    predicted, actual = (
        each[: against.hbr].T for each in (against.prediction.predicted, against.prediction.actual)
    )
    ahead = [
        np.corrcoef(predicted[each], actual[each])[0, 1]
        - np.corrcoef(np.delete(actual, each, 0).mean(axis=0), actual[each])[0, 1]
        for each in range(3)
    ]
    assert against.elsewhere.value == pytest.approx(np.mean(ahead))


def test_a_topic_is_consistent_by_the_single_measures():
    source = grouped(groups=2, noise=0.0)
    source.values[0, source.group == 1] *= -1
    against = by_people(source)
    assert against.consistent.tolist() == [True, False]
    assert against.auc_of(against.consistent).value[0] == 1
    assert against.auc_of(~against.consistent).value[0] == 0


def test_without_people_there_is_still_a_ranking():
    source = replace(grouped(), quality={})
    result = compute_findings(source, EXACT)
    assert result.human_agreement == ()
    assert len(result.predicted.value) == len(source.measures)
    assert [count for *_, count in result.systems] == [6] * 8
    values = [value for _, value, _ in result.systems]
    assert values == sorted(values, reverse=True)


def test_outputs_without_rivals_or_scores_are_not_judged():
    source = grouped(groups=3, size=4)
    group = np.append(source.group[:-1], 3)
    source = replace(source, group=group, groups=(*source.groups, "t3"))
    source.quality["quality"][0] = np.nan
    result = compute_findings(source, EXACT)
    assert np.flatnonzero(np.isnan(result.ranking)).tolist() == [11]
    assert len(result.human_agreement[0].judged.quality) == 10


def test_one_that_is_alone_with_its_score_does_not_matter():
    """Nobody judged another of its topic, so HBR of some measures cannot rank it."""
    source = grouped(groups=3, size=4)
    first = source.quality["quality"][0]
    source.quality["quality"][source.group == 0] = np.nan
    expected = by_people(source).of_worse_half.value.tolist()
    source.quality["quality"][0] = first
    assert by_people(source).of_worse_half.value.tolist() == expected


def test_a_topic_of_equals_has_no_ranks():
    source = grouped()
    source.quality["quality"][source.group == 0] = 3
    against = by_people(source)
    assert np.isfinite(against.worst.value).all()
    assert against.topics.ranked.tolist() == [False, *[True] * 5]


@pytest.mark.slow
def test_trees_stand_beside_hbr_where_there_are_labels_and_groups():
    source = labelled(groups=6, size=40)
    with_trees, without = (
        by_people(source, Settings(samples=100, trees=trees)) for trees in (True, False)
    )
    assert with_trees.beside == (HBR, TREES)
    assert 0.5 < with_trees.auc.value[-1] < 1
    # The worst ranks are among measures and HBR only.
    assert with_trees.worst.value.tolist() == without.worst.value.tolist()
    assert (without.worst.value <= 1).all()
    for source in (labelled(groups=1, size=20), grouped()):
        assert by_people(source, Settings(samples=100, trees=True)).beside == (HBR,)


@pytest.mark.slow
def test_trees_know_nothing_of_the_groups_that_they_judge():
    source = labelled(groups=4, size=60)
    noise = np.random.default_rng(3).normal(size=source.values.shape)
    against = by_people(replace(source, values=noise), Settings(samples=50, trees=True))
    assert against.auc.value[-1] < 0.65
