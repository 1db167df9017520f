from __future__ import annotations

from dataclasses import replace

from weps.people import Person
from weps.report.groups import groups_of, rows_of


def test_every_node_is_a_group_and_people_come_first(cuttable):
    groups = groups_of(cuttable)
    assert [group.node for group in groups] == [5, 6, 4, 0, 1, 2, 3, 7, 8]
    assert [group.person for group in groups] == [*cuttable.people, *[None] * 6]
    told = {group.node: [page.rank for page in group.pages] for group in groups}
    assert told[7] == [1, 2, 4, 7]
    assert told[8] == [1, 2, 4, 7, 9]
    assert all(
        group.portrait.terms == (f"from {group.pages[0].rank} to {group.pages[-1].rank}",)
        for group in groups
    )


def test_people_are_found_whatever_their_order_and_ids(cuttable):
    people = tuple(replace(each, id=each.id + 7) for each in reversed(cuttable.people))
    groups = groups_of(replace(cuttable, people=people))
    assert [(group.node, group.anchor) for group in groups[:4]] == [
        (4, "person-10"),
        (6, "person-9"),
        (5, "person-8"),
        (0, "group-0"),
    ]


def test_the_larger_part_keeps_the_colour_and_the_smaller_gets_another(cuttable):
    tone = {group.node: group.tone for group in groups_of(cuttable)}
    assert (tone[5], tone[6]) == ("tone-0", "tone-1")
    assert tone[8] == tone[7] == tone[5]


def test_what_stands_alone_never_looks_like_a_page_of_a_person(cuttable):
    alone = [group for group in groups_of(cuttable) if len(group.pages) == 1]
    assert {group.tone for group in alone} == {"tone-alone"}
    assert {group.node for group in alone} == {0, 1, 2, 3, 4}


def test_without_alternatives_the_people_are_all_groups(answer):
    groups = groups_of(answer)
    assert [(group.node, group.person) for group in groups] == list(enumerate(answer.people))


def test_what_has_no_terms_is_called_by_its_pages(answer):
    one, two, three = groups_of(answer)
    assert (one.called, two.plain, three.plain) == ("Ann the logician", "Person 2", "Ann Example")
    assert replace(two, person=None).plain == "2 pages"
    untitled = replace(three, pages=(replace(three.pages[0], title=""),))
    assert untitled.plain == "page 1"


def test_rows_are_the_pages_by_rank(answer):
    assert [page.rank for page in rows_of(answer)] == [0, 1, 2, 3, 5, 7]


def test_there_may_be_nobody(answer):
    assert groups_of(replace(answer, people=())) == ()
    assert isinstance(answer.people[0], Person)
