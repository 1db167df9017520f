"""The texts of a topic, read once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from eval.text.desk import Desk, desk
from eval.text.desk.reading import Word
from eval.text.rouge.preprocessing import Preprocessing
from eval.text.testbed import Output, Reference, Text, Topic
from weps.errors import ValuesError


def made(*outputs: Text, reference: Text = "A cat.", sources: tuple[Text, ...] = ()) -> Desk:
    systems = tuple(Output(f"s{number}", text) for number, text in enumerate(outputs))
    return Desk(Topic("t", (Reference("r", reference),), systems, sources))


def test_texts_are_each_there_once() -> None:
    assert made("A cat.", "A dog.", "A dog.").texts == ("A cat.", "A dog.")


def test_tokens_are_those_of_the_sentences() -> None:
    text = "The cat sat. It purred."
    assert made(text).tokens(text, Preprocessing()) == (("the", "cat", "sat"), ("it", "purred"))


def test_words_have_tags_and_lemmas() -> None:
    words = made("Cats were sitting.", "").words("Cats were sitting.")
    assert words == (
        (
            Word("Cats", "NOUN", "cat"),
            Word("were", "AUX", "be"),
            Word("sitting", "VERB", "sit"),
            Word(".", "PUNCT", ""),
        ),
    )


def test_words_of_all_texts_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_texts_are_told_by_their_authors() -> None:
    topic = made("x", "y", sources=("s",))
    told = [topic.name(text) for text in ("y", "A cat.", "s", "?")]
    assert told == ["the output of 's1'", "the reference 'r'", "a source", "a text"]


def test_a_question_is_answered_once() -> None:
    answers = iter([1, 2])
    topic = made("x")
    assert [topic.once("q", lambda: next(answers)) for _ in range(2)] == [1, 1]
    assert topic.once("other", lambda: next(answers)) == 2
