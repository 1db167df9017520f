import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of
from tests.weps.key_terms.builders import tagged
from weps._text import singular_form
from weps.features.bags import Bags
from weps.key_terms.clauses import word_positions
from weps.key_terms.occurrences import Occurrences
from weps.key_terms.phrases import PhraseBrowser, extend_all_to_phrases, key_phrases
from weps.key_terms.weighting import Reference

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
    occurrences = Occurrences.of(word_positions(tagged(*documents)), len(documents))
    phrases = Bags.of(map(noun_phrases, documents))
    number = {word: at for at, word in enumerate(occurrences.words)}
    holds = [
        (phrase, number[word])
        for phrase, text in enumerate(phrases.strings)
        for word in set(text.lower().split()) & number.keys()
    ]
    return PhraseBrowser.of(occurrences, phrases, tuple(np.array(holds, int).reshape(-1, 2).T))


def noun_phrases(document):
    """Two or more words of a sentence from a noun or adjective to a noun."""
    for sentence in document:
        words, tags = zip(*(word.split("/") for word in sentence.split()), strict=True)
        for begin, end in combinations(range(len(words) + 1), 2):
            inside = tags[begin:end]
            if (
                end - begin > 1
                and {*inside} <= {"ADJ", "ADP", "NOUN", "PROPN"}
                and inside[0] != "ADP"
                and inside[-1] in {"NOUN", "PROPN"}
            ):
                yield " ".join(words[begin:end])


def numbered(terms, pages):
    return [(pages.words.index(word), weight) for word, weight in terms]


def extended(terms, pages, rows):
    (found,) = extend_all_to_phrases([numbered(terms, pages)], pages, [rows])
    return list(map(pages.text, found))


def labelled(terms, *documents, rows=None):
    chosen = range(len(documents)) if rows is None else rows
    return extended(list(terms.items()), browser(*documents), chosen)


def test_haiti_grows_to_its_president():
    documents = [[HAITI, HAITI], [HAITI, "Haiti/PROPN fell/VERB"]]
    assert labelled({"haiti": 2.0, "president": 1.0}, *documents) == ["president of Haiti"]


@each_case(
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
    assert labelled({"york": 1.0}, [*york, *["York/PROPN left/VERB"] * 2]) == ["york"]


def test_words_side_by_side_once_are_no_phrase_of_a_term_found_twice():
    terms = {"code": 2.0, "source": 1.0}
    assert labelled(terms, [CODE, "code/NOUN fell/VERB"]) == ["code", "source"]
    assert labelled(terms, [CODE]) == ["source code"]
    documents = [["code/NOUN fell/VERB"], [CODE], [CODE]]
    assert labelled(terms, *documents, rows=[1, 2]) == ["source code"]
    assert labelled({"code": 2.0}, *documents, rows=[0]) == ["code"]


def test_nothing_is_shown_twice():
    terms = {"rocks": 3.0, "rock": 2.0, "band": 1.0}
    rocks, band = "Rocks/NOUN fell/VERB", "rock/NOUN band/NOUN fell/VERB"
    assert labelled(terms, [rocks, rocks, band, band]) == ["rocks", "band"]
    sentence = "fine/ADJ source/NOUN code/NOUN fell/VERB"  # of equal phrases the shortest
    assert labelled({"code": 1.0, "source": 0.5}, [sentence, sentence]) == ["source code"]


def test_terms_without_weight_are_left_out():
    documents = [["rock/NOUN fell/VERB", "coal/NOUN left/VERB"]]
    terms = {"rock": 2.0, "coal": 1.0, "fell": 0.0, "left": -1.0}
    assert labelled(terms, *documents) == ["rock", "coal"]
    assert labelled({}, *documents) == []


@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3), weights)
def test_every_term_of_weight_is_shown_once(documents, word_weights):
    pages = browser(*documents)
    terms = [(word, float(n)) for word, n in word_weights if word in pages.words]
    shown = extended(terms, pages, range(len(documents)))
    words = [{*map(singular_form, phrase.lower().split())} - {"of"} for phrase in shown]
    covered = set().union(*words)
    assert {singular_form(word) for word, weight in terms if weight > 0} <= covered
    assert sum(map(len, words)) == len(covered)


