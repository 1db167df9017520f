from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from weps.language.passages import passages

NLP = spacy.blank("en")
SENTENCES = st.lists(st.text("ab 1.,(\n\t\x00é😀\u202e", max_size=30), max_size=8)


def sizes(sentences: list[str]) -> list[int]:
    return [len(document) for document, _ in passages(sentences, NLP)]


@given(SENTENCES)
def test_every_token_keeps_its_sentence(sentences):
    found = [""] * len(sentences)
    for document, numbers in passages(sentences, NLP):
        for token, number in zip(document, numbers, strict=True):
            found[number] += token.text
    assert found == ["".join(sentence.split()) for sentence in sentences]


@given(SENTENCES)
def test_sentence_starts_are_preset_for_every_token(sentences):
    for document, numbers in passages(sentences, NLP):
        changes = [True, *(a != b for a, b in pairwise(numbers))]
        assert [token.is_sent_start for token in document] == changes


@given(SENTENCES)
def test_no_token_is_white_space(sentences):
    assert not any(token.is_space for doc, _ in passages(sentences, NLP) for token in doc)


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([], []),
        ([0, 0], []),
        ([1000, 1000], [2000]),
        ([1000, 1000, 1], [2000, 1]),
        ([700, 700, 700], [1400, 700]),
        ([900, 0, 1101], [1900, 101]),
        ([5000], [2000, 2000, 1000]),
    ],
)
def test_passages_are_of_bounded_size(lengths, expected):
    assert sizes(["word " * length for length in lengths]) == expected


def test_a_long_sentence_is_cut_into_pieces():
    ((document, numbers),) = passages(["word " * 1001], NLP)
    assert [token.i for token in document if token.is_sent_start] == [0, 500, 1000]
    assert set(numbers) == {0}


def test_long_words_are_cut():
    ((document, _),) = passages(["x" * 1001], NLP)
    assert [len(token) for token in document] == [500, 500, 1]


def test_a_lone_surrogate_is_replaced():
    ((document, _),) = passages(["a \ud800 b"], NLP)
    assert [token.text for token in document] == ["a", "?", "b"]
