from __future__ import annotations

from dataclasses import replace

import pytest

from weps.people.answer import PageScore, Person
from weps.people.description import PersonDescription
from weps.refinement.suggestion import Refinement
from weps.report.view import Query, groups_of, pages_by_rank


def person(pages: int, refinement: Refinement | None) -> Person:
    found = tuple(PageScore(rank, "", "", 0.9) for rank in range(pages))
    return Person(1, 0.9, found, PersonDescription(refinement=refinement))


def test_every_node_is_a_group_and_people_come_first(cuttable):
    groups = groups_of(cuttable)
    assert [group.node for group in groups] == [5, 6, 4, 0, 1, 2, 3, 7, 8]
    assert [group.person for group in groups] == [*cuttable.people, *[None] * 6]
    ranks = {group.node: [page.rank for page in group.pages] for group in groups}
    assert ranks[7] == [1, 2, 4, 7]
    assert ranks[8] == [1, 2, 4, 7, 9]
    for group in groups:
        first, last = group.pages[0].rank, group.pages[-1].rank
        assert group.description.terms == (f"from {first} to {last}",)


def test_people_are_found_whatever_their_order_and_ids(cuttable):
    people = tuple(replace(each, id=each.id + 7) for each in reversed(cuttable.people))
    groups = groups_of(replace(cuttable, people=people))
    assert [group.node for group in groups[:4]] == [4, 6, 5, 0]
    assert [group.anchor for group in groups[2:4]] == ["person-8", "group-0"]


def test_the_larger_part_keeps_the_colour_and_the_smaller_gets_another(cuttable):
    tone = {group.node: group.tone for group in groups_of(cuttable)}
    assert (tone[5], tone[6]) == ("tone-0", "tone-1")
    assert tone[8] == tone[7] == tone[5]
    assert {tone[node] for node in range(5)} == {"tone-alone"}


def test_without_alternatives_the_people_are_all_groups(answer):
    groups = groups_of(answer)
    assert [(group.node, group.person) for group in groups] == list(enumerate(answer.people))


def test_labels_are_what_a_user_calls_the_person_then_the_terms(answer):
    one, two, three = groups_of(answer)
    assert one.label == ["Ann the logician", "logic", "trinity college"]
    assert (two.label, three.label) == (["Person 2"], ["old town"])
    assert replace(two, person=None).label == ["2 pages"]


@pytest.mark.parametrize(
    ("title", "label"),
    [("A title", "A title"), ("", "page 1"), ("\u202e", "somebody"), ("x" * 99, "x" * 59 + "…")],
)
def test_a_page_without_terms_is_called_by_its_title(answer, title, label):
    group = groups_of(answer)[2]
    page = replace(group.pages[0], title=title)
    assert replace(group, pages=(page,), description=PersonDescription()).label == [label]


def test_pages_are_in_order_of_rank_and_there_may_be_nobody(answer):
    assert list(pages_by_rank(answer)) == [0, 1, 2, 3, 5, 7]
    assert groups_of(replace(answer, people=())) == ()


def test_names_and_phrases_are_quoted():
    phrase, word = (person(1, Refinement(text, 1, 1, 1)) for text in ("Elektra Records", "film"))
    assert Query.of("Thomas Baker", phrase).text == '"Thomas Baker" "Elektra Records"'
    assert Query.of('Thomas "Tom" Baker', word).text == '"Thomas Tom Baker" film'


@pytest.mark.parametrize(
    ("pages", "precision", "recall", "words"),
    [
        (10, 1.0, 0.9, "finds 9 of 10 pages and no other"),
        (3, 0.5, 1.0, "finds all 3 pages and 3 others"),
        (2, 1.0, 1.0, "finds both pages and no other"),
        (2, 1.0, 0.5, "finds 1 of 2 pages and no other"),
        (1, 1 / 3, 1.0, "finds this page and 2 others"),
    ],
)
def test_what_it_finds_in_plain_words(pages, precision, recall, words):
    query = Query.of("Ann", person(pages, Refinement("kelp", precision, recall, 0.5)))
    assert query.outcome == words


@pytest.mark.parametrize(
    ("found", "others", "pages"), [(1, 99, 100), (7, 3, 11), (95, 0, 95), (33, 67, 131)]
)
def test_counts_come_back_from_their_quotients(found, others, pages):
    added = Refinement("kelp", found / (found + others), found / pages, 0.5)
    query = Query.of("Ann", person(pages, added))
    assert (query.found, query.others) == (found, others)


def test_figures_have_four_digits():
    query = Query.of("Ann", person(3, Refinement("kelp", 1 / 3, 2 / 3, 0.5)))
    assert (query.precision, query.recall) == (0.3333, 0.6667)
    assert Query.of("Ann", person(1, None)) is None
