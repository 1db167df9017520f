from __future__ import annotations

from dataclasses import replace

from bs4 import BeautifulSoup

from weps.report import Report
from weps.report.groups import groups_of
from weps.report.overview import overview


def page_of(answer, **extras) -> BeautifulSoup:
    return BeautifulSoup(overview(Report(answer, **extras), groups_of(answer)), "lxml")


def test_the_numbers_stand_at_the_top(answer):
    assert [item.get_text() for item in page_of(answer).select(".figures li")] == [
        "6 pages",
        "3 people",
        "1 page stands alone",
        "4 unsure pages",
        "1 with a problem",
    ]


def test_problems_are_counted_only_if_there_are_any(cuttable):
    assert "problem" not in page_of(cuttable).get_text()


def test_what_is_wrong_with_all_pages_is_told_once(cuttable):
    pages = tuple(replace(page, note="lost") for page in cuttable.people[0].pages)
    assert len(pages) > 1
    told = page_of(
        replace(cuttable, people=(replace(cuttable.people[0], pages=pages),), alternatives=None)
    )
    assert [item.get_text() for item in told.select(".remarks li")] == ["All pages: lost."]
    assert "with a problem" not in told.get_text()


def test_a_strip_shows_the_share_of_all_who_have_several_pages(answer):
    parts = page_of(answer).select("#strip rect")
    assert [(part["x"], part["width"], part["class"]) for part in parts] == [
        ("0", "3", ["tone-0"]),
        ("3", "2", ["tone-1"]),
    ]


def test_where_all_stand_alone_there_is_no_strip(answer):
    assert not page_of(replace(answer, people=answer.people[2:])).select("#strip")


def test_scores_and_notes_are_shown_if_there_are_any(answer):
    page = page_of(
        answer, scores={"bcubed_f05": 0.834}, score_signature="scorer:weps1", notes=("half a file",)
    )
    assert page.select_one(".scores dl").get_text(" ") == "B-Cubed F, α 0.5 0.83"
    assert page.select_one(".scores code").get_text() == "scorer:weps1"
    assert [item.get_text() for item in page.select(".remarks li")] == [
        "half a file",
        "Not to be had from pages of this form: capitalised names, words near the name.",
    ]
    assert not page_of(replace(answer, absent_features=())).select(".scores, .remarks")


def test_many_notes_are_folded(answer):
    page = page_of(
        replace(answer, absent_features=()), notes=("one", "two", "three", "four", "five")
    )
    assert [item.get_text() for item in page.select("#notes > ul > li")] == ["one", "two", "three"]
    assert page.select_one("#notes summary").get_text() == "2 more notes"
    assert [item.get_text() for item in page.select("#notes details li")] == ["four", "five"]
