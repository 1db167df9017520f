from collections import Counter

import pytest

from tests.weps.builders import analysis_of, document, extract


def bag(name: str, **fields: str) -> Counter[str]:
    """What the feature finds in one document of these fields."""
    (found,) = extract(name, analysis_of(document(**fields)))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("Thomas Baker teaches maths, and maths only.", {"teaches": 1, "maths": 2}),
        ("York YORK york", {"york": 3}),
        ("O'Neill's maths", {"o'neill": 1, "maths": 1}),
    ],
)
def test_words_of_the_page_without_stop_words_and_name(text, expected):
    assert extract("token", analysis_of(text)) == [Counter(expected)]


def test_words_near_the_name():
    text = "Thomas Baker teaches maths. Maths heals."
    other = "Tides heal. Baker, of York, sings."
    assert extract("token(local=true)", analysis_of(text, other)) == [
        Counter(["teaches", "maths"]),
        Counter(),
    ]


def test_typographic_apostrophes_make_no_words_of_their_own():
    plain, typed = extract("token", analysis_of("I don't like O'Neill's", "I don’t like O’Neill’s"))
    assert plain == typed == Counter({"o'neill": 1})


@pytest.mark.parametrize("name", ["title", "snippet"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Thomas Baker's home page - Dept. of Maths, York", ["dept", "maths", "york"]),
        ("BAKER, Thomas: Tides & tides", ["tides", "tides"]),
    ],
)
def test_words_of_the_search_result(name, text, expected):
    assert bag(name, **{name: text}) == Counter(expected)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", []),
        ("http://www.york.ac.uk/~baker/maths/index.html", ["york", "maths"]),
        (
            "HTTPS://YORK.example:8080/a_tide?who=thomas+baker#tide",
            ["york", "8080", "tide", "tide"],
        ),
        ("http://york.example/r%C3%A9sum%C3%A9.htm", ["york", "résumé"]),
        ("ftp://tides.example", ["tides"]),
        ("tides.example/x", ["tides"]),
    ],
)
def test_parts_of_the_url(address, expected):
    found = bag("url", url=address)
    assert Counter({word: found[word] for word in found if word != "who"}) == Counter(expected)


@pytest.mark.parametrize("name", ["title", "snippet", "url"])
def test_the_search_result_is_no_text_and_the_text_no_search_result(name):
    analysis = analysis_of(document("maths", **{name: "tides"}))
    assert extract("token", analysis) == [Counter(["maths"])]
    assert extract(name, analysis) == [Counter(["tides"])]
