"""Responses become pages whatever servers and recorders say about them."""

import gzip
import json
import sys
import zlib

import brotli
import pytest
from backports import zstd

from tests.cases import each_case
from tests.weps.sources.formats.made_files import PAGE, har, pdf, warc, zipped
from weps.errors import SourceError
from weps.records import UnreadInput
from weps.sources.formats import exchanges
from weps.sources.opening import open_source

ANN, BOB = "https://ann.example/", "https://bob.example/"
BODY = PAGE.encode()
TYPE = ("Content-Type", "text/html; charset=utf-8")


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def chunked(data):
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)


def read(plant, **files):
    """The addresses and contents of pages, and what was not read."""
    root = plant({name.replace("_", "."): content for name, content in files.items()})
    search = open_source(root).search("source")
    return {page.url: page.read_content() for page in search.pages}, search.unread


@each_case(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(BODY)),
        ("X-GZIP", gzip.compress(BODY)),
        ("deflate", zlib.compress(BODY)),
        ("deflate", raw_deflate(BODY)),
        ("br", brotli.compress(BODY)),
        ("zstd", zstd.compress(BODY)),
        ("br, gzip", gzip.compress(brotli.compress(BODY))),
        # Those that nobody knows, and those that are no longer there.
        *(
            (coding, BODY)
            for coding in "none UTF-8 identity * x-mystery gzip br zstd deflate".split()
        ),
        ("gzip, x-mystery", gzip.compress(BODY)),
        ("", BODY),
    ],
)
def test_bodies_are_decoded_as_browsers_do(plant, coding, body):
    headers = [TYPE, ("Content-Encoding", coding)]
    archive = warc((ANN, 200, headers, body), (BOB, 200, TYPE[1], BODY))
    other = har((f"{ANN}2", 200, TYPE[1], body), headers=headers)
    assert read(plant, a_warc=archive, b_har=other) == (
        dict.fromkeys((ANN, BOB, f"{ANN}2"), BODY),
        (),
    )


@each_case("stated", ["chunked", "Chunked", "CHUNKED", "gzip, chunked"])
def test_chunks_are_joined_whatever_the_case_of_their_header(plant, stated):
    body = chunked(gzip.compress(BODY) if "gzip" in stated else BODY)
    archive = warc((ANN, 200, [TYPE, ("transfer-encoding", stated)], body))
    assert read(plant, a_warc=archive) == ({ANN: BODY}, ())


@each_case(
    "stated",
    [
        [],
        ["text/html", "text/html"],
        ["text/css", "text/html"],
        ["text/html; charset=utf-8, text/html"],
        ["text/html", "nonsense"],
        ["text/html charset=utf-8"],
        [""],
        ["html"],
        ["*/*"],
        ["application/xml"],
    ],
)
def test_a_missing_or_doubled_type_is_what_browsers_make_of_it(plant, stated):
    headers = [("Content-Type", each) for each in stated]
    other = har((BOB, 200, ",".join(stated), BODY))
    found, unread = read(plant, a_warc=warc((ANN, 200, headers, BODY)), b_har=other)
    assert (found, unread) == (dict.fromkeys((ANN, BOB), BODY), ())


@each_case(
    ("path", "body", "kind"),
    [
        ("style.css", b"p {}", "text/css"),
        ("a.png", b"\x89PNG\r\n", "image/png"),
        ("a", b"\x89PNG\r\n", "an image"),
        ("a", pdf("Ann"), ""),
        ("a", b"Ann Lee", ""),
    ],
)
def test_a_body_without_a_type_need_not_be_a_page(plant, path, body, kind):
    found, unread = read(plant, a_warc=warc((ANN + path, 200, [], body), (BOB, 200, TYPE[1], BODY)))
    assert (ANN + path in found) == (not kind)
    assert [each.reason for each in unread] == [f"1 record: not pages ({kind} 1)"] * bool(kind)


def test_the_charset_of_doubled_types_is_kept(plant):
    headers = [("Content-Type", "text/html; charset=koi8-r"), ("Content-Type", "text/html")]
    root = plant({"a.warc": warc((ANN, 200, headers, BODY))})
    assert open_source(root).search("source").pages[0].charset == "koi8-r"


def test_a_library_that_is_missing_costs_one_record(plant, monkeypatch):
    monkeypatch.setitem(sys.modules, "brotli", None)
    headers = [TYPE, ("Content-Encoding", "br")]
    archive = warc((ANN, 200, headers, brotli.compress(BODY)), (BOB, 200, TYPE[1], BODY))
    reason = "1 record: pages in a compression that needs another library (brotli 1)"
    assert read(plant, a_warc=archive) == ({BOB: BODY}, (UnreadInput("a.warc", reason),))


@each_case("coding", ["gzip", "br", "zstd"])
def test_a_body_that_grows_is_cut(plant, monkeypatch, coding):
    monkeypatch.setattr(exchanges, "MAX_PAGE_BYTES", 1_000)
    pack = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstd.compress}[coding]
    headers = [TYPE, ("Content-Encoding", coding)]
    found, _ = read(plant, a_warc=warc((ANN, 200, headers, pack(b"<html>" + b"x" * 10**7))))
    assert len(found[ANN]) == 1_000


