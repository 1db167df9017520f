from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.eval.studies.made_up_scores import NAMES, judged
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.correlation_levels import Level
from weps_eval.meta.judged import Scale
from weps_eval.studies.correlation import findings as module
from weps_eval.studies.correlation.findings import (
    Findings,
    SplitHalves,
    compute_findings,
    split_half_agreement,
)
from weps_eval.studies.measures import JudgedOutputs


@pytest.fixture(scope="module")
def found() -> Findings:
    return compute_findings(judged().with_combined(Scale.DEVIATION), resamples=50)


def test_segments_are_correlated_together(found):
    drawn = found.pearson(Level.SEGMENT)
    expected = [stats.pearsonr(each, found.judged.human).statistic for each in found.judged.values]
    assert drawn.value == pytest.approx(expected)


def test_conclusions_are_judged_with_systems_drawn_too(found):
    assert set(found.jointly) == {Level.SYSTEM, Level.SEGMENT, Level.WITHIN_SYSTEM}
    joint, topics = found.pearson(Level.SEGMENT), found.found[Level.SEGMENT, Coefficient.PEARSON]
    assert joint.value == pytest.approx(topics.value)
    assert not np.allclose(joint.samples, topics.samples)
    system = found.pearson(Level.SYSTEM)
    assert (system.samples == found.found[Level.SYSTEM, Coefficient.PEARSON].samples).all()


def test_the_best_is_held_against_each(found):
    lead, value = found.leads[Level.SEGMENT], found.pearson(Level.SEGMENT).value
    assert set(found.leads) == set(Level)
    assert lead.best == value.argmax()
    assert np.flatnonzero(np.isnan(lead.p)).tolist() == [lead.best]
    assert lead.p[value.argmin()] == np.nanmin(lead.p)


def test_without_a_topic_that_all_have_answered_there_is_no_level_of_systems():
    whole = judged(systems=2, topics=4)
    rows = [0, 2, 5, 7]  # each topic is answered by one system
    part = replace(select_outputs(whole, rows), human=np.arange(4.0))
    found = compute_findings(part.with_combined(Scale.DEVIATION), resamples=20)
    assert Level.SYSTEM not in found.levels
    assert Level.SEGMENT in found.levels


def test_constant_measures_are_refused():
    whole = judged()
    flat = replace(whole, values=np.ones_like(whole.values))
    with pytest.raises(ValuesError, match="no measure can be correlated with quality"):
        compute_findings(flat.with_combined(Scale.DEVIATION), resamples=20)


def test_systems_are_compared_by_the_topics_that_all_have_answered():
    whole = judged(topics=5)
    part = select_outputs(whole, np.arange(34))  # the last system lacks the last topic
    shared = replace(select_outputs(whole, np.arange(28)), topics=whole.topics[:4])
    ours, theirs = (
        compute_findings(each.with_combined(Scale.NONE), resamples=5).leads[Level.SYSTEM]
        for each in (part, shared)
    )
    assert ours.p == pytest.approx(theirs.p, nan_ok=True)


def select_outputs(whole: JudgedOutputs, rows: np.ndarray) -> JudgedOutputs:
    return replace(
        whole,
        values=whole.values[:, rows],
        human=whole.human[rows],
        topic=whole.topic[rows],
        system=whole.system[rows],
    )


def halves(found: JudgedOutputs, seed: int = 0) -> SplitHalves:
    rows = np.vstack([found.human, found.values])
    means = np.array([rows[:, found.system == each].mean(axis=1) for each in range(7)]).T
    split = split_half_agreement(found, means, seed)
    assert split is not None
    return split


def test_the_other_half_is_of_other_systems():
    assert (halves(judged(topics=2)).found[Level.SEGMENT] < 1).any()


def test_splits_depend_on_the_seed_alone(monkeypatch):
    found = judged()
    first, other = (halves(found, seed).found for seed in (0, 1))
    assert (first[Level.SYSTEM] != other[Level.SYSTEM]).any()
    with_ulc = halves(found.with_combined(Scale.DEVIATION)).found
    monkeypatch.setattr(module, "_CELLS", 1)  # measures are correlated one at a time
    for again in (with_ulc, halves(found).found):
        assert all((again[level] == first[level]).all() for level in first)


@pytest.mark.parametrize(("systems", "measures"), [(5, 7), (7, 3)])
def test_few_systems_or_measures_cannot_be_split(systems, measures):
    found = judged(NAMES[:measures], systems=systems)
    assert split_half_agreement(found, np.zeros((measures + 1, systems))) is None
