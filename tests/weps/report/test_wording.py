from __future__ import annotations

import pytest

from weps._formatting import count_of, format_probability
from weps.features.registry import all_features, feature_by_name
from weps.report import wording
from weps.report.wording import certainty, feature_list, feature_words, measure_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("token(local=true)", "words near the name"),
        ("ngram(n=4)", "phrases of 4 words"),
        ("content(n=1)", "key words"),
        ("content(n=3)", "3 key words in a row"),
        ("result(n=2)", "2 key words in a row of the search result"),
        ("entity(type=person)", "people"),
        ("fine_entity(type=time, local=true)", "dates and times by finer rules near the name"),
        ("gazetteer(list=occupation)", "occupations on our lists"),
        ("ngram", "ngram"),
        ("from_another_version(n=1)", "from_another_version(n=1)"),
        ("", ""),
    ],
)
def test_features_in_plain_words(name, words):
    assert feature_words(name) == words


def test_every_feature_reads_differently_and_none_like_code():
    words = [feature_words(each.name) for each in all_features()]
    assert len(set(words)) == len(words)
    assert not [each for each in words if set(each) & set("(=_{")]


def test_a_feature_without_words_of_its_own_is_described_by_the_registry(monkeypatch):
    monkeypatch.delitem(wording._FEATURES, "email")
    assert feature_words.__wrapped__("email") == feature_by_name("email").description


def test_probabilities():
    probabilities = (1.0, 0.9969, 0.95, 0.9499, 0.5, 0.4999, 0.0001, 0.0)
    assert [*map(format_probability, probabilities)] == "100% 99% 95% 95% 50% 50% 1% 0%".split()
    levels = (0.95, 0.9499, 0.8, 0.5, 0.4999, 0.0)
    words = ["almost certain", "likely", "likely", "plausible", "uncertain", "uncertain"]
    assert [*map(certainty, levels)] == words


def test_measures_and_numbers():
    assert measure_words("bcubed_f05") == "B-Cubed F, α 0.5"
    assert measure_words("other_measure") == "other measure"
    assert count_of(1, "page") == "1 page"
    assert count_of(0, "page") == "0 pages"
    assert count_of(1234, "person", "people") == "1,234 people"


def test_features_near_the_name_go_without_saying_where_all_are_told():
    names = ("capitalised", "capitalised(local=true)", "token(local=true)", "email")
    assert feature_list(names) == "capitalised names, words near the name, e-mail addresses"
    assert feature_list(()) == ""
