from dataclasses import replace

import numpy as np
import pytest

from eval.meta.heterogeneity import agreement
from eval.meta.heterogeneity.agreement import (
    PairwisePreferences,
    set_heterogeneities,
)
from eval.meta.heterogeneity.pairs import every_pair, random_sets
from eval.meta.heterogeneity.reliability import count_corroboration
from eval.meta.labelled import LabelledConditions, mean_superiority
from eval.ranking.pwa import max_pwa
from eval.studies.heterogeneity import sets as module
from eval.studies.heterogeneity.sets import (
    SetCounts,
    choose_features,
    count_by_group,
    mean_heterogeneity,
    split_pairs,
)
from tests.eval.meta.made_up import heterogeneity
from tests.eval.studies.made_up_groups import grouped, labelled

SOURCE = grouped(groups=5, size=6)
SETS = random_sets(len(SOURCE.measures), (1, 2, 4), 5)


@pytest.fixture(scope="module")
def counts() -> SetCounts:
    parts = split_pairs(SOURCE.group)
    return count_by_group(SOURCE.values, SOURCE.quality["quality"], SETS, parts, 0)


def test_pairs_are_split_by_group() -> None:
    parts = split_pairs(np.array([0, 2, 0, 2, 2]))
    assert [len(each.first) for each in parts] == [1, 3]


def test_counts_by_group_add_up_to_those_of_all(counts: SetCounts) -> None:
    every, quality = (
        PairwisePreferences.exact(each, SOURCE.group)
        for each in (SOURCE.values, SOURCE.quality["quality"])
    )
    found = count_corroboration(every, quality, SETS)
    assert counts.reliability.value == pytest.approx(found.reliability)
    assert counts.sensitivity.value == pytest.approx(found.sensitivity)
    assert counts.heterogeneity.value == pytest.approx(set_heterogeneities(every, SETS))


def test_groups_are_drawn_anew(counts: SetCounts) -> None:
    for each in (counts.heterogeneity, counts.reliability, counts.sensitivity):
        several = each.estimates[5:]  # single measures contradict nothing
        assert any(found.low < found.value < found.high for found in several)
        assert all(found.low <= found.high for found in several)


def test_one_group_has_no_interval() -> None:
    source = grouped(groups=1)
    parts = split_pairs(source.group)
    found = count_by_group(source.values, source.quality["quality"], SETS, parts, 0)
    assert np.isnan(found.reliability.samples).all()
    assert not np.isnan(found.reliability.value).any()


def test_sets_of_two_are_counted_as_those_that_are_looked_up(
    counts: SetCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAIRS", 4)
    monkeypatch.setattr(module, "_ROWS", 2)
    monkeypatch.setattr(agreement, "_CELLS", 1)
    parts = split_pairs(SOURCE.group)
    quality, told = SOURCE.quality["quality"], []
    found = count_by_group(SOURCE.values, quality, SETS, parts, 0, lambda *each: told.append(each))
    assert (found.reliability.samples == counts.reliability.samples).all()
    for number, pairs in enumerate(parts):
        expected = module._count_by_lookup(
            PairwisePreferences.of(SOURCE.values, pairs),
            PairwisePreferences.of(quality, pairs),
            SETS,
        )
        for ours, theirs in zip(
            (found.contradicted, found.corroborated, found.real), expected, strict=True
        ):
            assert (ours[:, number] == theirs).all()
    assert [done for _, done, _ in told] == [0, 1, 2, 3, 4, 5]


def test_means_are_over_sets_of_each_size() -> None:
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


def test_both_ways_side_by_side() -> None:
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


def test_there_is_nothing_to_choose_without_labels_or_positives() -> None:
    assert choose_features(grouped()) == ()
    source = labelled()
    single = np.zeros(len(source.group))
    single[0] = 1
    assert choose_features(replace(source, quality={"label": single})) == ()
