from collections.abc import Sequence
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from eval.feature_study.bounds import bound, correlation
from eval.feature_study.combinations import Combination
from eval.feature_study.trees import Judged
from eval.instances import Instances
from eval.ordering import auc, max_pwa, multiplicities, pwa
from tests.eval.feature_study.made_up import (
    bound_of,
    instances,
    made,
    resamples,
    small_findings,
)

BOUNDS = small_findings().bounds


def combined(*measures: str) -> Combination:
    return Combination("+".join(measures), "set", measures)


def judged_by(confidence: Sequence[float], tree: Sequence[int]) -> Judged:
    return Judged(np.array(confidence, float), np.array(tree, np.int64))


def one_tree(confidence: Sequence[float]) -> list[Judged]:
    return [judged_by(confidence, [0] * len(confidence))]


def of_measure(some: Instances, measure: str) -> list[Judged]:
    """A tree whose confidence is the measure itself."""
    return one_tree(some.column(measure))


@settings(max_examples=40)
@given(instances())
def test_no_measure_by_itself_exceeds_the_bound_of_all(some: Instances) -> None:
    found = bound(combined("m0", "m1", "m2"), some, lambda _: of_measure(some, "m1"))
    truth = some.positive
    assert found.max_pwa.pooled == max_pwa(some.values[:, truth], some.values[:, ~truth])
    for measure in some.measures:
        alone = bound(combined(measure), some, lambda names: of_measure(some, names[0]))
        column = some.column(measure)
        assert alone.max_pwa.pooled == alone.tree_pwa.pooled == pwa(column[truth], column[~truth])
        assert alone.tree_auc.pooled == auc(column[truth], column[~truth])
        assert alone.tree_pwa.pooled <= found.max_pwa.pooled


def test_trees_are_asked_for_the_measures_of_the_combination() -> None:
    some, asked = made([[0, 1], [1, 0], [2, 2]], [True, False]), []

    def trees(measures: Sequence[str]) -> list[Judged]:
        asked.append(tuple(measures))
        return one_tree([1, 0])

    assert bound(combined("m2", "m0"), some, trees).tree_pwa.pooled == 1
    assert asked == [("m2", "m0")]


@pytest.mark.parametrize("group", [[0, 0, 1, 1], None])
def test_instances_that_different_trees_have_judged_are_not_compared(
    group: list[int] | None,
) -> None:
    """Each tree is right, on scales of their own; the measure is right only across them."""
    some = made([[1, 1, 0, 0]], [True, False, True, False], group)
    judged = [judged_by([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1])]
    found = bound(combined("m0"), some, lambda _: judged)
    assert found.tree_pwa.pooled == found.tree_auc.pooled == 1
    assert found.tree_pwa.total.sum() == 2
    together = bound(combined("m0"), some, lambda _: one_tree([0.9, 0.8, 0.2, 0.1]))
    assert together.tree_pwa.pooled == 0.75
    assert found.max_pwa.pooled == together.max_pwa.pooled == 0.25
    assert found.max_pwa.total.sum() == 4


def test_the_bound_is_of_all_comparisons_and_trees_of_those_that_one_has_judged() -> None:
    some = made([[1, 0, 2, 0, 3, 0]], [True, False] * 3, [0, 0, 1, 1, 2, 2])
    judged = [judged_by([1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 1])]
    found = bound(combined("m0"), some, lambda _: judged)
    assert found.tree_pwa.by_group.tolist() == [1, 1, 0]
    assert found.tree_pwa.total.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert found.max_pwa.total.tolist() == [[1, 1, 1]] * 3


def test_divisions_are_averaged_for_each_two_groups() -> None:
    """Groups 0 and 1 are judged together once, rightly; groups 1 and 2 once, wrongly."""
    some = made([[1, 0, 2, 0, 3, 0]], [True, False] * 3, [0, 0, 1, 1, 2, 2])
    divisions = [
        judged_by([1, 0, 1, 0, 1, 0], [0, 0, 0, 0, 1, 1]),
        judged_by([1, 0, 0, 1, 0, 1], [0, 0, 1, 1, 1, 1]),
    ]
    found = bound(combined("m0"), some, lambda _: divisions)
    assert found.tree_pwa.total.tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    assert found.tree_pwa.held.tolist() == [[1, 1, 0], [1, 0.5, 0], [0, 0, 0.5]]
    assert found.accuracy.value == (6 + 2) / 12


