from pathlib import Path

import pytest

from eval.text.senses import alignment
from eval.text.senses.alignment import Alignment
from eval.text.senses.words import Text, Word
from eval.text.wordnet import Ranks
from tests.eval.text.wordnet.database import numbered, published, tiny
from weps.errors import ValuesError


def text(words: str) -> Text:
    """From ``officer/n fired/v``."""
    return tuple(Word(*word.split("/")) for word in words.split())


def readings(ranks: Ranks, first: str, second: str) -> dict[str, str]:
    """The sense of each word of the first text: part of speech and offset, or empty."""
    aligned = Alignment.of([text(first), text(second)], ranks)
    senses = sorted({each for word in text(first + " " + second) for each in _senses(word, ranks)})
    found = aligned.read(text(first), text(second))
    names = ranks.wordnet.synsets
    return {
        word.form: "" if sense is None else names[senses[sense]] for word, sense in found.items()
    }


def _senses(word: Word, ranks: Ranks) -> tuple[int, ...]:
    return ranks.wordnet.senses.get((word.form, word.part), ())


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("officer/n", "policeman/n", "n3"),
        ("officer/n", "soldier/n", "n4"),
        ("fire/v", "gun/n", "v1"),
        ("fire/v", "job/n", "v2"),
        ("terminate/v", "job/n", "v2"),
        ("officer/n fire/v", "officer/n fire/v", "n4 v1"),
        ("officer/n", "", "n4"),
        ("officer/n", "the/x", "n4"),
    ],
)
def test_words_take_the_sense_next_to_the_other_text(
    tmp_path: Path, first: str, second: str, wanted: str
) -> None:
    found = tiny(tmp_path)
    places = [found.synsets[number] for number in numbered(found, wanted)]
    assert list(readings(Ranks(found), first, second).values()) == places


def test_unknown_words_have_no_sense_and_closed_ones_no_reading(tmp_path: Path) -> None:
    found = readings(Ranks(tiny(tmp_path)), "sterling/n fire/v the/x", "gun/n")
    assert list(found) == ["sterling", "fire"]
    assert found["sterling"] == ""


def test_texts_without_words_align(tmp_path: Path) -> None:
    assert Alignment.of([(), ()], Ranks(tiny(tmp_path))).read((), ()) == {}


def test_texts_with_too_many_senses_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "_MOST_SENSES", 3)
    ranks = Ranks(tiny(tmp_path))
    Alignment.of([text("officer/n gun/n")], ranks)
    with pytest.raises(ValuesError, match="have 4 senses, more than the 3"):
        Alignment.of([text("officer/n gun/n job/n")], ranks)


def test_the_example_of_the_paper() -> None:
    wordnet = published()
    found = readings(
        Ranks(wordnet),
        "officer/n fire/v",
        "several/a policeman/n terminate/v corruption/n probe/n",
    )
    assert found["fire"] == wordnet.synsets[wordnet.senses["fire", "v"][3]]
    assert found["officer"] == wordnet.synsets[wordnet.senses["officer", "n"][2]]
