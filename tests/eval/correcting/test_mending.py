import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.correcting import next_mending
from tests.weps.builders import unhurried


@pytest.mark.parametrize(
    ("groups", "people", "said", "after"),
    [
        # A group of two people: the smaller piece is split off.
        ([{1, 2, 3, 4, 5}], ["aaabb"], "split 4 5 / 1 2 3", [{1, 2, 3}, {4, 5}]),
        # A person in two groups: the smaller joins the larger.
        ([{1, 2}, {3, 4, 5}], ["aaaaa"], "same 1 2 3 4 5", [{1, 2, 3, 4, 5}]),
        # A page among others, whose person is elsewhere.
        ([{1, 2, 3}, {4, 5}], ["aabbb"], "move 3 / 1 2 / 4 5", [{1, 2}, {3, 4, 5}]),
        # The largest first, of equally large ones that with the first page.
        ([{1, 2, 3}, {4, 5, 6, 7, 8}], ["aabcccdd"], "split 7 8 / 4 5 6", None),
        ([{1, 2, 3}, {4, 5, 6}], ["aabccd"], "split 3 / 1 2", None),
        # Where another person is at home, a piece is not, however large.
        ([{1, 2, 3, 4, 5, 6}, {7}], ["aaaabbb"], "move 5 6 / 1 2 3 4 / 7", None),
        # Pages that the key does not know are not mentioned, and stay where they are.
        ([{1, 2, 3, 4}], ["aab?"], "split 3 / 1 2", [{1, 2, 4}, {3}]),
        ([{1, 2}, {3, 4}], ["aaa?"], "same 1 2 3", [{1, 2, 3}, {4}]),
        ([{1}, {2, 3}], ["abb"], None, None),
        ([{1, 2}], ["a?"], None, None),
    ],
)
def test_what_the_user_mends_first(groups, people, said, after):
    persons = {rank: ord(who) for rank, who in enumerate(people[0], start=1) if who != "?"}
    groups = list(map(frozenset, groups))
    mending = next_mending(groups, persons)
    assert (str(mending.said) if mending else None) == said
    if mending and after:
        assert set(mending.on(groups)) == set(map(frozenset, after))


@st.composite
def answered(draw: st.DrawFn) -> tuple[list[frozenset[int]], dict[int, int]]:
    size = draw(st.integers(0, 12))
    group = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    person = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    persons = {rank: who for rank, who in enumerate(person) if who}
    parts = [frozenset(i for i, each in enumerate(group) if each == one) for one in set(group)]
    return parts, persons


@given(answered())
@unhurried
def test_one_thing_after_another_leads_to_the_key(case):
    groups, persons = case
    everybody = frozenset().union(*groups)
    while mending := next_mending(groups, persons):
        before, said = groups, mending.said
        assert len({persons[rank] for rank in said.same}) <= 1
        left, right = said.different or ((), ())
        assert {persons[rank] for rank in left}.isdisjoint(persons[rank] for rank in right)
        groups = mending.on(groups)
        assert frozenset().union(*groups) == everybody
        assert sum(map(len, groups)) == len(everybody)
        wrong = [sorted(g & persons.keys()) for g in groups if g not in before]
        assert wrong
    known = {frozenset(group & persons.keys()) for group in groups} - {frozenset()}
    assert known == {
        frozenset(rank for rank in persons if persons[rank] == who) for who in set(persons.values())
    }


@given(answered())
@unhurried
def test_the_pages_mended_are_the_largest_that_can_be(case):
    groups, persons = case
    sizes = []
    while mending := next_mending(groups, persons):
        sizes.append(len(mending.pages))
        groups = mending.on(groups)
    assert sizes == sorted(sizes, reverse=True)
