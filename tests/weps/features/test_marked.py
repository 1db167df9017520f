from collections import Counter

import pytest
from hypothesis import given

from tests.weps.builders import analysis_of, contents, unhurried
from tests.weps.features.annotated import FAR, NEAR, annotated, bags_of, pages
from weps.errors import FeatureError
from weps.features import features
from weps.features.marked import marked_bags
from weps.language import Layer
from weps.words import words

LINGUISTIC = [each for each in features() if each.linguistic]
WHOLE = [each.name for each in LINGUISTIC if not each.parameters["local"]]
TWO = annotated(
    [(NEAR, [("tide", ""), ("moon", "")]), (FAR, [("tide", "")])], [], [(FAR, [("moon", "")])]
)


def local(name: str) -> str:
    return f"{name[:-1]}, local=true)" if name.endswith(")") else f"{name}(local=true)"


def test_marks_are_counted_page_by_page():
    assert contents(marked_bags(TWO, Layer.LEMMAS, ["TIDE", "MOON"])) == [
        Counter(TIDE=2, MOON=1),
        Counter(),
        Counter(MOON=1),
    ]


def test_entries_that_count_as_one_string_are_one():
    assert contents(marked_bags(TWO, Layer.LEMMAS, ["x", "x"])) == [
        Counter(x=3),
        Counter(),
        Counter(x=1),
    ]


def test_entries_without_a_string_do_not_count():
    assert contents(marked_bags(TWO, Layer.LEMMAS, ["", "x"]))[0] == Counter(x=1)
    assert marked_bags(TWO, Layer.LEMMAS, ["", ""]).counts.shape == (3, 0)


def test_marks_near_the_name():
    near = contents(marked_bags(TWO, Layer.LEMMAS, ["tide", "moon"], local=True))
    assert near == [Counter(tide=1, moon=1), Counter(), Counter()]


def test_a_layer_that_was_not_made_is_missed():
    with pytest.raises(FeatureError, match="lemmas"):
        marked_bags(analysis_of("tide"), Layer.LEMMAS, [])


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
    assert not [string for string in found if {"thomas", "baker"}.issuperset(words(string))]
