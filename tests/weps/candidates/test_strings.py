import pytest

from tests.weps.builders import analysis_of, contents, document
from weps.candidates import Candidates, candidates
from weps.records import Document


def made(*pages: str | Document) -> list[Candidates]:
    analysis = analysis_of(*pages)
    return list(candidates(analysis))


def chosen(*pages: str | Document) -> set[str]:
    return {
        each.bags.strings[at]
        for each in made(*pages)
        for at, worth in enumerate(each.worth.tolist())
        if worth > 0
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tides and moons", {"tides", "moons"}),
        ("Thomas Baker, Thomas's", set()),
        ("1999 b2b X ox", set()),
        ("on Monday in May", set()),
        ("click home", set()),
        ("O'Brien", {"O'Brien"}),
        ("in New York", {"York", "New York"}),
        ("New", set()),
        ("the University of York", {"University", "York", "University of York"}),
        ("York of Tides", {"York", "Tides", "York of Tides"}),
        ("York, Tides", {"York", "Tides"}),
        ("York Baker Tides", {"York", "Tides"}),
        ("Kelp Reef Tide Pool Moon", {"Kelp", "Reef", "Tide", "Pool", "Moon"}),
        ("www.tides.com", set()),
        ("www.tides.com and tides", {"tides"}),
    ],
)
def test_what_may_be_typed(text, expected):
    assert chosen(text) == expected


def test_phrases_are_found_however_they_are_written():
    _, phrases, *_ = made("Kelp Reef, Kelp Reef", "the kelp reef", "reef kelp")
    assert list(phrases.bags.strings) == ["Kelp Reef"]
    assert contents(phrases.bags) == [{"Kelp Reef": 2}, {"Kelp Reef": 1}, {}]


def test_phrases_seldom_written_as_names_are_none():
    assert "Kelp Reef" not in chosen("Kelp Reef", "a kelp reef and a kelp reef")


def test_headings_are_worth_less_than_names():
    _, phrases, *_ = made("Harbour Weather. Humber Tees", "weather, a harbour, no weather harbour")
    worth = dict(zip(phrases.bags.strings, phrases.worth.tolist(), strict=True))
    assert worth["Humber Tees"] > worth["Harbour Weather"] > 0


def test_strings_are_spelled_as_they_are_written_most_often():
    assert chosen("TIDES tides Tides", "tides") == {"tides"}


def test_word_lists_are_spelled_as_titles_are():
    page = document("champion league ranger ranger", title="Champions League")
    assert chosen(page) == {"Champions", "League", "Champions League", "ranger"}


def test_what_stands_near_the_name_weighs_more():
    words, *_ = made("Thomas Baker reads. Tides rise. Tides rise.")
    weight = dict(zip(words.bags.strings, words.weights.toarray()[0].tolist(), strict=True))
    assert weight["reads"] > weight["Tides"] > 0


def test_nothing_to_choose_from():
    assert [len(each.worth) for each in made()] == [0, 0, 0, 0]
    assert chosen(document()) == set()


def test_site_furniture_is_no_candidate():
    found = made("Jobs Available. Add kelp to QuickList in Humber Jobs")
    assert [set(each.bags.strings) for each in found][:1] == [{"kelp", "Humber"}]
