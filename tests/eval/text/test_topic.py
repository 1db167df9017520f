"""The texts of a topic as they are read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.cases import each_case
from weps.errors import SourceError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.text.testbed import Output, Reference, Text, Topic
from weps_eval.text.topic import TopicTexts, WordVectors, tagged_words


def made(*outputs: Text, reference: Text = "A cat.", sources: tuple[Text, ...] = ()) -> TopicTexts:
    systems = tuple(Output(f"s{number}", text) for number, text in enumerate(outputs))
    return TopicTexts(Topic("t", (Reference("r", reference),), systems, sources))


def test_texts_are_named_by_their_authors():
    topic = made("x", "y", sources=("s",))
    found = [topic.name(text) for text in ("y", "A cat.", "s", "?")]
    assert found == ["the output of 's1'", "the reference 'r'", "a source", "a text"]


@each_case(
    "content",
    [
        b"3 2\nsea 1 2 \ncat 3 4\nsand 5 6\n",  # word2vec, fastText
        "caf\u00e9 0 0\r\nsea 1 2\r\nat the sea 9 9\nsea 7 8\nsand 5 6".encode("latin-1"),  # GloVe
        gzip.compress(b"sea 1 2\nsand 5e0 6\ncat x y\n"),
    ],
)
def test_vectors_of_words_that_occur_are_kept(content, tmp_path: Path):
    path = tmp_path / ("vectors.txt.gz" if content[:1] == b"\x1f" else "vectors.txt")
    path.write_bytes(content)
    found = WordVectors(path).holding({"sea", "sand", "shell", "at"})
    assert list(found.rows) == ["sea", "sand"]
    assert found.of((("sand", "shell"), ("sea", "dunes")))[1].tolist() == [
        [5, 6],
        [0, 0],
        [1, 2],
        [0, 0],
    ]


@each_case(
    ("content", "where", "message"),
    [
        (b"", "", "has no word of the texts"),
        (b"2 2\nland 1 2\nSea 3 4\n", "", "has no word of the texts"),
        (b"1 300\nsea \x80\x1f\x00\n", ", line 2", "expected a word and its numbers"),
        (b"land 1 2\nsea 1\n", ", line 2", "expected a word and its numbers"),
        (b"land 1 2\nsea 1 nan\n", ", line 2", "expected a word and its numbers"),
        (b"land\nsea 1 2\n", ", line 1", "expected a word and its numbers"),
        (b"sea 1 1e300\n", ", line 1", "expected a word and its numbers"),
        (b"<html>\n", ", line 1", "expected a word and its numbers"),
        (b"sea " + b"1 " * 70_000, ", line 1", "expected a word and its numbers"),
        (None, "", "cannot be read"),
    ],
)
def test_files_without_vectors_of_words_are_refused(content, where, message, tmp_path: Path):
    path = tmp_path / ("nowhere" if content is None else "vectors.txt")
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        WordVectors(path).holding({"sea"})
    assert f"{path}{where}: " in caught.value.describe()
    assert message in caught.value.what
    assert caught.value.remedy


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
