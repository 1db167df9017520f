import numpy as np
import pytest

from eval.meta.correlation import Level
from eval.meta.ulc import Scale
from eval.meta_study.correlation import halves as module
from eval.meta_study.correlation.halves import halves
from tests.eval.meta_study.made_up_scores import judged


def means(found):
    rows = np.vstack([found.human, found.values])
    return np.array([rows[:, found.system == each].mean(axis=1) for each in range(7)]).T


def test_measures_whose_noise_differs_much_are_ranked_alike_by_segments():
    # With .2 to 1.4 standard deviations of noise, halves of 28 outputs tell most measures apart.
    found = judged(topics=40)
    ours = halves(found, means(found))
    assert ours.range(Level.SEGMENT).value > 0.9
    assert ours.gain.value == pytest.approx(
        np.median(ours.found[Level.SEGMENT] - ours.found[Level.SYSTEM])
    )


def test_the_same_seed_gives_the_same_splits():
    found = judged()
    first, second, other = (halves(found, means(found), seed) for seed in (0, 0, 1))
    assert (first.found[Level.SYSTEM] == second.found[Level.SYSTEM]).all()
    assert (first.found[Level.SYSTEM] != other.found[Level.SYSTEM]).any()


@pytest.mark.parametrize(("systems", "measures"), [(5, 7), (7, 3)])
def test_few_systems_or_measures_cannot_be_split(systems, measures):
    found = judged(systems=systems)
    part = judged(found.measures[:measures], systems=systems)
    assert halves(part, np.zeros((measures + 1, systems))) is None


def test_the_other_half_is_of_other_systems():
    found = judged(topics=2)
    assert (halves(found, means(found)).found[Level.SEGMENT] < 1).any()


def test_all_measures_combined_are_left_aside():
    found = judged()
    whole = found.with_combined(Scale.DEVIATION)
    ours, theirs = halves(found, means(found)), halves(whole, means(whole))
    assert (ours.found[Level.SEGMENT] == theirs.found[Level.SEGMENT]).all()


def test_measures_are_correlated_a_few_at_a_time(monkeypatch):
    found = judged()
    expected = halves(found, means(found))
    monkeypatch.setattr(module, "_CELLS", 1)
    for level, values in halves(found, means(found)).found.items():
        assert (values == expected.found[level]).all()
