from collections import Counter

import pytest

from tests.weps.builders import analysis_of, document, extract


@pytest.mark.parametrize(
    ("listed", "text", "found"),
    [
        ("place", "", []),
        ("place", "He left York for Ohio and OHIO", ["york", "ohio", "ohio"]),
        ("place", "New York and New Jersey", ["new york", "new jersey"]),
        ("place", "in Columbus, OH 43210", ["columbus", "ohio"]),
        ("place", "OH, no", []),
        ("place", "turkey with china on it", []),
        ("place", "Turkey", ["turkey"]),
        ("place", "the U.S. and the USA", ["united states", "united states"]),
        ("place", "München", ["munich"]),
        ("place", "St. Louis", ["saint louis"]),
        ("occupation", "an Assistant Professor and a professor", "assistant_professor professor"),
        ("occupation", "actress and actor", ["actor", "actor"]),
        ("occupation", "professors profess", []),
    ],
)
def test_names_of_the_lists(listed, text, found):
    names = [name.replace("_", " ") for name in found.split()] if isinstance(found, str) else found
    assert extract(f"gazetteer(list={listed})", analysis_of(text)) == [Counter(names)]


def test_a_name_does_not_reach_across_sentences():
    analysis = analysis_of(document("he likes New", "York is far"), "New", "York")
    assert extract("gazetteer(list=place)", analysis) == [
        Counter(["york"]),
        Counter(),
        Counter(["york"]),
    ]


@pytest.mark.parametrize(
    ("searched", "listed", "text"),
    [
        ("Thomas Baker", "occupation", "the baker Thomas Baker"),
        ("Virginia Reel", "place", "Virginia, VA"),
    ],
)
def test_the_name_is_on_no_list(searched, listed, text):
    assert extract(f"gazetteer(list={listed})", analysis_of(text, name=searched)) == [Counter()]


def test_names_near_the_name():
    analysis = analysis_of("Thomas Baker left Ohio. Utah mourned.")
    assert extract("gazetteer(list=place, local=true)", analysis) == [Counter(["ohio"])]
