"""Stopping rules fitted to names that the classifier was not fitted to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.training.cases import exact, example_of, key_of, random_example, unseen_cases
from weps.clustering.stopping import ExpectedF, Threshold
from weps.page_forms import Origin
from weps.training.stopping import STOPPING_LEARNERS, HeldOut, clustering_after, learn_threshold
from weps_eval.clustering.scorers import bcubed_f05


@each_case(
    ("probabilities", "key", "expected"),
    [
        ([(0.75, 0.0, 0.25)], key_of({1, 2, 3}), 0.125),
        ([(0.75, 0.0, 0.25)], key_of({1, 2}, {3}), 0.5),
        ([(0.75, 0.0, 0.25)], key_of({1}, {2}, {3}), 0.875),
        ([(0.3, 0.0, 0.2), (0.9, 0.0, 0.4)], key_of({1, 2}, {3}), 0.65),  # the widest good gap
    ],
)
def test_the_threshold_is_in_the_middle_of_the_best_gap(probabilities, key, expected):
    cases = [unseen_cases(example_of(key, *each)) for each in probabilities]
    assert learn_threshold(cases, exact) == pytest.approx(expected)


def test_every_threshold_is_as_good_where_nothing_merges():
    assert 0 < learn_threshold([], exact) <= 1
    assert 0 < learn_threshold([unseen_cases(example_of(key_of({1})))], exact) <= 1


@given(st.integers(0, 2**31 - 1))
def test_no_other_threshold_is_better(seed):
    random = np.random.default_rng(seed)
    examples = [unseen_cases(random_example(random, size)) for size in (3, 4, 5)]

    def total(level: float) -> float:
        return sum(
            exact(clustering_after(each, tree, Threshold(level).merges(tree)), each.key, each.ranks)
            for each, tree in examples
        )

    every = {merge.probability for _, tree in examples for merge in tree.merges} | {2.0}
    assert total(learn_threshold(examples, exact)) == max(map(total, every))


def names_of(searched: int, listed: int) -> HeldOut:
    """Names found by search, best separated at 0.3, and listed ones, best at 0.6."""
    wide = [example_of(key_of({1, 2}, {3}), 0.4, 0.0, 0.2, name=f"s{i}") for i in range(searched)]
    narrow = [example_of(key_of({1, 2}, {3}), 0.7, 0.0, 0.5, name=f"l{i}") for i in range(listed)]
    return [
        *map(unseen_cases, wide),
        *(unseen_cases(replace(each, origin=Origin.LISTED)) for each in narrow),
    ]


@each_case(
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
    learnt = STOPPING_LEARNERS["threshold-by-origin"](names_of(searched, listed), exact)
    assert {origin: stop.level for origin, stop in learnt.items()} == pytest.approx(expected)


def test_one_name_judged_again_and_again_is_one_name():
    (once,) = names_of(0, 1)
    learnt = STOPPING_LEARNERS["threshold-by-origin"]([*names_of(20, 0), *[once] * 9], exact)
    assert learnt[Origin.LISTED].level == pytest.approx(0.3)


def held_out_names(seed: int, people: int, surplus: float, mixed: bool) -> HeldOut:
    """Names whose pairs are judged too probable by so many logits."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(8):
        example = random_example(random, 16, people)
        odds = 4 * (example.values[:, 0] - 0.6) + surplus
        example = replace(
            example,
            name=f"{people}-{number}",
            values=(1 / (1 + np.exp(-odds)))[:, np.newaxis].astype(np.float32),
            components=frozenset({f"a{number}", f"b{number}"}) if mixed else frozenset(),
        )
        found.append(unseen_cases(example))
    return found


def test_the_prior_of_a_name_depends_on_what_is_known_of_it():
    """Pairs of few people are judged too improbable, those of many people too probable."""
    few, many = held_out_names(0, 2, -0.8, mixed=False), held_out_names(1, 9, 0.8, mixed=True)
    learnt = STOPPING_LEARNERS["expected-f-by-name"]([*few, *many], bcubed_f05)
    rule = learnt[Origin.SEARCH]
    assert learnt == dict.fromkeys(Origin, rule)
    shifts = [np.mean([rule.shift(tree) for _, tree in names]) for names in (few, many)]
    assert shifts[0] > 0.2
    assert shifts[1] < -0.2

    def mean_score(stopping, names):
        answers = (clustering_after(each, tree, stopping.merges(tree)) for each, tree in names)
        pairs = zip(names, answers, strict=True)
        return np.mean([bcubed_f05(given, each.key, each.ranks) for (each, _), given in pairs])

    for names in (few, many):
        assert mean_score(rule, names) > mean_score(ExpectedF(rule.slope, 0.0), names)


def test_mixed_names_weigh_as_much_as_all_others():
    few, many = held_out_names(0, 2, -0.8, mixed=False), held_out_names(0, 2, 0.8, mixed=True)
    once, thrice = (
        STOPPING_LEARNERS["expected-f-by-name"](names, bcubed_f05)[Origin.SEARCH].to_data()
        for names in ([*few, *many], [*few, *many * 3])
    )
    assert once == pytest.approx(thrice)
    assert once["intercept"] != 0


@pytest.mark.parametrize("names", [[], [unseen_cases(example_of(key_of({1})))]])
def test_without_evidence_the_prior_is_not_shifted(names):
    rule = STOPPING_LEARNERS["expected-f-by-name"](names, exact)[Origin.LISTED]
    assert (rule.intercept, rule.people, rule.odds) == (0, 0, 0)
