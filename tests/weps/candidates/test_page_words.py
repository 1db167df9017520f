import numpy as np
import pytest

from tests.weps.builders import analysis_of, document
from weps.candidates.page_words import PageWords, page_words
from weps.records import Document


def spelled(words: PageWords, flags: np.ndarray) -> list[str]:
    return [words.surface[at] for at in words.written[flags].tolist()]


def made(*pages: str | Document) -> PageWords:
    return page_words(analysis_of(*pages))


def test_pages_come_first_then_what_the_search_engine_shows():
    words = made(document("Tides rise."), document("Moons", title="Two", snippet="a moon"))
    everything = np.ones(len(words.form), dtype=bool)
    assert spelled(words, everything) == ["Tides", "rise", "Moons", "Two", "a", "moon"]
    assert words.document.tolist() == [0, 0, 1, 1, 1, 1]
    assert words.shown == 3
    assert [words.forms[at] for at in words.form.tolist()][:3] == ["tides", "rise", "moons"]


def test_search_results_alone():
    words = made(Document(rank=1, title="Tides", snippet="of York"))
    assert (words.shown, words.listed) == (0, False)
    assert words.near.all()


def test_a_word_follows_another_unless_anything_stands_between():
    words = made("New York, Ohio tides. Moons")
    assert spelled(words, words.follows) == ["York", "tides"]


def test_near_the_name_and_with_capitals():
    words = made(document("Thomas Baker reads. Tides rise.", title="moons"))
    assert spelled(words, words.near) == ["Thomas", "Baker", "reads", "moons"]
    assert spelled(words, words.capital) == ["Thomas", "Baker", "Tides"]


def test_lists_of_words_end_with_the_address():
    page = document(
        "tide study book books tide book http tidal tide tidal tide",
        title="Books",
        url="http://www.tidal.example/tide-book",
    )
    words = made(page)
    assert words.listed
    assert spelled(words, words.address) == ["http", "tidal", "tidal"]


def test_lists_of_words_hold_singulars():
    words = made(document("book books", title="Books"))
    assert words.forms == ("book",)


def test_pages_with_capitals_keep_their_plurals():
    assert set(made("Books book").forms) == {"books", "book"}


@pytest.mark.parametrize(("text", "expected"), [("Bakers", [False]), ("bakers", [True])])
def test_words_to_be_dropped_are_singular_where_lists_are(text, expected):
    assert made(text).flags(frozenset({"baker"})).tolist() == expected


@pytest.mark.parametrize("text", ["baker", "Bakers"])
def test_plurals_to_be_dropped_are_known_in_lists_too(text):
    assert made(text).flags(frozenset({"bakers"})).tolist() == [True]


@pytest.mark.parametrize(
    ("text", "url", "found"),
    [
        ("tide tide tide tide", "http://tide.example/tide", ["tide"] * 4),
        ("tide tide tide", "http://tide.example", []),
        ("tide", "http://tides.example", ["tide"]),
        ("port merrow", "http://kelp.example/port%20merrow", ["port", "merrow"]),
        ("port merrow", "http://kelp.example/p%6Frt", ["port"]),
    ],
)
def test_words_that_lists_may_have_from_the_address_alone(text, url, found):
    words = made(document(text, url=url))
    assert spelled(words, words.address) == found


def test_no_word_follows_one_of_another_block():
    words = made(document("Tides", "Moons", title="Kelp", snippet="reef"))
    assert not words.follows.any()


def test_no_pages():
    words = made()
    assert (words.forms, len(words.form), words.shown) == ((), 0, 0)