@settings(max_examples=40)
@given(instances(measures=1), st.data())
def test_trees_are_tallied_as_by_hand(some: Instances, data: st.DataObject) -> None:
    size, groups = len(some.positive), len(some.groups)
    confidences = st.lists(st.sampled_from([0.25, 0.5, 0.75]), min_size=size, max_size=size)
    trees = st.lists(st.integers(0, 1), min_size=groups, max_size=groups)
    divisions = [
        judged_by(data.draw(confidences), np.array(data.draw(trees))[some.group]) for _ in range(3)
    ]
    found = bound(combined("m0"), some, lambda _: divisions)
    expected = np.zeros((2, groups, groups))
    for ours, theirs in np.ndindex(groups, groups):
        together = [
            each.confidence[some.positive & (some.group == ours)][:, np.newaxis]
            > each.confidence[~some.positive & (some.group == theirs)]
            for each in divisions
            if set(each.tree[some.group == ours]) == set(each.tree[some.group == theirs])
        ]
        if together and together[0].size:
            expected[:, ours, theirs] = np.mean([each.sum() for each in together]), together[0].size
    assert found.tree_pwa.held == pytest.approx(expected[0])
    assert found.tree_pwa.total == pytest.approx(expected[1])


def test_divisions_of_one_group_are_added_up() -> None:
    some = made([[1, 1, 0, 0]], [True, True, False, False])
    divisions = [
        judged_by([0.9, 0.8, 0.2, 0.1], [0, 1, 0, 1]),
        judged_by([0.2, 0.1, 0.9, 0.9], [0, 0, 0, 1]),
    ]
    found = bound(combined("m0"), some, lambda _: divisions)
    assert (found.tree_pwa.pooled, found.tree_pwa.total.sum()) == (2 / 4, 4)


@pytest.mark.parametrize(("ranks", "reference"), [(False, pearsonr), (True, spearmanr)])
def test_correlation_is_that_of_the_pooled_figures(ranks, reference) -> None:
    figures = [[each.max_pwa.pooled, each.tree_pwa.pooled] for each in BOUNDS]
    found = correlation(BOUNDS, ranks=ranks)
    assert found.value == pytest.approx(reference(*np.transpose(figures)).statistic)
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize(("ranks", "reference"), [(False, pearsonr), (True, spearmanr)])
def test_the_interval_is_that_of_figures_worked_out_anew(ranks, reference) -> None:
    expected = []
    with resamples(60):
        for drawn in multiplicities(6, seed=3):
            weights = np.outer(drawn, drawn)
            tallies = [(each.max_pwa, each.tree_pwa) for each in BOUNDS]
            shares = [
                [(t.held * weights).sum() / (t.total * weights).sum() for t in pair]
                for pair in tallies
            ]
            expected.append(reference(*np.transpose(shares)).statistic)
        found = correlation(BOUNDS, ranks=ranks, seed=3)
    assert len(expected) == 60
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(expected, [2.5, 97.5])))


def test_the_order_of_combinations_does_not_matter() -> None:
    assert correlation(BOUNDS[::-1]) == pytest.approx(correlation(BOUNDS))


@pytest.mark.parametrize("ranks", [False, True])
@pytest.mark.parametrize(
    "figures",
    [
        [],
        [(0.5, 0.25), (0.75, 0.5)],
        [(0.5, 0.25), (0.5, 0.5), (0.5, 0.75)],
        [(0.25, 0.5), (0.5, 0.5), (0.75, 0.5)],
        [(0.1, 0.25), (0.1, 0.5), (0.1, 0.75)],
        [(0.7, 0.7)] * 3,
    ],
)
def test_there_is_no_correlation_of_too_few_or_without_variation(
    figures: list[tuple[float, float]], ranks: bool
) -> None:
    bounds = [bound_of("b", [first] * 2, [second] * 2) for first, second in figures]
    assert all(map(isnan, correlation(bounds, ranks=ranks)))


@pytest.mark.parametrize("ranks", [False, True])
def test_figures_that_differ_by_rounding_do_not_vary(ranks: bool) -> None:
    figures = [(0.25, 0.3), (0.5, 0.1 + 0.2), (0.75, 0.3)]
    bounds = [bound_of("b", [first] * 2, [second] * 2) for first, second in figures]
    assert isnan(correlation(bounds, ranks=ranks).value)


def test_one_group_has_a_correlation_without_interval() -> None:
    shares = [(0.5, 0.25), (0.75, 0.5), (0.875, 0.625)]
    found = correlation([bound_of("b", [first], [second]) for first, second in shares])
    assert found == pytest.approx((1, nan, nan), nan_ok=True)


@pytest.mark.parametrize(
    ("confidence", "right"),
    [([0.9, 0.8, 0.6, 0.4], 4), ([0.5, 0.5, 0.5, 0.5], 3), ([0.4, 0.1, 0.6, 0.7], 1)],
)
def test_accuracy_is_the_share_labelled_right_from_a_half(
    confidence: list[float], right: int
) -> None:
    some = made([[1, 2, 3, 4]], [True, True, True, False], [0, 0, 0, 1])
    found = bound(combined("m0"), some, lambda _: one_tree(confidence)).accuracy
    assert found.value == right / 4
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_accuracy_of_one_group_has_no_interval() -> None:
    some = made([[1, 2]], [True, False])
    found = bound(combined("m0"), some, lambda _: one_tree([0.9, 0.8])).accuracy
    assert found == pytest.approx((0.5, nan, nan), nan_ok=True)
