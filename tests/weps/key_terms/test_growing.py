import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from tests.weps.key_terms.builders import tagged
from weps.key_terms import Browser, Occurrences, Phrases, Position, grown, grown_of_all
from weps.syntax import positions
from weps.words import singular

HAITI = "the/DET president/NOUN of/ADP Haiti/PROPN left/VERB"
CODE = "source/NOUN code/NOUN fell/VERB"
sentences = st.lists(
    st.sampled_from(["York/PROPN", "rock/NOUN", "rocks/NOUN", "old/ADJ", "of/ADP", "fell/VERB"]),
    min_size=1,
    max_size=8,
).map(" ".join)
weights = st.lists(
    st.tuples(st.sampled_from(["york", "rock", "rocks", "old", "fell"]), st.integers(-1, 4)),
    unique_by=lambda term: term[0],
)


def browser(*documents):
    analysis = tagged(*documents)
    return Browser.of(Occurrences.of(positions(analysis), len(documents)), Phrases.of(analysis))


def labelled(terms, *documents, rows=None, most=None):
    chosen = range(len(documents)) if rows is None else rows
    return grown(list(terms.items()), browser(*documents), chosen, most)


def test_haiti_grows_to_its_president():
    documents = [[HAITI, HAITI], [HAITI, "Haiti/PROPN fell/VERB"]]
    assert labelled({"haiti": 2.0, "president": 1.0}, *documents) == ["president of Haiti"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # half of the documents, words of weight 2: a gain of 1 is not enough, more is
        (1.0, ["source", "code"]),
        (1.1, ["source code"]),
        (0.0, ["source"]),
    ],
)
def test_a_term_grows_if_the_phrase_weighs_more_than_it_loses(code, expected):
    loose = ["source/NOUN fell/VERB", "source/NOUN fell/VERB", "source/NOUN fell/VERB"]
    terms = {"source": 1.0, "code": code}
    assert labelled(terms, [CODE, CODE, *loose], loose, [CODE], loose) == expected


def test_a_term_that_never_stands_alone_takes_along_words_without_weight():
    york = ["New/ADJ York/PROPN fell/VERB"] * 4
    assert labelled({"york": 1.0}, york) == ["New York"]
    assert labelled({"york": 1.0}, [*york, "York/PROPN left/VERB"]) == ["New York"]
    assert labelled({"york": 1.0}, [*york, *["York/PROPN left/VERB"] * 2]) == ["York"]


def test_words_side_by_side_once_are_no_phrase_of_a_term_found_twice():
    terms = {"code": 2.0, "source": 1.0}
    assert labelled(terms, [CODE, "code/NOUN fell/VERB"]) == ["code", "source"]
    assert labelled(terms, [CODE]) == ["source code"]


def test_only_the_documents_of_the_set_count():
    documents = [["code/NOUN fell/VERB"], [CODE], [CODE]]
    terms = {"code": 2.0, "source": 1.0}
    assert labelled(terms, *documents, rows=[1, 2]) == ["source code"]
    assert labelled({"code": 2.0}, *documents, rows=[0]) == ["code"]


def test_nothing_is_told_twice():
    terms = {"rocks": 3.0, "rock": 2.0, "band": 1.0}
    rocks, band = "Rocks/NOUN fell/VERB", "rock/NOUN band/NOUN fell/VERB"
    assert labelled(terms, [rocks, rocks, band, band]) == ["Rocks", "band"]


def test_of_equal_phrases_the_shortest_is_told():
    sentence = "fine/ADJ source/NOUN code/NOUN fell/VERB"
    assert labelled({"code": 1.0, "source": 0.5}, [sentence, sentence]) == ["source code"]


def test_terms_without_weight_are_left_out_and_no_more_than_asked_for_are_told():
    documents = [["rock/NOUN fell/VERB", "coal/NOUN left/VERB"]]
    terms = {"rock": 2.0, "coal": 1.0, "fell": 0.0, "left": -1.0}
    assert labelled(terms, *documents) == ["rock", "coal"]
    assert labelled(terms, *documents, most=1) == ["rock"]
    assert labelled(terms, *documents, most=0) == []
    assert labelled({}, *documents) == []


@unhurried
@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3), weights)
def test_every_term_of_weight_is_told_once(documents, drawn):
    pages = browser(*documents)
    terms = [(word, float(n)) for word, n in drawn if word in pages.occurrences.words]
    told = grown(terms, pages, range(len(documents)))
    held = [singular(word) for phrase in told for word in phrase.lower().split() if word != "of"]
    assert {singular(word) for word, weight in terms if weight > 0} <= set(held)
    once = [{*map(singular, phrase.lower().split())} - {"of"} for phrase in told]
    assert sum(map(len, once)) == len(set().union(*once))


@given(st.lists(sentences, min_size=1, max_size=4), weights)
@unhurried
def test_several_sets_at_once(texts, terms):
    found = browser(*([text] for text in texts))
    sets = [[0], [*range(len(texts))], [len(texts) - 1, 0]]
    counts = found.occurrences.at(Position.ANYWHERE)
    own = [
        [term for term in terms if found.place.get(term[0]) in counts[rows].indices]
        for rows in sets
    ]
    several = grown_of_all(own, found, sets)
    assert [list(each) for each in several] == [
        grown(*each) for each in zip(own, [found] * len(sets), sets, strict=True)
    ]
