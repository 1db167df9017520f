import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.feature_study.combinations import (
    Combination,
    distinct,
    nested,
    random_combinations,
    whole_families,
)

MEASURES = tuple("abcdefghijkl")
subsets = st.lists(st.sampled_from(MEASURES), unique=True, max_size=4).map(tuple)


def test_families_are_taken_alone_and_beside_the_base() -> None:
    found = whole_families({"words": ["base", "a"], "links": ["b"]}, "base")
    assert [(each.name, each.kind, each.measures) for each in found] == [
        ("words", "family", ("base", "a")),
        ("links", "family", ("b",)),
        ("base + words", "family and base", ("base", "a")),
        ("base + links", "family and base", ("base", "b")),
    ]


def test_nested_combinations_grow_by_one_measure_each() -> None:
    found = nested(["c", "a", "b"], range(2, 6))
    assert [each.measures for each in found] == [("c", "a"), ("c", "a", "b")]


@given(st.integers(1, 12), st.integers(0, 20), st.integers(0, 5))
def test_random_combinations_are_ordered_subsets_that_the_seed_decides(
    size: int, number: int, seed: int
) -> None:
    measures = MEASURES[:size]
    found = random_combinations(measures, number, seed)
    assert len(found) == number
    for each in found:
        assert 1 <= len(each.measures) <= min(8, size)
        assert each.measures == tuple(m for m in measures if m in each.measures)
    assert found == random_combinations(measures, number, seed)


def test_random_combinations_differ_with_the_seed_and_have_every_size() -> None:
    found = random_combinations(MEASURES, 200, seed=0)
    assert found != random_combinations(MEASURES, 200, seed=1)
    assert {len(each.measures) for each in found} == set(range(1, 9))


@given(st.lists(subsets, max_size=12))
def test_distinct_keeps_the_first_of_equal_combinations(members: list[tuple[str, ...]]) -> None:
    given_ = [Combination(str(place), "set", each) for place, each in enumerate(members)]
    found = distinct(given_, MEASURES)
    sets = [frozenset(each.measures) for each in found]
    assert len(set(sets)) == len(sets)
    assert set(sets) == {frozenset(each) for each in members if each}
    for each in found:
        assert list(each.measures) == sorted(each.measures)
        first = next(c for c in given_ if set(c.measures) == set(each.measures))
        assert each.name == first.name


@pytest.mark.parametrize("unknown", [("z",), ()])
def test_combinations_of_which_nothing_is_studied_are_left_out(unknown: tuple[str, ...]) -> None:
    assert distinct([Combination("lost", "set", unknown)], MEASURES) == []
