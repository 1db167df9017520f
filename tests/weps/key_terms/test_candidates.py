import numpy as np
import pytest

from tests.cases import each_case
from tests.weps.builders import analysis_of, contents, document
from weps.key_terms import candidates
from weps.records import Document


def spelled(words: candidates.PageWords, flags: np.ndarray) -> list[str]:
    return [words.surface[at] for at in words.written[flags].tolist()]


def made(*pages: str | Document) -> candidates.PageWords:
    return candidates.page_words(analysis_of(*pages))


def test_lists_of_words_end_with_the_address():
    page = document(
        "tide study book books tide book http tidal tide tidal tide",
        title="Books",
        url="http://www.tidal.example/tide-book",
    )
    words = made(page)
    assert words.is_word_list
    assert spelled(words, words.address) == ["http", "tidal", "tidal"]


@each_case(
    ("text", "forms", "dropped"),
    [
        ("Bakers", ("bakers",), {"bakers"}),
        ("Books book", ("books", "book"), {"books"}),
        ("bakers", ("baker",), {"baker", "bakers"}),
        ("book books", ("book",), {"book", "books"}),
    ],
)
def test_forms_are_singular_in_lists_alone(text, forms, dropped):
    words = made(text)
    assert words.forms == forms
    for word in ("baker", "bakers", "book", "books"):
        assert words.flags(frozenset({word})).any() == (word in dropped or word in forms)


@each_case(
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


def made_strings(*pages: str | Document, name: str = "Thomas Baker") -> candidates.Candidates:
    return candidates.candidate_strings(analysis_of(*pages, name=name))


def scores_of(found: candidates.Candidates) -> dict[str, float]:
    return dict(zip(found.bags.strings, found.name_scores.tolist(), strict=True))


def phrases_of(found: candidates.Candidates) -> list[dict[str, int]]:
    """How often each page has each phrase."""
    return [
        {text: times for text, times in page.items() if " " in text}
        for page in contents(found.bags)
    ]


def chosen(*pages: str | Document, name: str = "Thomas Baker") -> set[str]:
    scores = scores_of(made_strings(*pages, name=name))
    return {text for text, score in scores.items() if score > 0}


@each_case(
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
        ("maths.york.edu and tides", {"tides"}),
        ("www.tides.com and tides", {"tides"}),
        ("the Kelp Reef@tides.com", {"Kelp"}),
        ("ice", {"ice"}),
        ("York of tides; moons of York", {"York", "tides", "moons"}),
        ("York, of Tides; Moons of, Tees", {"York", "Tides", "Moons", "Tees"}),
        ("Bakers, thomasbaker, ThomasBaker99x", set()),
        ("the Bakers Minster", {"Minster"}),
        ("k" * 40, {"k" * 40}),
        ("k" * 41, set()),
        (
            "was nicht ist, wenn die Universidad de York mich nicht hat",
            {"Universidad", "York", "Universidad de York"},
        ),
    ],
)
def test_what_may_be_typed(text, expected):
    assert chosen(text) == expected


@each_case(
    ("name", "text", "expected"),
    [
        ("Cher", "Cher: teacher, Chers", {"teacher"}),
        ("王伟", "北京大学,在北京大学的", {"北京大学"}),
        ("王伟", "中华人民共和国国歌" * 2, {"中华人民共和国", "国歌"}),
        ("王伟", "王伟博士后,王伟博士后", {"博士后"}),
        ("王小明", "王小明的小提琴,York小提琴", {"小提琴", "York"}),
        ("田中太郎", "田中太郎は東京の教授", {"東京", "教授"}),
        ("สมชาย วิชัย", "นายสมชาย วิชัย เป็นนักเขียน", {"เขียน"}),
        ("김민수", "김민수 화가, 서울", {"화가", "서울"}),
        ("Hélène Vasseur", "l'histoire d'Hélène Vasseur, historienne", {"histoire", "historienne"}),
        ("Al Reef", "kelp AlReef Reefs alreefer", {"kelp"}),
        ("Ann New", "in New York", {"York"}),
        ("--", "kelp", {"kelp"}),
    ],
)
def test_the_name_may_not_be_typed_twice(name, text, expected):
    assert chosen(text, name=name) == expected


def test_phrases_are_found_however_they_are_written():
    found = made_strings("Kelp Reef, Kelp Reef", "the kelp reef", "reef kelp")
    assert phrases_of(found) == [{"Kelp Reef": 2}, {"Kelp Reef": 1}, {}]


def test_headings_score_less_than_names():
    scores = scores_of(
        made_strings("Harbour Weather. Humber Tees", "weather, a harbour, no weather harbour")
    )
    assert scores["Humber Tees"] > scores["Harbour Weather"] > 0


def test_the_word_that_has_capitals_least_often_decides_but_for_small_words():
    scores = scores_of(made_strings("Kelp Weather. Humber Tees", "weather, weather"))
    assert scores["Humber Tees"] > scores["Kelp Weather"]
    scores = scores_of(made_strings("University of York, of kelp. New Port Merrow, a new moon"))
    assert {scores["University of York"], scores["New Port Merrow"]} == {4}


def test_word_lists_are_spelled_as_titles_are():
    page = document("champion league ranger ranger", title="Champions League")
    assert chosen(page) == {"Champions", "League", "Champions League", "ranger"}


def test_page_layout_is_no_candidate():
    found = made_strings("Jobs Available. Add kelp to QuickList in Humber Jobs")
    assert set(found.bags.strings) == {"kelp", "Humber"}


def test_no_phrase_crosses_from_one_sentence_to_another():
    found = made_strings("York Minster", "in York. Minster rises")
    assert phrases_of(found) == [{"York Minster": 1}, {}]


@each_case(
    ("text", "kelp", "tides"),
    [("kelp kelp tides", np.log(3) + 2, np.log(2) + 2), ("Kelp kelp tides", np.log(3), np.log(2))],
)
def test_weights_are_logarithms_of_counts_and_more_near_the_name(text, kelp, tides):
    words = made_strings(f"Thomas Baker reads, reads. {text}")
    weight = dict(zip(words.bags.strings, words.weights.toarray()[0].tolist(), strict=True))
    spelled_kelp = text.split()[1]
    expected = {"reads": np.log(3) + 2, spelled_kelp: kelp, "tides": tides}
    assert {text.lower(): each for text, each in weight.items()} == pytest.approx(expected)


@pytest.mark.parametrize("text", ["Tides tides", "tides Tides"])
def test_of_equally_frequent_spellings_the_small_one(text):
    assert chosen(text) == {"tides"}
    assert chosen("TIDES tides Tides", "tides") == {"tides"}
