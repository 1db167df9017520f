"""Results are downloaded into a folder: politely, with an honest status for each, resumable."""

from tests.weps.web.loopback import page, results
from weps.sources.opening import open_source
from weps.web.downloading import download_pages


def test_pages_are_saved_and_read(web, tmp_path):
    web.replies = {"ann.example/1": page("Ann"), "bob.example/": page("Bob")}
    folder = tmp_path / "Ann_Lee"
    summary = download_pages(
        results("ann.example/1", "bob.example/", "ann.example/gone"), folder, web.options
    )
    assert [str(each.status) for each in summary.pages] == ["ok", "ok", "failed"]
    source = open_source(folder)
    assert source.layout == "collected"
    search = source.search("Ann Lee")
    assert [each.title for each in search.pages][:2] == [
        "Title of ann.example/1",
        "Title of bob.example/",
    ]
    assert [each.problem for each in search.pages] == ["", "", "failed: HTTP 404"]
