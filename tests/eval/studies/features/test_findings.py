from collections.abc import Sequence
from itertools import combinations, pairwise
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import average_precision_score

from tests.cases import each_case
from tests.eval.studies.features.made_up import SMALL, instances, made, noisy, small_findings
from weps.errors import ValuesError
from weps.features.registry import feature_by_name
from weps_eval.ranking.pwa import auc, max_pwa, pwa, redundancy
from weps_eval.studies.features import findings as rankings
from weps_eval.studies.features.findings import (
    Findings,
    Plan,
    SimilarityComparison,
    average_precisions_of,
    compare_similarities,
    compared_by_all,
    compute_findings,
    rank_measures,
    search_subsets,
)
from weps_eval.studies.features.trees import (
    Combination,
    TreeConfidences,
    bound_correlation,
    cross_validate_trees,
)
from weps_eval.tables.instances import Instances

FOUND = small_findings()
SOME = noisy(("m0", "m1", "m2"), groups=4, size=10)


def found_in(some: Instances, plan: Plan) -> Findings:
    def trees(measures: Sequence[str]) -> list[TreeConfidences]:
        return cross_validate_trees(some.only(measures), SMALL)

    return compute_findings(some, some, trees, plan)


@pytest.mark.parametrize("base", ["m0", "m2"])
def test_the_base_and_all_are_among_the_combinations(base):
    found = small_findings(base=base)
    members = {each.combination.measures for each in found.bounds}
    assert (base,) in members
    everything = found.bound_of("all")
    assert everything is not None
    assert everything.combination.measures == found.tested.measures
    assert max(each.max_pwa.pooled for each in found.bounds) == everything.max_pwa.pooled
    assert found.bound_of("none of them") is None


def test_named_combinations_keep_their_names():
    named = (Combination("mine", "set", ("m2", "m1")), Combination("lost", "set", ()))
    found = found_in(SOME, Plan("m0", named, random=0, exhaustive=0, seed=0))
    mine = found.bound_of("mine")
    assert mine is not None
    assert mine.combination.measures == ("m1", "m2")
    assert found.bound_of("lost") is None


def test_the_share_that_the_base_ranks_is_that_of_all_pairs():
    values = FOUND.studied.column("m0").tolist()
    ranked = [first != second for first, second in combinations(values, 2)]
    assert FOUND.ranked_by_base == pytest.approx(sum(ranked) / len(ranked))


def test_those_no_worse_than_the_base_are_correlated_by_themselves():
    some = noisy(groups=4, size=10)
    alone = tuple(Combination(name, "set", (name,)) for name in some.measures)
    found = found_in(some, Plan("m1", alone, random=6, exhaustive=0, seed=0))
    base = found.bound_of("m1")
    assert base is not None
    better = [each for each in found.bounds if each.max_pwa.pooled >= base.max_pwa.pooled]
    assert base in better
    assert 3 < len(better) < len(found.bounds)
    assert found.among_better == bound_correlation(better)
    assert found.among_better != found.pearson


@pytest.mark.parametrize("measures", [("m0",), ("m0", "m1", "m2", "m3")])
def test_the_bound_of_all_is_found_whatever_it_is_called(measures):
    """The only measure is the base, and called so."""
    found = small_findings(measures, 3)
    assert found.bound_of_all.combination.measures == measures
    assert found.bound_of_all.max_pwa.pooled == found.search.every.value


def test_bounds_are_of_the_tested_instances_and_rankings_of_the_studied():
    """One tree judges all, so that all comparisons count."""
    studied, tested = noisy(("m0", "m1"), groups=3), noisy(("m0", "m1"), groups=4)
    one = TreeConfidences(tested.column("m1").astype(float), tested.group.astype("int64") * 0)
    found = compute_findings(studied, tested, lambda _: [one], Plan("m0", (), 0, 2, 0))
    values, truth = tested.values, tested.positive
    everything = found.bound_of("all")
    assert everything is not None
    assert everything.max_pwa.pooled == max_pwa(values[:, truth], values[:, ~truth])
    assert found.search.every.value == everything.max_pwa.pooled
    assert found.rankings["m0"].pwa.value == small_ranking(studied)


def small_ranking(some: Instances) -> float:
    positive = some.column("m0")[some.positive]
    negative = some.column("m0")[~some.positive]
    return float((positive[:, None] > negative).mean())


@pytest.mark.parametrize("base", ["m9", ""])
def test_an_unknown_base_is_refused(base):
    with pytest.raises(ValuesError, match="unknown measure"):
        found_in(SOME, Plan(base, (), 0, 0, 0))


def reached(some: Instances, measures: tuple[str, ...]) -> float:
    values = some.only(measures).values
    return max_pwa(values[:, some.positive], values[:, ~some.positive])


@given(instances(measures=4))
def test_additions_never_fall_and_the_best_subset_is_that_of_trying_all(some):
    found = search_subsets(some, steps=9, exhaustive=3)
    figures = [each.max_pwa.value for each in found.additions]
    names = [each.measure for each in found.additions]
    assert sorted(names) == sorted(some.measures)
    assert figures == sorted(figures)
    assert found.additions[-1].max_pwa == found.every
    assert figures == [pytest.approx(reached(some, tuple(names[:size]))) for size in (1, 2, 3, 4)]
    gains = [each.gain for each in found.additions]
    assert gains == pytest.approx([second - first for first, second in pairwise([0, *figures])])
    for size, best in zip((2, 3), found.best, strict=True):
        tried = {each: reached(some, each) for each in combinations(some.measures, size)}
        assert best.max_pwa.value == pytest.approx(max(tried.values()))
        assert best.max_pwa.value == pytest.approx(tried[best.measures])
        assert best.max_pwa.value >= figures[size - 1] - 1e-12


