"""Collected folders are read by their manifest, whatever happened to it."""

from dataclasses import replace

import pytest

from tests.cases import each_case
from weps._files import LINK_OUT
from weps._schema import json_reader
from weps.errors import OutputError, SearchError, SourceError
from weps.records import SearchResult
from weps.sources.base import (
    MANIFEST,
    CollectedPage,
    Manifest,
    PageStatus,
    address_id,
    address_key,
    read_manifest,
)
from weps.sources.opening import open_source
from weps.web.engines import _known_queries

RESULT = SearchResult("http://ann.example/?a=1", "Ann Lée", "paints “tides”", ("one", "two"))
SAVED = CollectedPage(
    1, "0" * 16, PageStatus.OK, RESULT, 200, "", "http://www.ann.example/", "text/html",
    "latin-1", "2026-11-23T10:00:00+00:00", '"a"', "Mon, 23 Nov 2026 10:00:00 GMT", 9, True,
    "1" * 64, "2" * 16, "001.html",
)  # fmt: skip
FAILED = CollectedPage(2, "1" * 16, PageStatus.FAILED, RESULT, 404, "HTTP 404")
UNKEPT = CollectedPage(
    3, "2" * 16, PageStatus.BLOCKED, None, 200, "the site asks visitors to pass a check"
)


@pytest.fixture
def collect(plant):
    """Write a manifest of states and other files; return the folder."""

    def write(*lines, **files):
        states = [each.as_line() if isinstance(each, CollectedPage) else each for each in lines]
        return plant({f"Ann_Lee/{MANIFEST}": b"".join(states), **files}) / "Ann_Lee"

    return write


@each_case("state", [SAVED, FAILED, UNKEPT])
def test_a_line_has_all_of_a_state(state):
    assert json_reader(CollectedPage).validate_json(state.as_line()) == state
    assert state.as_line().count(b"\n") == 1


def test_pages_are_those_of_the_manifest(collect):
    folder = collect(
        SAVED, FAILED, UNKEPT, **{"Ann_Lee/001.html": b"<p>Ann L\xe9e", "Ann_Lee/7.txt": "x"}
    )
    source = open_source(folder)
    assert (source.layout, source.names) == ("collected", ("Ann_Lee",))
    search = source.search("Ann Lee")
    saved, failed = search.pages
    assert saved.read_content() == b"<p>Ann L\xe9e"
    assert (saved.rank, saved.url, saved.title) == (1, "http://www.ann.example/", "Ann Lée")
    assert (saved.charset, saved.fetched) == ("latin-1", "2026-11-23T10:00:00+00:00")
    assert saved.file == str(folder / "001.html")
    assert (failed.url, failed.problem) == ("http://ann.example/?a=1", "failed: HTTP 404")
    assert (failed.content, failed.file, failed.fetched) == (None, "", "")
    assert source.ranks("Ann Lee") == (1, 2)
    assert [(each.name, each.reason[:21]) for each in search.unread] == [
        ("result 3", "blocked: the site ask"),
        ("7.txt", "was not downloaded; t"),
    ]


def test_the_last_line_of_a_rank_counts_and_a_cut_line_does_not(collect):
    folder = collect(
        FAILED, SAVED, CollectedPage(2, "1" * 16, PageStatus.KEPT_OUT), SAVED.as_line()[:-9]
    )
    content = read_manifest(folder)
    assert {rank: page.status for rank, page in content.pages.items()} == {1: "ok", 2: "kept out"}
    assert content.damaged == 0
    assert open_source(folder).warnings("Ann Lee") == ()
    with Manifest(folder) as manifest:
        manifest.append(UNKEPT)
    assert read_manifest(folder).pages[3] == UNKEPT
    assert read_manifest(folder).damaged == 0


@pytest.mark.parametrize(
    "line",
    [
        "x", "[]", "1", "{}", '{"rank": 1}', '{"rank": true, "status": "ok"}',
        '{"rank": -1, "status": "ok"}', '{"rank": 1e3, "status": "ok"}', "[" * 100_000,
        '{"rank": 1, "status": "fine"}', '{"rank": 1, "status": "ok", "file": "../key.xml"}',
        '{"rank": 1, "status": "ok", "file": "/etc/passwd"}', '{"rank": 1, "status": ["ok"]}',
        '{"rank": 1, "status": "ok", "result": {"engines": 7}}', "\udcff",
        '{"rank": 1, "status": "ok", "file": "001.html\\n"}',
        '{"rank": 1, "status": "ok", "url": [1]}',
    ],
)  # fmt: skip
def test_damaged_lines_are_told(collect, line):
    folder = collect(FAILED, line.encode("utf-8", "surrogateescape") + b"\n")
    assert open_source(folder).search("Ann Lee").pages[0].rank == 2
    (warning,) = open_source(folder).warnings("Ann Lee")
    assert warning == f"{folder / MANIFEST}: 1 line could not be read"


