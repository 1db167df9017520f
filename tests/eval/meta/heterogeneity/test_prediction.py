from math import isnan

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from eval.meta.correlation.coefficients import Coefficient
from eval.meta.heterogeneity.prediction import prediction
from eval.meta.heterogeneity.ranking import hbr
from eval.meta.heterogeneity.verdicts import Verdicts
from weps.errors import ValuesError

GENERATOR = np.random.default_rng(0)
QUALITY = GENERATOR.random(120)
NOISE = np.linspace(0.1, 3, 12)
VALUES = QUALITY + NOISE[:, np.newaxis] * GENERATOR.random((12, 120))
GROUP = np.arange(120) % 3


def test_each_figure_is_pearsons_correlation_in_a_group() -> None:
    ranking = VALUES.mean(axis=0)
    found = prediction(VALUES, ranking, QUALITY, GROUP)
    assert found.predicted.shape == found.actual.shape == (12, 3)
    for measure, group in ((0, 0), (5, 1), (11, 2)):
        part = group == GROUP
        for each, target in ((found.predicted, ranking), (found.actual, QUALITY)):
            expected = pearsonr(VALUES[measure][part], target[part]).statistic
            assert each[measure, group] == pytest.approx(expected)


def test_summaries_are_correlations_over_measures() -> None:
    found = prediction(VALUES, VALUES.mean(axis=0), QUALITY, GROUP)
    means = found.predicted.mean(axis=1), found.actual.mean(axis=1)
    assert found.correlation == pytest.approx(pearsonr(*means).statistic)
    by_group = [pearsonr(found.predicted[:, g], found.actual[:, g]).statistic for g in range(3)]
    assert found.by_group.tolist() == pytest.approx(by_group)
    assert np.diag(found.transfer) == pytest.approx(1)
    assert (found.transfer == found.transfer.T).all()
    expected = pearsonr(found.actual[:, 0], found.actual[:, 2]).statistic
    assert found.transfer[0, 2] == pytest.approx(expected)


def test_agreement_with_hbr_tells_good_measures_from_noisy_ones() -> None:
    ranking = hbr(VALUES, Verdicts.exact(VALUES))
    assert prediction(VALUES, ranking, QUALITY).correlation > 0.95


def test_scale_does_not_matter_nor_how_large() -> None:
    found, scaled = (
        prediction(factor * VALUES + shift, QUALITY, QUALITY).actual
        for factor, shift in ((1, 0), (1e300, 7))
    )
    assert scaled == pytest.approx(found)


def test_other_coefficients() -> None:
    found = prediction(VALUES, QUALITY, QUALITY, kind=Coefficient.SPEARMAN)
    assert found.actual[3, 0] == pytest.approx(spearmanr(VALUES[3], QUALITY).statistic)


def test_what_is_constant_says_nothing() -> None:
    constant = np.vstack([VALUES[:3], np.ones(120)])
    found = prediction(constant, QUALITY, QUALITY, np.where(GROUP == 2, 4, GROUP))
    assert np.isnan(found.actual[3]).all()
    assert np.isnan(found.actual[:, 2:4]).all()  # groups of nobody
    assert found.correlation == pytest.approx(1)  # of the other three measures
    assert isnan(prediction([[1, 1]], [1, 2], [1, 2]).correlation)


@pytest.mark.parametrize(
    ("values", "ranking", "message"),
    [
        ([[1, np.inf]], [1, 2], "values: .* is infinite"),
        ([[1, 2]], [1, np.inf], "ranking: .* is infinite"),
        ([[1, 2]], [1, 2, 3], "ranking: 3 values do not fit 2 instances"),
    ],
)
def test_values_without_correlation(values: list, ranking: list, message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        prediction(values, ranking, [1, 2])
