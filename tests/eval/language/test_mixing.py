from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin

from eval.language import mixing
from eval.language.mixing import fragments, write_entities, write_syntax
from tests.eval.language.made_up import WORDS, write_data

LABELS = {"PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT"}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixing, "_FRAGMENTS", 50)
    monkeypatch.setattr(mixing, "_FRAGMENTS_DEV", 10)


def words(path: Path) -> list[str]:
    docs = DocBin().from_disk(path).get_docs(spacy.blank("en").vocab)
    return [token.text for doc in docs for token in doc]


def test_fragments_are_the_same_each_time_and_show_all_types() -> None:
    made = list(fragments(300))
    assert made == list(fragments(300))
    assert {tag[2:] for each in made for tag in each.entities} == LABELS | {""}


def test_syntax_files_hold_both_treebanks(tmp_path: Path) -> None:
    counts = write_syntax(write_data(tmp_path / "data", times=3), tmp_path / "out")
    assert counts == {"EWT train": 18, "GUM train": 18}
    assert words(tmp_path / "out/train.spacy") == list(WORDS) * 6
    assert words(tmp_path / "out/dev.spacy") == list(WORDS) * 6


@pytest.mark.usefixtures("few")
def test_entity_files_hold_recased_copies_and_no_test_file(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", times=30)
    for path in data.rglob("*test*"):
        path.write_text("", "utf-8")
    counts = write_entities(data, tmp_path / "out")
    assert counts["WNUT17 train"] == 30 * len(WORDS)
    assert counts["UNER EWT dev"] == 2 * 30 * len(WORDS)
    read = words(tmp_path / "out/train.spacy")
    assert {"Quill", "quill", "QUILL"} <= set(read)


@pytest.mark.usefixtures("few")
def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", times=5)
    for out in ("a", "b"):
        write_entities(data, tmp_path / out)
    for name in ("train.spacy", "dev.spacy"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
