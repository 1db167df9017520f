from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.answers import answer_of, partitions
from weps.changes import groups, last_id, stable


def ids(previous: dict[int, set[int]], *now: set[int], last: int = 0) -> dict[int, set[int]]:
    before = {id_: frozenset(pages) for id_, pages in previous.items()}
    return {id_: set(pages) for id_, pages in groups(stable(answer_of(*now), before, last)).items()}


@pytest.mark.parametrize(
    ("previous", "now", "expected"),
    [
        ({1: {1, 2}, 2: {3}}, [{1, 2}, {3}], {1: {1, 2}, 2: {3}}),
        ({1: {1, 2}, 2: {3}}, [{3, 4, 5}, {1, 2}], {2: {3, 4, 5}, 1: {1, 2}}),
        ({1: {1}, 2: {2, 3}}, [{1, 2, 3}], {2: {1, 2, 3}}),  # most of its pages
        ({4: {1}, 2: {2}}, [{1, 2}], {2: {1, 2}}),  # a tie
        ({7: {1, 2, 3}}, [{1}, {2, 3}], {8: {1}, 7: {2, 3}}),
        ({7: {1}}, [{2}, {1}], {8: {2}, 7: {1}}),
        ({}, [{1}, {2}], {1: {1}, 2: {2}}),
        # Pages 1 and 4 would keep their id as well if 2 were given up.
        ({1: {1, 3, 4}, 2: {2}}, [{1, 2, 4}, {3}], {2: {1, 2, 4}, 1: {3}}),
        # Greedily, 1 would take the three pages and leave 2 with none.
        (
            {1: {1, 2, 3, 4, 5}, 2: {6, 7}},
            [{1, 2, 3, 6, 7}, {4, 5}],
            {2: {1, 2, 3, 6, 7}, 1: {4, 5}},
        ),
    ],
)
def test_ids_go_with_the_pages(previous, now, expected):
    assert ids(previous, *now) == expected


def test_an_id_that_was_given_up_is_not_given_again():
    assert ids({3: {1}}, {1}, {2}, last=9) == {3: {1}, 10: {2}}
    before = {3: frozenset({1})}
    assert last_id(stable(answer_of({1}, {2}), before, 9), before, 9) == 10
    assert last_id(answer_of({1}), {6: frozenset({1})}) == 6


def test_the_nearest_person_is_pointed_at_by_the_new_id():
    answer = stable(answer_of({1, 2}, {3}, nearest={3: 1}), {5: frozenset({1, 2})})
    assert answer.people[1].pages[0].nearest == 5


@given(partitions(), partitions())
def test_ids_are_unique_and_as_many_pages_as_possible_keep_theirs(before, now):
    previous = dict(enumerate(before, start=1))
    answer = stable(answer_of(*now), previous)
    kept = groups(answer)
    assert set(kept.values()) == set(now)
    assert len(kept) == len(now)
    stayed = sum(len(previous[id_] & pages) for id_, pages in kept.items() if id_ in previous)
    assert stayed == most_shared(before, now)
    assert [set(kept[person.id]) for person in answer.people] == list(map(set, now))


def most_shared(before: list[frozenset[int]], now: list[frozenset[int]]) -> int:
    few, many = sorted((before, now), key=len)
    return max(
        sum(len(one & other) for one, other in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )


@given(partitions(), partitions(), st.data())
def test_the_order_of_the_people_before_does_not_matter(before, now, data):
    previous = dict(enumerate(before, start=1))
    shuffled = dict(data.draw(st.permutations(list(previous.items()))))
    assert stable(answer_of(*now), shuffled) == stable(answer_of(*now), previous)


@given(partitions())
def test_the_same_people_keep_their_ids(people):
    answer = answer_of(*people)
    assert stable(answer, groups(answer)) == answer
