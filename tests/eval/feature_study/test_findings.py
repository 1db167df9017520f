from collections.abc import Sequence
from itertools import combinations

import pytest

from eval.feature_study.bounds import correlation
from eval.feature_study.combinations import Combination
from eval.feature_study.findings import Findings, Plan, analyse
from eval.feature_study.trees import Judged, cross_validated
from eval.instances import Instances
from eval.ordering import max_pwa
from tests.eval.feature_study.made_up import SMALL, noisy, small_findings
from weps.errors import ValuesError

FOUND = small_findings()
SOME = noisy(("m0", "m1", "m2"), groups=4, size=10)


def found_in(some: Instances, plan: Plan, told: list[str] | None = None) -> Findings:
    def trees(measures: Sequence[str]) -> list[Judged]:
        return cross_validated(some.only(measures), SMALL)

    return analyse(some, some, trees, plan, (told if told is not None else []).append)


def test_every_measure_is_ranked_and_every_combination_bounded_once() -> None:
    assert tuple(FOUND.rankings) == FOUND.studied.measures
    members = [frozenset(each.combination.measures) for each in FOUND.bounds]
    assert len(set(members)) == len(members)
    assert set(FOUND.search.gains) == set(FOUND.studied.measures)


@pytest.mark.parametrize("base", ["m0", "m2"])
def test_the_base_and_all_are_among_the_combinations(base: str) -> None:
    found = small_findings(base=base)
    members = {each.combination.measures for each in found.bounds}
    assert (base,) in members
    everything = found.bound_of("all")
    assert everything is not None
    assert everything.combination.measures == found.tested.measures
    assert max(each.max_pwa.pooled for each in found.bounds) == everything.max_pwa.pooled
    assert found.bound_of("none of them") is None


def test_named_combinations_keep_their_names() -> None:
    named = (Combination("mine", "set", ("m2", "m1")), Combination("lost", "set", ()))
    found = found_in(SOME, Plan("m0", named, random=0, exhaustive=0, seed=0))
    mine = found.bound_of("mine")
    assert mine is not None
    assert mine.combination.measures == ("m1", "m2")
    assert found.bound_of("lost") is None


def test_greedy_search_and_chance_add_combinations() -> None:
    kinds = {each.combination.kind for each in FOUND.bounds}
    assert {"greedy", "random"} <= kinds
    without = found_in(SOME, Plan("m0", (), random=0, exhaustive=0, seed=0))
    assert "random" not in {each.combination.kind for each in without.bounds}


def test_the_share_that_the_base_ranks_is_that_of_all_pairs() -> None:
    values = FOUND.studied.column("m0").tolist()
    ranked = [first != second for first, second in combinations(values, 2)]
    assert FOUND.ranked_by_base() == pytest.approx(sum(ranked) / len(ranked))


def test_correlations_are_over_the_combinations() -> None:
    for each in (FOUND.pearson, FOUND.spearman):
        assert -1 <= each.low <= each.value <= each.high <= 1
    assert FOUND.pearson != FOUND.spearman


def test_those_no_worse_than_the_base_are_correlated_by_themselves() -> None:
    some = noisy(groups=4, size=10)
    alone = tuple(Combination(name, "set", (name,)) for name in some.measures)
    found = found_in(some, Plan("m1", alone, random=6, exhaustive=0, seed=0))
    base = found.bound_of("m1")
    assert base is not None
    better = [each for each in found.bounds if each.max_pwa.pooled >= base.max_pwa.pooled]
    assert base in better
    assert 3 < len(better) < len(found.bounds)
    assert found.among_better == correlation(better)
    assert found.among_better != found.pearson


@pytest.mark.parametrize("measures", [("m0",), ("m0", "m1", "m2", "m3")])
def test_the_bound_of_all_is_found_whatever_it_is_called(measures: tuple[str, ...]) -> None:
    """The only measure is the base, and called so."""
    found = small_findings(measures, 3)
    assert found.bound_of_all.combination.measures == measures
    assert found.bound_of_all.max_pwa.pooled == found.search.every.value


def test_bounds_are_of_the_tested_instances_and_rankings_of_the_studied() -> None:
    """One tree judges all, so that all comparisons count."""
    studied, tested = noisy(("m0", "m1"), groups=3), noisy(("m0", "m1"), groups=4)
    one = Judged(tested.column("m1").astype(float), tested.group.astype("int64") * 0)
    found = analyse(studied, tested, lambda _: [one], Plan("m0", (), 0, 2, 0))
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


def test_findings_repeat() -> None:
    plan = Plan("m0", (), random=3, exhaustive=2, seed=4)
    first, second = (found_in(SOME, plan) for _ in range(2))
    assert first.search == second.search
    assert first.pearson == second.pearson
    assert [each.combination for each in first.bounds] == [
        each.combination for each in second.bounds
    ]
    assert [each.tree_pwa.held.tobytes() for each in first.bounds] == [
        each.tree_pwa.held.tobytes() for each in second.bounds
    ]


def test_progress_is_told_from_first_to_last() -> None:
    told: list[str] = []
    found = found_in(SOME, Plan("m0", (), 0, 2, 0), told)
    assert told[0] == "[1/3] m0"
    last = len(found.bounds)
    assert told[-1].startswith(f"[{last}/{last}] trees from ")


@pytest.mark.parametrize(
    "plan",
    [
        Plan("m9", (), 0, 0, 0),
        Plan("", (), 0, 0, 0),
    ],
)
def test_an_unknown_base_is_refused(plan: Plan) -> None:
    with pytest.raises(ValuesError, match="no measure"):
        found_in(SOME, plan)
