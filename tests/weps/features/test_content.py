from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, documents, extract, texts, unhurried
from weps.features.content import content_form, not_content
from weps.features.vocabulary import stop_words
from weps.forms import Form, offered, reduce
from weps.names import PersonName
from weps.records import Document
from weps.similarity import similarity
from weps.words import singular, words

NAME = "Thomas Baker"
DROPPED = not_content(PersonName.parse(NAME))
pages = st.lists(st.lists(texts, max_size=3), max_size=3)


def naive_runs(blocks: list[str], n: int) -> Counter[str]:
    """What the words of the tokens files are, said in plain Python, and runs of them."""
    kept = [
        singular(word)
        for word in words(" . ".join(blocks))
        if len(word) > 2 and word.isalpha() and word not in stop_words() | {"thomas", "baker"}
    ]
    return Counter(" ".join(kept[at : at + n]) for at in range(len(kept) - n + 1))


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("tide", "tide"),
        ("tides", "tide"),
        ("studies", "study"),
        ("sea", "sea"),
        ("résumé", "résumé"),
        ("ox", ""),
        ("the", ""),
        ("http", ""),
        ("thomas", ""),
        ("baker", ""),
        ("1998", ""),
        ("o'neill", ""),
        ("mp3", ""),
        ("", ""),
        ("·", ""),
    ],
)
def test_the_form_of_a_word(word, form):
    assert content_form(word, DROPPED) == form


def test_stop_words_and_the_name_are_not_content():
    assert not_content(PersonName.parse("LEE, Ann Mary")) == stop_words() | {"ann", "mary", "lee"}


@pytest.mark.parametrize(
    ("text", "n", "expected"),
    [
        ("", 1, []),
        ("the 42 !", 1, []),
        ("Tides TIDES tide", 1, ["tide", "tide", "tide"]),
        ("professor, Greek history", 3, ["professor greek history"]),
        ("a professor of Greek history", 3, ["professor greek history"]),
        ("Maths. Tides", 2, ["math tide"]),
        ("professor Thomas Baker, York", 2, ["professor york"]),
        ("the tide", 2, []),
        ("maths tides moons", 4, []),
        ("tides moons tides moons", 2, ["tide moon", "moon tide", "tide moon"]),
    ],
)
def test_runs_cross_what_is_dropped(text, n, expected):
    assert extract(f"content(n={n})", analysis_of(text)) == [Counter(expected)]


def test_runs_cross_blocks_but_not_documents():
    analysis = analysis_of(document("tides", "moons"), document("maths"), document("42"))
    assert extract("content(n=2)", analysis) == [Counter(["tide moon"]), Counter(), Counter()]


@pytest.mark.parametrize("n", range(1, 6))
@given(pages=pages)
@unhurried
def test_runs_are_what_the_definition_says(n, pages):
    analysis = analysis_of(*[document(*blocks) for blocks in pages])
    assert extract(f"content(n={n})", analysis) == [naive_runs(blocks, n) for blocks in pages]


@pytest.mark.parametrize("n", [1, 2, 3])
@given(pages=pages)
@unhurried
def test_the_tokens_of_a_page_have_the_same_runs_as_the_page(n, pages):
    whole = [document(*blocks) for blocks in pages]
    poor = [reduce(each, NAME, Form.TOKENS) for each in whole]
    found, again = (extract(f"content(n={n})", analysis_of(*each)) for each in (whole, poor))
    assert found == again


def shown(title: str = "", snippet: str = "", url: str = "") -> Document:
    return document(title=title, snippet=snippet, url=url)


@pytest.mark.parametrize(
    ("page", "words", "runs"),
    [
        (
            shown("Town maps", "tides and moons", "http://stars.example/sea.html"),
            ["town", "map", "tide", "moon", "star", "sea"],
            ["town map", "map tide", "tide moon", "moon star", "star sea"],
        ),
        (shown("Tides"), ["tide"], []),
        (shown(snippet="the tide, a TIDE"), ["tide", "tide"], ["tide tide"]),
        (shown(url="https://www.tides.example/42"), ["tide"], []),
        (shown("tides", url="http://moons.com"), ["tide", "moon"], ["tide moon"]),
        (shown(url="http://moons.com/Thomas%20Baker%20caf%C3%A9"), ["moon", "café"], ["moon café"]),
        (
            shown("Thomas Baker's maps", "Baker, of York", "http://baker.org/thomas_tides"),
            ["map", "york", "tide"],
            ["map york", "york tide"],
        ),
        (shown("Thomas Baker", "42 – the …", "http://www.x1.com/b/"), [], []),
        (shown(), [], []),
        (document("tides and moons", emails=("t@tides.org",), links=("http://moons.org",)), [], []),
    ],
)
def test_a_result_is_title_snippet_and_address_one_after_the_other(page, words, runs):
    analysis = analysis_of(page)
    assert extract("result(n=1)", analysis) == [Counter(words)]
    assert extract("result(n=2)", analysis) == [Counter(runs)]


def test_runs_of_results_do_not_cross_documents():
    analysis = analysis_of(shown("tides"), shown(), shown("moons", url="http://stars.example"))
    assert extract("result(n=2)", analysis) == [Counter(), Counter(), Counter(["moon star"])]


@pytest.mark.parametrize("n", [1, 2])
@given(pages=st.lists(documents, max_size=3))
@unhurried
def test_results_are_what_the_definition_says(n, pages):
    expected = [naive_runs([each.title, each.snippet, each.url], n) for each in pages]
    assert extract(f"result(n={n})", analysis_of(*pages)) == expected


@pytest.mark.parametrize("form", Form)
def test_pages_of_every_form_have_results(form):
    page = document("moons", title="maps", snippet="tides")
    poor = reduce(page, NAME, form)
    assert extract("result(n=2)", analysis_of(poor)) == [Counter(["map tide"])]
    assert offered([similarity("dice(result(n=2))")], form)


def test_the_search_result_is_no_content():
    page = document("tides", title="moons", snippet="stars", url="http://maths.example")
    assert extract("content(n=1)", analysis_of(page)) == [Counter(["tide"])]


def test_one_name_s_words_are_not_taken_for_another_s():
    first, second = analysis_of("tides Lee"), analysis_of("moons Baker", name="Ann Lee")
    for _ in range(2):
        assert extract("content(n=2)", first) == [Counter(["tide lee"])]
        assert extract("content(n=2)", second) == [Counter(["moon baker"])]
