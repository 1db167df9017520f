import re
from dataclasses import replace
from pathlib import Path

from tests.cases import each_case
from weps import records

PAGE = records.Page(1, "http://a.example", "Title", "Snippet", content=b"text")


def test_it_is_what_it_was():
    """Stored in files: it must not change between releases."""
    assert records.page_fingerprint(PAGE) == "460ecda5657f"
    assert re.fullmatch(records.FINGERPRINT_PATTERN, records.page_fingerprint(PAGE))


OTHERS = [
    {"url": "http://b.example"}, {"title": "Titel"}, {"snippet": ""}, {"content": b"texts"},
    {"title": "Snippet", "snippet": "Title"}, {"content": None, "text": "text"}, {"content": None},
]  # fmt: skip


@each_case("change", OTHERS)
def test_it_changes_with_what_the_page_holds_and_not_with_its_rank(change):
    assert records.page_fingerprint(replace(PAGE, **change)) != records.page_fingerprint(PAGE)
    assert records.page_fingerprint(
        replace(PAGE, rank=2, problem="cut")
    ) == records.page_fingerprint(PAGE)


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
    assert records.portable_path(Path(folder), Path(path)) == expected
    assert records.Collection(expected, "x").within(Path(folder)) == Path(path)


def test_a_source_is_written_from_where_the_result_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert records.source_collection(Path("pages"), "Ann", Path("out")) == records.Collection(
        "../pages", "Ann"
    )
