"""Archives of many pages: WARC, WACZ, HAR and ZIP."""

import json
import zipfile

import pytest

from tests.weps.sources.formats.made_files import PAGE, har, mhtml, part, single_file, warc, zipped
from weps.errors import SourceError
from weps.records import UnreadInput
from weps.sources import formats as base
from weps.sources.formats import exchanges, listing
from weps.sources.opening import open_source

HTML = "text/html; charset=utf-8"
ANN, BOB = "https://ann.example/", "https://bob.example/"
RECORDS = (
    (ANN, 200, HTML, PAGE.encode()),
    (f"{ANN}a.png", 200, "image/png", b"\x89PNG"),
    (f"{ANN}b.png", 200, "image/png", b"\x89PNG"),
    (f"{ANN}a.js", 200, "text/javascript", b"1"),
    (f"{ANN}robots.txt", 200, "text/plain", b"User-agent: *"),
    (f"{ANN}old", 301, HTML, b""),
    (f"{ANN}gone", 404, HTML, b"<p>not here"),
    (BOB, 200, HTML, b"<title>Bob</title>two"),
    (ANN, 200, HTML, b"<title>Again</title>three"),
)
SKIPPED = [
    "4 {}s: not pages (image/png 2, text/javascript 1, text/plain 1)",
    "1 {}: redirects",
    "1 {}: unsuccessful responses (404 1)",
    "1 {}: pages that are already present",
]
WACZ = {
    "datapackage.json": "{}",
    "archive/data.warc.gz": warc(*RECORDS),
    "pages/pages.jsonl": '{"format": "json-pages-1.0"}\n' + json.dumps({"url": BOB}) + "\n[[[",
}


@pytest.mark.parametrize(
    ("content", "noun"),
    [
        (warc(*RECORDS), "record"),
        (warc(*RECORDS, compressed=False), "record"),
        (har(*RECORDS), "response"),
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_archives_hold_many_pages(plant, content, noun, alone):
    """As a source of their own, or in a folder behind pages with numbers."""
    root = plant({"Ann_Lee.x": content} if alone else {"a.x": content, "007.html": "seven"})
    source = open_source(root / "Ann_Lee.x" if alone else root)
    assert source.names == ("Ann_Lee" if alone else "source",)
    search = source.search(source.names[0])
    *_, ann, bob = search.pages
    assert [page.rank for page in search.pages] == ([1, 2] if alone else [7, 8, 9])
    assert source.ranks(source.names[0]) == tuple(page.rank for page in search.pages)
    assert (ann.url, ann.title, ann.read_content()) == (ANN, "Ann & Co", PAGE.encode())
    assert (bob.url, bob.title, bob.charset) == (BOB, "Bob", "utf-8")
    assert ann.fetched.startswith("2026-11-03T09:00:00")
    assert ann.file == str(root / ("Ann_Lee.x" if alone else "a.x"))
    assert [each.reason for each in search.unread] == [each.format(noun) for each in SKIPPED]


def test_frames_are_told_by_what_the_browser_wanted_them_for(plant):
    files = {"a.har": har(*RECORDS[:1], destination="iframe"), "b.wacz": zipped(WACZ)}
    search = open_source(plant(files)).search("source")
    assert [page.url for page in search.pages] == [BOB]
    frames = [each for each in search.unread if "frames" in each.reason]
    assert frames == [
        UnreadInput("a.har", "1 response: frames of pages"),
        UnreadInput("b.wacz", "1 record: frames of pages"),
    ]


@pytest.mark.parametrize(("compressed", "mark"), [(True, b"\x1f\x8b\x08"), (False, b"WARC/1")])
def test_every_cut_of_a_warc_is_told(plant, compressed, mark):
    """Unless it lies exactly between two records."""
    data = warc(*RECORDS, compressed=compressed)
    root = plant({"0.html": "x"})
    between = [at for at in range(len(data)) if data.startswith(mark, at)]
    cuts = set(range(300, len(data) - 12, 29))
    for cut in cuts.difference(*(range(at - 4, at + 1) for at in between)):
        plant({"a.warc": data[:cut]})
        (told, *_) = open_source(root).search("source").unread
        assert told.reason.startswith("is truncated after"), cut


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"1.html": PAGE, "2.html": PAGE, "x/3.html": PAGE}, {"a": [1, 2, 3]}),
        ({"Ann Lee/1.html": PAGE, "Ann Lee/7.html": PAGE}, {"Ann_Lee": [1, 7]}),
        ({"t/A/3.html": PAGE, "t/B_C/1.html": PAGE, "t/read.me": "x"}, {"A": [3], "B_C": [1]}),
        ({"A/a.zip": zipped({"b/1.html": PAGE, "2.mhtml": PAGE})}, {"A": [1, 2]}),
        (
            {"1.html": PAGE, "1_files/f.html": PAGE, "__MACOSX/1.html": "", ".x.html": ""},
            {"a": [1]},
        ),
        ({"../../1.html": PAGE, "/etc/2.html": PAGE, "..\\3.html": PAGE}, {"a": [1, 3, 4]}),
    ],
)
def test_a_zip_archive_is_like_a_folder(plant, files, names):
    path = plant({"a.zip": zipped(files)}) / "a.zip"
    source = open_source(path)
    assert {name: list(source.ranks(name)) for name in source.names} == names
    pages = [page for name in source.names for page in source.search(name).pages]
    assert {(page.read_content(), page.file) for page in pages} == {(PAGE.encode(), str(path))}


