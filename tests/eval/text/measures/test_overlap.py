"""Overlap of words, and the texts of a topic."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.cases import each_case
from weps.errors import ValuesError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.text.measures import topic as desk
from weps_eval.text.measures.overlap import (
    Overlap,
    jackknife_over_references,
    maximum_over_references,
    mean_over_references,
    or_wholes,
    pooled_overlap,
)
from weps_eval.text.measures.topic import TopicTexts, Word, key_terms_of, sentences_of, tagged_words
from weps_eval.text.testbed import Output, Reference, Text, Topic

COUNTS = st.integers(0, 50)


@each_case(
    ("overlap", "precision", "recall"),
    [
        (Overlap(1, 2, 4), 0.5, 0.25),
        (Overlap(0, 2, 4), 0, 0),
        (Overlap(0, 0, 4), 0, 0),
        (Overlap(0, 2, 0), 0, 0),
        (Overlap(0, 0, 0), 1, 1),
    ],
)
def test_shares_are_defined_everywhere(overlap, precision, recall):
    assert (overlap.precision, overlap.recall) == (precision, recall)


@each_case(
    ("beta", "expected"),
    [(1, 1 / 3), (0, 0.5), (math.inf, 0.25), (2, 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))],
)
def test_f_goes_from_precision_to_recall(beta, expected):
    assert Overlap(1, 2, 4).f(beta) == pytest.approx(expected)


@given(COUNTS, COUNTS, COUNTS, st.floats(0, 1e6))
def test_f_lies_between_precision_and_recall(shared, left, right, beta):
    overlap = Overlap(shared, shared + left, shared + right)
    low, high = sorted((overlap.precision, overlap.recall))
    assert low - 1e-12 <= overlap.f(beta) <= high + 1e-12


@each_case(
    ("overlap", "output", "reference", "expected"),
    [
        (Overlap(0, 0, 0), (("a",),), (("a",),), Overlap(1, 1, 1)),
        (Overlap(0, 0, 0), (("a",),), (("b",),), Overlap(0, 1, 1)),
        (Overlap(0, 0, 0), (), ((),), Overlap(1, 1, 1)),
        (Overlap(0, 0, 1), (("a",),), (("a", "b"),), Overlap(0, 0, 1)),
    ],
)
def test_texts_without_units_match_as_wholes(overlap, output, reference, expected):
    assert or_wholes(overlap, output, reference) == expected


OVER_REFERENCES = [mean_over_references, maximum_over_references, jackknife_over_references]
SCORES = arrays(
    np.float64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(0, 1)
)


@each_case(
    ("combine", "expected"),
    [
        (mean_over_references, [0.4, 0.2]),
        (maximum_over_references, [0.8, 0.2]),
        (jackknife_over_references, [(0.8 + 0.8 + 0.4) / 3, 0.2]),
    ],
)
def test_three_references(combine, expected):
    scores = [[0.0, 0.8, 0.4], [0.2, 0.2, 0.2]]
    assert combine(scores).tolist() == pytest.approx(expected)


@given(SCORES)
def test_the_jackknife_leaves_every_reference_out_once(scores):
    references = scores.shape[1]
    without = [np.delete(scores, one, axis=1) for one in range(references)]
    expected = (
        np.mean([maximum_over_references(each) for each in without], axis=0)
        if references > 1
        else scores.T
    )
    np.testing.assert_allclose(jackknife_over_references(scores), np.ravel(expected), rtol=1e-12)


def test_pooled_is_all_matches_over_all_totals():
    overlaps = [Overlap(1, 2, 4), Overlap(2, 2, 2)]
    assert pooled_overlap(overlaps) == Overlap(3, 4, 6)


@each_case("combine", OVER_REFERENCES)
@each_case(
    ("scores", "message"),
    [
        (np.zeros((2, 0)), "no reference"),
        ([[0.5, float("nan")]], "expected numbers"),
        ([0.5, 0.5], r"shape \(outputs, references\)"),
    ],
)
def test_scores_that_cannot_be_combined(combine, scores, message):
    with pytest.raises(ValuesError, match=message):
        combine(scores)


def test_nothing_to_pool():
    with pytest.raises(ValuesError, match="no reference"):
        pooled_overlap([])


def made(*outputs: Text, reference: Text = "A cat.", sources: tuple[Text, ...] = ()) -> TopicTexts:
    systems = tuple(Output(f"s{number}", text) for number, text in enumerate(outputs))
    return TopicTexts(Topic("t", (Reference("r", reference),), systems, sources))


def test_words_have_tags_and_lemmas():
    words = made("Cats were sitting.", "").words("Cats were sitting.")
    assert words == (
        (
            Word("Cats", "NOUN", "cat"),
            Word("were", "AUX", "be"),
            Word("sitting", "VERB", "sit"),
            Word(".", "PUNCT", ""),
        ),
    )


def test_words_of_all_texts_are_read_at_once(monkeypatch):
    calls: list[int] = []

    def read(texts: Sequence[object], _: str) -> list[tuple[()] | None]:
        calls.append(len(texts))
        return [()] * (len(texts) - 1) + [None]

    monkeypatch.setattr(desk, "tagged_words", read)
    topic = made("One.", "Two.", reference="Three.")
    assert topic.words("One.") == topic.words("Two.") == ()
    with pytest.raises(ValuesError, match="the reference 'r': the language pipeline fails"):
        topic.words("Three.")
    assert calls == [3]


def test_texts_are_named_by_their_authors():
    topic = made("x", "y", sources=("s",))
    found = [topic.name(text) for text in ("y", "A cat.", "s", "?")]
    assert found == ["the output of 's1'", "the reference 'r'", "a source", "a text"]


TEXTS = [
    ("The treasury sold treasury bonds.", "A dealer bought treasury bonds."),
    ("Treasury bonds fell on the exchange.",),
]


def test_key_terms_are_phrases_best_first():
    found = key_terms_of(TEXTS, 3)
    assert found[0].lower() == "treasury bonds"
    assert key_terms_of(TEXTS, 1) == found[:1]
    assert key_terms_of(TEXTS[::-1], 3) == found


@each_case(
    ("text", "sentences"),
    [
        ("", ()),
        (" \n ", ()),
        ("One. Two three? four", ("One.", "Two three? four")),
        ("one\ntwo. Three", ("one", "two.", "Three")),
        ("Dr. Baker came . He left .", ("Dr. Baker came .", "He left .")),
        (("One. Two.", ""), ("One. Two.", "")),
        ("文章。もう一つ。", ("文章。", "もう一つ。")),
        ("...", ("...",)),
    ],
)
def test_sentences(text, sentences):
    assert sentences_of(text) == sentences


def test_lemmas_fall_to_the_words_that_have_them():
    (words,) = tagged_words([["Two “mice” ran – 3 times!", "", "..."]], BUILTIN_PIPELINE)
    assert words is not None
    assert [[word.form for word in sentence] for sentence in words] == [
        ["Two", "“", "mice", "”", "ran", "–", "3", "times", "!"],
        ["..."],
    ]
    assert [word.lemma for word in words[0]] == ["two", "", "mouse", "", "run", "", "3", "time", ""]