@given(instances(measures=3))
def test_a_gain_is_what_all_lose_without_the_measure(some):
    found = search_subsets(some, steps=1, exhaustive=0)
    for measure, gain in found.gains.items():
        others = tuple(each for each in some.measures if each != measure)
        assert gain.value == pytest.approx(found.every.value - reached(some, others))


@each_case(
    ("steps", "exhaustive", "added", "best"),
    [(2, 0, 2, []), (2, 1, 2, []), (9, 9, 4, [2, 3, 4]), (1, 2, 1, [2])],
)
def test_no_more_is_searched_than_asked_for(steps, exhaustive, added, best):
    found = search_subsets(noisy(groups=2), steps, exhaustive)
    assert len(found.additions) == added
    assert [len(each.measures) for each in found.best] == best


def test_groups_stand_hardest_first_with_figures_of_their_own():
    rows, some, trees = FOUND.by_group(), FOUND.tested, FOUND.bound_of_all.tree_auc.by_group
    assert {name for name, *_ in rows} == set(some.groups)
    for name, *figures in rows:
        place = some.groups.index(name)
        part = some.of(some.group == place)
        sides = part.values[:, part.positive], part.values[:, ~part.positive]
        by_base = auc(sides[0][0], sides[1][0])
        assert figures == [20, part.positive.mean(), by_base, max_pwa(*sides), trees[place]]
    assert [row[3] for row in rows] == sorted(row[3] for row in rows)


def test_a_group_whose_instances_are_alike_stands_last():
    alike = [True, True, True, False, False, True, False, True]
    some = made([[3, 1, 2, 5, 1, 4, 2, 3]], alike, [0, 0, 1, 1, 2, 2, 3, 3])
    rows = found_in(some, Plan("m0", (), 0, 0, 0)).by_group()
    assert [name for name, *_ in rows] == ["g1", "g2", "g3", "g0"]
    assert rows[-1][:3] == ("g0", 2, 1.0)
    assert all(map(isnan, rows[-1][3:]))


RANKINGS = small_findings().rankings


@each_case("measure", RANKINGS)
def test_figures_are_those_of_the_plain_arrays(measure):
    some, found = noisy(), RANKINGS[measure]
    column, truth = some.column(measure), some.positive
    shares = redundancy(some.column("m0"), column)
    assert found.average_precision.value == pytest.approx(average_precision_score(truth, column))
    assert found.pwa.value == pwa(column[truth], column[~truth])
    assert found.auc.value == auc(column[truth], column[~truth])
    assert found.redundant.value == pytest.approx(shares.redundant)
    assert found.non_redundant.value == pytest.approx(shares.non_redundant)
    assert found.non_informative.value == pytest.approx(shares.non_informative)


@given(instances())
def test_shares_of_redundancy_add_up_and_the_base_repeats_itself(some):
    base = some.column("m0")
    for each in rank_measures(some, "m0").values():
        shares = [each.redundant.value, each.non_redundant.value, each.non_informative.value]
        if base.min() == base.max():
            assert all(map(isnan, shares))
        else:
            assert sum(shares) == pytest.approx(1)
            assert each.measure != "m0" or shares == [1, 0, 0]


def test_average_precision_is_resampled_alike_for_all_and_by_the_seed(monkeypatch):
    monkeypatch.setattr(rankings, "_RESAMPLES", 7)
    twice = made([[1, 2, 3, 4, 5, 6]] * 2, [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2])
    first, second = (average_precisions_of(twice, measure) for measure in twice.measures)
    assert first.shape == (8,)
    assert first.tobytes() == second.tobytes()
    assert first.tobytes() != average_precisions_of(twice, "m0", seed=1).tobytes()


@each_case(
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
def test_a_curve_ends_before_what_has_nothing_in_common(values, thresholds):
    (found,) = rank_measures(made([values], [True, False, True, False]), "m0").values()
    assert found.curve.threshold.tolist() == thresholds
    assert found.average_precision.value > 0


@each_case(
    ("positive", "base"),
    [([True, False], "m9"), ([False, False], "m0"), ([True, True], "m0")],
)
def test_what_cannot_be_ranked_is_refused(positive, base):
    with pytest.raises(ValuesError):
        rank_measures(made([[1, 2]], positive), base)


FEATURES = tuple(map(feature_by_name, ("linked", "ngram(n=2)", "token")))
COLUMNS = tuple(map(str, compared_by_all(FEATURES)))
MADE = SimilarityComparison(
    ("title", "url"),
    ("dice", "cosine"),
    np.array([[[0.5, 0.5, 0.6], [0.4, 0.5, 0.3]], [[0.3, 0.2, 0.4], [0.3, 0.3, 0.2]]]),
)


def test_average_precisions_are_those_of_each_column():
    some = noisy(COLUMNS)
    found = compare_similarities(some, FEATURES)
    assert found.features == ("ngram(n=2)", "token")
    assert found.measures == ("dice", "cosine", "overlap")
    rankings = rank_measures(some, "linked")
    for name in found.features:
        for measure in found.measures:
            expected = rankings[f"{measure}({name})"].average_precision
            assert found.average_precision(name, measure) == pytest.approx(expected)


def test_the_lead_of_a_measure_is_a_mean_over_features():
    ahead = MADE.ahead("dice", "cosine")
    assert ahead.value == pytest.approx((0.1 + 0.0) / 2)
    assert (ahead.low, ahead.high) == pytest.approx(
        tuple(np.percentile([(0 - 0.1) / 2, (0.3 + 0.2) / 2], [2.5, 97.5]))
    )
    back = MADE.ahead("cosine", "dice")
    assert back == pytest.approx((-ahead.value, -ahead.high, -ahead.low))
