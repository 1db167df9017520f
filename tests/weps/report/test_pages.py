from __future__ import annotations

from dataclasses import replace

import pytest

from weps._text import PersonName
from weps.report.pages import highlighted, page_rows
from weps.report.view import groups_of

ANN = PersonName.parse("Ann Example")


@pytest.fixture
def page(answer, page_of):
    return page_of(answer)


def test_pages_stand_in_their_order_with_whose_they_are_and_how_sure(page):
    shown = [
        [row.select_one(part).get_text() for part in (".rank", ".title", ".chip", ".score")]
        for row in page.select(".row")
    ]
    ann = "Ann the logician · logic · trinity college"
    assert shown == [
        ["0", "Ann’s home", ann, "99%"],
        ["1", "Ann Example", "old town", "40%"],
        ["2", "Staff", ann, "100%"],
        ["3", "Ann E., dealer", "Person 2", "30%"],
        ["5", "Antiques", "Person 2", "20%"],
        ["7", "(no title)", ann, "48%"],
    ]


def test_the_site_the_path_and_the_excerpt_are_shown(page):
    places = [place.get_text("|") for place in page.select(".where")]
    assert places == ["logic.example|/ann", "college.example|/staff?a=1&b=2"]
    (excerpt,) = page.select(".excerpt")
    assert excerpt.get_text() == "Ann Example is a reader in logic."
    assert excerpt.mark.get_text() == "Ann Example"


def test_unsure_pages_are_marked_and_linked_to_the_nearest_person(page):
    rows = page.select(".row:has(.doubt:not([hidden]))")
    assert [row["id"] for row in rows] == ["page-1", "page-3", "page-5", "page-7"]
    links = [row.select_one(".doubt a")["href"] for row in rows]
    assert links == ["#person-2", "#person-3", "#person-1", "#person-2"]
    assert rows[0].select_one(".doubt").get_text() == "Unsure perhaps Person 2"


def test_an_unsure_page_says_so_where_there_is_nobody_else(answer, page_of):
    alone = replace(answer.people[2].pages[0], nearest=None, closest=None, rival=None)
    people = (replace(answer.people[2], pages=(alone,)),)
    page = page_of(replace(answer, people=people, pairs={}))
    assert page.select_one(".doubt:not([hidden])").get_text() == "Unsure"


def test_confirmed_pages_problems_and_fingerprints_are_marked(page):
    assert [row["id"] for row in page.select(".row:has(.good:not([hidden]))")] == ["page-2"]
    (note,) = page.select(".note")
    assert note.get_text() == "Problem: not a web page but PDF"
    assert note.find_parent("li")["id"] == "page-1"
    (row,) = page.select("[data-fingerprint]")
    assert (row["data-rank"], row["data-fingerprint"]) == ("0", "0123456789ab")


@pytest.mark.parametrize(
    ("notes", "count"), [(("lost", "lost"), 0), (("lost", "cut"), 2), (("lost", ""), 1)]
)
def test_a_problem_that_all_pages_share_is_not_shown_at_each(answer, notes, count):
    pages = tuple(
        replace(page, note=note) for page, note in zip(answer.people[1].pages, notes, strict=True)
    )
    few = replace(answer, people=(replace(answer.people[1], pages=pages),))
    assert sum(bool(row.problem) for row in page_rows(few, groups_of(few))) == count


def test_why_here_names_the_closest_page_and_the_rival(page):
    first = page.select_one("#page-0 .why")
    assert [near.get_text() for near in first.select(".near")] == [
        "Closest page of the same person 2 Staff 96% why",
        "Nearest page of another person 3 Ann E., dealer 20% why",
    ]
    assert [a["href"] for a in first.select("a")] == ["#page-2", "#tie-0-2", "#page-3", "#tie-0-3"]
    assert all(near.has_attr("hidden") for near in page.select("#page-1 .near"))
    # a pair that is not explained has no link to an explanation
    assert page.select_one("#page-7 .rival .reason") is None


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Ann Example, Ann Example", "[Ann Example], [Ann Example]"),
        ("a <b> & Ann Example's", "a <b> & [Ann Example]'s"),
        ("Ann\u202e Example\n\x00", "[Ann Example]"),
        ("", ""),
    ],
)
def test_mentions_of_the_name_are_marked(text, marked):
    parts = highlighted(text, ANN)
    assert "".join(f"[{part}]" if is_name else part for part, is_name in parts) == marked
    assert highlighted("&" * 300, ANN, longest=5) == [("&&&&…", False)]
