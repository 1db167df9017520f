import sys

import pytest

from eval.text.overlap import Text
from eval.text.rouge import preprocessing
from eval.text.rouge.preprocessing import OPTIONS, Preprocessing
from weps.errors import LanguageError, ValuesError

PLAIN = Preprocessing()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 2.6 million-dollar; CAFÉ!", (("it", "s", "2", "6", "million", "dollar", "caf"),)),
        ("one\ntwo three\n\n...\n", (("one",), ("two", "three"))),
        (["one\ntwo", "three"], (("one", "two"), ("three",))),
        ("snake_case", (("snake", "case"),)),
        ("", ()),
        (" - ", ()),
        ([], ()),
    ],
)
def test_tokens(text: str, expected: Text) -> None:
    assert PLAIN(text) == expected


def test_other_scripts_are_refused_or_read() -> None:
    with pytest.raises(ValuesError, match="unicode=true"):
        PLAIN("Привет, мир")
    assert Preprocessing(unicode=True)("Привет, мир_2 café") == (("привет", "мир", "2", "café"),)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("a", ("the", "dogs", "were", "running", "and", "bus", "buses", "stopped")),
        ("b", ("dogs", "running", "bus", "buses", "stopped")),
        ("c", ("dog", "run", "bus", "buse", "stop")),
    ],
)
def test_the_options_of_the_paper(option: str, expected: tuple[str, ...]) -> None:
    if option == "c":
        pytest.importorskip("nltk")
    assert OPTIONS[option]("The dogs were running, and bus buses stopped") == (expected,)


def test_a_text_of_stop_words_is_left_empty() -> None:
    assert OPTIONS["b"]("To be or not to be") == ()


def test_stems_need_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.stem.porter", None)
    for cached in (preprocessing.stemmed, preprocessing._stemmer):
        cached.cache_clear()
    with pytest.raises(LanguageError, match=r"pip install 'weps\[text\]'"):
        Preprocessing(stem=True)("stems")
