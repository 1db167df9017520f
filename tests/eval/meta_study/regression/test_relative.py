from dataclasses import replace

import numpy as np
import pytest

from eval.meta.regression import pair_precision, relative_scores, win_rates
from eval.meta_study.regression.relative import relative, system_gap
from tests.eval.meta_study.made_up_scores import judged

OUTPUTS = judged(topics=6, systems=5)
MEANS = np.array([OUTPUTS.human[OUTPUTS.system == each].mean() for each in range(5)])
ONE = np.zeros(5, dtype=int)


@pytest.fixture(scope="module")
def found():
    return relative(OUTPUTS, [0, 3], resamples=40)


@pytest.mark.parametrize(("row", "measure"), [(0, 0), (1, 3)])
def test_gap_and_precision_of_estimated_systems(found, row, measure):
    rates = win_rates(OUTPUTS.values[measure], OUTPUTS.topic, OUTPUTS.system)[0]
    estimates = relative_scores(rates, MEANS, (1, 5))
    assert found.gap.value[row] == pytest.approx(np.nanmean(np.abs(estimates - MEANS)))
    precision = pair_precision(estimates, MEANS, ONE).pooled
    assert found.precision.value[row] == pytest.approx(precision)
    own = [OUTPUTS.values[measure][OUTPUTS.system == each].mean() for each in range(5)]
    assert found.plain.value[row] == pytest.approx(pair_precision(own, MEANS, ONE).pooled)


def test_a_resample_is_what_its_topics_say():
    twice = np.flatnonzero(OUTPUTS.topic < 2)
    part = judged(topics=6, systems=5)
    small = type(part)(
        part.criterion, part.measures, part.values[:, twice], part.human[twice], ("t0", "t1"),
        part.topic[twice], part.systems, part.system[twice],
    )  # fmt: skip
    gap = relative(small, [0], resamples=50).gap
    both = relative(small, [0], resamples=50).gap.value[0]
    assert any(value == pytest.approx(both) for value in gap.drawn[0])
    assert len(np.unique(gap.drawn[0][~np.isnan(gap.drawn[0])].round(9))) <= 3


def test_gap_of_systems_by_estimates_of_outputs():
    estimates = OUTPUTS.human + 0.25
    gone = estimates.copy()
    gone[OUTPUTS.system == 0] = np.nan
    gap = system_gap(OUTPUTS, np.vstack([estimates, gone]), resamples=20)
    assert gap.value == pytest.approx([0.25, 0.25])
    assert gap.drawn == pytest.approx(np.full((2, 20), 0.25))


def test_ties_of_outputs_count_half_and_tied_systems_are_ranked_wrong():
    outputs = replace(OUTPUTS, values=OUTPUTS.values.round())
    rates = win_rates(outputs.values[0], outputs.topic, outputs.system)[0]
    estimates = relative_scores(rates, MEANS, (1, 5))
    found = relative(outputs, [0], resamples=5)
    assert found.gap.value == pytest.approx([np.nanmean(np.abs(estimates - MEANS))])
    constant = replace(OUTPUTS, values=np.ones_like(OUTPUTS.values))
    assert relative(constant, [0], resamples=5).plain.value == [0]
