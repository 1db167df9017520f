from __future__ import annotations

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from weps._text import PersonName
from weps.report.pages import highlighted, rows
from weps.report.view import groups_of

ANN = PersonName.parse("Ann Example")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Ann Example, Ann Example", "<mark>Ann Example</mark>, <mark>Ann Example</mark>"),
        ("a <b> & Ann Example's", "a &lt;b&gt; &amp; <mark>Ann Example</mark>&#x27;s"),
        ("nobody here", "nobody here"),
        ("Ann\u202e Example\n\x00", "<mark>Ann Example</mark>"),
        ("", ""),
    ],
)
def test_the_name_is_marked_and_all_else_escaped(text, html):
    assert highlighted(text, ANN) == html


def test_long_texts_are_cut_before_they_are_escaped():
    assert highlighted("&" * 300, ANN, longest=5) == "&amp;" * 4 + "…"


def page_of(answer) -> BeautifulSoup:
    return BeautifulSoup(rows(answer, groups_of(answer)), "lxml")


@pytest.fixture
def page(answer) -> BeautifulSoup:
    return page_of(answer)


def test_pages_stand_in_their_order_with_whose_they_are_and_how_sure(page):
    told = [
        [row.select_one(part).get_text() for part in (".rank", ".title", ".chip", ".score")]
        for row in page.select(".row")
    ]
    ann = "Ann the logician · logic · trinity college"
    assert told == [
        ["0", "Ann’s home", ann, "99%"],
        ["1", "Ann Example", "old town", "40%"],
        ["2", "Staff", ann, "100%"],
        ["3", "Ann E., dealer", "Person 2", "30%"],
        ["5", "Antiques", "Person 2", "20%"],
        ["7", "(no title)", ann, "48%"],
    ]


def test_the_site_and_the_way_to_the_page_are_told_apart(page):
    assert [
        [part.get_text() for part in where.select("b, bdi")] for where in page.select(".where")
    ] == [["logic.example", "/ann"], ["college.example", "/staff?a=1&b=2"]]


def test_the_excerpt_has_the_name_marked(page):
    (excerpt,) = page.select(".excerpt")
    assert excerpt.get_text() == "Ann Example is a reader in logic."
    assert excerpt.mark.get_text() == "Ann Example"


def test_unsure_pages_are_marked_and_linked_to_the_nearest_person(page):
    shown = {
        row["id"]: (row.select_one(".doubt").get_text(), row.select_one(".doubt a")["href"])
        for row in page.select(".row:has(.doubt:not([hidden]))")
    }
    assert shown == {
        "page-1": ("Unsure perhaps Person 2", "#person-2"),
        "page-3": ("Unsure perhaps old town", "#person-3"),
        "page-5": (
            "Unsure perhaps Ann the logician · logic · trinity college",
            "#person-1",
        ),
        "page-7": ("Unsure perhaps Person 2", "#person-2"),
    }


def test_an_unsure_page_says_so_where_there_is_nobody_else(answer):
    alone = replace(answer.people[2].pages[0], nearest=None)
    page = page_of(replace(answer, people=(replace(answer.people[2], pages=(alone,)),)))
    assert page.select_one(".doubt:not([hidden])").get_text() == "Unsure"


def test_what_users_have_confirmed_and_what_could_not_be_read_is_marked(page):
    assert [row["id"] for row in page.select(".row:has(.good:not([hidden]))")] == ["page-2"]
    (note,) = page.select(".note")
    assert note.get_text() == "Problem: not a web page but PDF"
    assert note.find_parent("li")["id"] == "page-1"


@pytest.mark.parametrize(
    ("notes", "told"), [(("lost", "lost"), 0), (("lost", "cut"), 2), (("lost", ""), 1)]
)
def test_what_is_wrong_with_all_pages_alike_is_not_told_at_each(answer, notes, told):
    pages = tuple(
        replace(page, note=note) for page, note in zip(answer.people[1].pages, notes, strict=True)
    )
    few = replace(answer, people=(replace(answer.people[1], pages=pages),))
    assert len(page_of(few).select(".note")) == told


def test_what_tells_a_page_from_others_is_there_for_files_of_corrections(page):
    assert [row["data-rank"] for row in page.select("[data-fingerprint]")] == ["0"]
    assert page.select_one("#page-0")["data-fingerprint"] == "0123456789ab"


def test_why_here_names_the_closest_page_and_the_rival(page):
    first = page.select_one("#page-0 .why")
    assert [near.get_text() for near in first.select(".near")] == [
        "Closest page of the same person 2 Staff 96% why",
        "Nearest page of another person 3 Ann E., dealer 20% why",
    ]
    assert [a["href"] for a in first.select("a")] == ["#page-2", "#tie-0-2", "#page-3", "#tie-0-3"]


def test_where_there_is_no_such_page_nothing_is_told(page):
    assert all(near.has_attr("hidden") for near in page.select("#page-1 .near"))
    # what is not explained has no link to an explanation
    assert page.select_one("#page-7 .rival .reason") is None
