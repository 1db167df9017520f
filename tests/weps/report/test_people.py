from __future__ import annotations

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from weps.people.description import Named
from weps.report.people import cards, names_around
from weps.report.view import groups_of


def page_of(answer) -> BeautifulSoup:
    return BeautifulSoup(cards(answer, groups_of(answer)), "lxml")


@pytest.fixture
def page(answer) -> BeautifulSoup:
    return page_of(answer)


def test_a_card_says_who_it_is_and_how_sure(page):
    told = [
        (card.h3.get_text(), card.select_one(".facts").get_text()) for card in page.select(".card")
    ]
    assert told == [
        ("Ann the logician · logic · trinity college", "3 pages likely, 81% person 1"),
        ("Person 2", "2 pages uncertain, 25% person 2"),
        ("old town", "page 1 uncertain, 40% person 3"),
    ]


def test_those_who_are_unsure_stand_last_under_a_heading(page):
    assert [card["id"] for card in page.select("#sure .card")] == ["person-1"]
    assert page.select_one("#unsure h3").get_text() == "Unsure"
    assert [card["id"] for card in page.select("#unsure .card")] == ["person-2", "person-3"]


def test_where_nobody_is_unsure_the_heading_is_hidden(cuttable):
    assert page_of(cuttable).select_one("#unsure").has_attr("hidden")


def test_what_and_who_stands_around_is_told(page):
    first = page.select_one("#person-1")
    assert first.select_one(".words").get_text() == "axiom · proof"
    assert [item.bdi.get_text() for item in first.select(".names li")] == [
        "Bo Sample",
        "Trinity College",
        "Cambridge",
    ]
    assert not page.select_one("#person-2").select(".words, .names")


def test_every_person_has_the_query_to_type_next_time(page):
    assert [(part.kbd.get_text(), part.small.get_text()) for part in page.select(".query")] == [
        ('"Ann Example" "Trinity College"', "finds 2 of 3 pages and 1 other"),
        ('"Ann Example" fauna', "finds this page and no other"),
    ]


def test_pages_and_the_merges_that_joined_them_are_linked(page):
    first = page.select_one("#person-1")
    assert [a["href"] for a in first.select(".ranks a")] == ["#page-0", "#page-2", "#page-7"]
    assert [item.get_text() for item in first.select(".together li")] == ["0 ↔ 2 96%", "2 ↔ 7 81%"]
    assert [a["href"] for a in first.select(".together a")] == ["#tie-0-2", "#tie-2-7"]
    assert not page.select_one("#person-3").select(".ranks, .together")


def test_merges_without_an_explanation_are_told_without_a_link(answer):
    second = page_of(replace(answer, pairs={})).select_one("#person-2")
    assert second.select_one(".together li").get_text() == "3 ↔ 5 52%"
    assert not second.select(".together a")


def test_groups_of_other_thresholds_are_there_and_hidden(cuttable):
    others = page_of(cuttable).select_one("#others")
    assert others.has_attr("hidden")
    assert [card["data-node"] for card in others.select(".card")] == ["0", "1", "2", "3", "7", "8"]
    assert not others.select(".ranks a, .together li")
    assert {each.get_text() for each in others.select(".sure")} == {""}


def test_names_are_listed_by_kind_with_their_pages():
    names = (
        Named("Trinity <College>", "organisation", (0, 2)),
        Named("Bo Sample", "person", (2,)),
        Named("Mimas", "organisation", (4,)),
    )
    page = BeautifulSoup(names_around(names), "lxml")
    assert [part.get_text("|") for part in page.select("dt, li")] == [
        "People",
        "Bo Sample",
        "Organisations",
        "Trinity <College>| |2",
        "Mimas",
    ]
    assert [(item["data-kind"], item["data-ranks"]) for item in page.select("li")] == [
        ("person", "2"),
        ("organisation", "0 2"),
        ("organisation", "4"),
    ]


def test_where_nobody_is_named_there_is_no_list():
    assert names_around(()) == ""
