from __future__ import annotations

import pytest

from weps.features.registry import feature, features
from weps.report.wording import (
    certainty,
    counted,
    feature_list,
    feature_words,
    hundredths,
    measure_words,
    percent,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("token", "words"),
        ("token(local=true)", "words near the name"),
        ("ngram(n=4)", "phrases of 4 words"),
        ("ngram(n=2, local=true)", "phrases of 2 words near the name"),
        ("capitalised(local=false)", "capitalised names"),
        ("content(n=1)", "key words"),
        ("content(n=3)", "3 key words in a row"),
        ("result(n=1)", "key words of the search result"),
        ("result(n=2)", "2 key words in a row of the search result"),
        ("lemma", "words in their dictionary form"),
        ("phrase(local=true)", "noun phrases near the name"),
        ("entity(type=person)", "people"),
        ("fine_entity(type=time, local=true)", "dates and times by finer rules near the name"),
        ("gazetteer(list=occupation)", "occupations on our lists"),
        ("linked", "one links to the other"),
        ("same_domain", "same web site"),
        ("ngram", "ngram"),
        ("from_another_version(n=1)", "from_another_version(n=1)"),
        ("no (expression", "no (expression"),
        ("", ""),
    ],
)
def test_features_in_plain_words(name, words):
    assert feature_words(name) == words


def test_every_feature_reads_differently_and_none_like_code():
    words = [feature_words(each.name) for each in features()]
    assert len(set(words)) == len(words)
    assert not [each for each in words if set(each) & set("(=_{")]


def test_a_feature_without_words_of_its_own_is_described_by_the_registry(monkeypatch):
    monkeypatch.delitem(feature_words.__globals__["_FEATURES"], "email")
    assert feature_words("email") == feature("email").description


@pytest.mark.parametrize(
    ("probability", "words", "figure"),
    [
        (1.0, "almost certain", "100%"),
        (0.9969, "almost certain", "99%"),
        (0.95, "almost certain", "95%"),
        (0.9499, "likely", "95%"),
        (0.8, "likely", "80%"),
        (0.5, "plausible", "50%"),
        (0.4999, "uncertain", "50%"),
        (0.0001, "uncertain", "1%"),
        (0.0, "uncertain", "0%"),
    ],
)
def test_probabilities(probability, words, figure):
    assert (certainty(probability), percent(probability)) == (words, figure)


@pytest.mark.parametrize(
    ("score", "text"), [(0.125, "0.13"), (0.5, "0.50"), (1, "1.00"), (0.004, "0.00")]
)
def test_scores_have_two_decimals(score, text):
    assert hundredths(score) == text


def test_measures_and_numbers():
    assert measure_words("bcubed_f05") == "B-Cubed F, α 0.5"
    assert measure_words("other_measure") == "other measure"
    assert counted(1, "page") == "1 page"
    assert counted(0, "page") == "0 pages"
    assert counted(1234, "person", "people") == "1,234 people"


def test_features_near_the_name_go_without_saying_where_all_are_told():
    names = ("capitalised", "capitalised(local=true)", "token(local=true)", "email")
    assert feature_list(names) == "capitalised names, words near the name, e-mail addresses"
    assert feature_list(()) == ""
