import os
from pathlib import Path

import pytest

from weps.records import Page
from weps.sources import pages
from weps.sources.pages import load, page_places


def test_the_first_place_that_exists_is_read(tmp_path):
    (tmp_path / "b").write_bytes(b"B")
    (tmp_path / "c").write_bytes(b"C")
    page = load(Page(3, url="u"), [tmp_path / letter for letter in "abc"])
    assert page == Page(3, url="u", content=b"B")


def test_a_page_saved_nowhere_stays_as_it_is(tmp_path):
    assert load(Page(3), page_places(tmp_path, 3)) == Page(3)
    assert load(Page(3), []) == Page(3)


def test_what_is_read_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "MAX_PAGE_BYTES", 10)
    (tmp_path / "a").write_bytes(b"x" * 11)
    assert load(Page(0), [tmp_path / "a"]).content == b"x" * 10


def test_a_pipe_does_not_keep_the_name_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert load(Page(0), [tmp_path / "pipe"]).problem.endswith("pipe: cannot be read (not a file)")


def test_a_page_without_permission(tmp_path, monkeypatch):
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "a").write_bytes(b"secret")
    monkeypatch.setattr(Path, "open", refuse)
    page = load(Page(0), [tmp_path / "a"])
    assert page == Page(0, problem=f"{tmp_path / 'a'}: cannot be read (Permission denied)")


@pytest.mark.parametrize(("rank", "stem"), [(0, "000"), (7, "007"), (1234, "1234")])
def test_places_in_a_corpus(rank, stem):
    places = {place.as_posix() for place in page_places(Path("N"), rank)}
    assert places == {
        f"N/raw/{stem}/index.html",
        f"N/raw/{stem}.html",
        f"N/{stem}/index.html",
        f"N/{stem}.html",
    }
