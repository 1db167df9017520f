from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, square
from tests.weps.training.cases import example_of, key_of, random_example
from weps.reading import Origin
from weps.similarity.columns import pair_table, parse_similarity
from weps.training import (
    Example,
    divide_examples,
    examples_without,
    make_folds,
    select_rows,
    subsampled_copies,
)

WANTED = [parse_similarity(each) for each in ("dice(token)", "overlap(token)", "linked")]
PAGES = [document("tides rise", rank=4), document("moons", rank=9), document("tides rise", rank=2)]


@pytest.fixture
def example() -> Example:
    values = pair_table(analysis_of(*PAGES), WANTED).values
    return Example("T_B", (4, 9, 2), tuple(WANTED), values, key_of({4, 9}, {2}), Origin.LISTED)


def test_an_example_is_made_from_a_pair_table(example):
    assert (example.name, example.ranks, example.origin) == ("T_B", (4, 9, 2), Origin.LISTED)
    assert example.similarities == tuple(WANTED)
    assert example.values.tolist() == [[0, 0, 0], [1, 2, 0], [0, 0, 0]]
    assert example.judged()[1].tolist() == [True, False, False]


@pytest.mark.parametrize("places", [[], [1], [2, 0], [0, 1, 2], [1, 1]])
def test_an_example_is_narrowed_to_what_is_wanted_in_that_order(example, places):
    wanted = [WANTED[place] for place in places]
    narrow = example.with_similarities(wanted)
    assert narrow.similarities == tuple(wanted)
    assert narrow.values.tolist() == example.values[:, places].tolist()
    kept = [(each.name, each.ranks, each.key, each.origin) for each in (narrow, example)]
    assert kept[0] == kept[1]


def test_pairs_are_judged_where_the_key_has_both_pages():
    key = key_of({1, 2}, {2, 3}, discarded=(4,))
    judged, coreferent = example_of(key, *[0.0] * 6).judged()
    expected = {"12": True, "13": False, "14": None, "23": True, "24": None, "34": None}
    assert judged.tolist() == [truth is not None for truth in expected.values()]
    assert coreferent.tolist() == [bool(truth) for truth in expected.values()]


@pytest.mark.parametrize("key", [key_of(), key_of({77, 78})])
def test_a_key_of_other_pages_judges_nothing(key):
    example = example_of(key, 0.5, 0.5, 0.5)
    assert not np.any(example.judged())
    assert example.members().tolist() == [[False] * len(key.groups)] * 3


def test_members_have_a_row_for_each_page_and_a_column_for_each_person():
    member = example_of(key_of({1, 2}, {2}, {7}), 0.5, 0.5, 0.5).members()
    assert member.tolist() == [[True, False, False], [True, True, False], [False, False, False]]
    assert member.dtype == bool


@given(st.integers(0, 40), st.integers(1, 7), st.integers(0, 99))
def test_folds_partition(size, parts, seed):
    made = make_folds(size, parts, seed)
    assert sorted(index for part in made for index in part) == list(range(size))
    assert all(part == sorted(part) for part in made)
    assert len(made) == min(size, parts)
    assert max(map(len, made), default=0) - min(map(len, made), default=0) <= 1
    assert make_folds(size, parts, seed) == made
    assert make_folds(20, 5, seed) != make_folds(20, 5, seed + 1)


MOST = 8
"""More pages of one person no copy has."""
PROFILED = [
    parse_similarity(each)
    for each in (
        *("profile(profile(dice(token)))", "dice(token)", "linked"),
        *("relative(profile(dice(token)))", "profile(dice(token))", "few_pages"),
    )
]


def table_of(pages: list, ranks: list[int]) -> Example:
    ranked = [replace(page, rank=rank) for page, rank in zip(pages, ranks, strict=True)]
    values = pair_table(analysis_of(*ranked), PROFILED).values
    key = key_of(set(ranks))
    return Example("T_B", tuple(ranks), tuple(PROFILED), values, key, Origin.LISTED)


def large(seed: int, size: int = 60, people: int = 3) -> Example:
    return random_example(np.random.default_rng(seed), size, people)


@given(st.lists(documents, max_size=6), st.data())
def test_fewer_rows_are_what_a_search_of_these_pages_alone_would_be(pages, data):
    """Profiles too, though they depend on all pages; the order of columns does not matter."""
    rows = [row for row in range(len(pages)) if data.draw(st.booleans())]
    whole = table_of(pages, [row * 10 for row in range(len(pages))])
    alone = table_of([pages[row] for row in rows], [row * 10 for row in rows])
    found = select_rows(whole, np.array(rows, dtype=np.intp))
    assert found.ranks == alone.ranks
    assert found.similarities == alone.similarities
    assert found.values.dtype == np.float32
    np.testing.assert_allclose(found.values, alone.values, atol=1e-6)


