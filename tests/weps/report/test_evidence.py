from __future__ import annotations

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from weps.coreference.explanation import Effect, Step
from weps.features.registry import features
from weps.people.evidence import Evidence, ExplainedPair
from weps.report.evidence import effect_words, kind_words, rarity_words, step_words, ties

NEAR, TITLE, OTHERS = "words near the name", "words in the title", "resembling the same other pages"
MORE = "0.5, more than 0.25"


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (2.0, "much for it"),
        (1.99, "for it"),
        (0.5, "for it"),
        (0.49, "a little for it"),
        (-0.49, "a little against it"),
        (-0.5, "against it"),
        (-2.0, "much against it"),
    ],
)
def test_an_effect_is_told_by_direction_and_size(effect, words):
    assert effect_words(Effect("content", effect)) == words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("content", "key words"),
        ("title", "words in the title"),
        ("profile", "resembling the same other pages"),
        ("middle_initial", "middle initials"),
        ("of_another_version", "of another version"),
    ],
)
def test_kinds_in_plain_words(kind, words):
    assert kind_words(kind) == words


def test_no_kind_of_evidence_is_told_by_what_the_code_calls_it():
    told = {each.function: kind_words(each.function) for each in features()}
    assert not any("_" in words for words in told.values())
    assert [kind for kind, words in told.items() if kind.replace("_", " ") == words] == []


@pytest.mark.parametrize(
    ("pages", "words"),
    [(2, "on no other page"), (3, "on 3 of 10 pages"), (10, "on 10 of 10 pages")],
)
def test_rarity(pages, words):
    assert rarity_words(pages, 10) == words


@pytest.mark.parametrize(
    ("column", "value", "threshold", "words"),
    [
        ("dice(content(n=1))", 0.312, 0.125, "key words shared 0.31, more than 0.12"),
        ("dice(content(n=1))", 0.125, 0.125, "key words shared 0.12, no more than 0.12"),
        ("dice(token(local=true))", 0.3121, 0.3119, f"{NEAR} shared 0.3121, more than 0.3119"),
        ("cosine(title)", 0.0, 0.00009, f"{TITLE} shared, by weight 0, no more than 0.00009"),
        ("overlap(email)", 3.0, 1.5, "number of shared e-mail addresses 3, more than 1.5"),
        ("overlap(token)", 123.0, 1.5, "number of shared words 123, more than 1.5"),
        ("same_domain", 1.0, 0.5, "same web site: yes"),
        ("linked", 0.0, 0.5, "one links to the other: no"),
        ("agree(honorific)", 1.0, 0.5, "same titles before the name: yes"),
        ("contradict(middle_initial)", 0.0, 0.5, "different middle initials: no"),
        (
            "profile(profile(dice(ngram(n=2))))",
            0.5,
            0.25,
            f"{OTHERS} (phrases of 2 words shared) {MORE}",
        ),
        ("profile(agree(phone))", 0.5, 0.25, f"{OTHERS} (same telephone numbers) {MORE}"),
        ("odd(new(n=1))", 0.5, 0.25, f"odd(new(n=1)) {MORE}"),
    ],
)
def test_a_step_in_plain_words(column, value, threshold, words):
    assert step_words(Step(0, value, threshold, 0.5), column) == words


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
