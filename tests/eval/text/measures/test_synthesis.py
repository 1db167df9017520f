from collections import Counter
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.text.declaration import Overlap
from weps_eval.text.measures.synthesis import (
    concept_similarity,
    count_occurrences,
    documents_by_sentence,
    documents_of,
    most_frequent,
    sentence_length_similarity,
    set_overlap,
    truncated_similarity,
    vector_similarity,
)

WORDS = st.lists(st.sampled_from("ab"), max_size=12)
CONCEPTS = st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), min_size=1)

HAITI = [("aristide",), ("golpe", "militar"), ("onu",)]
OUTPUT = "la onu y aristide tras el golpe militar onu".split()  # 1 1 2 of 9
REFERENCE = "el golpe militar contra aristide y golpe".split()  # 1 1 0 of 7


def test_worked_example():
    assert count_occurrences(HAITI, OUTPUT).tolist() == [1, 1, 2]
    assert count_occurrences(HAITI, REFERENCE).tolist() == [1, 1, 0]
    distance = sqrt(2 * (1 / 7 - 1 / 9) ** 2 + (2 / 9) ** 2)
    assert concept_similarity(OUTPUT, REFERENCE, HAITI) == pytest.approx(
        1 / (1 + distance), rel=1e-15
    )


@each_case(
    ("concepts", "words", "expected"),
    [
        (["a a"], "a a a", [2]),
        (["a", "a b", "a b c"], "a b c a b a", [3, 2, 1]),
        (["b", "a b"], "a b", [1, 1]),
        (["a b", "a b"], "a b", [1, 1]),
        (["a b c"], "a b", [0]),
        ([], "a b", []),
    ],
)
def test_overlapping_occurrences_all_count(concepts, words, expected):
    found = count_occurrences([tuple(each.split()) for each in concepts], words.split())
    assert found.tolist() == expected


@given(CONCEPTS, WORDS)
def test_as_often_as_at_any_place(concepts, words):
    expected = [
        sum(tuple(words[start : start + len(each)]) == each for start in range(len(words)))
        for each in concepts
    ]
    assert count_occurrences(concepts, words).tolist() == expected


@given(CONCEPTS, WORDS, WORDS, st.randoms(use_true_random=False))
def test_concepts_are_a_set(concepts, output, reference, order):
    again = [*order.sample(concepts, len(concepts)), concepts[0]]
    assert concept_similarity(output, reference, again) == concept_similarity(
        output, reference, concepts
    )


@each_case(("concepts", "message"), [([], "no key concepts"), ([("a",), ()], "has no words")])
@each_case("words", [[], ["a"]])
def test_nothing_to_look_for(concepts, message, words):
    with pytest.raises(ValuesError, match=message):
        concept_similarity(words, words, concepts)


UNITS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12)


@each_case(
    ("output", "reference", "distance"),
    [
        ("a b b c", "a b d d", sqrt((1 + 1 + 4) / 16)),  # (1 2 1 0) / 4 and (1 1 0 2) / 4
        ("a", "b", sqrt(2)),
        ("a a b b", "b a", 0),
        ("a", "a b", sqrt(1 / 2)),
    ],
)
def test_worked_examples(output, reference, distance):
    similarity = vector_similarity(output.split(), reference.split())
    assert similarity == pytest.approx(1 / (1 + distance), rel=1e-15)


@each_case(
    ("terms", "distance"),
    [
        ("b", 1 / 4),
        ("c b", sqrt(2) / 4),
        ("d c b a", sqrt(6) / 4),
        ("a", 0),
        ("x", 0),
        ("b b", 1 / 4),
    ],
)
def test_only_the_terms_count(terms, distance):
    similarity = truncated_similarity("a b b c".split(), "a b d d".split(), terms.split())
    assert similarity == pytest.approx(1 / (1 + distance), rel=1e-15)


@given(UNITS, UNITS)
def test_more_terms_bring_no_text_closer(output, reference):
    similarities = [
        truncated_similarity(output, reference, most_frequent(output, n)) for n in range(1, 7)
    ]
    assert similarities == sorted(similarities, reverse=True)


@given(UNITS, st.integers(1, 8))
def test_the_most_frequent_are_so(words, n):
    counts = Counter(words)
    assert (
        list(most_frequent(words, n)) == sorted(counts, key=lambda word: (-counts[word], word))[:n]
    )
    assert most_frequent(words[::-1], n) == most_frequent(words, n)


@pytest.mark.parametrize("words", [[], ["a"]])
def test_without_terms_there_is_nothing_to_compare(words):
    with pytest.raises(ValuesError, match="no terms"):
        truncated_similarity(words, words, [])


SENTENCES = st.lists(st.sampled_from("ab"), min_size=1, max_size=2).map(tuple)
TEXTS = st.lists(SENTENCES, max_size=5).map(tuple)
DOCUMENTS = ("a / b / c d", "b / e", "f / a b / f", "g")


@each_case(
    ("output", "reference", "expected"),
    [
        ("a / b / c d", "b / c d / e / f", Overlap(2, 3, 4)),
        ("a / a / b", "a", Overlap(1, 2, 1)),
        ("a b", "b a", Overlap(0, 1, 1)),
        ("a / / b", "a /", Overlap(1, 2, 1)),
        ("a", "", Overlap(0, 1, 0)),
    ],
)
def test_sentences_in_common(text, output, reference, expected):
    assert set_overlap(*({*filter(None, text(each))} for each in (output, reference))) == expected


@each_case(
    ("sentences", "expected"),
    [("a", {0}), ("b", {0, 1}), ("f / a b / f", {2}), ("b / new / g", {0, 1, 3}), ("", set())],
)
def test_documents_that_a_text_represents(text, sentences, expected):
    assert documents_of(text(sentences), documents_by_sentence([*map(text, DOCUMENTS)])) == expected


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_a_document_is_represented_by_any_of_its_sentences(documents, data):
    known = sorted({sentence for document in documents for sentence in document})
    text = tuple(data.draw(st.lists(st.sampled_from(known)))) if known else ()
    expected = {number for number, each in enumerate(documents) if set(each) & set(text)}
    assert documents_of(text, documents_by_sentence(documents)) == expected


def test_texts_that_are_no_extracts_are_refused(text):
    with pytest.raises(ValuesError, match=r"not an extract.*choose a measure"):
        documents_of(text("new"), documents_by_sentence([text("a")]))


@each_case(
    ("output", "reference", "expected"),
    [
        ("a b c d / e f", "a", 1 / 3),  # 3 and 1
        ("a", "a b c d / e f", 1 / 3),
        ("a b / c", "a b c / d e / f", 1 / 1.5),  # 1.5 and 2
        ("a b / c d", "x y", 1),
        ("a b / / c d /", "x y", 1),
    ],
)
def test_average_lengths(text, output, reference, expected):
    similarity = sentence_length_similarity(text(output), text(reference))
    assert similarity == pytest.approx(expected, rel=1e-15)
