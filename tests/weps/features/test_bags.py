from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, contents, unhurried
from tests.weps.features.annotated import FAR, NEAR, annotated, bags_of, pages
from weps._text import PersonName, split_words
from weps.errors import FeatureError
from weps.features.bags import Bags, LazyStrings, bags_from_marks, content_words, stop_words
from weps.features.registry import all_features
from weps.language.analysis import Layer

BAGS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5)


def test_strings_are_counted_document_by_document():
    bags = Bags.of([["a", "b", "a"], [], ["b"]])
    assert bags.strings == ("a", "b")
    assert bags.counts.toarray().tolist() == [[2, 1], [0, 0], [0, 1]]
    assert bags.counts.dtype == np.int32


def test_frequency_counts_documents_not_occurrences():
    assert Bags.of(["aab", "a", "", "ac"]).frequency.tolist() == [3, 1, 1]
    assert Bags.of([]).frequency.tolist() == []


def test_no_documents_make_no_rows():
    assert Bags.of([]).counts.shape == (0, 0)


def test_documents_without_strings_keep_their_row():
    assert Bags.of([[], []]).counts.shape == (2, 0)


def test_integer_codes_are_spelled_by_an_occurrence_of_theirs():
    words = ["x", "y", "x", "z"]
    bags = Bags.of_ids(np.array([0, 0, 1, 1]), np.array([7, -3, 7, 99]), 3, words.__getitem__)
    assert contents(bags) == [Counter("xy"), Counter("xz"), Counter()]


@given(BAGS)
@unhurried
def test_bags_give_back_what_went_in(given_bags):
    assert contents(Bags.of(given_bags)) == list(map(Counter, given_bags))


@given(BAGS)
@unhurried
def test_integer_codes_count_as_strings_do(given_bags):
    flat = [(row, string) for row, bag in enumerate(given_bags) for string in bag]
    rows = np.array([row for row, _ in flat], dtype=np.int64)
    ids = np.array([ord(string) for _, string in flat], dtype=np.int64)
    bags = Bags.of_ids(rows, ids, len(given_bags), lambda at: flat[at][1])
    assert contents(bags) == list(map(Counter, given_bags))


def test_a_string_is_spelled_only_when_read():
    spelled = []

    def spell(at: int) -> str:
        spelled.append(at)
        return str(at)

    strings = LazyStrings(np.array([4, 5, 6]), spell)
    assert (len(strings), spelled) == (3, [])
    assert (strings[1], strings[-1], spelled) == ("5", "6", [5, 6])
    assert strings[1:] == ["5", "6"]
    assert list(strings) == ["4", "5", "6"]


LINGUISTIC = [each for each in all_features() if each.linguistic]
WHOLE = [each.name for each in LINGUISTIC if not each.parameters["local"]]
TWO = annotated(
    [(NEAR, [("tide", ""), ("moon", "")]), (FAR, [("tide", "")])], [], [(FAR, [("moon", "")])]
)


def local(name: str) -> str:
    return f"{name[:-1]}, local=true)" if name.endswith(")") else f"{name}(local=true)"


def test_marks_are_counted_page_by_page():
    assert contents(bags_from_marks(TWO, Layer.LEMMAS, ["TIDE", "MOON"])) == [
        Counter(TIDE=2, MOON=1),
        Counter(),
        Counter(MOON=1),
    ]


def test_entries_that_count_as_one_string_are_one():
    assert contents(bags_from_marks(TWO, Layer.LEMMAS, ["x", "x"])) == [
        Counter(x=3),
        Counter(),
        Counter(x=1),
    ]


def test_entries_without_a_string_do_not_count():
    assert contents(bags_from_marks(TWO, Layer.LEMMAS, ["", "x"]))[0] == Counter(x=1)
    assert bags_from_marks(TWO, Layer.LEMMAS, ["", ""]).counts.shape == (3, 0)


def test_marks_near_the_name():
    near = contents(bags_from_marks(TWO, Layer.LEMMAS, ["tide", "moon"], local=True))
    assert near == [Counter(tide=1, moon=1), Counter(), Counter()]


def test_a_layer_that_was_not_made_is_missed():
    with pytest.raises(FeatureError, match="lemmas"):
        bags_from_marks(analysis_of("tide"), Layer.LEMMAS, [])


def test_there_are_linguistic_features_near_the_name_and_anywhere():
    assert {each.name for each in LINGUISTIC} == {*WHOLE, *map(local, WHOLE)}
    assert {each.partition("(")[0] for each in WHOLE} == {
        "lemma",
        "phrase",
        "entity",
        "fine_entity",
        "gazetteer",
    }


@pytest.mark.parametrize("name", WHOLE)
@given(pages=pages)
@unhurried
def test_what_is_near_the_name_is_on_the_page(name, pages):
    whole, near = bags_of(name, pages), bags_of(local(name), pages)
    assert all(Counter(few) <= Counter(many) for few, many in zip(near, whole, strict=True))


@pytest.mark.parametrize("name", WHOLE)
@given(pages=pages)
@unhurried
def test_the_order_of_pages_does_not_matter(name, pages):
    assert bags_of(name, pages[::-1]) == bags_of(name, pages)[::-1]


@pytest.mark.parametrize("name", WHOLE)
@given(pages=pages)
@unhurried
def test_the_name_searched_for_never_appears(name, pages):
    found = {string for bag in bags_of(name, pages) for string in bag}
    assert not [string for string in found if {"thomas", "baker"}.issuperset(split_words(string))]


@pytest.mark.parametrize("word", ["the", "of", "http", "www", "html", "com", "uk", "'s"])
def test_english_and_web_stop_words_are_joined(word):
    assert word in stop_words()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", []),
        ("the maths of baker", ["maths"]),
        ("thomas baker thomas", []),
        ("york york", ["york", "york"]),
        ("x 7 42 ... ??", ["42"]),
    ],
)
def test_content_words(words, expected):
    assert content_words(words.split(), PersonName.parse("Baker, Thomas")) == expected
