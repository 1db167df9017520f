from __future__ import annotations

from dataclasses import replace

import pytest

from weps.coreference.explanation import Effect, Step
from weps.features.registry import all_features
from weps.people.evidence import Evidence, ExplainedPair
from weps.report.evidence import effect_words, kind_words, pair_views, rarity_words, step_words

NEAR, TITLE, OTHERS = "words near the name", "words in the title", "resembling the same other pages"
MORE = "0.5, more than 0.25"


def test_an_effect_is_described_by_direction_and_size():
    effects = {2.0: "much for it", 1.99: "for it", 0.5: "for it", 0.49: "a little for it"}
    effects |= {-0.49: "a little against it", -0.5: "against it", -2.0: "much against it"}
    assert {size: effect_words(Effect("content", size)) for size in effects} == effects


def test_no_kind_of_evidence_has_the_name_of_its_function():
    kinds = {each.function: kind_words(each.function) for each in all_features()}
    assert not any("_" in words for words in kinds.values())
    assert [kind for kind, words in kinds.items() if kind.replace("_", " ") == words] == []
    assert kind_words("profile") == "resembling the same other pages"
    assert kind_words("of_another_version") == "of another version"


def test_rarity():
    words = [rarity_words(pages, 10) for pages in (2, 3, 10)]
    assert words == ["on no other page", "on 3 of 10 pages", "on 10 of 10 pages"]


@pytest.mark.parametrize(
    ("column", "value", "threshold", "words"),
    [
        ("dice(content(n=1))", 0.125, 0.125, "key words shared 0.12, no more than 0.12"),
        ("dice(token(local=true))", 0.3121, 0.3119, f"{NEAR} shared 0.3121, more than 0.3119"),
        ("cosine(title)", 0.0, 0.00009, f"{TITLE} shared, by weight 0, no more than 0.00009"),
        ("overlap(email)", 3.0, 1.5, "number of shared e-mail addresses 3, more than 1.5"),
        ("linked", 0.0, 0.5, "one links to the other: no"),
        ("agree(honorific)", 1.0, 0.5, "same titles before the name: yes"),
        ("contradict(middle_initial)", 0.0, 0.5, "different middle initials: no"),
        ("profile(profile(dice(email)))", 0.5, 0.25, f"{OTHERS} (e-mail addresses shared) {MORE}"),
        ("odd(new(n=1))", 0.5, 0.25, f"odd(new(n=1)) {MORE}"),
    ],
)
def test_a_step_in_plain_words(column, value, threshold, words):
    assert step_words(Step(0, value, threshold, 0.5), column) == words


def view_of(answer, pair: ExplainedPair):
    (view,) = pair_views(replace(answer, pairs={pair.pages: pair}))
    return view


def test_strings_of_one_rarity_stand_together_and_none_twice(answer):
    evidence = (
        Evidence("token", ("kelp", "·kelp", "moss", "fern"), (3, 3, 3, 4)),
        Evidence("title", ("kelp",), (3,)),
        Evidence("linked", ()),
    )
    words, title, linked = view_of(answer, ExplainedPair((0, 2), 0.5, evidence)).evidence
    assert words.feature == "words"
    assert [text for text, _ in words.parts] == ["on 3 of 6 pages", "kelp", "moss", "on 4", "fern"]
    assert [text for text, is_string in words.parts if is_string] == ["kelp", "moss", "fern"]
    assert (title.parts, title.repeats, words.repeats, linked.repeats) == ([], True, False, False)


def test_what_speaks_for_one_person_comes_before_what_speaks_against(answer):
    effects = (Effect("content", 2.5), Effect("title", -0.7), Effect("email", 0.2))
    assert view_of(answer, ExplainedPair((0, 2), 0.5, effects=effects)).effects == (
        "For one person: key words (much), e-mail addresses (a little)."
        " Against it: words in the title."
    )


def test_pairs_in_the_page(answer, page_of):
    page = page_of(answer)
    assert [tie.select_one(".pair").get_text() for tie in page.select(".tie")] == [
        "0 logic.example ↔ 2 college.example 96%",
        "0 logic.example ↔ 3 0%",
        "2 college.example ↔ 7 81%",
        "3  ↔ 5 52%",
    ]
    lines = {
        tie["id"]: [li.get_text() for li in tie.select(".evidence li")]
        for tie in page.select(".tie")
    }
    assert lines == {
        "tie-0-2": ["one links to the other", "phrases of 3 words on no other page set theory"],
        "tie-0-3": ["No distinctive evidence."],
        "tie-2-7": ["words near the name on no other page axiom on 3 proof"],
        "tie-3-5": ["No distinctive evidence."],
    }
    assert [step.get_text() for step in page.select("#tie-2-7 ol.reasons li")] == [
        "words shared 0.31, more than 0.12 70%",
        "same web site: no 81%",
    ]
    (correction,) = page.select(".said")
    assert correction.get_text() == "A user said: not the same person."
    assert correction.find_parent("li")["id"] == "tie-0-3"
