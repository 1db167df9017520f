from __future__ import annotations

from dataclasses import replace

import pytest

from weps.people.description import ContextEntity


@pytest.fixture
def page(answer, page_of):
    return page_of(answer)


def test_a_card_says_who_it_is_and_how_sure(page):
    cards = page.select(".card")
    ann = "Ann the logician · logic · trinity college"
    assert [card.h3.get_text() for card in cards] == [ann, "Person 2", "old town"]
    facts = "3 pages likely, 81% person 1|2 pages uncertain, 25% person 2|"
    facts += "page 1 uncertain, 40% person 3"
    assert [card.select_one(".facts").get_text() for card in cards] == facts.split("|")


def test_those_who_are_unsure_stand_last_under_a_heading(page, cuttable, page_of):
    assert [card["id"] for card in page.select("#sure .card")] == ["person-1"]
    assert page.select_one("#unsure h3").get_text() == "Unsure"
    assert [card["id"] for card in page.select("#unsure .card")] == ["person-2", "person-3"]
    assert page_of(cuttable).select_one("#unsure").has_attr("hidden")


def test_words_context_entities_and_queries_are_shown(page):
    first = page.select_one("#person-1")
    assert first.select_one(".words").get_text() == "axiom · proof"
    names = "People|Bo Sample|Organisations|Trinity College 2|Places|Cambridge".split("|")
    assert [part.get_text() for part in first.select(".names dt, .names li")] == names
    items = [(item["data-kind"], item["data-ranks"]) for item in first.select(".names li")]
    assert items == [("person", "2"), ("organisation", "0 2"), ("location", "0")]
    assert not page.select_one("#person-2").select(".words, .names")
    assert [(part.kbd.get_text(), part.small.get_text()) for part in page.select(".query")] == [
        ('"Ann Example" "Trinity College"', "finds 2 of 3 pages and 1 other"),
        ('"Ann Example" fauna', "finds this page and no other"),
    ]


def test_ranks_are_never_cut_and_invisible_words_left_out(answer, page_of):
    ranks = tuple(range(1000))
    person = answer.people[0]
    names, words = (ContextEntity("Mimas", "person", ranks),), ("\u202e", "axiom", " ")
    portrait = replace(person.description, names=names, words=words)
    page = page_of(
        replace(answer, people=(replace(person, description=portrait), *answer.people[1:]))
    )
    assert page.select_one(".names li")["data-ranks"] == " ".join(map(str, ranks))
    assert page.select_one(".words").get_text() == "axiom"


def test_pages_and_the_merges_that_joined_them_are_linked(page, answer, page_of):
    first = page.select_one("#person-1")
    assert [a["href"] for a in first.select(".ranks a")] == ["#page-0", "#page-2", "#page-7"]
    assert [item.get_text() for item in first.select(".together li")] == ["0 ↔ 2 96%", "2 ↔ 7 81%"]
    assert [a["href"] for a in first.select(".together a")] == ["#tie-0-2", "#tie-2-7"]
    assert not page.select_one("#person-3").select(".ranks, .together")
    second = page_of(replace(answer, pairs={})).select_one("#person-2")
    assert second.select_one(".together li").get_text() == "3 ↔ 5 52%"
    assert not second.select(".together a")  # the pair is not explained


def test_groups_of_other_thresholds_are_there_and_hidden(cuttable, page_of):
    others = page_of(cuttable).select_one("#others")
    assert others.has_attr("hidden")
    assert [card["data-node"] for card in others.select(".card")] == ["0", "1", "2", "3", "7", "8"]
    assert not others.select(".ranks a, .together li")
    assert {each.get_text() for each in others.select(".sure")} == {""}
