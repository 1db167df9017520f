import pytest

from weps.features.vocabulary import content_words, stop_words
from weps.names import PersonName


@pytest.mark.parametrize("word", ["the", "of", "http", "www", "html", "com", "uk", "'s"])
def test_english_and_web_stop_words_are_joined(word):
    assert word in stop_words()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", []),
        ("the maths of baker", ["maths"]),
        ("thomas baker thomas", []),
        ("york york", ["york", "york"]),
        ("x 7 42 ... ??", ["42"]),
    ],
)
def test_content_words(words, expected):
    assert content_words(words.split(), PersonName.parse("Baker, Thomas")) == expected
