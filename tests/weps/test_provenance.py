from pathlib import Path

import pytest

from weps.provenance import Collection, collection, path_from


@pytest.mark.parametrize(
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
    assert path_from(Path(folder), Path(path)) == expected
    assert Collection(expected, "x").within(Path(folder)) == Path(path)


def test_a_source_is_written_from_where_the_result_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert collection(Path("pages"), "Ann", Path("out")) == Collection("../pages", "Ann")
