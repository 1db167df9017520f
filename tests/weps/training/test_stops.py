from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from tests.weps.training.cases import exact, example_of, key_of, random_example, unseen
from weps.forms import Origin
from weps.stopping import ExpectedF, Threshold
from weps.training.stops import LEARNERS, Unseen, clustering_of, learn_threshold

ALL = np.inf


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        (key_of({1, 2, 3}), 0.0, 0.3),
        (key_of({1, 2}, {3}), 0.3, 0.9),
        (key_of({1}, {2}, {3}), 0.9, ALL),
    ],
)
def test_the_threshold_lies_in_the_gap_that_gives_the_best_answer(key, low, high):
    example = example_of(key, 0.9, 0.1, 0.3)
    assert low < learn_threshold([unseen(example)], exact) < high


def test_the_threshold_stands_in_the_middle_of_its_gap():
    example = example_of(key_of({1, 2}, {3}), 0.75, 0.0, 0.25)
    assert learn_threshold([unseen(example)], exact) == pytest.approx(0.5)


def test_the_widest_of_equally_good_gaps_is_preferred():
    narrow = example_of(key_of({1, 2}, {3}), 0.3, 0.0, 0.2)
    wide = example_of(key_of({1, 2}, {3}), 0.9, 0.0, 0.4)
    assert learn_threshold([unseen(narrow), unseen(wide)], exact) == pytest.approx(0.65)


def test_each_name_counts_once_in_the_threshold():
    many = [unseen(example_of(key_of({1, 2}), 0.4)) for _ in range(2)]
    large = unseen(example_of(key_of(*[{rank} for rank in range(1, 7)]), *[0.6] * 15))
    assert learn_threshold([*many, large], exact) < 0.4


def test_every_threshold_is_as_good_where_nothing_merges():
    assert 0 < learn_threshold([], exact) <= 1
    assert 0 < learn_threshold([unseen(example_of(key_of({1})))], exact) <= 1


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_no_other_threshold_is_better(seed):
    random = np.random.default_rng(seed)
    examples = [unseen(random_example(random, size)) for size in (3, 4, 5)]

    def total(level: float) -> float:
        return sum(
            exact(clustering_of(each, tree, Threshold(level).merges(tree)), each.key, each.ranks)
            for each, tree in examples
        )

    every = {merge.probability for _, tree in examples for merge in tree.merges} | {2.0}
    assert total(learn_threshold(examples, exact)) == max(map(total, every))


def test_the_objective_is_asked_about_answer_key_and_pages():
    asked = []
    example, tree = unseen(example_of(key_of({1, 2}, {3}), 0.75, 0.0, 0.25))
    learn_threshold([(example, tree)], lambda *each: asked.append(each) or 0.0)
    answers = [
        {*given.groups} for given, key, ranks in asked if (key, ranks) == (example.key, (1, 2, 3))
    ]
    whole, two, three = (
        {*map(frozenset, groups)} for groups in ([{1, 2, 3}], [{1, 2}, {3}], [{1}, {2}, {3}])
    )
    assert sorted(map(len, answers)) == [1, 2, 3]
    assert all(each in answers for each in (whole, two, three))


@pytest.mark.parametrize(
    ("merges", "groups"), [(0, [{4}, {7}, {9}]), (1, [{4, 9}, {7}]), (2, [{4, 7, 9}])]
)
def test_an_answer_is_made_of_ranks(merges, groups):
    example, tree = unseen(example_of(key_of(), 0.1, 0.9, 0.2))
    given_answer = clustering_of(replace(example, ranks=(4, 7, 9)), tree, merges)
    assert set(given_answer.groups) == set(map(frozenset, groups))


def names_of(searched: int, listed: int) -> Unseen:
    """Names found by search, best told apart at 0.3, and listed ones, best at 0.6."""
    wide = [example_of(key_of({1, 2}, {3}), 0.4, 0.0, 0.2, name=f"s{i}") for i in range(searched)]
    narrow = [example_of(key_of({1, 2}, {3}), 0.7, 0.0, 0.5, name=f"l{i}") for i in range(listed)]
    return [*map(unseen, wide), *(unseen(replace(each, origin=Origin.LISTED)) for each in narrow)]


@pytest.mark.parametrize(
    ("searched", "listed", "expected"),
    [
        (9, 5, {Origin.SEARCH: 0.3, Origin.LISTED: 0.6}),
        (9, 4, {Origin.SEARCH: 0.3, Origin.LISTED: 0.3}),
        (4, 9, {Origin.SEARCH: 0.6, Origin.LISTED: 0.6}),
        (5, 9, {Origin.SEARCH: 0.3, Origin.LISTED: 0.6}),
        (9, 0, {Origin.SEARCH: 0.3, Origin.LISTED: 0.3}),
    ],
)
def test_five_names_of_an_origin_teach_its_threshold_else_all_do(searched, listed, expected):
    learnt = LEARNERS["threshold-by-origin"](names_of(searched, listed), exact)
    assert {origin: stop.level for origin, stop in learnt.items()} == pytest.approx(expected)


def test_one_name_judged_again_and_again_is_one_name():
    (once,) = names_of(0, 1)
    learnt = LEARNERS["threshold-by-origin"]([*names_of(20, 0), *[once] * 9], exact)
    assert learnt[Origin.LISTED].level == pytest.approx(0.3)


@pytest.mark.parametrize(("searched", "listed", "level"), [(9, 5, 0.3), (5, 9, 0.6)])
def test_one_threshold_is_learnt_from_all_names(searched, listed, level):
    learnt = LEARNERS["threshold"](names_of(searched, listed), exact)
    assert [stop.level for stop in learnt.values()] == pytest.approx([level] * len(Origin))


def test_expected_f_learns_nothing():
    learn = LEARNERS["expected-f"]
    assert learn([], exact) == learn(names_of(6, 6), exact)
    (stop,) = set(learn([], exact).values())
    assert isinstance(stop, ExpectedF)
    assert stop.slope > 1
    assert (stop.shift, stop.alpha) == (0, 0.5)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_origin_has_a_stopping_decision(name):
    assert list(LEARNERS[name](names_of(6, 0), exact)) == list(Origin)