def test_a_copy_that_is_gone_leaves_the_result(collect):
    (page,) = open_source(collect(SAVED)).search("Ann Lee").pages
    assert (page.title, page.content) == ("Ann Lée", None)
    assert page.problem.endswith("001.html: the saved copy is gone")


def test_pdf_files_are_read_and_those_that_are_damaged_keep_the_result(collect):
    saved = replace(SAVED, file="001.pdf")
    folder = collect(saved, **{"Ann_Lee/001.pdf": b"%PDF-1.4 damaged"})
    (page,) = open_source(folder).search("Ann Lee").pages
    assert page.content is None
    assert "PDF" in page.problem


def test_a_folder_without_any_page(collect):
    source = open_source(collect(UNKEPT))
    assert source.ranks("Ann Lee") == ()
    with pytest.raises(SourceError, match="no page could be read"):
        source.search("Ann Lee")


def test_folders_of_several_names_may_be_of_both_kinds(plant):
    root = plant(
        {f"Ann_Lee/{MANIFEST}": FAILED.as_line(), "Bob_Case/1.html": "<p>Bob", "empty/x.css": ""}
    )
    source = open_source(root)
    assert (source.layout, source.names) == ("collected", ("Ann_Lee", "Bob_Case"))
    assert [len(source.search(name).pages) for name in source.names] == [1, 1]
    assert [source.ranks(name) for name in source.names] == [(2,), (1,)]
    assert [source.warnings(name) for name in source.names] == [(), ()]
    assert open_source(root / "Ann_Lee", "Dr. Ann Lee").search("Dr. Ann Lee").name == "Dr. Ann Lee"


def test_one_process_writes_at_a_time(tmp_path):
    with (
        Manifest(tmp_path),
        pytest.raises(OutputError, match=r"a download \(.* is writing to this folder"),
    ):
        Manifest(tmp_path)
    with Manifest(tmp_path) as manifest:
        assert manifest.pages == {}


@each_case(
    ("one", "other", "alike"),
    [
        ("http://Ann.example", "https://ann.EXAMPLE:443/", True),
        ("http://ann.example/a?x=1&y=2#top", "http://ann.example/a?y=2&x=1", True),
        ("http://ann.example/?utm_source=x&fbclid=1&a=", "http://ann.example/?a=", True),
        ("http://ann.example/%7eann", "http://ann.example/~ann", True),
        ("http://ann.example/é", "http://ann.example/%C3%A9", True),
        ("http://ann.example/a", "http://ann.example/A", False),
        ("http://ann.example/a", "http://ann.example/a/", False),
        ("http://ann.example/?a=1", "http://ann.example/?a=2", False),
        ("http://ann.example:8080/", "http://ann.example/", False),
        ("http://www.ann.example/", "http://ann.example/", False),
        ("http://ann.example/a%2Fb", "http://ann.example/a/b", False),
        ("http://[", "http://[", True),
    ],
)
def test_addresses_of_one_page(one, other, alike):
    assert (address_key(one) == address_key(other)) == alike
    assert (address_id(one) == address_id(other)) == alike


def test_links_out_of_the_folder_are_not_followed(collect, tmp_path):
    folder = collect(SAVED, FAILED)
    (tmp_path / "secret").write_text("the secret")
    (folder / SAVED.file).symlink_to(tmp_path / "secret")
    page = open_source(folder).search("Ann Lee").pages[0]
    assert page.content is None
    assert LINK_OUT in page.problem
    (folder / "queries.txt").symlink_to(tmp_path / "secret")
    with pytest.raises(SearchError, match="leads out of the folder"):
        _known_queries(folder)
    (folder / MANIFEST).rename(tmp_path / "manifest")
    (folder / MANIFEST).symlink_to(tmp_path / "manifest")
    with pytest.raises(SourceError, match="leads out of the folder"):
        Manifest(folder)


def test_what_is_downloaded_is_for_its_owner_alone(tmp_path):
    with Manifest(tmp_path / "Ann_Lee") as manifest:
        manifest.append(SAVED)
        assert oct(manifest.folder.stat().st_mode) == "0o40700"
    assert oct((tmp_path / "Ann_Lee" / MANIFEST).stat().st_mode) == "0o100600"