@given(st.lists(sentences, min_size=1, max_size=4), weights)
def test_several_sets_at_once(texts, terms):
    found = browser(*([text] for text in texts))
    sets = [[0], [*range(len(texts))], [len(texts) - 1, 0]]
    present = [set(found.word_counts[rows].nonzero()[1].tolist()) for rows in sets]
    known = [term for term in terms if term[0] in found.words]
    own = [[term for term in known if found.words.index(term[0]) in each] for each in present]
    several = extend_all_to_phrases([numbered(each, found) for each in own], found, sets)
    assert [list(map(found.text, each)) for each in several] == [
        extended(*each) for each in zip(own, [found] * len(sets), sets, strict=True)
    ]


def phrases(analysis, **options):
    return [phrase for phrase, _ in key_phrases(analysis, **options)]


@each_case(
    ("sentence", "expected"),
    [
        ("the/DET president/NOUN of/ADP Haiti/PROPN fell/VERB", ["Haiti", "president"]),
        ("source/NOUN code/NOUN plagiarism/NOUN", ["source code plagiarism"]),
        ("arts/NOUN museum/NOUN fine/ADJ", ["arts museum"]),
        ("distributed/VERB systems/NOUN", ["distributed systems"]),
        ("he/PRON saw/VERB systems/NOUN", ["systems"]),
        ("user/NOUN -/PUNCT centred/VERB design/NOUN", ["user-centred design"]),
        ("New/ADJ York/PROPN", ["New York"]),
        ("new/ADJ rock/NOUN", ["rock"]),
        ("Dr./PROPN Thomas/PROPN Baker/PROPN Library/PROPN Hall/PROPN", ["Library Hall"]),
        ("19/NUM men/NOUN", ["men"]),
        ("fine/ADJ", []),
    ],
)
def test_key_phrases_of_a_sentence(sentence, expected):
    assert [each for each in phrases(tagged([sentence])) if each != "Dr."] == expected


def test_scores_are_those_of_the_formula():
    analysis = tagged(
        ["rock/NOUN fell/VERB rocks/NOUN"],
        ["it/PRON had/VERB fine/ADJ rock/NOUN band/NOUN", "Rocks/NOUN"],
    )
    reference = Reference({"rock": (5, 4), "band": (1, 1)}, 100, 9)
    scores = dict(key_phrases(analysis, reference=reference))
    early = 1 / 3**0.15
    assert scores["rock"] == pytest.approx(2**0.1 * (3 + 2.1 / 4**0.15))
    rarity = (10 * 2 * 5) ** (1 / 3)
    assert scores["fine rock band"] == pytest.approx(1.16 * rarity**0.1 * 2 * early)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert dict(key_phrases(analysis, [0], reference)) == {"rocks": pytest.approx(2**0.1 * 3)}
    assert key_phrases(analysis, reference=reference, most=1) == [("rock", scores["rock"])]


def test_parts_of_better_phrases_are_left_out_and_better_parts_are_not():
    code = "source/NOUN code/NOUN fell/VERB"
    assert phrases(tagged([code, "code/NOUN fell/VERB"])) == ["source code"]
    assert phrases(tagged([code, *["code/NOUN fell/VERB"] * 3])) == ["code", "source code"]


def test_case_and_plurals_are_one_phrase_in_its_most_frequent_spelling():
    bands = ["MARINE/NOUN Band/NOUN"], ["marine/ADJ band/NOUN"] * 2, ["marine/ADJ bands/NOUN"]
    assert phrases(tagged(*bands)) == ["marine band"]


def test_without_tags_key_phrases_are_runs_of_content_words():
    analysis = analysis_of("The bishop of Durham, a mild man, met Thomas Baker", "a Mild Man")
    assert phrases(analysis) == ["mild man", "Durham", "bishop", "met"]


@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3))
def test_every_key_phrase_occurs_and_ends_with_a_noun(texts):
    plain = [re.sub(r"/\w+", "", each) for document in texts for each in document]
    for phrase, score in key_phrases(tagged(*texts)):
        assert any(f" {phrase} " in f" {each} " for each in plain)
        assert phrase.split()[-1] in {"York", "rock", "rocks"}
        assert len(phrase.split()) <= 4
        assert score > 0


@each_case("texts", [[], [""], ["the of"]])
def test_documents_without_key_phrases(texts):
    assert key_phrases(analysis_of(*texts)) == []
