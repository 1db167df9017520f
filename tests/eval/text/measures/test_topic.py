"""The texts of a topic, read once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from eval.text.measures import topic as desk
from eval.text.measures import topic as reading
from eval.text.measures.rouge import Preprocessing
from eval.text.measures.topic import TopicTexts, Word, key_terms_of, sentences_of, tagged_words
from eval.text.testbed.records import Output, Reference, Text, Topic
from weps.errors import ValuesError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE


def made(*outputs: Text, reference: Text = "A cat.", sources: tuple[Text, ...] = ()) -> TopicTexts:
    systems = tuple(Output(f"s{number}", text) for number, text in enumerate(outputs))
    return TopicTexts(Topic("t", (Reference("r", reference),), systems, sources))


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
    assert [topic.cached("q", lambda: next(answers)) for _ in range(2)] == [1, 1]
    assert topic.cached("other", lambda: next(answers)) == 2


TEXTS = [
    ("The treasury sold treasury bonds.", "A dealer bought treasury bonds."),
    ("Treasury bonds fell on the exchange.",),
]


def test_key_terms_grow_to_phrases_best_first() -> None:
    found = key_terms_of(TEXTS, 3)
    assert found[0].lower() == "treasury bonds"
    assert key_terms_of(TEXTS, 1) == found[:1]
    assert key_terms_of(TEXTS[::-1], 3) == found


def test_texts_without_words_have_none() -> None:
    assert key_terms_of([("!",), ("The of.",), ()], 3) == []
    assert key_terms_of([], 3) == []


@pytest.mark.parametrize(
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
def test_sentences(text: Text, sentences: tuple[str, ...]) -> None:
    assert sentences_of(text) == sentences


def test_lemmas_fall_to_the_words_that_have_them() -> None:
    (words,) = tagged_words([["Two “mice” ran – 3 times!", "", "..."]], BUILTIN_PIPELINE)
    assert words is not None
    assert [[word.form for word in sentence] for sentence in words] == [
        ["Two", "“", "mice", "”", "ran", "–", "3", "times", "!"],
        ["..."],
    ]
    assert [word.lemma for word in words[0]] == ["two", "", "mouse", "", "run", "", "3", "time", ""]


def test_empty_texts_have_no_words() -> None:
    assert tagged_words([[], ["A cat."]], BUILTIN_PIPELINE)[0] == ()


def test_lemmas_of_words_with_other_characters() -> None:
    (words,) = tagged_words([["The well-known 2.6 mice ran."]], BUILTIN_PIPELINE)
    assert words is not None
    lemmas = {word.form: word.lemma for word in words[0]}
    assert (lemmas["mice"], lemmas["ran"], lemmas["2.6"]) == ("mouse", "run", "2.6")


def test_a_text_on_which_the_pipeline_fails_has_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "annotate_pages", lambda *_: [{}])
    assert reading.tagged_words([["A cat."]], BUILTIN_PIPELINE) == [None]
