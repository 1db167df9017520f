from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from eval.meta.correlation import Coefficient
from eval.meta.correlation_levels import Level, williams_test
from eval.meta.ulc import Scale
from eval.studies.correlation import findings as module
from eval.studies.correlation.findings import Findings, compute_findings, split_half_agreement
from tests.eval.studies.made_up_scores import by_system, judged
from weps.errors import ValuesError


@pytest.fixture(scope="module")
def found() -> Findings:
    return compute_findings(judged().with_combined(Scale.DEVIATION), resamples=50)


def test_all_levels_and_coefficients_are_there(found):
    assert found.levels == list(Level)
    assert len(found.found) == len(Level) * len(Coefficient)
    assert found.combined == 7
    assert found.single == list(range(7))


def test_segments_are_correlated_together(found):
    drawn = found.pearson(Level.SEGMENT)
    expected = [stats.pearsonr(each, found.judged.human).statistic for each in found.judged.values]
    assert drawn.value == pytest.approx(expected)


def test_systems_drawn_anew_leave_the_figure(found):
    assert found.over_systems.value == pytest.approx(found.pearson(Level.SYSTEM).value)
    assert not np.allclose(found.over_systems.samples, found.pearson(Level.SYSTEM).samples)


def test_the_best_is_held_against_each(found):
    rivals = found.williams[Level.SEGMENT]
    value = found.pearson(Level.SEGMENT).value
    assert rivals.best == value.argmax()
    assert np.isnan(rivals.chance[rivals.best])
    other = int(value.argmin())
    between = np.corrcoef(found.judged.values[[rivals.best, other]])[0, 1]
    expected = williams_test(value[rivals.best], value[other], between, len(found.judged.human))
    assert rivals.chance[other] == pytest.approx(float(expected))


def test_whole_systems_are_compared_as_such():
    found = compute_findings(by_system().with_combined(Scale.DEVIATION), resamples=20)
    assert found.levels == [Level.SYSTEM]
    assert found.halves is None
    assert list(found.williams) == [Level.SYSTEM]


def test_without_a_topic_that_all_have_answered_there_is_no_level_of_systems():
    whole = judged(systems=2, topics=4)
    rows = [0, 2, 5, 7]  # each topic is answered by one system
    part = type(whole)(
        whole.criterion, whole.measures, whole.values[:, rows], np.arange(4.0),
        whole.topics, whole.topic[rows], whole.systems, whole.system[rows],
    )  # fmt: skip
    found = compute_findings(part.with_combined(Scale.DEVIATION), resamples=20)
    assert Level.SYSTEM not in found.levels
    assert Level.SEGMENT in found.levels


def test_constant_measures_are_refused():
    whole = judged()
    flat = replace(whole, values=np.ones_like(whole.values))
    with pytest.raises(ValuesError, match="no measure can be correlated with quality"):
        compute_findings(flat.with_combined(Scale.DEVIATION), resamples=20)


def test_systems_are_compared_by_the_topics_that_all_have_answered():
    whole, rows = judged(topics=5), np.arange(34)  # the last system lacks the last topic
    part = replace(
        whole, values=whole.values[:, rows], human=whole.human[rows], topic=whole.topic[rows],
        system=whole.system[rows],
    )  # fmt: skip
    shared = judged(topics=5)
    first = np.arange(28)
    shared = replace(
        shared, values=shared.values[:, first], human=shared.human[first],
        topics=shared.topics[:4], topic=shared.topic[first], system=shared.system[first],
    )  # fmt: skip
    ours, theirs = (
        compute_findings(each.with_combined(Scale.NONE), resamples=5).williams[Level.SYSTEM]
        for each in (part, shared)
    )
    assert ours.chance == pytest.approx(theirs.chance, nan_ok=True)


def means(found):
    rows = np.vstack([found.human, found.values])
    return np.array([rows[:, found.system == each].mean(axis=1) for each in range(7)]).T


def test_measures_whose_noise_differs_much_are_ranked_alike_by_segments():
    # With .2 to 1.4 standard deviations of noise, halves of 28 outputs tell most measures apart.
    found = judged(topics=40)
    ours = split_half_agreement(found, means(found))
    assert ours.range(Level.SEGMENT).value > 0.9
    assert ours.gain.value == pytest.approx(
        np.median(ours.found[Level.SEGMENT] - ours.found[Level.SYSTEM])
    )


def test_the_same_seed_gives_the_same_splits():
    found = judged()
    first, second, other = (split_half_agreement(found, means(found), seed) for seed in (0, 0, 1))
    assert (first.found[Level.SYSTEM] == second.found[Level.SYSTEM]).all()
    assert (first.found[Level.SYSTEM] != other.found[Level.SYSTEM]).any()


@pytest.mark.parametrize(("systems", "measures"), [(5, 7), (7, 3)])
def test_few_systems_or_measures_cannot_be_split(systems, measures):
    found = judged(systems=systems)
    part = judged(found.measures[:measures], systems=systems)
    assert split_half_agreement(part, np.zeros((measures + 1, systems))) is None


def test_the_other_half_is_of_other_systems():
    found = judged(topics=2)
    assert (split_half_agreement(found, means(found)).found[Level.SEGMENT] < 1).any()


def test_all_measures_combined_are_left_aside():
    found = judged()
    whole = found.with_combined(Scale.DEVIATION)
    ours, theirs = (
        split_half_agreement(found, means(found)),
        split_half_agreement(whole, means(whole)),
    )
    assert (ours.found[Level.SEGMENT] == theirs.found[Level.SEGMENT]).all()


def test_measures_are_correlated_a_few_at_a_time(monkeypatch):
    found = judged()
    expected = split_half_agreement(found, means(found))
    monkeypatch.setattr(module, "_CELLS", 1)
    for level, values in split_half_agreement(found, means(found)).found.items():
        assert (values == expected.found[level]).all()
