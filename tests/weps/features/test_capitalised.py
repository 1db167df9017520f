from collections import Counter

import pytest

from tests.weps.builders import analysis_of, document, extract


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("York", []),
        ("York Minster", ["york minster"]),
        ("near York Minster in North Yorkshire.", ["york minster", "north yorkshire"]),
        ("University of York", []),
        ("Royal Tide Society", ["royal tide society"]),
        ("IBM Research", ["ibm research"]),
        ("York, Leeds", []),
        ("he left York. Minster bells rang", []),
        ("York Minster and York Minster", ["york minster", "york minster"]),
        ("Élan Vital", ["élan vital"]),
        ("Route 66 Diner", []),
    ],
)
def test_runs_of_capitalised_words(text, expected):
    assert extract("capitalised", analysis_of(text)) == [Counter(expected)]


@pytest.mark.parametrize("text", ["The Of And", "It Is", "Thomas Baker", "The Thomas Baker"])
def test_stop_words_and_the_name_are_no_entities(text):
    assert extract("capitalised", analysis_of(text)) == [Counter()]


def test_an_entity_may_contain_the_name():
    assert extract("capitalised", analysis_of("Thomas Baker Prize")) == [
        Counter(["thomas baker prize"])
    ]


@pytest.mark.parametrize(
    ("elsewhere", "found"),
    [
        ("Contact us", True),
        ("to contact the office", True),
        ("the contact office", False),
        ("contact office", False),
        ("contact offices", True),
        ("the contact, office", True),
        ("contact Office", True),
    ],
)
def test_a_run_found_in_lower_case_in_its_document_is_no_entity(elsewhere, found):
    analysis = analysis_of(document("Contact Office", elsewhere))
    assert extract("capitalised", analysis) == [Counter({"contact office": 1} if found else {})]


def test_lower_case_in_another_document_does_not_matter():
    assert extract("capitalised", analysis_of("Contact Office", "the contact office")) == [
        Counter(["contact office"]),
        Counter(),
    ]


def test_entities_near_the_name():
    text = "Thomas Baker left York Minster. North Yorkshire mourned."
    assert extract("capitalised(local=true)", analysis_of(text)) == [Counter(["york minster"])]


def test_runs_do_not_reach_across_blocks_or_documents():
    analysis = analysis_of(document("York", "Minster"), "North", "Yorkshire")
    assert extract("capitalised", analysis) == [Counter()] * 3
