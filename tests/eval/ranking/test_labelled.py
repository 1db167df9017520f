from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.studies.made_up_instances import (
    SMALL,
    instances,
    made,
    noisy,
)
from weps_eval.ranking.labelled import (
    Combination,
    TreeConfidences,
    comparable_by_trees,
    compute_bound,
    cross_validate_trees,
    distinct_combinations,
    random_combinations,
    transfer_trees,
)
from weps_eval.ranking.pwa import auc, max_pwa, pwa
from weps_eval.tables import Instances

SOME = noisy()
BOUNDS = [
    compute_bound(each, SOME, lambda measures: cross_validate_trees(SOME.only(measures), SMALL))
    for each in distinct_combinations(random_combinations(SOME.measures, 8), SOME.measures)
]


def combined(*measures: str) -> Combination:
    return Combination("+".join(measures), "set", measures)


def judged_by(confidence: Sequence[float], tree: Sequence[int]) -> TreeConfidences:
    return TreeConfidences(np.array(confidence, float), np.array(tree, np.int64))


def one_tree(confidence: Sequence[float]) -> list[TreeConfidences]:
    return [judged_by(confidence, [0] * len(confidence))]


def of_measure(some: Instances, measure: str) -> list[TreeConfidences]:
    """A tree whose confidence is the measure itself."""
    return one_tree(some.column(measure))


@given(instances())
def test_no_measure_by_itself_exceeds_the_bound_of_all(some):
    found = compute_bound(combined("m0", "m1", "m2"), some, lambda _: of_measure(some, "m1"))
    truth = some.positive
    assert found.max_pwa.pooled == max_pwa(some.values[:, truth], some.values[:, ~truth])
    for measure in some.measures:
        alone = compute_bound(combined(measure), some, lambda names: of_measure(some, names[0]))
        column = some.column(measure)
        assert alone.max_pwa.pooled == alone.tree_pwa.pooled == pwa(column[truth], column[~truth])
        assert alone.tree_auc.pooled == auc(column[truth], column[~truth])
        assert alone.tree_pwa.pooled <= found.max_pwa.pooled


@pytest.mark.parametrize("group", [[0, 0, 1, 1], None])
def test_instances_that_different_trees_have_judged_are_not_compared(group):
    """Each tree is right, on scales of their own; the measure is right only across them."""
    some = made([[1, 1, 0, 0]], [True, False, True, False], group)
    judged = [judged_by([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1])]
    found = compute_bound(combined("m0"), some, lambda _: judged)
    assert found.tree_pwa.pooled == found.tree_auc.pooled == 1
    assert found.tree_pwa.total.sum() == 2
    together = compute_bound(combined("m0"), some, lambda _: one_tree([0.9, 0.8, 0.2, 0.1]))
    assert together.tree_pwa.pooled == 0.75
    assert found.max_pwa.pooled == together.max_pwa.pooled == 0.25
    assert found.max_pwa.total.sum() == 4


@given(instances(measures=1), st.data())
def test_trees_are_tallied_as_by_hand(some, data):
    size, groups = len(some.positive), len(some.groups)
    confidences = st.lists(st.sampled_from([0.25, 0.5, 0.75]), min_size=size, max_size=size)
    trees = st.lists(st.integers(0, 1), min_size=groups, max_size=groups)
    divisions = [
        judged_by(data.draw(confidences), np.array(data.draw(trees))[some.group]) for _ in range(3)
    ]
    found = compute_bound(combined("m0"), some, lambda _: divisions)
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
    assert found.tree_pwa.hits == pytest.approx(expected[0])
    assert found.tree_pwa.total == pytest.approx(expected[1])


@each_case(
    ("confidence", "right"),
    [([0.9, 0.8, 0.6, 0.4], 4), ([0.5, 0.5, 0.5, 0.5], 3), ([0.4, 0.1, 0.6, 0.7], 1)],
)
def test_accuracy_is_the_share_labelled_right_from_a_half(confidence, right):
    some = made([[1, 2, 3, 4]], [True, True, True, False], [0, 0, 0, 1])
    found = compute_bound(combined("m0"), some, lambda _: one_tree(confidence)).accuracy
    assert found.value == right / 4
    assert 0 <= found.low <= found.value <= found.high <= 1


