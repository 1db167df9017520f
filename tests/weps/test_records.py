import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases import each_case
from weps.records import (
    FINGERPRINT_PATTERN,
    Collection,
    Page,
    page_fingerprint,
    portable_path,
    source_collection,
)

PAGE = Page(1, "http://a.example", "Title", "Snippet", content=b"text")


def test_it_is_what_it_was():
    # Stored in files: it must not change between releases.
    assert page_fingerprint(PAGE) == "460ecda5657f"
    assert re.fullmatch(FINGERPRINT_PATTERN, page_fingerprint(PAGE))


@pytest.mark.parametrize("change", [{"rank": 2}, {"problem": "cut short"}])
def test_it_knows_nothing_of_the_rank(change):
    assert page_fingerprint(replace(PAGE, **change)) == page_fingerprint(PAGE)


@each_case(
    "change",
    [
        {"url": "http://b.example"},
        {"title": "Titel"},
        {"snippet": ""},
        {"title": "Snippet", "snippet": "Title"},
        {"content": b"texts"},
        {"content": None, "text": "text"},
        {"content": None},
    ],
)
def test_it_changes_with_what_the_page_holds(change):
    assert page_fingerprint(replace(PAGE, **change)) != page_fingerprint(PAGE)


@each_case(
    ("folder", "path", "expected"),
    [
        ("/a/out", "/a/pages", "../pages"),
        ("/a", "/a/pages/x", "pages/x"),
        ("/a/pages", "/a/pages", "."),
        ("/a/out", "/b/pages", "/b/pages"),
        ("/", "/b", "/b"),
    ],
)
def test_pages_below_the_same_folder_are_found_from_the_result(folder, path, expected):
    assert portable_path(Path(folder), Path(path)) == expected
    assert Collection(expected, "x").within(Path(folder)) == Path(path)


def test_a_source_is_written_from_where_the_result_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert source_collection(Path("pages"), "Ann", Path("out")) == Collection("../pages", "Ann")
