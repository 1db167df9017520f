"""The registry of measures, and F."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import KeyFileError, ValuesError
from weps_eval.clustering.bcubed import Neighbours, from_groups
from weps_eval.clustering.measures import (
    BASELINES,
    MEASURES,
    Comparison,
    PairConfusion,
    bcubed_score,
    f_measure,
    pair_confusion,
    purity,
)


@each_case(
    ("name", "groups"),
    [
        ("all_in_one", ({2, 5, 9},)),
        ("one_in_one", ({2}, {5}, {9})),
        ("combined", ({2, 5, 9}, {2}, {5}, {9})),
    ],
)
def test_groups_of_each_baseline(name, groups):
    assert BASELINES[name]([9, 2, 5]).groups == groups
    assert BASELINES[name](()).groups == ()


def test_every_measure_of_a_worked_case():
    found = Comparison([{1, 2, 3}], [{1, 2}, {3}])
    expected = {
        "bcubed_precision": 5 / 9,
        "bcubed_recall": 1,
        "bcubed_f05": 2 / (9 / 5 + 1),
        "bcubed_f02": 1 / (0.2 * 9 / 5 + 0.8),
        "purity": 2 / 3,
        "inverse_purity": 1,
        "purity_f05": 0.8,
        "purity_f02": 1 / (0.2 * 3 / 2 + 0.8),
        "rand": 1 / 3,
        "jaccard": 1 / 3,
        "fowlkes_mallows": 1 / 3**0.5,
    }
    values = {name: declared.value(found) for name, declared in MEASURES.items()}
    assert list(values) == list(expected)
    assert values == pytest.approx(expected)


labelled = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=9)


@given(labelled.filter(lambda pairs: any(true >= 0 for true, _ in pairs)))
def test_the_score_of_labels_is_that_of_their_groups(pairs):
    true, answer = zip(*pairs, strict=True)
    key, groups = (
        [{item for item, each in enumerate(labels) if each == label} for label in {*labels} - {-1}]
        for labels in (true, answer)
    )
    found = Comparison(groups, key).bcubed
    assert bcubed_score(true, answer) == pytest.approx(f_measure(*found, 0.5))
    assert bcubed_score(true, answer, alpha=0.2) == pytest.approx(f_measure(*found, 0.2))


@each_case("kind", [str, float, bytes, bool])
def test_labels_of_any_type_are_scored(kind):
    names = {str: "abc", float: (0.5, 1.5, 2.5), bytes: (b"a", b"b", b"c"), bool: (False, True)}[
        kind
    ]
    true, answer = [names[0], names[0], names[1]], [names[1], names[1], names[0]]
    assert bcubed_score(true, answer) == 1
    assert bcubed_score(np.array(true), [0, 0, 0]) == pytest.approx(2 / (9 / 5 + 1))


@each_case(
    ("words", "fault"),
    [(([0], [0, 1]), KeyFileError), (([-1], [0]), KeyFileError), (([[0]], [0]), KeyFileError)],
)
def test_labels_that_cannot_be_scored_are_refused(words, fault):
    with pytest.raises(fault):
        bcubed_score(*words)
    with pytest.raises(ValuesError, match="alpha"):
        bcubed_score([0], [0], alpha=2)


@given(*[st.just(0.0) | st.floats(1e-6, 1)] * 3)
def test_f_lies_between_its_parts(precision, recall, alpha):
    value = f_measure(precision, recall, alpha)
    if precision and recall:
        low, high = sorted((precision, recall))
        assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9)
    else:
        assert value == 0
    assert f_measure(recall, precision, 1 - alpha) == pytest.approx(value, rel=1e-6)


GROUPS = st.lists(st.sets(st.integers(0, 9), min_size=1), max_size=5)


def counts(answer, key):
    return pair_confusion(Neighbours.of(*from_groups(answer, key)))


def shares(pairs):
    return pairs.rand, pairs.jaccard, pairs.fowlkes_mallows


def one_by_one(answer, key):
    counted = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in combinations(sorted(set().union(*key)), 2):
        together = (any({*pair} <= set(group) for group in side) for side in (answer, key))
        counted[tuple(together)] += 1
    return PairConfusion(*counted.values())


@given(GROUPS, GROUPS.filter(bool))
def test_agrees_with_counting_one_by_one(answer, key):
    found = counts(answer, key)
    assert found == one_by_one(answer, key)
    assert all(0 <= share <= 1 for share in shares(found))
    assert shares(counts(key, key)) == (1, 1, 1)


@each_case(
    ("pairs", "expected"),
    [
        (PairConfusion(2, 1, 3, 4), (6 / 10, 2 / 6, 2 / sqrt(3 * 5))),
        (PairConfusion(0, 0, 3, 7), (7 / 10, 0, 1)),
        (PairConfusion(0, 3, 0, 7), (7 / 10, 0, 1)),
        (PairConfusion(0, 1, 1, 0), (0, 0, 0)),
        (PairConfusion(0, 0, 0, 5), (1, 1, 1)),
        (PairConfusion(0, 0, 0, 0), (1, 1, 1)),
    ],
)
def test_measures_of_counts(pairs, expected):
    assert shares(pairs) == pytest.approx(expected)


def by_definition(answer, key):
    size = sum(map(len, answer))
    best = sum(max((len(group & other) for other in key), default=0) for group in answer)
    return best / size if size else 0


@each_case(
    ("answer", "key", "expected"),
    [
        ([{1, 2, 3}], [{1, 2}, {3}], (2 / 3, 1)),
        ([{1}, {2}, {3}], [{1, 2}, {3}], (1, 2 / 3)),
        ([{1, 2}, {2, 3}], [{1, 2, 3}], (1, 2 / 3)),
        ([{1, 2, 8, 9}], [{1, 2}], (1 / 2, 1)),
        ([], [{1, 2}], (0, 0)),
        ([{3}], [{1, 2}], (0, 0)),
    ],
)
def test_worked_cases(answer, key, expected):
    assert purity(*from_groups(answer, key)) == pytest.approx(expected, abs=1e-15)


@given(GROUPS, GROUPS)
def test_agrees_with_the_definition_and_swaps(answer, key):
    found = purity(*from_groups(answer, key))
    assert found == (by_definition(answer, key), by_definition(key, answer))
    assert purity(*from_groups(key, answer)) == found[::-1]
    assert all(0 <= value <= 1 for value in found)