MEASURES = tuple("abcdefghijkl")
subsets = st.lists(st.sampled_from(MEASURES), unique=True, max_size=4).map(tuple)


@given(st.integers(1, 12), st.integers(0, 20), st.integers(0, 5))
def test_random_combinations_are_ordered_subsets_that_the_seed_decides(size, number, seed):
    measures = MEASURES[:size]
    found = random_combinations(measures, number, seed)
    assert len(found) == number
    for each in found:
        assert 1 <= len(each.measures) <= min(8, size)
        assert each.measures == tuple(m for m in measures if m in each.measures)
    assert found == random_combinations(measures, number, seed)


@given(st.lists(subsets, max_size=12))
def test_distinct_keeps_the_first_of_equal_combinations(members):
    given_ = [Combination(str(place), "set", each) for place, each in enumerate(members)]
    found = distinct_combinations(given_, MEASURES)
    sets = [frozenset(each.measures) for each in found]
    assert len(set(sets)) == len(sets)
    assert set(sets) == {frozenset(each) for each in members if each}
    for each in found:
        assert list(each.measures) == sorted(each.measures)
        first = next(c for c in given_ if set(c.measures) == set(each.measures))
        assert each.name == first.name


def relabelled(instances: Instances, chosen: np.ndarray) -> Instances:
    return replace(instances, positive=instances.positive ^ chosen)


@pytest.mark.parametrize("group", [0, 4])
def test_labels_of_a_group_do_not_change_what_is_said_of_it(group):
    some = noisy()
    inside = some.group == group
    divisions = [cross_validate_trees(each, SMALL) for each in (some, relabelled(some, inside))]
    for before, after in zip(*divisions, strict=True):
        assert (before.confidence[inside] == after.confidence[inside]).all()
        assert (before.confidence != after.confidence).any()


def test_a_single_group_is_divided_by_instances():
    some = noisy(groups=1, size=60)
    divisions = cross_validate_trees(some, SMALL)
    for instance in range(0, 60, 7):
        again = cross_validate_trees(relabelled(some, np.arange(60) == instance), SMALL)
        for before, after in zip(divisions, again, strict=True):
            assert after.confidence[instance] == before.confidence[instance]
    assert [np.bincount(each.tree).tolist() for each in divisions] == [[30, 30]] * SMALL.repeats


@each_case("folds", [2, 3, 9])
def test_one_tree_judges_a_whole_group(folds):
    some = noisy()
    for _, tree in cross_validate_trees(some, replace(SMALL, folds=folds)):
        trees = [set(tree[some.group == group].tolist()) for group in range(6)]
        assert all(len(each) == 1 for each in trees)
        assert set.union(*trees) == set(range(min(folds, 6)))


def test_what_was_learnt_elsewhere_does_not_depend_on_the_labels_here():
    training, tested = noisy(), noisy(groups=3)
    (found,) = transfer_trees(training, tested, SMALL)
    (flipped,) = transfer_trees(training, relabelled(tested, np.full(60, True)), SMALL)
    assert (found.confidence == flipped.confidence).all()
    assert not found.tree.any()
    assert pwa(found.confidence[tested.positive], found.confidence[~tested.positive]) > 0.5


def test_confidence_is_a_smoothed_share_in_which_groups_weigh_by_their_root():
    """A measure that says nothing: the tree is a leaf of 100 instances of one group, 4 of another.

    The first weigh 1/√100 each, the others 1/√4: 10 positive to 2 negative.
    """
    training = made([[0.0] * 104], [True] * 100 + [False] * 4, [0] * 100 + [1] * 4)
    tested = made([[0.0, 1.0]], [True, False])
    (found,) = transfer_trees(training, tested, SMALL)
    assert found.confidence == pytest.approx([(10 / 12 * 104 + 1) / 106] * 2)


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=12))
def test_what_trees_take_orders_the_instances_as_before(values):
    some = made([values], [True, False] + [True] * (len(values) - 2))
    (before,), found = some.values, comparable_by_trees(some)
    (after,) = found.values
    assert found.values.dtype == np.float32
    assert np.isfinite(after).all()
    for compare in (np.less, np.equal):
        assert (compare.outer(before, before) == compare.outer(after, after)).all()
    assert (found.positive == some.positive).all()
    assert found.measures == some.measures