def test_a_zip_archive_in_a_folder(plant):
    inner = {"a.mhtml": mhtml(part("text/html", PAGE)), "b.html": single_file(), "c.gif": b"GIF8"}
    nested = zipped({"d.zip": zipped({"e.zip": zipped({"f.html": PAGE})})})
    root = plant({"1.html": PAGE, "a.zip": zipped(inner), "b.zip": nested})
    search = open_source(root).search("source")
    assert [(page.rank, page.url) for page in search.pages] == [
        (1, ""),
        (2, "https://ann.example/"),
        (3, "https://ann.example/me?a=1"),
    ]
    assert [(each.name, each.reason) for each in search.unread] == [
        ("a.zip", "1 member: not read (image 1)"),
        ("b.zip", "1 member: archives that are nested too deeply, or too large, within an archive"),
    ]


IWORK = "of Pages, Numbers or Keynote: export it as PDF"
MISNAMED = "an office document or e-book without text, such as a scan"
NESTED = "a HAR file that is nested too deeply, or has too many values"
NOT_ZIP = "a ZIP archive that is damaged ({})"
CUT_OFF = zipped({"a.zip": zipped({"1.html": PAGE})}, zipfile.ZIP_STORED)[:-60]
PLAIN = zipped({"1.html": PAGE}, zipfile.ZIP_STORED)
GROWING = zipped({"1.html": PAGE + " " * 30_000_000})


