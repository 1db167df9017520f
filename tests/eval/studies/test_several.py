import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import LINGUISTIC, NAMES, WORDS
from weps_eval.stats.estimate import BootstrapSamples
from weps_eval.studies.several import (
    MeasureKind,
    correlation_over_measures,
    joint_estimate,
    linguistic_ahead,
    measure_kind_of,
    measures_of_kind,
    median_over_measures,
)

SHARES = np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9])


@each_case(
    ("name", "kind"),
    [
        *((name, MeasureKind.WORDS) for name in WORDS),
        *((name, MeasureKind.LINGUISTIC) for name in LINGUISTIC),
        ("tvm(n=4)", MeasureKind.WORDS),  # it looks at tags for lemmas only
        ("esk", MeasureKind.WORDS),  # and here for senses
        ("meteor(synonyms=WordNet)", MeasureKind.WORDS),
        ("ULC", MeasureKind.COMBINED),
        ("ULC (standardised)", MeasureKind.COMBINED),
        ("my measure", MeasureKind.UNKNOWN),
        ("R1_recall", MeasureKind.WORDS),
    ],
)
def test_kinds(name, kind):
    assert measure_kind_of(name) is kind


def test_few_measures_are_none():
    assert measures_of_kind(NAMES, MeasureKind.WORDS) == [0, 1, 2, 3]
    assert measures_of_kind(NAMES[:2], MeasureKind.WORDS) == []


def test_the_middle_ones_are_compared():
    found = linguistic_ahead(
        NAMES, BootstrapSamples(SHARES, np.stack([SHARES, 2 * SHARES], axis=1))
    )
    assert found is not None
    assert found.value == pytest.approx(0.8 - 0.25)
    assert found.high == pytest.approx(0.55 * 1.975)


def test_measures_without_the_figure_do_not_count():
    missing = np.where(SHARES == 0.7, np.nan, SHARES)
    assert linguistic_ahead(NAMES, BootstrapSamples(missing, missing[:, None])) is None


def test_a_measure_that_finds_little_does_not_decide_what_is_drawn():
    names = ("rouge(n=1)", "rouge(n=2)", "rouge_l", "dice", *LINGUISTIC)
    table = np.random.default_rng(0).random((7, 400))
    whole = linguistic_ahead(names, BootstrapSamples(np.full(7, 0.5), table))
    holes = table.copy()
    holes[3, table[0] < 0.9] = np.nan  # known in a tenth of the resamples
    found = linguistic_ahead(names, BootstrapSamples(np.full(7, 0.5), holes))
    assert whole is not None
    assert found is not None
    assert found.high > 0.8 * whole.high


FIRST = BootstrapSamples(
    np.array([1.0, np.nan, 3.0]), np.array([[1.0, 2.0], [9.0, 9.0], [3.0, 1.0]])
)
SECOND = BootstrapSamples(np.array([5.0, 6.0, 7.0]), np.array([[5.0, 5.0], [6.0, 6.0], [7.0, 7.0]]))


def test_only_measures_that_all_know_count():
    found = joint_estimate(lambda ours, theirs: (theirs - ours).max(axis=0), FIRST, SECOND)
    assert found.value == 4
    assert (found.low, found.high) == (pytest.approx(4.05), pytest.approx(5.95))


def test_pearson_over_measures():
    first = np.array([[1.0, 1.0, np.nan], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
    second = np.array([[2.0, 3.0, 1.0], [4.0, 2.0, 2.0], [6.0, 1.0, 3.0]])
    found = correlation_over_measures(first, second)
    assert found[:2] == pytest.approx([1, -1])
    assert np.isnan(found[2])
    assert np.isnan(correlation_over_measures(first[:2], second[:2])).all()


def test_the_middle_is_that_of_the_measures_that_are_known():
    values = np.array([[1, np.nan, np.nan], [2, 4, np.nan], [9, 6, np.nan]])
    assert median_over_measures(values) == pytest.approx(np.array([2, 5, np.nan]), nan_ok=True)
