"""What changed between two results, as data and as text."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.answers import answer_of, partitions
from weps.clustering.confidence import PageConfidence
from weps.coreference.base import Calibration
from weps.corrections.model import parse_corrections
from weps.people.answer import Alternatives, PersonDescription
from weps.people.evidence import Evidence, ExplainedPair, SharedFeature
from weps.results.changes import (
    Change,
    ChangeKind,
    Reason,
    describe_change,
    describe_changes,
    describe_learning,
    find_changes,
    keep_ids,
    last_id,
    pages_by_person,
    reason_between,
)
from weps.results.stored import as_data

MERGED, SPLIT, MOVED, NEW, JOINED = ChangeKind
CHAIN = [((1, 2), 0.9), ((3, 4), 0.8), ((2, 3), 0.6), ((4, 5), 0.3), ((1, 6), 0.1)]
"""Merges of the pages 1 to 6."""
WITH_CHAIN = {"merges": CHAIN}


def change(kind, person, pages, before=None, pair=None, probability=None, **more) -> Change:
    parts = {"pages": pages, "before": before, "pair": pair, "probability": probability}
    return Change(kind=kind, person=person, **parts, **more)


def found(previous: dict[int, Iterable[int]], *now: set[int], **parts) -> list[Change]:
    """The changes, without evidence."""
    before = {id_: frozenset(pages) for id_, pages in previous.items()}
    changes = find_changes(before, keep_ids(answer_of(*now, **parts), before))
    return [replace(each, evidence=None) for each in changes]


@each_case(
    ("previous", "now", "parts", "expected"),
    [
        ({1: {1, 2}, 2: {3, 4}}, [{1, 2, 3, 4}], WITH_CHAIN, [(MERGED, 1, (3, 4), 2, (3, 2), 0.6)]),
        ({1: {1, 2, 3, 4, 5}}, [{1, 2, 3, 4}, {5}], WITH_CHAIN, [(SPLIT, 2, (5,), 1, (5, 4), 0.3)]),
        ({1: {1, 2, 3}, 2: {4}}, [{1, 2}, {3, 4}], WITH_CHAIN, [(MOVED, 2, (3,), 1, (3, 4), 0.8)]),
        # The better reason is between the groups: 6 comes to 1 and 2, not to the new page 4.
        (
            {1: {1, 2}, 2: {6, 9}},
            [{1, 2, 6, 4}, {9}],
            WITH_CHAIN,
            [(MOVED, 1, (6,), 2, (6, 1), 0.1), (JOINED, 1, (4,))],
        ),
        # Old pages are a better reason than new ones.
        (
            {1: {1}, 2: {6, 9, 10}},
            [{1, 6, 4}, {9, 10}],
            {"merges": [((4, 6), 0.95), ((1, 4), 0.5)]},
            [(MOVED, 1, (6,), 2, (4, 1), 0.5), (JOINED, 1, (4,))],
        ),
        # Of merges that join as many pages the most probable is the reason.
        (
            {1: {1, 2}, 2: {3, 4, 5}},
            [{1, 2, 3}, {4, 5}],
            {"merges": [((1, 3), 0.9), ((1, 2), 0.5)]},
            [(MOVED, 1, (3,), 2, (3, 1), 0.9)],
        ),
        # A person is merged with whoever has most of the pages.
        (
            {1: {1, 2, 3}, 2: {4, 5, 9}, 3: {6, 7, 8}},
            [{1, 2, 3, 4, 5}, {6, 7, 8, 9}],
            {},
            [(MERGED, 1, (4, 5), 2), (MOVED, 3, (9,), 2)],
        ),
        (
            {4: {1}},
            [{1, 2}],
            {"closest": {1: (2, 0.7), 2: (1, 0.7)}},
            [(JOINED, 4, (2,), None, (2, 1), 0.7)],
        ),
        (
            {1: {1, 2}, 3: {6}},
            [{1, 2}, {3, 4}, {5}, {6}],
            WITH_CHAIN,
            [(NEW, 4, (3, 4), None, (3, 2), 0.6), (NEW, 5, (5,), None, (5, 4), 0.3)],
        ),
        ({}, [{1}], {}, [(NEW, 1, (1,))]),
        ({1: {1, 2}, 2: {3}}, [{1}], {}, []),  # pages that are gone
    ],
)
def test_changes_are_found_with_their_reasons(previous, now, parts, expected):
    assert found(previous, *now, **parts) == [change(*each) for each in expected]


def test_who_is_torn_into_equal_parts_merges_with_the_smallest_id():
    previous = {1: {1, 2}, 2: {4, 5}, 3: {6, 7}}
    assert [(each.kind, each.person) for each in found(previous, {6, 7, 5}, {1, 2, 4})] == [
        (MERGED, 1),
        (MOVED, 3),
    ]


def test_a_person_may_come_back_to_whom_earlier_pages_went():
    # 1 is of a correction before the last; the last has taken 2 apart.
    before = {2: frozenset({1, 2, 3, 30, 31}), 3: frozenset({9, 10, 11, 12})}
    earlier = {1: frozenset({1, 2, 3, 9}), **before}
    answer = keep_ids(answer_of({1, 2, 3, 9}, {10, 11, 12, 30, 31}), earlier)
    assert find_changes(before, answer) == (
        change(MERGED, 1, (1, 2, 3), 2),
        change(SPLIT, 1, (9,), 3),
        change(MOVED, 3, (30, 31), 2),
    )


@each_case(
    ("learnt", "lines"),
    [
        ([{1, 2, 3}, {4}, {5}], ()),
        (
            [{1, 2}, {3}, {4}, {5}],
            ("would also split 1 person", "person 1 would be 2 people: 2, 1 pages"),
        ),
        (
            [{1, 2, 3, 4, 5}],
            (
                "would also join 3 people",
                "person 1 and person 2 and person 3 would be one person",
            ),
        ),
        (
            [{1}, {2, 3, 4}, {5}],
            (
                "would also split 1 person and join 2 people",
                "person 1 would be 2 people: 2, 1 pages",
                "person 1 and person 2 would be one person",
            ),
        ),
    ],
)
def test_what_corrections_teach_is_told_by_person(learnt, lines):
    answer = answer_of({1, 2, 3}, {4}, {5})
    unnamed = [replace(each, description=PersonDescription()) for each in answer.people]
    answer = replace(answer, people=tuple(unnamed))
    assert describe_learning(answer, list(map(frozenset, learnt))) == lines


def test_changes_of_old_people_and_of_larger_groups_come_first():
    previous = {1: {1, 2, 3}, 2: {4}, 4: {6, 7, 8}, 5: {9, 10}}
    changes = found(previous, {6, 7, 8, 4, 20}, {1, 2, 21, 9}, {10}, {3}, {32}, {30, 31})
    assert [(each.kind, each.person, each.pages) for each in changes] == [
        (MERGED, 4, (4,)),
        (SPLIT, 6, (3,)),
        (MOVED, 1, (9,)),
        (NEW, 8, (30, 31)),
        (JOINED, 4, (20,)),
        (JOINED, 1, (21,)),
        (NEW, 7, (32,)),
    ]


def test_corrections_come_before_what_follows_from_them():
    corrections = parse_corrections("split 5 / 1")
    changes = found({1: {1, 5}, 2: {3}, 3: {4}}, {1}, {5}, {3, 4}, corrections=corrections)
    assert [(each.kind, each.by_user) for each in changes] == [(SPLIT, True), (MERGED, False)]


@given(partitions())
def test_the_same_people_keep_their_ids_and_have_no_changes(people):
    answer = answer_of(*people)
    assert find_changes(pages_by_person(answer), answer) == ()
    assert keep_ids(answer, pages_by_person(answer)) == answer


@given(partitions(), partitions(), st.data())
def test_every_page_that_has_another_person_is_in_one_change(before, now, data):
    previous = dict(enumerate(before, start=1))
    answer = keep_ids(answer_of(*now), previous)
    changes = find_changes(previous, answer)
    owner = {rank: id_ for id_, pages in previous.items() for rank in pages}
    expected = {
        (rank, owner.get(rank), person)
        for person, pages in pages_by_person(answer).items()
        for rank in pages
        if owner.get(rank) != person
    }
    stated = [(rank, each.before, each.person) for each in changes for rank in each.pages]
    assert sorted(stated, key=str) == sorted(expected, key=str)
    shuffled = dict(data.draw(st.permutations(list(previous.items()))))
    assert find_changes(shuffled, answer) == changes


@given(partitions(), partitions())
def test_kinds_mean_what_they_say(before, now):
    previous = dict(enumerate(before, start=1))
    answer = keep_ids(answer_of(*now), previous)
    kept = pages_by_person(answer)
    for each in find_changes(previous, answer):
        assert (each.before is None) == (each.kind in (NEW, JOINED))
        assert (each.person in previous) == (each.kind not in (NEW, SPLIT)) or (each.kind is JOINED)
        if each.kind is MERGED:
            assert each.before not in kept
        if each.kind is SPLIT:
            assert each.before in kept


def ids(previous: dict[int, set[int]], *now: set[int], last: int = 0) -> dict[int, set[int]]:
    before = {id_: frozenset(pages) for id_, pages in previous.items()}
    return {
        id_: set(pages)
        for id_, pages in pages_by_person(keep_ids(answer_of(*now), before, last)).items()
    }


@each_case(
    ("previous", "now", "expected"),
    [
        ({4: {1}, 2: {2}}, [{1, 2}], {2: {1, 2}}),  # a tie
        ({7: {1, 2, 3}}, [{1}, {2, 3}], {8: {1}, 7: {2, 3}}),
        ({7: {1}}, [{2}, {1}], {8: {2}, 7: {1}}),
        ({}, [{1}, {2}], {1: {1}, 2: {2}}),
    ],
)
def test_ids_go_with_the_pages(previous, now, expected):
    assert ids(previous, *now) == expected


def test_an_id_that_was_given_up_is_not_given_again():
    assert ids({3: {1}}, {1}, {2}, last=9) == {3: {1}, 10: {2}}
    before = {3: frozenset({1})}
    assert last_id(keep_ids(answer_of({1}, {2}), before, 9), before, 9) == 10
    assert last_id(answer_of({1}), {6: frozenset({1})}) == 6


def test_the_nearest_person_is_pointed_at_by_the_new_id():
    answer = keep_ids(answer_of({1, 2}, {3}, nearest={3: 1}), {5: frozenset({1, 2})})
    assert answer.people[1].pages[0].nearest == 5


@given(partitions(), partitions())
def test_ids_are_unique_and_as_many_pages_as_possible_keep_theirs(before, now):
    previous = dict(enumerate(before, start=1))
    answer = keep_ids(answer_of(*now), previous)
    kept = pages_by_person(answer)
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
    assert keep_ids(answer_of(*now), shuffled) == keep_ids(answer_of(*now), previous)


CHAIN_REASONS = [((4, 5), 0.9), ((5, 6), 0.6)]
"""6 comes to 4 through 5."""


def side(*ranks: int) -> frozenset[int]:
    return frozenset(ranks)


@each_case(
    ("lines", "apart", "expected"),
    [
        ("same 2 3", False, Reason((3, 2), 1.0, by_user=True)),
        ("same 1 4\nsame 2 3 4", False, Reason((3, 2), 1.0, by_user=True)),
        ("split 3 / 1 2", True, Reason((3, 1), 0.0, by_user=True)),
        ("different 1 / 4", True, Reason((4, 1), 0.0, by_user=True)),
        ("different 1 / 4", False, Reason((3, 2), 0.7)),
        ("same 2 3", True, Reason((3, 2), 0.7)),
        ("same 3 4", False, Reason((3, 2), 0.7)),
        ("called 3 Ann", False, Reason((3, 2), 0.7)),
    ],
)
def test_a_correction_of_both_sides_is_the_reason(lines, apart, expected):
    corrections = parse_corrections(lines)
    answer = answer_of({1, 2}, {3, 4}, merges=[((2, 3), 0.7)], corrections=corrections)
    assert reason_between(side(3, 4), side(1, 2), answer, apart=apart) == expected


def test_the_reason_is_the_most_probable_pair_across_if_the_merge_has_other_pages():
    ranks, probability = (4, 5, 6, 7), np.array([0.9, 0.2, 0.1, 0.6, 0.1, 0.5])
    parts = ((), (), 0, 0, 0, {}, probability, Calibration(), PageConfidence())
    alternatives = Alternatives(ranks, *parts)
    answer = answer_of({4, 5, 6}, {7}, merges=CHAIN_REASONS, alternatives=alternatives)
    unknown = answer_of({4, 5, 6}, merges=CHAIN_REASONS)
    assert reason_between(side(6), side(4), unknown, apart=False) == Reason((6, 5), 0.6)
    assert reason_between(side(6), side(4), answer, apart=False) == Reason((6, 4), 0.6)
    assert reason_between(side(6, 7), side(4), answer, apart=False) == Reason((6, 4), 0.6)
    assert reason_between(side(6), side(4, 5), answer, apart=True) == Reason((6, 5), 0.6)


PHRASES = [SharedFeature("ngram(n=2)", ("reader in logic", "set  theory", "a third"))]
DOMAIN = [SharedFeature("same_domain", ())]
HOSTILE = [SharedFeature("token", ("a\nb\u2028" * 50,))]


@each_case(
    ("made", "expected"),
    [
        (
            change(MERGED, 1, (5,), 7, (5, 1), 0.71, evidence=PHRASES),
            "person 7 (poet poet poet poet poet poet poet poet poet poet…) was merged with "
            "person 1: 71% likely to be one person, best shown by pages 5 and 1, which share "
            "“reader in logic”, “set theory”",
        ),
        (
            change(SPLIT, 2, (5,), 1, (5, 1), 0.2, evidence=PHRASES),
            "page 5 of person 1 split off as a new person, person 2: 20% likely to be one person, "
            "closest are pages 5 and 1, which share “reader in logic”, “set theory”",
        ),
        (
            change(SPLIT, 2, (5,), 1, (5, 1), 0.0, by_user=True),
            "page 5 of person 1 split off as a new person, person 2, because of your correction of "
            "pages 5 and 1",
        ),
        (change(MOVED, 2, (5, 6), 1), "pages 5, 6 moved from person 1 to person 2"),
        (
            change(NEW, 2, tuple(range(20))),
            "pages 0, 1, 2, 3, 4, 5, 6, 7 and 12 more became a new person, person 2",
        ),
        (
            change(JOINED, 1, (5,), None, (5, 2), 0.999, evidence=DOMAIN),
            "page 5 joined person 1: 99% likely to be one person, best shown by pages 5 and 2 "
            "(same web site)",
        ),
        (
            change(JOINED, 8, (5,), None, (5, 2), 0.5),
            f"page 5 joined person 8 ({'x' * 50}): 50% likely to be one person, best shown by "
            "pages 5 and 2",
        ),
        (
            change(JOINED, 1, (5,), None, (5, 2), 0.5, evidence=HOSTILE),
            "page 5 joined person 1: 50% likely to be one person, best shown by pages 5 and 2, "
            f"which share “{'a b ' * 12}a…”",
        ),
    ],
)
def test_a_change_is_one_line(made, expected):
    assert describe_change(made, {7: "poet " * 30, 8: "x" * 50}) == expected


def test_people_are_called_what_they_are_called_now():
    now = answer_of({1, 2}, {5})
    ann, *others = now.people
    now = replace(now, people=(replace(ann, assigned_name="Ann"), *others))
    shown = describe_changes([change(JOINED, 1, (5,))] * 2, now, {1: "before"}, 1)
    assert shown == ["page 5 joined person 1 (Ann)", "and 1 other change"]


def test_json_has_only_what_is_known():
    evidence = (Evidence("same_domain", (), (2,)),)
    now = answer_of(
        {1, 5}, merges=[((1, 5), 0.71)], pairs={(1, 5): ExplainedPair((1, 5), 0.71, evidence)}
    )
    (merged,) = find_changes({1: frozenset({1}), 7: frozenset({5})}, now)
    assert as_data(replace(merged, by_user=True)) == {
        "kind": "merged",
        "person": 1,
        "before": 7,
        "pages": [5],
        "pair": [5, 1],
        "probability": 0.71,
        "evidence": [{"feature": "same_domain", "shared": []}],
    }
    assert as_data(change(NEW, 2, (5,))) == {"kind": "new", "person": 2, "pages": [5]}
