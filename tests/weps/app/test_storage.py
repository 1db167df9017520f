"""The folder of results, and pages uploaded to it."""

import json

import pytest

from weps.app.storage import ResultStore
from weps.errors import SourceError
from weps.reading import Reader
from weps.results.forgetting import forget_name


def test_only_json_files_of_the_folder_itself_are_results(tmp_path):
    folder = tmp_path / "results"
    assert ResultStore(folder).results() == ()
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "A.json").write_text("{}")
    (tmp_path / "B.json").write_text("{}")
    (folder / "B.json").symlink_to(tmp_path / "B.json")
    (folder / "C.json").mkdir()
    (folder / "D.json").write_text("{}")
    store = ResultStore(folder)
    assert [each.identifier for each in store.results()] == ["D"]
    assert "not a result" in store.results()[0].problem
    assert not any(store.has_result(name) for name in ("A", "B", "C", "../B", "deeper/A", ""))


def test_removal_stays_in_the_folder(tmp_path):
    folder, outside = tmp_path / "results", tmp_path / "outside"
    outside.mkdir()
    (outside / "1.html").write_text("mine")
    store = ResultStore(folder)
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "Ann").symlink_to(outside)
    (folder / "Ann.json").write_text("{}")
    (folder / "Ann.html").symlink_to(outside / "1.html")
    (folder / "Ann.notes").write_text("the user's own")
    assert forget_name(store.folder, "Ann", Reader()).files == (folder / "Ann.json",)
    assert (outside / "1.html").read_text() == "mine"
    assert (folder / "Ann.notes").exists()


@pytest.mark.parametrize("linked", ["pages", "pages/Ann"])
def test_a_linked_folder_of_pages_is_not_followed(tmp_path, linked):
    (outside := tmp_path / "outside" / "Ann").mkdir(parents=True)
    (link := tmp_path / "results" / linked).parent.mkdir(parents=True)
    link.symlink_to(outside.parent if linked == "pages" else outside)
    store = ResultStore(tmp_path / "results")
    assert store.pending() == ()
    with pytest.raises(SourceError, match="links"):
        store.source(store.pages("Ann"), "Ann")
    assert forget_name(store.folder, "Ann", Reader()).files == ()
    assert outside.is_dir()


def test_a_result_that_was_written_again_is_read_again(tmp_path):
    store = ResultStore(tmp_path)
    path = tmp_path / "Ann.json"
    path.write_text(json.dumps({"name": "Ann", "people": [], "merges": []}))
    assert "another version" in store.results()[0].problem
    settings = {"system": "", "model": "", "threshold": None, "language": ""}
    whole = {"name": "Ann", "people": [], "merges": [], "collected": [], "settings": settings}
    path.write_text(json.dumps(whole | {"model": "", "signature": ""}))
    (result,) = store.results()
    assert (result.problem, result.name, result.content.pages) == ("", "Ann", 0)
    forget_name(store.folder, "Ann", Reader())
    assert not store._loaded_results


@pytest.mark.parametrize("name", ["", ".", "..", ".Ann", "A\nnn", "\u202eAnn", "\udcff\udcfe"])
def test_names_that_weps_gives_to_nothing_are_no_results(tmp_path, name):
    pages = tmp_path / "pages" / "Bob"
    pages.mkdir(parents=True)
    (tmp_path / f"{name}.json").write_text("{}")
    (tmp_path / "pages" / name).mkdir(exist_ok=True)
    store = ResultStore(tmp_path)
    assert store.all() == {"Bob"}
    assert not store.has_result(name)