@each_case(
    ("listed", "recorded", "redirects"),
    [
        (ANN, ANN, []),
        ("https://ann.example", ANN, []),
        ("http://ann.example:80/a/?b=1#part", f"{ANN}a?b=1", []),
        ("https://ann.example/a", "https://www.ann.example/a/", []),
        ("https://a.example/", ANN, [("https://a.example/", ANN)]),
        ("https://a.example", ANN, [("https://a.example/", "/b"), ("https://a.example/b", ANN)]),
        ("https://a.example", ANN, [(ANN, ANN), ("https://a.example/", ANN)]),
    ],
)
def test_pages_of_wacz_are_known_by_any_form_of_their_address(plant, listed, recorded, redirects):
    records = [(url, 301, [TYPE, ("Location", target)], b"") for url, target in redirects]
    pages = [{"url": listed, "title": "Listed"}, {"url": BOB}]
    files = {
        "datapackage.json": "{}",
        "archive/1.warc.gz": warc((recorded, 200, TYPE[1], BODY), (BOB, 200, TYPE[1], b"<p>Bob")),
        "archive/2.warc.gz": warc(*records, (f"{BOB}frame", 200, TYPE[1], BODY)),
        "pages/pages.jsonl": "\n".join(map(json.dumps, pages)),
    }
    found, unread = read(plant, a_wacz=zipped(files))
    assert found == {recorded: BODY, BOB: b"<p>Bob"}
    assert "1 record: frames of pages" in [each.reason for each in unread]


@each_case(
    "moved",
    [
        b'<html><meta content="0; URL=next" http-equiv=refresh>',
        b"<html><script>window.location = 'next'</script>",
        b'<html><script>location . href="/next"</script>',
        b"<html><script>document.location.replace( 'next' )</script>",
    ],
)
def test_a_listed_page_may_send_the_browser_on(plant, moved):
    files = {
        "datapackage.json": "{}",
        "archive/1.warc": warc((ANN, 200, TYPE[1], moved), (f"{ANN}next", 200, TYPE[1], BODY)),
        "pages/pages.jsonl": json.dumps({"url": ANN}),
    }
    assert read(plant, a_wacz=zipped(files)) == ({ANN: moved, f"{ANN}next": BODY}, ())


def exchange(url, content, status=200):
    made = json.loads(har((url, status, "", b"")))["log"]["entries"][0]
    made["response"]["content"] = content
    return made


def as_har(*exchanges):
    return json.dumps({"log": {"entries": exchanges}}).encode()


def test_a_reloaded_page_has_the_content_of_the_cache(plant):
    content = {"mimeType": "text/html", "text": PAGE}
    gone = {"mimeType": "text/html"}
    made = as_har(exchange(ANN, content, 304), exchange(BOB, gone, 304), exchange(f"{BOB}2", gone))
    found, unread = read(plant, a_har=made)
    assert found == {ANN: BODY}
    assert [each.reason for each in unread] == [
        "1 response: redirects",
        "1 response: pages whose content was not saved",
    ]


@pytest.mark.parametrize("place", ["folder", "archive", "archive in a folder"])
def test_bodies_may_be_files_beside_the_har_file(plant, place):
    made = as_har(
        exchange(ANN, {"mimeType": "text/html", "_file": "0a.html"}),
        exchange(BOB, {"mimeType": "text/html", "_file": "../out.html"}),
        exchange(f"{ANN}b.png", {"mimeType": "image/png", "_file": "1.png"}),
    )
    files = {"har.har": made, "0a.html": PAGE, "1.png": b"\x89PNG", "z.html": "<html>other"}
    root = plant(files if place == "folder" else {"a.zip": zipped(files)})
    source = open_source(root / "a.zip" if place == "archive" else root)
    search = source.search(source.names[0])
    found = {page.url: page.read_content() for page in search.pages}
    assert found == {ANN: BODY, "": b"<html>other"}
    reasons = " ".join(each.reason for each in search.unread)
    assert "1 response: pages whose content was not saved" in reasons
    assert "not pages (image/png 1)" in reasons


@each_case("pack", [bytes, gzip.compress, lambda data: b"\xef\xbb\xbf" + data])
def test_what_comes_before_the_end_of_a_cut_har_file_is_read(plant, pack):
    made = har((ANN, 200, TYPE[1], BODY), (BOB, 200, TYPE[1], BODY))
    assert read(plant, a_har=pack(made)) == (dict.fromkeys((ANN, BOB), BODY), ())
    found, unread = read(plant, a_har=pack(made[:-200]))
    assert found == {ANN: BODY}
    reason = "a HAR file that is damaged or truncated: only the first 1 response could be read"
    assert unread == (UnreadInput("a.har", reason),)


@pytest.mark.parametrize("number", [b"9" * 200_000, b"1e99999999999999999999"])
def test_a_number_that_nothing_can_hold_ends_a_har_file(plant, number):
    """The library would end the process; small members of gzip come in small reads."""
    made = har((ANN, 200, TYPE[1], BODY)).replace(b"200", number, 1)
    packed = b"".join(gzip.compress(made[at : at + 900]) for at in range(0, len(made), 900))
    for each in (made, packed):
        with pytest.raises(SourceError, match=r"damaged or truncated$"):
            read(plant, a_har=each)


def test_a_har_file_may_not_fill_the_memory(plant, monkeypatch):
    """Neither with values, nor with a long one, which is cut."""
    monkeypatch.setattr(exchanges, "_MAX_HAR_TEXT", 100_000)
    image = {"mimeType": "image/png", "text": "A" * 1_000_000}
    made = as_har(exchange(f"{ANN}a.png", image), exchange(ANN, {"mimeType": "", "text": PAGE}))
    found, _ = read(plant, a_har=made)
    assert found == {ANN: BODY}
    monkeypatch.setattr(exchanges, "MAX_HAR_VALUES", 200)
    found, unread = read(plant, a_har=as_har(exchange(ANN, {"text": PAGE}), *[{}] * 200))
    assert found == {ANN: BODY}
    assert "too many values" in unread[0].reason
