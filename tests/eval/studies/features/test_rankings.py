from math import isnan

import numpy as np
import pytest
from hypothesis import given

from eval.ranking.curves import average_precision
from eval.ranking.pwa import auc, pwa, redundancy
from eval.studies.features import findings as rankings
from eval.studies.features.findings import (
    SimilarityComparison,
    average_precisions_of,
    compare_similarities,
    compared_by_all,
    rank_measures,
)
from eval.tables.instances import Instances
from tests.eval.studies.features.made_up import instances, made, noisy, small_findings
from weps.errors import ValuesError
from weps.features.registry import feature_by_name

RANKINGS = small_findings().rankings


@pytest.mark.parametrize("measure", RANKINGS)
def test_figures_are_those_of_the_plain_arrays(measure: str) -> None:
    some, found = noisy(), RANKINGS[measure]
    column, truth = some.column(measure), some.positive
    shares = redundancy(some.column("m0"), column)
    assert found.average_precision.value == pytest.approx(average_precision(found.curve))
    assert found.pwa.value == pwa(column[truth], column[~truth])
    assert found.auc.value == auc(column[truth], column[~truth])
    assert found.redundant.value == pytest.approx(shares.redundant)
    assert found.non_redundant.value == pytest.approx(shares.non_redundant)
    assert found.non_informative.value == pytest.approx(shares.non_informative)


def test_figures_by_group_are_means_over_groups() -> None:
    some = noisy()
    parts = [some.of(some.group == group) for group in range(len(some.groups))]
    for figure, estimate in (
        (pwa, RANKINGS["m1"].pwa_by_group),
        (auc, RANKINGS["m1"].auc_by_group),
    ):
        shares = [
            figure(each.column("m1")[each.positive], each.column("m1")[~each.positive])
            for each in parts
        ]
        assert estimate.value == pytest.approx(np.mean(shares))


@given(instances())
def test_shares_of_redundancy_add_up_and_the_base_repeats_itself(some: Instances) -> None:
    base = some.column("m0")
    for each in rank_measures(some, "m0").values():
        shares = [each.redundant.value, each.non_redundant.value, each.non_informative.value]
        if base.min() == base.max():
            assert all(map(isnan, shares))
        else:
            assert sum(shares) == pytest.approx(1)
            assert each.measure != "m0" or shares == [1, 0, 0]


def test_a_measure_is_ahead_of_another_by_as_much_as_that_is_behind() -> None:
    first, last = RANKINGS["m0"], RANKINGS["m3"]
    ahead, behind = first.ahead_of(last), last.ahead_of(first)
    assert ahead.value == first.average_precision.value - last.average_precision.value
    assert ahead == pytest.approx((-behind.value, -behind.high, -behind.low))
    assert ahead.value > 0
    assert first.ahead_of(first) == (0, 0, 0)


def test_other_measures_do_not_change_a_ranking() -> None:
    every, alone = (rank_measures(some, "m0") for some in (noisy(), noisy().only(["m2", "m0"])))
    assert list(alone) == ["m2", "m0"]
    for name, found in alone.items():
        assert found.average_precisions.tobytes() == every[name].average_precisions.tobytes()
        assert found.pwa == every[name].pwa
        assert found.non_redundant == every[name].non_redundant


def test_average_precision_is_drawn_alike_for_all_and_anew_with_the_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rankings, "_RESAMPLES", 7)
    twice = made([[1, 2, 3, 4, 5, 6]] * 2, [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2])
    first, second = (average_precisions_of(twice, measure) for measure in twice.measures)
    assert first.shape == (8,)
    assert first.tobytes() == second.tobytes()
    assert first.tobytes() != average_precisions_of(twice, "m0", seed=1).tobytes()


@pytest.mark.parametrize(
    ("values", "thresholds"),
    [
        ([3, 1, 0, 0], [3, 1]),
        ([3, 1, 1, 2], [3, 2, 1]),
        ([-1, -3, -2, -2], [-1, -2, -3]),
        ([1, 0, -1, 0], [1, 0, -1]),
        ([0, 0, -1, -1], [0, -1]),
        ([0, 0, 0, 0], []),
    ],
)
def test_a_curve_ends_before_what_has_nothing_in_common(
    values: list[float], thresholds: list[float]
) -> None:
    (found,) = rank_measures(made([values], [True, False, True, False]), "m0").values()
    assert found.curve.threshold.tolist() == thresholds
    assert found.average_precision.value > 0


@pytest.mark.parametrize(
    ("positive", "base"),
    [([True, False], "m9"), ([False, False], "m0"), ([True, True], "m0")],
)
def test_what_cannot_be_ranked_is_refused(positive: list[bool], base: str) -> None:
    with pytest.raises(ValuesError):
        rank_measures(made([[1, 2]], positive), base)


FEATURES = tuple(map(feature_by_name, ("linked", "ngram(n=2)", "token")))
COLUMNS = tuple(map(str, compared_by_all(FEATURES)))
MADE = SimilarityComparison(
    ("title", "url"),
    ("dice", "cosine"),
    np.array([[[0.5, 0.5, 0.6], [0.4, 0.5, 0.3]], [[0.3, 0.2, 0.4], [0.3, 0.3, 0.2]]]),
)


def test_average_precisions_are_those_of_each_column() -> None:
    some = noisy(COLUMNS)
    found = compare_similarities(some, FEATURES)
    assert found.features == ("ngram(n=2)", "token")
    assert found.measures == ("dice", "cosine", "overlap")
    rankings = rank_measures(some, "linked")
    for name in found.features:
        for measure in found.measures:
            expected = rankings[f"{measure}({name})"].average_precision
            assert found.average_precision(name, measure) == pytest.approx(expected)


def test_the_lead_of_a_measure_is_a_mean_over_features() -> None:
    ahead = MADE.ahead("dice", "cosine")
    assert ahead.value == pytest.approx((0.1 + 0.0) / 2)
    assert (ahead.low, ahead.high) == pytest.approx(
        tuple(np.percentile([(0 - 0.1) / 2, (0.3 + 0.2) / 2], [2.5, 97.5]))
    )
    back = MADE.ahead("cosine", "dice")
    assert back == pytest.approx((-ahead.value, -ahead.high, -ahead.low))
