from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from eval.meta.heterogeneity.agreement import PairwisePreferences
from eval.meta.heterogeneity.pairs import every_pair, pairs_of_measures
from eval.meta.heterogeneity.reliability import (
    bootstrap_gains,
    count_corroboration,
    levels_by_group,
)
from eval.studies.grouped import GroupedInstances
from eval.studies.heterogeneity import findings, sets
from eval.studies.heterogeneity.findings import Findings, Settings, compute_findings, known_mean
from tests.eval.meta.made_up import heterogeneity
from tests.eval.studies.made_up_groups import NAMES, grouped

SETTINGS = Settings(each=6, samples=0)


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "_GAIN_RESAMPLES", 20)
        yield


def found(source: GroupedInstances) -> Findings:
    return compute_findings(source, SETTINGS)


@pytest.fixture(scope="module")
def result() -> Findings:
    return found(grouped())


def test_figures_are_those_of_the_arithmetic(result: Findings) -> None:
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


def test_shares_are_of_sets_that_have_a_gain(result: Findings) -> None:
    (people,) = result.human_agreement
    assert people.additive.value == pytest.approx((people.added.value >= 0).mean())
    assert people.gaining.value == pytest.approx((people.gains.value >= 0).mean())
    assert people.additive.low <= people.additive.value <= people.additive.high


def test_coefficients_are_over_the_random_sets(result: Findings) -> None:
    (people,) = result.human_agreement
    reliability = people.random.reliability.value
    expected = np.corrcoef(result.heterogeneity, reliability)[0, 1]
    assert people.reliability_rises.value == pytest.approx(expected)
    expected = np.corrcoef(result.heterogeneity, people.gains.value)[0, 1]
    assert people.gain_rises.value == pytest.approx(expected)
    assert people.sensitivity_rises.high < 0
    assert people.increase_rises.low > 0


def test_sets_are_as_large_as_there_are_measures(result: Findings) -> None:
    assert list(result.sizes) == [2, 3, 5]
    assert [int(rows.sum()) for rows in result.sizes.values()] == [6, 6, 6]
    assert list(found(grouped(("a", "b"))).sizes) == [2]


def test_without_people_heterogeneity_is_what_is_found(result: Findings) -> None:
    unjudged = found(replace(grouped(), quality={}))
    assert unjudged.human_agreement == ()
    assert unjudged.heterogeneity.tolist() == result.heterogeneity.tolist()
    assert 0 < unjudged.whole.low < unjudged.whole.high <= 1


@pytest.mark.slow
def test_several_jobs_find_the_same() -> None:
    source = grouped(groups=3)
    both = replace(source, quality=dict.fromkeys(("one", "two"), source.quality["quality"]))
    alone, shared = (compute_findings(both, SETTINGS, jobs=jobs) for jobs in (1, 2))
    for one, other in zip(alone.human_agreement, shared.human_agreement, strict=True):
        assert one.criterion == other.criterion
        assert one.reliability_rises == other.reliability_rises


def test_one_group_has_no_intervals() -> None:
    (people,) = found(grouped(groups=1, size=15)).human_agreement
    for each in (people.additive, people.gaining, people.reliability_rises, people.increase_rises):
        assert not np.isnan(each.value)
        assert np.isnan(each.low)


def test_a_measure_twice_is_no_less_reliable() -> None:
    source = grouped(("a", "b"), groups=6)
    source.values[1] = source.values[0]
    (people,) = compute_findings(source, Settings(each=2)).human_agreement
    assert people.additive == (1, 1, 1)


def test_long_tables_are_worked_on_in_blocks(
    result: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (whole,) = result.human_agreement
    monkeypatch.setattr(sets, "_ROWS", 2)
    (parts,) = found(grouped()).human_agreement
    assert (parts.added.samples == whole.added.samples).all()
    assert parts.additive == whole.additive


def test_linguistic_measures_that_contradict_those_of_words_add_heterogeneity() -> None:
    source = grouped(noise=0.2, groups=20)
    source.values[4:] *= -1
    gain = found(source).linguistic_gain
    assert gain is not None
    assert gain.low > 0
    assert found(grouped(NAMES[:4])).linguistic_gain is None
    assert found(grouped(("a", "b", *NAMES)[:5])).linguistic_gain is None


def test_a_mean_is_of_what_is_known() -> None:
    assert known_mean(np.array([1, np.nan, 2])) == 1.5
    assert np.isnan(known_mean(np.array([np.nan])))
