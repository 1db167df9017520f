"""What a folder holds, and what it seems to."""

import json

import pytest

from weps.app.library import Library
from weps.errors import SourceError


def test_only_json_files_of_the_folder_itself_are_results(tmp_path):
    folder = tmp_path / "results"
    assert Library(folder).results() == ()
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "A.json").write_text("{}")
    (tmp_path / "B.json").write_text("{}")
    (folder / "B.json").symlink_to(tmp_path / "B.json")
    (folder / "C.json").mkdir()
    (folder / "D.json").write_text("{}")
    library = Library(folder)
    assert [each.identifier for each in library.results()] == ["D"]
    assert "no result" in library.results()[0].problem
    assert not any(library.has(name) for name in ("A", "B", "C", "../B", "deeper/A", ""))


def test_removal_stays_in_the_folder(tmp_path):
    folder, outside = tmp_path / "results", tmp_path / "outside"
    outside.mkdir()
    (outside / "1.html").write_text("mine")
    library = Library(folder)
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "Ann").symlink_to(outside)
    assert library.waiting() == ()
    with pytest.raises(SourceError, match="links"):
        library.source("Ann")
    (folder / "Ann.json").write_text("{}")
    (folder / "Ann.html").symlink_to(outside / "1.html")
    (folder / "Ann.notes").write_text("the user's own")
    assert library.remove("Ann") == (folder / "Ann.json",)
    assert (outside / "1.html").read_text() == "mine"
    assert (folder / "Ann.notes").exists()


def test_a_linked_folder_of_pages_is_not_followed(tmp_path):
    (tmp_path / "elsewhere" / "Ann").mkdir(parents=True)
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "pages").symlink_to(tmp_path / "elsewhere")
    library = Library(folder)
    assert library.waiting() == ()
    with pytest.raises(SourceError, match="links"):
        library.source("Ann")
    assert library.remove("Ann") == ()
    assert (tmp_path / "elsewhere" / "Ann").is_dir()


def test_a_result_that_was_written_anew_is_read_anew(tmp_path):
    library = Library(tmp_path)
    path = tmp_path / "Ann.json"
    path.write_text(json.dumps({"name": "Ann", "people": [], "merges": []}))
    assert "another version" in library.results()[0].problem
    settings = {"system": "", "model": "", "threshold": None, "language": ""}
    whole = {"name": "Ann", "people": [], "merges": [], "collected": [], "settings": settings}
    path.write_text(json.dumps(whole | {"model": "", "signature": ""}))
    assert [(each.problem, each.name, each.pages) for each in library.results()] == [("", "Ann", 0)]
    library.remove("Ann")
    assert not library._known


@pytest.mark.parametrize("name", ["", ".", "..", ".Ann", "A\nnn", "\u202eAnn", "\udcff\udcfe"])
def test_names_that_weps_gives_to_nothing_are_no_results(tmp_path, name):
    pages = tmp_path / "pages" / "Bob"
    pages.mkdir(parents=True)
    (tmp_path / f"{name}.json").write_text("{}")
    (tmp_path / "pages" / name).mkdir(exist_ok=True)
    library = Library(tmp_path)
    assert library.all() == {"Bob"}
    assert not library.has(name)
