import numpy as np
import pytest

from eval.meta.heterogeneity import (
    Verdicts,
    corroboration,
    every_pair,
    heterogeneities,
    random_sets,
    verdicts,
)
from eval.meta_study.heterogeneity import counts as module
from eval.meta_study.heterogeneity.counts import Counts, counted, split_pairs
from tests.eval.meta_study.made_up_groups import grouped

SOURCE = grouped(groups=5, size=6)
SETS = random_sets(len(SOURCE.measures), (1, 2, 4), 5)


@pytest.fixture(scope="module")
def counts() -> Counts:
    parts = split_pairs(every_pair(30, SOURCE.group), SOURCE.group)
    return counted(SOURCE.values, SOURCE.quality["quality"], SETS, parts, 0)


def test_pairs_are_split_by_group() -> None:
    parts = split_pairs(every_pair(5, [0, 2, 0, 2, 2]), np.array([0, 2, 0, 2, 2]))
    assert [len(each.first) for each in parts] == [1, 3]


def test_counts_by_group_add_up_to_those_of_all(counts: Counts) -> None:
    every, quality = (
        Verdicts.exact(each, SOURCE.group) for each in (SOURCE.values, SOURCE.quality["quality"])
    )
    found = corroboration(every, quality, SETS)
    assert counts.reliability.value == pytest.approx(found.reliability)
    assert counts.sensitivity.value == pytest.approx(found.sensitivity)
    assert counts.heterogeneity.value == pytest.approx(heterogeneities(every, SETS))


def test_groups_are_drawn_anew(counts: Counts) -> None:
    for each in (counts.heterogeneity, counts.reliability, counts.sensitivity):
        several = each.estimates[5:]  # single measures contradict nothing
        assert any(found.low < found.value < found.high for found in several)
        assert all(found.low <= found.high for found in several)


def test_one_group_has_no_interval() -> None:
    source = grouped(groups=1)
    parts = split_pairs(every_pair(8), source.group)
    found = counted(source.values, source.quality["quality"], SETS, parts, 0)
    assert np.isnan(found.reliability.drawn).all()
    assert not np.isnan(found.reliability.value).any()


def test_sets_of_two_are_counted_as_those_that_are_looked_up(
    counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAIRS", 4)
    monkeypatch.setattr(module, "_SETS", 2)
    monkeypatch.setattr(verdicts, "_CELLS", 1)
    parts = split_pairs(every_pair(30, SOURCE.group), SOURCE.group)
    quality, told = SOURCE.quality["quality"], []
    found = counted(SOURCE.values, quality, SETS, parts, 0, lambda *each: told.append(each))
    assert (found.reliability.drawn == counts.reliability.drawn).all()
    for number, pairs in enumerate(parts):
        expected = module._looked_up(
            Verdicts.of(SOURCE.values, pairs), Verdicts.of(quality, pairs), SETS
        )
        for ours, theirs in zip(
            (found.contradicted, found.corroborated, found.real), expected, strict=True
        ):
            assert (ours[:, number] == theirs).all()
    assert [done for _, done, _ in told] == [0, 1, 2, 3, 4, 5]
