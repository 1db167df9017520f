from __future__ import annotations

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from weps.coreference.reasons import Effect
from weps.explaining.evidence import Evidence
from weps.people import ExplainedPair
from weps.report.ties import ties


@pytest.fixture
def page(answer) -> BeautifulSoup:
    return BeautifulSoup(ties(answer), "lxml")


def told(answer, pair: ExplainedPair) -> BeautifulSoup:
    return BeautifulSoup(ties(replace(answer, pairs={pair.pages: pair})), "lxml").li


def test_every_pair_is_told_once_in_order(page):
    assert [(tie["id"], tie.select_one(".pair").get_text()) for tie in page.select(".tie")] == [
        ("tie-0-2", "0 logic.example ↔ 2 college.example 96%"),
        ("tie-0-3", "0 logic.example ↔ 3 0%"),
        ("tie-2-7", "2 college.example ↔ 7 81%"),
        ("tie-3-5", "3  ↔ 5 52%"),
    ]


def test_the_evidence_is_told_in_plain_words_with_its_rarity(page):
    lines = [
        [line.get_text() for line in page.select(f"#tie-{pair} .evidence li")]
        for pair in ("0-2", "2-7", "3-5")
    ]
    assert lines == [
        ["one links to the other ", "phrases of 3 words on no other page set theory"],
        ["words near the name on no other page axiom on 3 proof"],
        ["Nothing that stands out."],
    ]


def test_strings_of_one_rarity_are_told_together_and_none_twice(answer):
    evidence = (
        Evidence("token", ("kelp", "·kelp", "moss", "fern"), (3, 3, 3, 4)),
        Evidence("title", ("kelp",), (3,)),
    )
    lines = told(answer, ExplainedPair((0, 2), 0.5, evidence)).select(".evidence li")
    assert [line.get_text() for line in lines] == [
        "words on 3 of 6 pages kelp moss on 4 fern",
        "words in the title the same",
    ]


def test_what_speaks_for_one_person_comes_before_what_speaks_against(answer):
    effects = (Effect("content", 2.5), Effect("title", -0.7), Effect("email", 0.2))
    tie = told(answer, ExplainedPair((0, 2), 0.5, effects=effects))
    assert tie.select_one("p.reasons").get_text() == (
        "For one person: key words (much), e-mail addresses (a little)."
        " Against it: words in the title."
    )


def test_the_path_through_the_tree_is_told_step_by_step(page):
    assert [step.get_text() for step in page.select("#tie-2-7 ol.reasons li")] == [
        "words shared 0.31, more than 0.12 70%",
        "same web site: no 81%",
    ]


def test_what_a_user_said_is_told(page):
    (said,) = page.select(".said")
    assert said.get_text() == "A user said: not the same person."
    assert said.find_parent("li")["id"] == "tie-0-3"
