from pathlib import Path

import numpy as np
import pytest

from eval.text.wordnet import database
from eval.text.wordnet.database import (
    WORDNET_FILES,
    base_forms,
    find_wordnet,
    read_wordnet,
    senses_of,
)
from tests.eval.text.wordnet.database import SYNSETS, numbered, published, tiny, write
from weps.errors import SourceError


def test_a_folder_is_read(tmp_path: Path) -> None:
    assert len(find_wordnet(write(tmp_path)).synsets) == len(SYNSETS)


def test_the_first_place_that_has_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WORDNET_FOLDERS", (tmp_path / "none", write(tmp_path / "there")))
    assert len(find_wordnet().synsets) == len(SYNSETS)


def test_where_it_is_absent_the_remedy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WORDNET_FOLDERS", (tmp_path / "none",))
    with pytest.raises(SourceError, match="not installed; install Debian's package wordnet-base"):
        find_wordnet()


@pytest.mark.parametrize(
    ("word", "part", "places"),
    [
        ("policeman", "n", "n3"),
        ("Policemen", "n", "n3"),
        ("axes", "n", "n7 n8"),
        ("officers", "n", "n4 n3"),
        ("boxes", "n", "n10"),
        ("boxesful", "n", "n11"),
        ("boss", "n", "n9"),
        ("bosss", "n", ""),
        ("fired", "v", "v1 v2"),
        ("firing", "v", "v1 v2"),
        ("finishes", "v", "v3"),
        ("dismissed", "v", "v2"),
        ("quicker", "a", "a1"),
        ("faster", "r", "r1"),
        ("faster", "a", ""),
        ("fired", "n", ""),
        ("fires", "", "v1 v2"),
        ("Sterling", "", ""),
        ("", "", ""),
        ("fire", "x", ""),
    ],
)
def test_words_are_looked_up_in_any_form(tmp_path: Path, word: str, part: str, places: str) -> None:
    found = tiny(tmp_path)
    assert senses_of(word, found, part) == numbered(found, places)


@pytest.mark.parametrize(
    ("word", "part", "forms"),
    [
        ("axes", "n", "ax axis"),
        ("was", "v", "be"),
        ("left", "v", "leave"),
        ("cities", "n", "city"),
        ("glass", "n", "glass"),
        ("better", "a", "better good well"),
        ("saw", "v", "saw see"),
        ("attorney general", "n", "attorney_general"),
    ],
)
def test_published_words_have_their_base_forms(word: str, part: str, forms: str) -> None:
    assert set(forms.split()) <= set(base_forms(word, published(), part))


def test_all_synsets_and_pointers_are_read(tmp_path: Path) -> None:
    found = tiny(tmp_path)
    assert len(found.synsets) == len(SYNSETS)
    assert found.synsets[0] == "n00000001"
    wanted = [
        numbered(found, f"{place} {target}")
        for place, (_, targets) in SYNSETS.items()
        for target in targets.split()
    ]
    assert found.pointers.tolist() == [list(pair) for pair in wanted]


def test_senses_stand_in_the_order_of_the_index(tmp_path: Path) -> None:
    found = tiny(tmp_path)
    assert found.senses["officer", "n"] == numbered(found, "n4 n3")
    assert found.senses["fire", "v"] == numbered(found, "v1 v2")
    assert ("fire", "n") not in found.senses


def test_satellites_are_adjectives(tmp_path: Path) -> None:
    found = tiny(tmp_path)
    assert found.senses["quick", "a"] == numbered(found, "a1")


def test_exceptions_may_have_several_base_forms(tmp_path: Path) -> None:
    assert tiny(tmp_path).exceptions["axes", "n"] == ("ax", "axe", "axis")


def test_any_change_of_the_files_changes_the_digest(tmp_path: Path) -> None:
    before = tiny(tmp_path).digest
    assert tiny(tmp_path).digest == before
    with (tmp_path / "adv.exc").open("a") as file:
        file.write("better well\n")
    assert read_wordnet(tmp_path).digest != before


@pytest.mark.parametrize("name", WORDNET_FILES)
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    (write(tmp_path) / name).unlink()
    with pytest.raises(SourceError, match=rf"{name}: cannot be read .*wordnet-base"):
        read_wordnet(tmp_path)


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        (
            "data.noun",
            "00000099 03 n 01 thing 0 002 @ 00000001 n 0000 | cut",
            "no line of a synset",
        ),
        ("data.noun", "00000099 03 n zz thing 0 000 | cut", "no line of a synset"),
        ("data.noun", "00000099 03", "no line of a synset"),
        ("data.noun", "00000099 03 n 01 thing 0 -01 | cut", "no line of a synset"),
        ("data.noun", "00000002 03 n 01 thing 0 000 | again", "was there before"),
        ("data.verb", "00000099 03 v 01 act 0 001 @ 00000077 n 0000 | x", "no synset n00000077"),
        ("index.noun", "thing n 1 0 1 0 00000077", "no synset n00000077"),
        ("index.noun", "thing n 2 0 2 0 00000001", "no line of a lemma"),
        ("index.noun", "thing n 1", "no line of a lemma"),
        ("index.noun", "thing n one 0 1 0 00000001", "no line of a lemma"),
        ("noun.exc", "caf\u00e9s caf\u00e9", "not ASCII"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, name: str, line: str, message: str) -> None:
    path = write(tmp_path) / name
    number = len(path.read_text().splitlines()) + 1
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(SourceError, match=f"{name}:{number}: .*{message}"):
        read_wordnet(tmp_path)


def test_a_file_beyond_all_bounds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_MOST_BYTES", 100)
    with pytest.raises(SourceError, match=r"data\.noun: too large"):
        tiny(tmp_path)


def test_the_published_database_has_its_published_size() -> None:
    found = published()
    assert len(found.synsets) == len(set(found.synsets)) == 117_659
    assert found.pointers.shape == (377_592, 2)
    assert found.pointers.dtype == np.int32
    assert [sum(name[0] == part for name in found.synsets) for part in "nvar"] == [
        82_115,
        13_767,
        18_156,
        3_621,
    ]
