from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Overlap, Text
from eval.text.synthesis.selection import (
    document_overlap,
    documents_of,
    holders,
    sentence_overlap,
)
from weps.errors import ValuesError

Read = Callable[[str], Text]
SENTENCES = st.lists(st.sampled_from("ab"), min_size=1, max_size=2).map(tuple)
TEXTS = st.lists(SENTENCES, max_size=5).map(tuple)
DOCUMENTS = ("a / b / c d", "b / e", "f / a b / f", "g")


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("a / b / c d", "b / c d / e / f", Overlap(2, 3, 4)),
        ("a / a / b", "a", Overlap(1, 2, 1)),
        ("a b", "b a", Overlap(0, 1, 1)),
        ("a / / b", "a /", Overlap(1, 2, 1)),
        ("a", "", Overlap(0, 1, 0)),
    ],
)
def test_sentences_in_common(text: Read, output: str, reference: str, expected: Overlap) -> None:
    assert sentence_overlap(text(output), text(reference)) == expected


def test_the_formulas_of_the_paper(text: Read) -> None:
    overlap = sentence_overlap(text("a / b / c d"), text("b / c d / e / f"))
    assert (overlap.recall, overlap.precision) == (2 / 4, 2 / 3)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [("a", {0}), ("b", {0, 1}), ("f / a b / f", {2}), ("b / new / g", {0, 1, 3}), ("", set())],
)
def test_documents_that_a_text_represents(text: Read, sentences: str, expected: set[int]) -> None:
    assert documents_of(text(sentences), holders([*map(text, DOCUMENTS)])) == expected


def test_documents_in_common(text: Read) -> None:
    documents = holders([*map(text, DOCUMENTS)])
    overlap = document_overlap(text("e / f"), text("b / g / c d"), documents)
    assert overlap == Overlap(1, 2, 3)  # 1 2 and 0 1 3


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_a_document_is_represented_by_any_of_its_sentences(
    documents: list[Text], data: st.DataObject
) -> None:
    known = sorted({sentence for document in documents for sentence in document})
    text = tuple(data.draw(st.lists(st.sampled_from(known)))) if known else ()
    expected = {number for number, each in enumerate(documents) if set(each) & set(text)}
    assert documents_of(text, holders(documents)) == expected


@given(TEXTS, TEXTS)
def test_documents_of_one_sentence_are_sentences(output: Text, reference: Text) -> None:
    sentences = sorted({*output, *reference})
    documents = holders([(each,) for each in sentences])
    assert document_overlap(output, reference, documents) == sentence_overlap(output, reference)


@pytest.mark.parametrize(("output", "reference"), [("new", "a"), ("a", "new"), ("new", "")])
def test_texts_that_are_no_extracts_are_refused(text: Read, output: str, reference: str) -> None:
    with pytest.raises(ValuesError, match=r"no extract.*choose a measure"):
        document_overlap(text(output), text(reference), holders([text("a")]))
