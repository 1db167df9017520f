"""The folder of results, and pages uploaded to it."""

import io
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.app import storage
from weps.app.storage import ResultStore, identifier_from_name, save_uploads
from weps.errors import OutputError, SourceError


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
    assert store.remove("Ann") == (folder / "Ann.json",)
    assert (outside / "1.html").read_text() == "mine"
    assert (folder / "Ann.notes").exists()


@pytest.mark.parametrize("linked", ["pages", "pages/Ann"])
def test_a_linked_folder_of_pages_is_not_followed(tmp_path, linked):
    (outside := tmp_path / "outside" / "Ann").mkdir(parents=True)
    (link := tmp_path / "results" / linked).parent.mkdir(parents=True)
    link.symlink_to(outside.parent if linked == "pages" else outside)
    store = ResultStore(tmp_path / "results")
    assert store.pending_names() == ()
    with pytest.raises(SourceError, match="links"):
        store.source("Ann")
    assert store.remove("Ann") == ()
    assert outside.is_dir()


def test_a_result_that_was_written_again_is_read_again(tmp_path):
    store = ResultStore(tmp_path)
    path = tmp_path / "Ann.json"
    path.write_text(json.dumps({"name": "Ann", "people": [], "merges": []}))
    assert "another version" in store.results()[0].problem
    settings = {"system": "", "model": "", "threshold": None, "language": ""}
    whole = {"name": "Ann", "people": [], "merges": [], "collected": [], "settings": settings}
    path.write_text(json.dumps(whole | {"model": "", "signature": ""}))
    assert [(each.problem, each.name, each.pages) for each in store.results()] == [("", "Ann", 0)]
    store.remove("Ann")
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


def files(*paths):
    return [(path, io.BytesIO(path.encode("utf-8", "replace"))) for path in paths]


@pytest.mark.parametrize(
    ("paths", "saved"),
    [
        (["Robin/001.html", "Robin/002.HTM", "Robin/3.txt"], ["001.html", "002.htm", "3.txt"]),
        (["001.html"], ["001.html"]),
        (["Robin/1.html", "Robin/1_files/frame.html", "Robin/logo.png"], ["1.html"]),
        (["Robin/.hidden.html", "Robin/1.html"], ["1.html"]),
        (["a/über Räder.html"], ["über_Räder.html"]),
        (["a/x?.html", "a/x*.html", "a/X_.html"], ["x.html", "x_2.html", "X_3.html"]),
        (["a/" + "long" * 100 + ".html"], ["long" * 20 + ".html"]),
        (["../1.html"], ["1.html"]),
        (["/1.html"], ["1.html"]),
        (["..\\..\\1.html", "1.html"], ["1.html"]),
        (["a/..html", "a/….html", "a/1.html"], ["….html", "1.html"]),
        (["a/1\0.html", "a/\u202egnp.html"], ["1.html", "gnp.html"]),
    ],
)
def test_pages_keep_their_names_as_far_as_these_are_harmless(tmp_path, paths, saved):
    folder = tmp_path / "pages" / "Robin"
    assert list(save_uploads(files(*paths), folder)) == saved
    assert sorted(path.name for path in folder.iterdir()) == sorted(saved)
    assert [path.name for path in folder.parent.iterdir()] == ["Robin"]
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


@given(st.lists(st.text(max_size=12).map(lambda text: f"x/{text}.html"), max_size=6))
def test_no_path_leads_out_of_the_folder(tmp_path_factory, paths):
    root = tmp_path_factory.mktemp("root")
    names = save_uploads(files("x/first.html", *paths), root / "pages" / "Robin")
    assert len({name.casefold() for name in names}) == len(names)
    found = {os.path.relpath(path, root) for path in root.rglob("*") if path.is_file()}
    assert found == {f"pages/Robin/{name}" for name in names}


@pytest.mark.parametrize("paths", [[], ["a/logo.png"], ["a/b/c.html"], ["\0"]])
def test_without_pages_nothing_is_made(tmp_path, paths):
    with pytest.raises(SourceError, match="no saved pages"):
        save_uploads(files(*paths), tmp_path / "pages" / "Robin")
    assert not list((tmp_path / "pages").iterdir())


def test_too_many_or_too_much_is_refused_and_nothing_left(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "MAX_FILES", 2)
    with pytest.raises(SourceError, match="more than 2 pages"):
        save_uploads(files("1.html", "2.html", "3.html"), tmp_path / "pages" / "Robin")
    monkeypatch.setattr(storage, "MAX_BYTES", 10)
    with pytest.raises(SourceError, match="MB of pages"):
        save_uploads(files("1.html", "2.html"), tmp_path / "pages" / "Robin")
    assert not list((tmp_path / "pages").iterdir())


def test_pages_that_are_there_are_never_overwritten(tmp_path):
    folder = tmp_path / "pages" / "Robin"
    save_uploads(files("1.html"), folder)
    with pytest.raises(OutputError):
        save_uploads(files("2.html"), folder)
    assert [path.name for path in folder.iterdir()] == ["1.html"]


def test_nothing_is_saved_beyond_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "pages").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="symbolic link"):
        save_uploads(files("1.html"), tmp_path / "pages" / "Robin")
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("Robin Averdale", "Robin_Averdale"),
        (" robin/../averdale ", "robin_.._averdale"),
        ("../../etc", "etc"),
        ("Zoë Müller-Å", "Zoë_Müller-Å"),
        ("王小明", "王小明"),
        ("nul\0byte", "nul_byte"),
    ],
)
def test_names_become_file_names(name, identifier):
    assert identifier_from_name(name) == identifier


@pytest.mark.parametrize(
    "name", ["", "..", "/", "...", "\0", "123", "a\u202eb", "x" * 101, "é" * 60]
)
def test_what_is_no_name_is_refused(name):
    with pytest.raises(SourceError):
        identifier_from_name(name)


def test_no_more_of_a_page_is_saved_than_is_ever_read(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "MAX_PAGE_BYTES", 1)
    save_uploads([("1.html", io.BytesIO(bytes(3 << 20)))], tmp_path / "pages" / "Robin")
    assert (tmp_path / "pages" / "Robin" / "1.html").stat().st_size == 1 << 20