@given(st.integers(0, 10**6), st.integers(10, 60), st.integers(1, 6), st.integers(0, 5))
def test_copies_have_some_pages_of_each_person(seed, size, people, copies):
    example = large(seed, size, people)
    made = subsampled_copies(example, copies, seed)
    assert len(made) <= copies
    for copy in made:
        assert copy.name == example.name
        assert (copy.key, copy.origin) == (example.key, example.origin)
        assert copy.similarities == example.similarities
        assert list(copy.ranks) == sorted(set(copy.ranks) & set(example.ranks))
        assert copy.judged()[0].sum() >= 10
        kept = [len(group & set(copy.ranks)) for group in example.key.groups]
        assert all(1 <= pages <= MOST for pages in kept)
        most = max(kept)
        whole = [len(group) for group in example.key.groups]
        assert kept == [min(pages, most) for pages in whole]
        rows = [rank - 1 for rank in copy.ranks]
        old = square(example.values[:, 0], size)[np.ix_(rows, rows)]
        np.testing.assert_array_equal(square(copy.values[:, 0], len(rows)), old)


def test_a_large_name_gets_as_many_copies_as_are_wanted_of_different_sizes():
    made = subsampled_copies(large(0, people=8), 12, seed=0)
    assert len(made) == 12
    assert len({len(copy.ranks) for copy in made}) >= 4
    assert subsampled_copies(large(0), 0, seed=0) == []


@pytest.mark.parametrize(("judged", "some"), [(9, False), (10, True)])
def test_ten_judged_pages_are_worth_thinning(judged, some):
    example = large(0, 30)
    people = [{rank} for rank in range(1, judged + 1)]
    assert bool(subsampled_copies(replace(example, key=key_of(*people)), 3, 0)) is some


@pytest.mark.parametrize("people", [1, 2])
def test_copies_of_few_pages_are_not_worth_learning_from(people):
    """1, 2 or 3 of one person's pages make fewer than ten pairs, 5 and 8 make enough.

    Nor do they become more if all are about a second person too.
    """
    example = replace(large(0, 40), key=key_of(*[set(range(1, 41))] * people))
    made = subsampled_copies(example, 30, seed=1)
    assert len(made) > 20
    assert {len(copy.ranks) for copy in made} == {5, 8}
    assert len({rank for copy in made for rank in copy.ranks}) > 30


def test_copies_depend_on_the_name_and_the_seed_alone():
    example, other = large(0), replace(large(0), name="another")
    first, again, seed, name, fewer = (
        [(copy.ranks, copy.values.tobytes()) for copy in subsampled_copies(*given)]
        for given in [
            (example, 4, 0),
            (example, 4, 0),
            (example, 4, 1),
            (other, 4, 0),
            (example, 2, 0),
        ]
    )
    assert first == again
    assert first not in (seed, name)
    assert first[:2] == fewer


def test_pages_that_nobody_judged_stay_in_proportion():
    """Of 40 judged pages of 4 people and 40 others, a copy keeps about as many of either."""
    example = replace(
        large(3, 80), key=key_of(*[set(range(first, first + 10)) for first in (1, 11, 21, 31)])
    )
    judged, others = 0, 0
    for seed in range(30):
        for copy in subsampled_copies(example, 4, seed):
            judged += sum(rank <= 40 for rank in copy.ranks)
            others += sum(rank > 40 for rank in copy.ranks)
    assert 0.9 < others / judged < 1.1


def mixed_example(names: str, pages: int) -> Example:
    """An example of the one-letter names, mixed if they are several."""
    components = frozenset(names) if len(names) > 1 else frozenset()
    values = np.zeros((pages * (pages - 1) // 2, 0), np.float32)
    ranks = tuple(range(pages))
    return Example(names, ranks, (), values, key_of(), components=components)


@each_case("parts", [2, 3, 4])
def test_parts_share_no_page(parts):
    examples = [mixed_example(name, 3) for name in "abcdefgh"]
    examples += [mixed_example(*each) for each in (("ab", 5), ("cd", 5), ("abcd", 9), ("xa", 9))]
    divided = divide_examples(examples, parts, seed=1)
    assert len(divided) == parts
    names = [frozenset().union(*(examples[at].names for at in part)) for part in divided]
    for number, part in enumerate(names):
        assert all(part.isdisjoint(other) for other in names[number + 1 :])
        taught = examples_without(examples, divided[number])
        assert all(part.isdisjoint(each.names) for each in taught)
        assert {each.name for each in taught} >= set("abcdefgh") - part
    assert sorted(at for part in divided for at in part) == list(range(len(examples)))


def test_mixed_names_of_several_parts_are_in_none():
    examples = [mixed_example(*each) for each in (("a", 2), ("b", 2), ("c", 2), ("abc", 9))]
    assert sorted(divide_examples(examples, 3, seed=0)) == [[0], [1], [2]]
    assert sorted(divide_examples([*examples, mixed_example("ab", 4)], 3, 0, fewest=2)) == [
        [0, 1, 4],
        [2],
    ]


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 9))
def test_names_that_are_not_mixed_are_divided_like_numbers(size, parts, seed):
    examples = [mixed_example(chr(97 + number), 2) for number in range(size)]
    assert divide_examples(examples, parts, seed) == make_folds(size, parts, seed)
