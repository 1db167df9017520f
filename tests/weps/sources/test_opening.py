from pathlib import Path

import pytest

from weps.errors import SourceError
from weps.sources import opening
from weps.sources.opening import SOURCE_READERS, open_source


def test_each_kind_has_one_reader_that_says_what_it_holds():
    assert [reader.layout for reader in SOURCE_READERS] == ["weps-1", "weps-2", "folder"]
    assert all(reader.description for reader in SOURCE_READERS)


def test_a_missing_folder(tmp_path):
    with pytest.raises(SourceError) as caught:
        open_source(tmp_path / "no")
    assert str(caught.value) == f"{tmp_path / 'no'}: no such folder; check the spelling of the path"


def test_a_file_where_a_folder_is_expected(plant):
    root = plant({"1.html": "x"})
    with pytest.raises(SourceError, match=r"1\.html: is a file, a folder is expected; give the"):
        open_source(root / "1.html")


@pytest.mark.parametrize("files", [{"x.css": ""}, {"empty/x.css": ""}, {".hidden/1.html": ""}])
def test_a_folder_without_pages(plant, files):
    with pytest.raises(SourceError) as caught:
        open_source(plant(files))
    assert "holds neither saved pages nor a WePS corpus; a source is" in str(caught.value)
    assert all(reader.description in str(caught.value) for reader in SOURCE_READERS)


def test_the_folder_above_a_corpus_says_which_subfolder_to_take(plant):
    files = {f"{part}/description_files/A_B.xml": "<corpus/>" for part in ("training", "test")}
    root = plant(files)
    with pytest.raises(SourceError) as caught:
        open_source(root)
    assert caught.value.remedy == f"take the corpus in {root / 'test'}, {root / 'training'}"


@pytest.mark.parametrize("part", ["tokens", "metadata"])
def test_a_part_of_a_corpus_says_to_take_the_corpus(weps2, part):
    with pytest.raises(SourceError) as caught:
        open_source(weps2 / part)
    assert str(caught.value) == f"{weps2 / part}: is a part of a WePS corpus; take {weps2}"


def test_a_folder_called_metadata_alone_makes_no_corpus(plant):
    root = plant({"1.html": "x", "metadata/notes.md": ""})
    assert open_source(root).layout == "folder"


def test_the_folder_one_stands_in_lends_its_name(plant, monkeypatch):
    monkeypatch.chdir(plant({"Ann_Example/1.html": "x"}) / "Ann_Example")
    assert open_source(".").names == ("Ann_Example",)


def test_a_link_lends_its_own_name(plant):
    root = plant({"x17/1.html": "x"})
    (root / "Ann_Example").symlink_to(root / "x17")
    assert open_source(root / "Ann_Example").names == ("Ann_Example",)


def test_a_path_the_system_refuses(monkeypatch):
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(SourceError, match=r"/locked: cannot be read \(Permission denied\)"):
        opening.open_source("/locked")
