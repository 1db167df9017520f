from __future__ import annotations

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from weps.people.answer import PageScore, Person
from weps.people.description import Portrait
from weps.refinement.suggestion import Refinement
from weps.report.view import (
    AppLinks,
    Group,
    Query,
    app_bar,
    app_meta,
    groups_of,
    next_time,
    rows_of,
)


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


APP = AppLinks("/names/a%22b/corrections?x=1&y=2", "/", {"CSV": "/names/a/csv"}, "/names/a/delete")


def test_the_bar_leads_back_to_what_can_be_fetched_and_to_deleting():
    page = BeautifulSoup(app_bar(APP), "lxml")
    assert {a.get_text(): a["href"] for a in page.select("nav a")} == {
        "All results": "/",
        "CSV": "/names/a/csv",
        "Delete": "/names/a/delete",
    }


def test_the_script_learns_where_corrections_go():
    meta = BeautifulSoup(app_meta(APP), "lxml").meta
    assert (meta["name"], meta["content"]) == ("weps-corrections", APP.corrections_url)


def test_what_is_not_offered_is_not_shown():
    assert app_bar(None) == app_meta(None) == ""
    assert "Save" not in app_bar(AppLinks("/c", "/"))
    assert "Delete" not in app_bar(AppLinks("/c", "/"))


def test_whatever_the_addresses_hold_stays_within_the_attribute():
    evil = '"><b>&'
    app = AppLinks(f"/{evil}", f"/{evil}", {evil: f"/{evil}"}, f"/{evil}")
    for html in (app_meta(app), app_bar(app)):
        assert "<b>" not in html
        assert "/&quot;&gt;&lt;b&gt;&amp;" in html


def person(pages: int, refinement: Refinement | None) -> Person:
    told = tuple(PageScore(rank, "", "", 0.9) for rank in range(pages))
    return Person(1, 0.9, told, Portrait(refinement=refinement))


def group(pages: int, refinement: Refinement | None) -> Group:
    told = person(pages, refinement)
    return Group(0, told.pages, told.portrait, 0, told)


@pytest.mark.parametrize(
    ("name", "added", "typed"),
    [
        ("Thomas Baker", "producer", '"Thomas Baker" producer'),
        ("Thomas Baker", "Elektra Records", '"Thomas Baker" "Elektra Records"'),
        ('Thomas "Tom" Baker', "producer", '"Thomas Tom Baker" producer'),
    ],
)
def test_what_is_typed(name, added, typed):
    assert Query.of(name, person(1, Refinement(added, 1, 1, 1))).text == typed


@pytest.mark.parametrize(
    ("pages", "precision", "recall", "words"),
    [
        (10, 1.0, 0.9, "finds 9 of 10 pages and no other"),
        (10, 0.9, 0.9, "finds 9 of 10 pages and 1 other"),
        (3, 0.5, 1.0, "finds all 3 pages and 3 others"),
        (2, 1.0, 1.0, "finds both pages and no other"),
        (2, 1.0, 0.5, "finds 1 of 2 pages and no other"),
        (1, 1.0, 1.0, "finds this page and no other"),
        (1, 1 / 3, 1.0, "finds this page and 2 others"),
    ],
)
def test_what_it_finds_in_plain_words(pages, precision, recall, words):
    query = Query.of("Ann", person(pages, Refinement("kelp", precision, recall, 0.5)))
    assert query.success == words


@pytest.mark.parametrize(
    ("found", "others", "pages"), [(1, 99, 100), (7, 3, 11), (95, 0, 95), (33, 67, 131)]
)
def test_counts_come_back_from_their_quotients(found, others, pages):
    told = Refinement("kelp", found / (found + others), found / pages, 0.5)
    query = Query.of("Ann", person(pages, told))
    assert (query.found, query.others) == (found, others)


def test_where_nothing_is_known_nothing_is_told():
    assert Query.of("Ann", person(1, None)) is None
    assert next_time("Ann", group(1, None)) == ""


def test_it_is_shown_escaped_and_in_one_piece():
    text = next_time("Ann <b>", group(1, Refinement("a&b", 1, 1, 1)))
    assert "<kbd><bdi>&quot;Ann &lt;b&gt;&quot; a&amp;b</bdi></kbd>" in text


def test_figures_have_four_digits():
    query = Query.of("Ann", person(3, Refinement("kelp", 1 / 3, 2 / 3, 0.5)))
    assert (query.precision, query.recall) == (0.3333, 0.6667)
