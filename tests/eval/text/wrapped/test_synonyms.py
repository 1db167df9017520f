from pathlib import Path

import pytest

from eval.text.wrapped.synonyms import Synonyms
from tests.eval.text.wordnet.database import published, tiny


def words(synonyms: Synonyms, word: str) -> list[list[str]]:
    return [[lemma.name() for lemma in synset.lemmas()] for synset in synonyms.synsets(word)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Officer", [["officer", "soldier"], ["officer", "policeman"]]),
        ("policemen", [["officer", "policeman"]]),
        ("fires", [["fire", "shoot"], ["dismiss", "fire", "terminate"]]),
        ("unknown", []),
    ],
)
def test_synsets_know_their_words(tmp_path: Path, word: str, expected: list[list[str]]) -> None:
    assert words(Synonyms(tiny(tmp_path)), word) == expected


def test_two_databases_are_not_mixed_up(tmp_path: Path) -> None:
    one, other = Synonyms(tiny(tmp_path / "one")), Synonyms(tiny(tmp_path / "other"))
    assert one.synsets("gun")[0] is one.synsets("guns")[0]
    assert one.synsets("gun")[0] is not other.synsets("gun")[0]


def test_without_a_database_no_word_has_synonyms() -> None:
    assert Synonyms().synsets("fire") == ()


def test_the_published_database() -> None:
    found = words(Synonyms(published()), "cars")
    assert sorted(found[0]) == ["auto", "automobile", "car", "machine", "motorcar"]
