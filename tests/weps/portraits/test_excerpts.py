import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import document, unhurried
from weps.names import PersonName
from weps.portraits.excerpts import excerpt
from weps.portraits.mentions import full_mentions

BAKER = PersonName.parse("Thomas Baker")
LONG = "and so the long tale of the kelp went on and on without an end in sight " * 9


def told(*blocks: str, **fields: object) -> str:
    return excerpt(document(*blocks, **fields), BAKER)


def test_the_snippet_of_the_search_comes_first():
    snippet = "... Thomas Baker, producer ... Elektra ..."
    assert told("Thomas Baker is a conductor.", snippet=snippet) == snippet


def test_a_snippet_without_the_name_gives_way_to_the_text():
    assert told("Thomas Baker is a conductor.", snippet="All about music.").startswith("Thomas")


@pytest.mark.parametrize(
    ("blocks", "begins"),
    [
        (["Home | Thomas Baker | Contact", "Here Thomas Baker teaches physics."], "Here"),
        (["Thomas Baker", "Our guest Thomas Baker was born in York."], "Our guest"),
        (["With Thomas Baker, Ann Lee", "A song by Thomas Baker of Leeds."], "A song"),
        (["Thomas Baker is here.", "Thomas Baker is there."], "Thomas Baker is here."),
        (["He sings.", "Baker bakes.", "Thomas Baker"], "Thomas Baker"),
    ],
)
def test_prose_that_introduces_comes_before_lists(blocks, begins):
    assert told(*blocks).startswith(begins)


def test_the_title_again_says_nothing():
    blocks = "Thomas Baker is a conductor of choirs", "By Thomas Baker in May"
    assert told(*blocks, title="Thomas Baker is a conductor of choirs | Home") == blocks[1]
    assert told(*blocks).startswith(blocks[0])


def test_sentences_are_shown_from_their_beginning():
    text = "The weather was mild. Yesterday Dr. Thomas Baker spoke. He was loud."
    assert told(text) == "Yesterday Dr. Thomas Baker spoke. He was loud."


def test_short_blocks_are_told_with_those_that_follow():
    assert told("Thomas Baker", "Professor", "Room 5", "Home") == (
        "Thomas Baker · Professor · Room 5"
    )


@pytest.mark.parametrize(
    "text", [f"Thomas Baker {LONG}", f"{LONG} Thomas Baker {LONG}", "Thomas Baker" + "x" * 900]
)
def test_long_texts_are_cut_between_words(text):
    found = told(text)
    assert 160 <= len(found) <= 220
    assert found.endswith("…")
    assert "Thomas Baker" in found
    words = found.strip("…").split()
    assert set(words) <= set(text.split()) or "x" * 50 in found


def test_a_mention_far_into_the_snippet_is_shown():
    assert "Thomas Baker" in told(snippet=f"{LONG} Thomas Baker {LONG}")


def test_the_end_of_a_long_sentence_is_no_reason_for_an_ellipsis():
    assert told(f"{LONG} by Thomas Baker").endswith("by Thomas Baker")


@pytest.mark.parametrize(
    ("blocks", "fields", "expected"),
    [
        (["Kelp grows."], {"snippet": "On kelp."}, "On kelp."),
        (["Kelp grows.", "Dulse too."], {}, "Kelp grows. · Dulse too."),
        (["Home", "Here is " + "kelp that grows " * 4], {}, "Here is " + "kelp that grows " * 4),
        ([], {}, ""),
    ],
)
def test_pages_without_the_name(blocks, fields, expected):
    assert told(*blocks, **fields) == expected


parts = st.lists(st.sampled_from("Thomas Baker is . kelp | 。 J. , -".split()), max_size=80)


@given(st.lists(parts.map(" ".join), max_size=3), parts.map(" ".join), st.text(max_size=9))
@unhurried
def test_excerpts_of_any_page(blocks, snippet, name):
    page = document(*blocks, snippet=snippet)
    found = excerpt(page, BAKER)
    assert len(found) <= 220
    assert any(full_mentions(found, BAKER)) == any(
        any(full_mentions(text, BAKER)) for text in [snippet, *blocks]
    )
    assert len(excerpt(page, PersonName.parse(name))) <= 220
