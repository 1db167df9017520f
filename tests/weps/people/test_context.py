"""Context entities, and the description of a person."""

from pathlib import Path

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps._cache import Cache
from weps.name.person_name import PersonName
from weps.people.context import (
    ContextEntities,
    find_context_entities,
    normalise_entity,
    sentences_near_name,
)

ENTITIES = {
    "PERSON": "Ann Lee|Dr. Ann Lee|ANN LEE|Thomas Baker|Public Works|Ann Way",
    "ORG": "University of York|Elektra",
    "GPE": "Leeds|USA|U.S.|United States|OH|Ohio",
}
PAGE = "Thomas Baker met Ann Lee in Leeds."


def rules(folder: Path, *pipes: str) -> str:
    """A pipeline that knows a few names, or none."""
    nlp = spacy.blank("en", meta={"name": "rules", "version": "1"})
    for pipe in pipes:
        ruler = nlp.add_pipe(pipe)
        ruler.add_patterns(
            {"label": label, "pattern": text}
            for label, texts in ENTITIES.items()
            for text in texts.split("|")
        )
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> str:
    return rules(tmp_path_factory.mktemp("rules"), "entity_ruler")


def kinds_by_page(found: ContextEntities) -> list[dict[str, str]]:
    """For each page who is found, and of which kind."""
    return [
        {found.texts[at]: found.kinds[at] for at in np.flatnonzero(row)}
        for row in found.present.toarray()
    ]


def seen(language: str, *pages: object) -> list[dict[str, str]]:
    return kinds_by_page(find_context_entities(analysis_of(*pages), language, None))


def test_people_organisations_and_places_near_the_name(language):
    assert seen(language, f"{PAGE} He left the University of York.", "Thomas Baker sleeps.") == [
        {"Ann Lee": "person", "Leeds": "location", "University of York": "organisation"},
        {},
    ]


@pytest.mark.parametrize(("between", "near"), [("One. Two two.", False), ("One.", True)])
def test_two_sentences_are_near(language, between, near):
    text = f"Thomas Baker sang. {between} Ann Lee did not. Nobody minds now. Elektra shut."
    assert bool(seen(language, text)[0]) == near
    assert bool(seen(language, document(*text.split(". ")))[0]) == near


@each_case(
    ("words", "expected"),
    [(120, {"Ann Lee", "Leeds", "Elektra"}), (121, {"Ann Lee", "Leeds"}), (250, {"Leeds"})],
)
def test_the_nearest_words_are_read(language, words, expected):
    long = "so " * words
    blocks = f"Ann Lee {long}.", "Thomas Baker in Leeds.", f"Elektra {long}."
    assert set(seen(language, document(*blocks))[0]) == expected


def test_a_sentence_for_which_there_is_no_room_does_not_hide_what_is_beyond(language):
    blocks = f"Ann Lee {'so ' * 250}.", "Thomas Baker in Leeds.", "Elektra shut."
    assert set(seen(language, document(*blocks))[0]) == {"Leeds", "Elektra"}


def test_spellings_are_joined_and_the_commonest_is_shown(language):
    pages = ["Thomas Baker and ANN LEE", "Thomas Baker and Dr. Ann Lee"]
    assert seen(language, *pages, PAGE, PAGE)[1] == {"Ann Lee": "person"}


@each_case(("short", "full"), [("USA", "United States"), ("U.S.", "United States"), ("OH", "Ohio")])
def test_abbreviations_give_way_however_common_they_are(language, short, full):
    page = f"Thomas Baker of the {short}, the {short}, not {full}"
    assert seen(language, page) == [{full: "location"}]


def test_words_that_are_mostly_small_name_nobody(language):
    page = "Thomas Baker, Public Works"
    assert seen(language, f"{page}; public works") == [{"Public Works": "person"}]
    assert seen(language, f"{page}. One one. Two two. Three. Of public works, public works.") == [
        {}
    ]


@pytest.mark.parametrize(
    "page",
    [
        document(title="Thomas Baker", snippet="with Ann Lee"),
        document("No name here", title="Ann Lee's page"),
    ],
)
def test_title_and_snippet_where_the_text_does_not_mention_the_name(language, page):
    assert seen(language, page) == [{"Ann Lee": "person"}]


def test_lists_of_words_name_nobody():
    lists = analysis_of("ann lee leeds", "elektra")
    found = find_context_entities(lists, "no pipeline at all", None)
    assert (found.texts, found.present.shape) == ((), (2, 0))
    assert "lists of words" in found.problem
    without_capitals = find_context_entities(analysis_of("王小明"), "no pipeline at all", None)
    assert "lists of words" not in without_capitals.problem
    assert find_context_entities(analysis_of(), "no", None).present.shape == (0, 0)


