"""The texts of a topic as they are read."""

from __future__ import annotations

from tests.cases import each_case
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.text.testbed import Output, Reference, Text, Topic
from weps_eval.text.topic import TopicTexts, tagged_words


def made(*outputs: Text, reference: Text = "A cat.", sources: tuple[Text, ...] = ()) -> TopicTexts:
    systems = tuple(Output(f"s{number}", text) for number, text in enumerate(outputs))
    return TopicTexts(Topic("t", (Reference("r", reference),), systems, sources))


def test_texts_are_named_by_their_authors():
    topic = made("x", "y", sources=("s",))
    found = [topic.name(text) for text in ("y", "A cat.", "s", "?")]
    assert found == ["the output of 's1'", "the reference 'r'", "a source", "a text"]


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
    assert made(text).sentences(text) == sentences


def test_lemmas_fall_to_the_words_that_have_them():
    (words,) = tagged_words([["Two “mice” ran – 3 times!", "", "..."]], BUILTIN_PIPELINE)
    assert words is not None
    assert [[word.form for word in sentence] for sentence in words] == [
        ["Two", "“", "mice", "”", "ran", "–", "3", "times", "!"],
        ["..."],
    ]
    assert [word.lemma for word in words[0]] == ["two", "", "mouse", "", "run", "", "3", "time", ""]
