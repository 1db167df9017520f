from dataclasses import replace

import numpy as np
import pytest

from eval.meta.heterogeneity.agreement import PairwisePreferences
from eval.meta.heterogeneity.hbr import hbr
from eval.ranking.pwa import auc
from eval.studies.grouped import GroupedInstances
from eval.studies.hbr.findings import HBR, TREES, Findings, Settings, compute_findings
from tests.eval.studies.made_up_groups import grouped, labelled

EXACT = Settings(samples=0)


def found(source: GroupedInstances | None = None, settings: Settings = EXACT) -> Findings:
    return compute_findings(source or grouped(), settings)


def test_the_ranking_is_hbr_within_groups() -> None:
    source = grouped()
    expected = hbr(
        source.values, PairwisePreferences.exact(source.values, source.group), source.group
    )
    assert found(source).ranking.tolist() == expected.tolist()
    assert found(source, Settings(samples=50)).ranking.tolist() != expected.tolist()
    assert found(source, Settings(samples=0, rivals=3)).ranking.tolist() != expected.tolist()


def test_auc_is_over_pairs_of_one_group() -> None:
    source = labelled(groups=1, size=20)
    (against,) = found(source).human_agreement
    positive = source.quality["label"] > 0
    expected = [auc(each[positive], each[~positive]) for each in source.values]
    assert against.auc.value[: against.hbr].tolist() == pytest.approx(expected)
    assert against.names[against.hbr] == HBR


def test_pwa_is_for_labels_and_a_tie_is_no_success() -> None:
    source = labelled(groups=2, size=10)
    source.values[0] = 1.0
    (against,) = found(source).human_agreement
    assert against.pwa is not None
    assert against.pwa.value[0] == 0
    assert against.auc.value[0] == 0.5
    assert found(grouped()).human_agreement[0].pwa is None


def test_united_weak_measures_are_better_than_each() -> None:
    source = grouped(tuple("abcdefgh"), groups=30, noise=2.0)
    (against,) = found(source).human_agreement
    worse = against.of_worse_half
    assert len(worse.value) == 5
    assert worse.value[-1] > worse.value[:-1].max()


def test_agreement_with_hbr_predicts_agreement_with_people() -> None:
    (against,) = found(grouped(groups=30)).human_agreement
    assert against.predictive.low > 0.8
    assert against.predicted.value[against.hbr] == pytest.approx(1)
    assert against.elsewhere.low < against.elsewhere.value < against.elsewhere.high


def test_people_who_judged_elsewhere_judged_all_other_groups() -> None:
    (against,) = found(grouped(groups=3)).human_agreement
    singles = against.prediction.actual[: against.hbr].T
    own = [
        np.corrcoef(predicted, actual)[0, 1]
        for predicted, actual in zip(
            against.prediction.predicted[: against.hbr].T, singles, strict=True
        )
    ]
    rest = [
        np.corrcoef(np.delete(singles, each, 0).mean(axis=0), singles[each])[0, 1]
        for each in range(3)
    ]
    assert against.elsewhere.value == pytest.approx((np.array(own) - rest).mean())


def test_a_topic_is_consistent_by_the_single_measures() -> None:
    source = grouped(groups=2, noise=0.0)
    source.values[0, source.group == 1] *= -1
    (against,) = found(source).human_agreement
    assert against.consistent.tolist() == [True, False]
    assert against.auc_of(against.consistent).value[0] == 1
    assert against.auc_of(~against.consistent).value[0] == 0


def test_without_people_there_is_still_a_ranking() -> None:
    source = replace(grouped(), quality={})
    result = found(source)
    assert result.human_agreement == ()
    assert len(result.predicted.value) == len(source.measures)
    assert [count for *_, count in result.systems] == [6] * 8
    values = [value for _, value, _ in result.systems]
    assert values == sorted(values, reverse=True)


def test_outputs_without_rivals_or_scores_are_not_judged() -> None:
    source = grouped(groups=3, size=4)
    group = np.append(source.group[:-1], 3)
    source = replace(source, group=group, groups=(*source.groups, "t3"))
    source.quality["quality"][0] = np.nan
    result = found(source)
    assert np.flatnonzero(np.isnan(result.ranking)).tolist() == [11]
    assert len(result.human_agreement[0].judged.quality) == 10


def test_one_that_is_alone_with_its_score_does_not_matter() -> None:
    """Nobody judged another of its topic, so HBR of some measures cannot rank it."""
    source = grouped(groups=3, size=4)
    whole = source.quality["quality"].copy()
    source.quality["quality"][source.group == 0] = np.nan
    (expected,) = found(source).human_agreement
    source.quality["quality"][0] = whole[0]
    (against,) = found(source).human_agreement
    assert against.of_worse_half.value.tolist() == expected.of_worse_half.value.tolist()


def test_trees_stand_beside_hbr_where_there_are_labels_and_groups() -> None:
    source = labelled(groups=6, size=40)
    with_trees, without = (
        found(source, Settings(samples=100, trees=trees)).human_agreement[0]
        for trees in (True, False)
    )
    assert with_trees.beside == (HBR, TREES)
    assert 0.5 < with_trees.auc.value[-1] < 1
    # The worst ranks are among measures and HBR only.
    assert with_trees.worst.value.tolist() == without.worst.value.tolist()
    assert (without.worst.value <= 1).all()
    for source in (labelled(groups=1, size=20), grouped()):
        against = found(source, Settings(samples=100, trees=True)).human_agreement[0]
        assert against.beside == (HBR,)


def test_a_topic_of_equals_has_no_ranks() -> None:
    source = grouped()
    source.quality["quality"][source.group == 0] = 3
    (against,) = found(source).human_agreement
    assert np.isfinite(against.worst.value).all()
    assert against.topics.ranked.tolist() == [False, *[True] * 5]


def test_the_worse_half_comes_best_first() -> None:
    (against,) = found(grouped(groups=20)).human_agreement
    singles = against.of_worse_half.value[:-1].tolist()
    assert singles == sorted(singles, reverse=True)
    assert singles == sorted(against.auc.value[: against.hbr].tolist())[: len(singles)][::-1]


def test_trees_know_nothing_of_the_groups_that_they_judge() -> None:
    source = labelled(groups=4, size=60)
    noise = np.random.default_rng(3).normal(size=source.values.shape)
    (against,) = found(
        replace(source, values=noise), Settings(samples=50, trees=True)
    ).human_agreement
    assert against.auc.value[-1] < 0.65