@pytest.mark.parametrize("pipes", [None, ()])
def test_without_a_recogniser_nobody_is_found_and_it_is_said_why(tmp_path, pipes):
    language = "no_such_pipeline" if pipes is None else rules(tmp_path, *pipes)
    found = find_context_entities(analysis_of(PAGE), language, None)
    assert (found.texts, found.kinds, found.present.shape) == ((), (), (1, 0))
    assert ("no such language pipeline" if pipes is None else "gives no entities") in found.problem


def test_what_was_found_is_kept(language, tmp_path, monkeypatch):
    analysis, kept = analysis_of(PAGE, "Thomas Baker of Elektra"), Cache(tmp_path / "cache")
    first = kinds_by_page(find_context_entities(analysis, language, kept))
    monkeypatch.setattr("weps.language.annotation.annotate_pages", None)
    assert kinds_by_page(find_context_entities(analysis, language, kept)) == first
    assert first[1] == {"Elektra": "organisation"}


def test_passages_are_the_sentences_around_the_name():
    page = document("A.", "B.", "C.", "By Thomas Baker. And D.", "E.", "F.")
    assert sentences_near_name(analysis_of(page)).documents[0].blocks == (
        "B.",
        "C.",
        "By Thomas Baker.",
        "And D.",
        "E.",
    )


BAKER = PersonName.parse("Thomas Baker")


SHOWN = {
    "person": (
        "Ann Lee → Ann Lee|Dr. Ann Lee → Dr. Ann Lee|Lee, Ann → Ann Lee|ANN LEE → Ann Lee|"
        "Ann Lee's → Ann Lee|“Ann Lee” → Ann Lee|T. Rex → T. Rex|John Baker → John Baker|"
        "Thomas Merton → Thomas Merton|Greenup County → Greenup County (location)"
    ),
    "organisation": (
        "Elektra Inc. → Elektra Inc.|IBM → IBM|ELEKTRA RECORDS → Elektra Records|"
        "Baker Foundation → Baker Foundation|Usage Board of the → Usage Board|"
        "Cambridge → Cambridge (location)"
    ),
    "location": (
        "University of York → University of York (organisation)|U.S. → U.S.|Elm Street → Elm Street"
    ),
}
FORMS = {"Dr. Ann Lee": "ann lee", "Elektra Inc.": "elektra", "U.S.": "united states"}


@each_case(
    ("text", "kind", "expected"),
    [
        (text, kind, expected)
        for kind, cases in SHOWN.items()
        for text, expected in (case.split(" → ") for case in cases.split("|"))
    ],
)
def test_what_is_shown(text, kind, expected):
    shown, _, other = expected.rstrip(")").partition(" (")
    form = FORMS.get(shown, shown.lower().replace(".", ""))
    assert normalise_entity(text, kind, BAKER, frozenset(BAKER.tokens)) == (
        other or kind,
        form,
        shown,
    )


NOT_SHOWN = {
    "person": "Thomas Baker|Thomas J. Baker|Roy Thomas Baker|T. Baker|Dr. Baker|Thomas Jr.|Ann"
    "|Knight III|John E. B.|Ann BAKER-62|Ann Lee - Entire|,",
    "organisation": f"Baker|1984|law office|Write a review|Home ; Ann Lee|{'A' * 60}|J. J. J.",
    "location": "Baker|the Baker|B.S.|",
    "event": "Second World War",
}


@each_case(
    ("text", "kind"),
    [(text, kind) for kind, texts in NOT_SHOWN.items() for text in texts.split("|")],
)
def test_what_is_not_shown(text, kind):
    assert normalise_entity(text, kind, BAKER, frozenset(BAKER.tokens)) is None


words = st.lists(st.sampled_from(["Ann", "LEE", "Baker", "Thomas", "of", ",", "J.", "York", "'s"]))


@given(
    words.map(" ".join) | st.text(max_size=20),
    st.sampled_from(["person", "organisation", "location"]),
)
def test_what_is_shown_says_more_than_the_name(text, kind):
    if found := normalise_entity(text, kind, BAKER, frozenset(BAKER.tokens)):
        kind, form, shown = found
        assert kind in {"person", "organisation", "location"}
        assert shown == shown.strip()
        assert not set(form.split()) <= {*BAKER.tokens, "of", "j"}
        assert len(form.split()) > 1 or kind != "person"
