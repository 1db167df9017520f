"""One request: limits of time and bytes, kinds of content, what it says of the sender."""

import asyncio
import ssl
import subprocess
import zlib
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

from tests.weps.web.bombs import BOMBS, measure_bomb
from tests.weps.web.loopback import page, reply, results, serving
from weps._version import VERSION
from weps.records import SearchResult
from weps.web.downloading import download_pages


@pytest.fixture
def only(web, tmp_path):
    """Download one page that has an answer."""

    def download(answer, options=None):
        web.replies["ann.example/"] = answer
        (found,) = download_pages(results("ann.example/"), tmp_path, options or web.options).pages
        return found

    return download


async def drip(writer, *pieces: bytes) -> None:
    """Send a byte every now and then, for ever."""
    for piece in pieces:
        writer.write(piece)
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def drip_body(_, writer):
    await drip(writer, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")


async def drip_head(_, writer):
    await drip(writer, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Slow: ")


async def say_nothing(*_):
    await asyncio.sleep(60)


@pytest.mark.parametrize(
    ("answer", "limits", "note"),
    [
        (drip_body, {"total": 1.0}, "no complete response within 1 s"),
        (drip_head, {"total": 1.0}, "no complete response within 1 s"),
        (say_nothing, {"total": 1.0}, "no complete response within 1 s"),
        (say_nothing, {"read": 0.5}, "the server stopped responding"),
    ],
)
def test_slow_answers_end_by_the_limits(web, only, answer, limits, note):
    found = only(answer, web.patient(**limits))
    assert (found.status, found.note) == ("failed", note)
    assert len(web.asked) == 1, "what is slow is not tried again"


async def empty_blocks(_, writer):
    """Deflated blocks that hold nothing, for ever: nothing comes of any number of bytes."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n")
    packer = zlib.compressobj(wbits=31)
    writer.write(packer.compress(b"<p>") + packer.flush(zlib.Z_SYNC_FLUSH))
    while True:
        writer.write(b"\0\0\0\xff\xff" * 20_000)
        await writer.drain()


def test_bytes_on_the_wire_are_limited_even_if_nothing_comes_of_them(web, tmp_path):
    web.replies["ann.example/"] = empty_blocks
    summary = download_pages(results("ann.example/"), tmp_path, web.patient(total=60.0))
    assert [(each.status, each.cut) for each in summary.pages] == [("ok", True)]
    assert summary.seconds < 60.0


async def many_headers(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + b"X-Many: x\r\n" * 20_000 + b"\r\n")


async def long_header(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1_000_000 + b"\r\n\r\n")


async def no_http(_, writer):
    writer.write(b"+OK POP3 server ready\r\n\r\n")


async def broken_off(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>")


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (many_headers, "the response is malformed"),
        (long_header, "the response is malformed"),
        (no_http, "the response is malformed"),
        (broken_off, "the response is malformed"),
        (reply("<p>no gzip", Content_Encoding="gzip"), "the response is malformed"),
        (reply("x", Content_Encoding="gzip, gzip"), "the response has an encoding that was not"),
        (reply("x", 404), "HTTP 404"),
        (reply("x", 999), "HTTP 999"),
        (reply("x", 206), "HTTP 206"),
    ],
)
def test_answers_that_are_no_pages(only, answer, note):
    found = only(answer)
    assert (found.status, found.file) == ("failed", "")
    assert found.note.startswith(note)


HTML = "<!DOCTYPE html><p>Ann paints tides and sells maps of them."


@pytest.mark.parametrize(
    ("media_type", "body", "outcome", "file"),
    [
        ("text/html; charset=utf-8", HTML, "ok", "001.html"),
        ("TEXT/HTML", HTML, "ok", "001.html"),
        ("application/xhtml+xml", HTML, "ok", "001.html"),
        ("text/plain; charset=latin-1", "Ann", "ok", "001.txt"),
        ("application/pdf", "%PDF-1.4", "ok", "001.pdf"),
        ("application/octet-stream", "%PDF-1.4", "ok", "001.pdf"),
        ("application/octet-stream", HTML, "ok", "001.html"),
        ("application/octet-stream", "MZ\0\0", "not a page", ""),
        ("", HTML, "ok", "001.html"),
        ("", "Ann\n", "ok", "001.txt"),
        ("", "\0\0", "not a page", ""),
        ("image/png", "\x89PNG", "not a page", ""),
        ("application/json", "{}", "not a page", ""),
        ("video/mp4", "x" * 100, "not a page", ""),
    ],
)
def test_kinds_of_content(only, media_type, body, outcome, file):
    found = only(reply(body, Content_Type=media_type))
    assert (found.status, found.file) == (outcome, file)
    if outcome == "ok":
        assert found.length == len(body)
    else:
        assert found.note in {media_type, "unknown data"}


def test_the_body_of_what_is_no_page_is_not_read(only):
    sent = []

    async def film(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n")
        while True:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent.append(1)

    assert only(film).status == "not a page"
    assert len(sent) < 200, "no more than the buffers of both sides hold"


def test_long_pages_are_cut(web, only):
    found = only(reply(HTML + "x" * 1000), web.patient(page_bytes=1000))
    assert (found.status, found.length, found.cut) == ("ok", 1000, True)


def test_a_pdf_file_that_is_too_long_is_no_page(web, only):
    answer = reply(b"%PDF" + b"x" * 2000, Content_Type="application/pdf")
    found = only(answer, web.patient(pdf_bytes=2000))
    assert (found.status, found.note) == ("not a page", "a PDF file of more than 0 MB")


@pytest.mark.skipif(not which("openssl"), reason="openssl is not installed")
def test_certificates_are_checked(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [*"openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1".split(),
         *"-days 1 -subj /CN=ann.example -keyout".split(), key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with serving(context) as web:
        web.replies["ann.example/"] = page("Ann")
        asked = [SearchResult("https://ann.example/")]
        (found,) = download_pages(asked, tmp_path / "Ann", web.options).pages
    assert (found.status, web.requests) == ("failed", [])
    assert found.note == "robots.txt: the certificate of the site is not valid"


def test_long_policies_in_headers_are_common(only):
    assert only(reply(HTML, Content_Security_Policy="x" * 30_000)).status == "ok"


def test_requests_say_who_asks_and_nothing_else(web, tmp_path, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.9:9/")
    web.replies = {
        "ann.example/1": reply(status=302, Location="/2", Set_Cookie="a=b; Path=/"),
        "ann.example/2": page("Ann"),
    }
    download_pages(results("ann.example/1#part"), tmp_path, web.options)
    assert web.asked == ["ann.example/1", "ann.example/2"]
    known = {"host", "user-agent", "accept", "accept-encoding"}
    assert {name for each in web.requests for name in each.headers} == known
    sent = web.requests[-1].headers
    assert sent["user-agent"] == f"weps/{VERSION}"
    assert ("br" in sent["accept-encoding"]) == (find_spec("brotli") is not None)
    assert ("zstd" in sent["accept-encoding"]) == (find_spec("backports.zstd") is not None)


needs_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory is measured by /proc"
)


@needs_linux
@pytest.mark.parametrize(
    ("encoding", "megabytes"),
    [("br", 64), *(pytest.param(each, 256, marks=pytest.mark.slow) for each in BOMBS)],
)
def test_bombs_cost_little_memory(web, tmp_path, encoding, megabytes):
    web.replies = {"first.example/": page("first"), "bomb.example/": BOMBS[encoding](megabytes)}
    above, status, length, _ = measure_bomb(web.port, tmp_path)
    assert above < 20
    assert (status, length) == (("failed", 0) if "," in encoding else ("ok", 8 * 1024 * 1024))


@needs_linux
@pytest.mark.slow
def test_what_is_not_limited_shows_in_the_memory(web, tmp_path):
    web.replies = {"first.example/": page("first"), "bomb.example/": BOMBS["br"](64)}
    assert measure_bomb(web.port, tmp_path, limit=100 << 20)[0] > 60