def encrypted(data):
    """The flag of encryption in the local header and the central directory."""
    central = data.index(b"PK\x01\x02")
    return data[:6] + b"\x01" + data[7 : central + 8] + b"\x01" + data[central + 9 :]


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("a.zip", encrypted(zipped({"1.html": PAGE})), "1 member: encrypted"),
        ("a.zip", GROWING, "1 member: with a suspicious compression ratio"),
        ("a.zip", zipped({}), "holds no page"),
        ("a.zip", zipped({"1.html": PAGE})[:60], NOT_ZIP.format("File is not a zip file")),
        ("a.zip", CUT_OFF, NOT_ZIP.format("the list is that of an archive in it")),
        ("a.zip", PLAIN.replace(b"Ann", b"Bob"), "1 member: damaged"),
        ("a.vsdx", zipped({"[Content_Types].xml": "<x/>"}), "not a page (an Office file)"),
        ("a.docx", zipped({"[Content_Types].xml": "<x/>"}), MISNAMED),
        (
            "a.docx",
            zipped({"word/document.xml": "<x"}),
            MISNAMED,
        ),
        ("a.har", har(*RECORDS)[:-5][:200], "a HAR file that is damaged or truncated"),
        ("a.har", b'{"log": {"entries": ' + b"[" * 200_000, NESTED),
        ("a.har", b'{"log": {"entries": [1, {}]}}', "1 response: unsuccessful responses (0 1)"),
        ("a.warc", b"WARC/1.0\r\n" + b"\0" * 3_000_000, None),
        ("a.json", b'{"a": 1}', "not a list of search results (no address found)"),
        ("a.png", b"\x89PNG\r\n", "not read (image)"),
        ("a.url", b"[InternetShortcut]", "not a page (a shortcut: save the page it opens)"),
        ("a.pages", zipped({"Index/Document.iwa": ""}), f"not a page ({IWORK})"),
        ("a.docm", b"text", "not a page (.docm)"),
        ("a", b"", "not a page (empty)"),
        ("a.svg", b"<svg>", "not read (image)"),
        ("a.x", b"\0\0\0\x18ftypheic", "not read (image)"),
        ("sub/a.png", b"", "not read (image)"),
        ("sub/results.jsonl", b"", "pages that weps downloaded, which are a source of their own"),
        ("sub/A.clust.xml", b"", ""),
        ("0_files/1.html", b"x", ""),
        ("source.json", b'{\n "name": "A",\n "people": [\n', ""),
    ],
)
def test_nothing_is_ignored_in_silence(plant, file, content, reason):
    search = open_source(plant({"0.html": "x", file: content})).search("source")
    assert [page.read_content() for page in search.pages] == [b"x"]
    if reason is None:
        assert len(search.unread) == 1
    else:
        assert [each.reason for each in search.unread] == [reason] * bool(reason)


@pytest.mark.parametrize(
    ("module", "limit", "value", "reason"),
    [
        (base, "MAX_PAGES", 1, "beyond the first 1 pages or 512 MB"),
        (base, "MAX_BYTES", 100, None),
        (exchanges, "MAX_RECORDS", 2, "only the first 2 records were read"),
        (listing, "MAX_MEMBERS", 1, "only the first 1 of 2 members were read"),
        (listing, "_MAX_FILES", 1, "only the first 1 files were read"),
        (listing, "MAX_INFLATED", 1_000, "beyond the first 0 GB"),
    ],
)
def test_limits_are_told(plant, monkeypatch, module, limit, value, reason):
    monkeypatch.setattr(module, limit, value)
    root = plant({"a.zip": zipped({"1.warc": warc(*RECORDS), "2.html": PAGE}), "1.html": PAGE})
    search = open_source(root).search("source")
    assert reason is None or any(reason in each.reason for each in search.unread)


def test_results_of_a_list_are_pages_and_complete_those_that_are_saved(plant):
    table = f"url,title,snippet\n{BOB},Bob,of Bergen\nhttps://ann.example/me?a=1,Ann,paints\n"
    root = plant({"results.csv": table, "001.html": single_file()})
    first, second = open_source(root).search("source").pages
    assert (first.title, first.snippet, first.read_content()) == ("Ann", "paints", single_file())
    assert (second.rank, second.url, second.snippet, second.content) == (2, BOB, "of Bergen", None)
    assert len(open_source(root / "results.csv").search("results").pages) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped({"a.png": b"\x89PNG"}), "holds no pages; 1 member: not read"),
        (b"%PDF-1.4 x", "no page could be read; a.x: a PDF file that is damaged"),
        (b"text", "expected a folder or an archive of pages, got another file"),
    ],
)
def test_a_file_without_pages_is_no_source(plant, content, message):
    with pytest.raises(SourceError, match=message):
        open_source(plant({"a.x": content}) / "a.x").search("a")


def test_files_beside_folders_of_names_are_listed(plant):
    root = plant({"A/1.html": "x", "B/1.html": "y", "all.warc": warc(*RECORDS), "read.me": ""})
    source = open_source(root)
    assert source.names == ("A", "B")
    assert [each.name for each in source.search("B").unread] == ["../all.warc"]
