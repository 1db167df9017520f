"""Sentences and tagged words of texts."""

from __future__ import annotations

import pytest

from eval.text.desk import reading
from eval.text.desk.reading import sentences_of, tagged_words
from eval.text.testbed import Text
from weps.language.pipeline import EMBEDDED


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
    (words,) = tagged_words([["Two “mice” ran – 3 times!", "", "..."]], EMBEDDED)
    assert words is not None
    assert [[word.form for word in sentence] for sentence in words] == [
        ["Two", "“", "mice", "”", "ran", "–", "3", "times", "!"],
        ["..."],
    ]
    assert [word.lemma for word in words[0]] == ["two", "", "mouse", "", "run", "", "3", "time", ""]


def test_empty_texts_have_no_words() -> None:
    assert tagged_words([[], ["A cat."]], EMBEDDED)[0] == ()


def test_lemmas_of_words_with_other_characters() -> None:
    (words,) = tagged_words([["The well-known 2.6 mice ran."]], EMBEDDED)
    assert words is not None
    lemmas = {word.form: word.lemma for word in words[0]}
    assert (lemmas["mice"], lemmas["ran"], lemmas["2.6"]) == ("mouse", "run", "2.6")


def test_a_text_on_which_the_pipeline_fails_has_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "annotate", lambda *_: [{}])
    assert reading.tagged_words([["A cat."]], EMBEDDED) == [None]
