from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.feature_study.trees import (
    TreeSettings,
    comparable_by_trees,
    cross_validated,
    study_settings,
    transferred,
)
from eval.instances import Instances
from eval.ordering import pwa
from tests.eval.feature_study.made_up import SMALL, made, noisy


def relabelled(instances: Instances, chosen: np.ndarray) -> Instances:
    return replace(instances, positive=instances.positive ^ chosen)


@pytest.mark.parametrize("group", range(6))
def test_labels_of_a_group_do_not_change_what_is_said_of_it(group: int) -> None:
    some = noisy()
    inside = some.group == group
    divisions = [cross_validated(each, SMALL) for each in (some, relabelled(some, inside))]
    for before, after in zip(*divisions, strict=True):
        assert (before.confidence[inside] == after.confidence[inside]).all()
        assert (before.confidence != after.confidence).any()


def test_a_group_that_is_the_other_way_round_is_judged_the_wrong_way_round() -> None:
    some = noisy()
    inside = some.group == 2
    odd = relabelled(some, inside)
    for found, tree in cross_validated(odd, SMALL):
        assert pwa(found[odd.positive & inside], found[~odd.positive & inside]) < 0.2
        elsewhere = tree != tree[inside][0]  # judged by a tree that has seen the odd group
        assert pwa(found[odd.positive & ~inside], found[~odd.positive & ~inside]) > 0.4
        assert elsewhere.any()


def test_a_single_group_is_divided_by_instances() -> None:
    some = noisy(groups=1, size=60)
    divisions = cross_validated(some, SMALL)
    for instance in range(0, 60, 7):
        again = cross_validated(relabelled(some, np.arange(60) == instance), SMALL)
        for before, after in zip(divisions, again, strict=True):
            assert after.confidence[instance] == before.confidence[instance]
    assert [np.bincount(each.tree).tolist() for each in divisions] == [[30, 30]] * SMALL.repeats


@pytest.mark.parametrize("folds", [2, 3, 9])
def test_one_tree_judges_a_whole_group(folds: int) -> None:
    some = noisy()
    for _, tree in cross_validated(some, replace(SMALL, folds=folds)):
        trees = [set(tree[some.group == group].tolist()) for group in range(6)]
        assert all(len(each) == 1 for each in trees)
        assert set.union(*trees) == set(range(min(folds, 6)))


def test_divisions_differ_among_each_other_and_with_the_seed() -> None:
    some = noisy(groups=24, size=4)
    found = [
        each.tree.tobytes()
        for seed in (0, 1, 2)
        for each in cross_validated(some, replace(SMALL, repeats=3, seed=seed))
    ]
    assert len(found) == len(set(found)) == 9


def test_the_study_divides_into_halves_five_times() -> None:
    assert study_settings(3) == TreeSettings(folds=2, repeats=5, seed=3)
    assert study_settings(3, leaf=7) == TreeSettings(leaf=7, folds=2, repeats=5, seed=3)


def test_what_was_learnt_elsewhere_does_not_depend_on_the_labels_here() -> None:
    training, tested = noisy(), noisy(groups=3)
    (found,) = transferred(training, tested, SMALL)
    (flipped,) = transferred(training, relabelled(tested, np.full(60, True)), SMALL)
    assert (found.confidence == flipped.confidence).all()
    assert not found.tree.any()
    assert pwa(found.confidence[tested.positive], found.confidence[~tested.positive]) > 0.5


def test_confidence_is_a_smoothed_share_in_which_groups_weigh_by_their_root() -> None:
    """A measure that says nothing: the tree is a leaf of 100 instances of one group, 4 of another.

    The first weigh 1/√100 each, the others 1/√4: 10 positive to 2 negative.
    """
    training = made([[0.0] * 104], [True] * 100 + [False] * 4, [0] * 100 + [1] * 4)
    tested = made([[0.0, 1.0]], [True, False])
    (found,) = transferred(training, tested, SMALL)
    assert found.confidence == pytest.approx([(10 / 12 * 104 + 1) / 106] * 2)


def test_confidence_repeats_and_never_is_certain() -> None:
    some = noisy()
    for first, second in zip(*(cross_validated(some, SMALL) for _ in range(2)), strict=True):
        assert first.confidence.tobytes() == second.confidence.tobytes()
        assert ((first.confidence > 0) & (first.confidence < 1)).all()


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=12))
def test_what_trees_take_orders_the_instances_as_before(values: list[float]) -> None:
    some = made([values], [True, False] + [True] * (len(values) - 2))
    (before,), found = some.values, comparable_by_trees(some)
    (after,) = found.values
    assert found.values.dtype == np.float32
    assert np.isfinite(after).all()
    for compare in (np.less, np.equal):
        assert (compare.outer(before, before) == compare.outer(after, after)).all()
    assert (found.positive == some.positive).all()
    assert found.measures == some.measures


def test_what_trees_can_take_is_left_as_it_is() -> None:
    some = noisy()
    single = replace(some, values=some.values.astype(np.float32) / 4)
    assert comparable_by_trees(single) is single
    odd = single.values.copy()
    odd[0, 0] = np.inf
    assert np.isfinite(comparable_by_trees(replace(single, values=odd)).values).all()
