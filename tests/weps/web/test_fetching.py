"""One request: limits of time and bytes, kinds of content, what it says of the sender."""

from __future__ import annotations

import asyncio
import gzip
import random
import ssl
import subprocess
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

from tests.cases import each_case
from tests.weps.web.bombs import BOMBS, measure_bomb
from tests.weps.web.loopback import page, reply, results, serving
from weps._version import VERSION
from weps.records import SearchResult
from weps.web.downloading import download_pages
from weps.web.fetching import MAX_ROBOTS, TOKEN, DownloadOptions, _is_public, _parse_robots


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


def test_bytes_on_the_wire_are_limited_even_if_nothing_comes_of_them(web, download):
    web.replies["ann.example/"] = empty_blocks
    summary = download("ann.example/", total=60.0)
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


def test_requests_say_who_asks_and_nothing_else(web, download, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.9:9/")
    web.replies = {
        "ann.example/1": reply(status=302, Location="/2", Set_Cookie="a=b; Path=/"),
        "ann.example/2": page("Ann"),
    }
    download("ann.example/1#part")
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


def robots(text: str, status: int = 200, **headers: str) -> bytes:
    return reply(text, status, Content_Type="text/plain", **headers)


@each_case(
    ("text", "allowed", "forbidden"),
    [
        ("", "/", ""),
        ("User-agent: *\nDisallow: /", "", "/ /x"),
        ("User-agent: *\nDisallow:", "/", ""),
        ("User-agent: *\nDisallow: /\n\nUser-agent: WEPS\nAllow: /", "/x", ""),
        ("User-agent: weps/2.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", "/a"),
        ("User-agent: we\nUser-agent: wepsbot\nUser-agent: my-weps\nDisallow: /", "/", ""),
        ("User-agent: other\nUser-agent: *\nDisallow: /a", "/", "/a"),
        ("User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b", "/", "/a /b"),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", "/a /a/c"),
        ("User-agent: *\nAllow: /p\nDisallow: /p", "/p", ""),
        ("User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?q=", "/a.pdf.html", "/x/a.pdf /s?q=1"),
        ("User-agent: *\nDisallow: /%C3%A9", "/e", "/%c3%a9"),
        ("\ufeffUser-agent: *\r\nDisallow: /a # why\r\nUnknown: x", "/", "/a"),
        ("user-agent : *\rdisallow : /a", "/", "/a"),
        ("<html>not found</html>", "/", ""),
        ("Disallow: /", "/", ""),
    ],
)
def test_rules_of_robots_txt(text, allowed, forbidden):
    rules = _parse_robots(text.encode())
    for path in allowed.split():
        assert rules.can_fetch(f"http://ann.example{path}", TOKEN), path
    for path in forbidden.split():
        assert not rules.can_fetch(f"http://ann.example{path}", TOKEN), path
    assert rules.can_fetch("http://ann.example/robots.txt", TOKEN)


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_robots_txt_of_other_charsets(charset):
    rules = _parse_robots("User-agent: *\nDisallow: /people".encode(charset))
    assert not rules.can_fetch("http://ann.example/people/ann", TOKEN)


def test_rules_of_many_programs_are_not_kept_for_each():
    """12,000 programs with 32,000 rules each would be 384 million."""
    names = "".join(f"User-agent: a{number}\n" for number in range(12_000))
    rules = _parse_robots((names + "Allow:/\n" * 32_000).encode())
    assert len(rules._user_agents) == 1


def test_of_a_long_robots_txt_the_beginning_counts():
    text = b"User-agent: *\nDisallow: /a\n" + b"#" * MAX_ROBOTS + b"\nDisallow: /b\n"
    rules = _parse_robots(text)
    allowed = [rules.can_fetch(f"http://x.example/{path}", TOKEN) for path in "ab"]
    assert allowed == [False, True]


FORBIDDING = "User-agent: *\nDisallow: /"


@pytest.mark.parametrize(
    ("answer", "status", "note"),
    [
        (robots("", 404), "ok", ""),
        (robots(FORBIDDING, 401), "ok", ""),
        (robots(FORBIDDING, 410), "ok", ""),
        (robots("User-agent: *\nDisallow: /private"), "ok", ""),
        (reply(FORBIDDING), "kept out", "by robots.txt"),
        (robots(FORBIDDING), "kept out", "by robots.txt"),
        (robots(gzip.compress(FORBIDDING.encode()).decode("latin-1"), 404), "ok", ""),
        (robots("", 500), "failed", "robots.txt: HTTP 500"),
        (robots("", 503), "failed", "robots.txt: HTTP 503"),
        (robots("", 429), "failed", "robots.txt: HTTP 429"),
        (robots("User-agent: *\nCrawl-delay: 30"), "ok", ""),
        (robots("User-agent: *\nCrawl-delay: 31"), "kept out", "robots.txt asks for 31 s between"),
        (robots("User-agent: *\nCrawl-delay: 1e999"), "ok", ""),
        (robots("", 301, Location="//bob.example/rules"), "kept out", "by robots.txt"),
        (robots("", 301, Location="/robots.txt"), "ok", ""),
    ],
)
def test_what_an_answer_for_robots_txt_means(web, only, answer, status, note):
    web.replies = {
        "ann.example/robots.txt": answer,
        "bob.example/rules": robots(FORBIDDING),
    }
    found = only(page("Ann"))
    assert found.status == status
    assert found.note.startswith(note)
    assert web.asked.count("ann.example/") == (status == "ok")


def test_a_host_without_a_connection_is_not_asked_for_pages(download):
    summary = download("no.invalid/1", "no.invalid/2", "ann.example/")
    assert [each.status for each in summary.pages] == ["failed"] * 3
    assert summary.pages[0].note == "robots.txt: the host is unknown"
    assert summary.requests == 3 + 2, "three attempts to reach the one, two requests to the other"


def test_robots_txt_is_asked_for_at_each_hop(web, only):
    web.replies = {
        "bob.example/robots.txt": robots("User-agent: weps\nDisallow: /x"),
        "bob.example/x": page("Bob"),
    }
    found = only(reply(status=301, Location="http://bob.example/x"))
    assert (found.status, found.url) == ("kept out", "http://bob.example/x")
    assert web.asked == ["ann.example/"]


@pytest.mark.parametrize(("hops", "status"), [(5, "ok"), (6, "failed")])
def test_redirects_are_followed_five_times(web, download, hops, status):
    for hop in range(hops):
        host, target = f"h{hop}.example", f"//h{hop + 1}.example/a%20b?q=%C3%A9"
        for path in ("/", "/a%20b?q=%C3%A9"):
            web.replies[host + path] = reply(
                status=(301, 302, 303, 307, 308)[hop % 5], Location=target
            )
    web.replies[f"h{hops}.example/a%20b?q=%C3%A9"] = page("Ann")
    (found,) = download("h0.example/").pages
    assert found.status == status
    assert (found.note == "too many redirects") == (status == "failed")


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (reply(status=301, Location="b?x=1&y=%20#top"), "/b?x=1&y=%20"),
        (reply(status=302, Location="http://ann.example/é b"), "/%C3%A9%20b"),
        (reply(status=302, Location="x").replace(b": x\r", b": /\xe9\r"), "/%E9"),
        (reply('<meta http-equiv="refresh" content="0; url=/b?x=1&amp;y=2">'), "/b?x=1&y=2"),
        (reply("<META content='5;URL=/b' HTTP-EQUIV=Refresh>"), ""),
        (reply("<meta http-equiv=refresh content='3;URL=b'><p>Moved"), "/b"),
        (reply("<meta http-equiv=refresh content='30;URL=b'><p>News, every half minute"), ""),
        (reply("<meta http-equiv=refresh content='0;URL=b'>" + "<p>Ann Lee" * 999), ""),
        (reply("<meta http-equiv=refresh content=5><p>Ann Lee paints"), ""),
        (reply("<meta http-equiv=refresh content='5;URL=/#top'><p>Ann Lee paints"), ""),
    ],
)
def test_where_redirects_lead(web, only, answer, path):
    web.replies[f"ann.example{path}"] = page("Ann")
    assert only(answer).status == "ok"
    assert web.asked[1:] == ([f"ann.example{path}"] if path else [])


def test_requests_to_a_host_keep_their_distance(web, download):
    """Also those for robots.txt, redirects from other hosts, and repeated attempts."""
    web.replies = {f"ann.example/{number}": page(f"Ann {number}") for number in range(5)}
    web.replies |= {
        "bob.example/robots.txt": robots("User-agent: *\nCrawl-delay: 2.5"),
        "bob.example/1": page("Bob"),
        "bob.example/2": reply(status=302, Location="http://ann.example/from-bob"),
        "ann.example/from-bob": page("From Bob"),
        "ann.example/busy": reply(status=503),
    }
    asked = [*(f"ann.example/{number}" for number in range(5)), "bob.example/1", "bob.example/2"]
    summary = download(*asked, "ann.example/busy")
    assert summary.counts == {"ok": 7, "failed": 1}
    assert web.least_distance("ann.example") >= 1.0
    assert web.least_distance("bob.example") >= 2.5


def test_sixteen_requests_at_once(web, download):
    async def slowly(request, writer):
        for _ in range(100):  # until others came meanwhile, which on a busy machine takes a while
            await asyncio.sleep(0.05)
            if web.most_under_way > 2:
                break
        writer.write(page(request.host + request.path))
        await writer.drain()

    asked = [f"h{number}.example/" for number in range(24)]
    web.replies = dict.fromkeys(asked, slowly)
    download(*asked)
    assert 2 < web.most_under_way <= 16
    web.most_under_way = 0
    download(*asked, refresh=True, hosts_at_once=3)
    assert web.most_under_way <= 3


def attempts(*answers: bytes):
    """Answer otherwise at each attempt."""
    left = list(answers)

    async def answer(_, writer):
        writer.write(left.pop(0))
        await writer.drain()

    return answer


SOON = format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)


@pytest.mark.parametrize(
    ("first", "status", "note", "least", "most"),
    [
        (reply(status=429, Retry_After="20"), "ok", "", 20, 20),
        (reply(status=503, Retry_After="0"), "ok", "", 1, 1),
        (reply(status=503, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT"), "ok", "", 1, 1),
        (reply(status=502), "ok", "", 1, 3),
        (reply(status=504, Retry_After="nonsense"), "ok", "", 1, 3),
        (b"", "ok", "", 1, 3),
        (reply(status=429, Retry_After="61"), "failed", "HTTP 429", 0, 0),
        (reply(status=429, Retry_After=SOON), "failed", "HTTP 429", 0, 0),
        (reply(status=429, Retry_After="9" * 400), "failed", "HTTP 429", 0, 0),
        (reply(status=500), "failed", "HTTP 500", 0, 0),
        (reply(status=403), "failed", "HTTP 403", 0, 0),
        (reply(status=403, cf_mitigated="challenge"), "blocked", "HTTP 403", 0, 0),
    ],
)
def test_another_attempt(web, only, first, status, note, least, most):
    found = only(attempts(first, page("Ann")))
    assert (found.status, found.note) == (status, note)
    times = [each.at for each in web.requests if each.path == "/"]
    assert len(times) == (2 if most else 1)
    assert least <= times[-1] - times[0] <= most


def test_a_host_that_asks_to_wait_long_is_left_alone(web, download):
    web.replies |= {"ann.example/1": reply(status=429, Retry_After="3600")}
    pages = download("ann.example/1", "ann.example/2").pages
    assert [each.status for each in pages] == ["failed", "skipped"]
    assert pages[1].note == "the host asks to wait for 3600 s"
    assert web.asked == ["ann.example/1"]


def test_a_host_that_fails_three_times_in_a_row_is_left_alone(web, download):
    web.replies = {f"ann.example/{number}": reply(status=500) for number in (1, 2, 4, 5, 6)}
    web.replies["ann.example/3"] = page("Ann")
    asked = [f"ann.example/{number}" for number in range(1, 9)]
    pages = download(*asked).pages
    assert [each.status for each in pages] == [
        *("failed", "failed", "ok", "failed", "failed", "failed", "skipped", "skipped")
    ]
    assert pages[-1].note == "the host failed 3 times in a row"
    assert "ann.example/7" not in web.asked


@each_case(
    ("addresses", "public", "with_private"),
    [
        ("93.184.216.34 8.8.8.8 2606:2800:220:1::1 ::ffff:8.8.8.8", True, True),
        ("127.0.0.1 127.255.0.9 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1", False, True),
        ("::1 fc00::1 fd12:3456::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1", False, True),
        ("169.254.169.254 fe80::1 fe80::1%eth0 ::ffff:169.254.169.254", False, False),
        ("0.0.0.0 :: 224.0.0.1 ff02::1 255.255.255.255 240.0.0.1", False, False),
        ("64:ff9b::7f00:1 64:ff9b:1::a00:1 2002:7f00:1:: 2001:0:7f00:1::", False, False),
        ("::127.0.0.1 fec0::1 192.0.0.8 192.0.2.1 198.18.0.1 2001:db8::1", False, False),
    ],
)
def test_kinds_of_addresses(addresses, public, with_private):
    for address in addresses.split():
        assert _is_public(address) is public, address
        assert _is_public(address, or_private=True) is with_private, address


@pytest.mark.parametrize(
    "url",
    [
        *"http://127.0.0.1/ http://127.1/ http://0/ http://2130706433/ http://0x7f000001/".split(),
        *"http://0x7f.1/ http://0177.0.0.1/ http://①②⑦.⓪.⓪.①/ http://localhost/".split(),
        *"http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::]/ http://0.0.0.0/".split(),
        *"http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://169.254.169.254/x".split(),
        *"https://10.0.0.1/ http://192.168.0.1:8080/ http://93.184.216.34:22/ file:///etc/x".split(),
        *"ftp://ann.example/ http://user:pw@ann.example/ javascript:alert(1) http:// http://[".split(),
        *"//ann.example/ ann.example http://a_b..example/ http://.../ data:,x http://\ud800.example/".split(),
    ],
)
def test_addresses_of_this_machine_and_its_network_are_skipped(tmp_path, url):
    summary = download_pages([SearchResult(url)], tmp_path, DownloadOptions(delay=0.0))
    (found,) = summary.pages
    assert (found.status, found.http, found.file) == ("skipped", 0, "")
    assert found.note


def test_a_name_with_several_addresses_is_reached_at_the_public_one(web, download):
    """127.0.0.1 stands for a public address here, and 127.0.0.2 for one that is not."""
    web.replies["ann.example/"] = web.replies["bob.example/"] = page("Ann")
    web.addresses = {"ann.example": ["127.0.0.2", "127.0.0.1"], "bob.example": ["127.0.0.2"]}
    summary = download("ann.example/", "bob.example/")
    assert [each.status for each in summary.pages] == ["ok", "skipped"]
    assert web.asked == ["ann.example/"]


def test_a_name_that_changes_its_address_is_refused_when_it_does(web, download):
    async def close(_, writer):
        web.addresses["ann.example"] = ["127.0.0.2"]
        writer.write(reply("", 404, Connection="close"))
        await writer.drain()

    web.replies = {"ann.example/robots.txt": close, "ann.example/": page("Ann")}
    (found,) = download("ann.example/").pages
    assert (found.status, web.asked) == ("skipped", [])
    assert found.note == "the address is not one of the public Internet"


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.2/", "http://[::1]/", "http://inner.example/", "file:///etc/passwd",
     "http://ann.example:22/", "http://u:p@ann.example/", "http://169.254.169.254/latest"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/robots.txt"])
def test_redirects_lead_nowhere_else(web, download, target, path):
    web.addresses["inner.example"] = ["127.0.0.3"]
    web.replies = {
        "ann.example/": page("Ann"),
        f"ann.example{path}": reply(status=302, Location=target),
    }
    (found,) = download("ann.example/").pages
    assert found.status == "skipped"
    assert {each.host for each in web.requests} == {"ann.example"}


def test_private_addresses_at_any_port_on_demand(web, tmp_path):
    place = f"127.0.0.1:{web.port}"
    web.replies[f"{place}/a"] = page("Ann")
    (found,) = download_pages(results(f"{place}/a"), tmp_path, DownloadOptions(delay=0.0)).pages
    assert found.status == "skipped"
    options = DownloadOptions(allow_private=True, delay=0.0)
    (found,) = download_pages(results(f"{place}/a"), tmp_path, options).pages
    assert found.status == "ok"


def test_ports_are_those_of_web_servers(web, tmp_path):
    web.replies = {f"ann.example{port}/": page("Ann") for port in ("", ":8080", ":25")}
    options = replace(web.options, delay=0.0)
    pages = download_pages(results("ann.example:25/", "ann.example:8080/"), tmp_path, options).pages
    assert [each.status for each in pages] == ["skipped", "ok"]
    assert pages[0].note == "port 25 is not one of web servers"


SERVERS = 3_000
STATUS_LINES = ["HTTP/1.1 200 OK", "HTTP/1.0 200", "HTTP/1.1 200", "HTTP/1.1 404 No", "ICY 200 OK"]
STATUS_LINES += ["HTTP/1.1 302 Found", "HTTP/1.1 999 X", "HTTP/1.1 20 OK", "HTTP/9.9 200 OK", ""]
FIELDS = ["Content-Type: text/html", "Content-Type:", "content-type: TEXT/HTML;charset=", "X: \xff"]
FIELDS += ["Content-Length: 7", "Content-Length: -1", "Content-Length: x", "Location: http://["]
FIELDS += ["Transfer-Encoding: chunked", "Transfer-Encoding: Chunked, gzip", "no colon", " folded"]
FIELDS += [
    "Content-Encoding: gzip",
    "Content-Encoding: br",
    "Content-Encoding: none",
    "Set-Cookie: =",
]
FIELDS += ["Location: /", "Retry-After: x", "ETag: \0", "Content-Type: application/octet-stream"]
BODIES = [b"", b"<p>Ann", b"5\r\n<p>Ab\r\n0\r\n\r\n", b"FFFFFFFFF\r\nx", b"-1\r\n", b"\0" * 600]
BODIES += [
    gzip.compress(b"<p>Ann"),
    b"\x1f\x8b\x08",
    b"%PDF-",
    "\u0142".encode("utf-16"),
    b"\r\n\r\n",
]


def made_answer(generator):
    """An answer of a server, sound or not, cut at any byte, with or without a pause."""
    fields = generator.choices(FIELDS, k=generator.randrange(5))
    head = "\r\n".join([generator.choice(STATUS_LINES), *fields, "", ""]).encode("latin-1")
    sent = head + generator.choice(BODIES)
    end = generator.choice([len(sent), generator.randrange(len(sent) + 1)])
    late, reset = generator.random() < 0.02, generator.random() < 0.3

    async def answer(_, writer):
        writer.write(sent[:end])
        await writer.drain()
        await asyncio.sleep(0.05 if late else 0)
        if reset:
            writer.transport.abort()

    return answer


@pytest.mark.slow
def test_nothing_that_a_server_does_touches_another(web, tmp_path):
    generator = random.Random(40)  # noqa: S311 - nothing is to be kept secret
    sound = [f"sound{number}.example/" for number in range(100)]
    passed = [0.0]

    async def sleep(seconds):
        passed[0] += seconds
        await asyncio.sleep(0)

    web.replies = {address: page(address) for address in sound}
    for number in range(SERVERS):
        host = f"a{number}.example"
        place = "robots.txt" if number % 10 == 0 else ""
        web.replies[f"{host}/"] = page(host)
        web.replies[f"{host}/{place}"] = made_answer(generator)
    addresses = [*web.replies]
    options = replace(web.options, read=1.0, sleep=sleep, clock=lambda: passed[0])
    summary = download_pages(results(*addresses), tmp_path, options)
    states = {each.result.url: each.status for each in summary.pages if each.result}
    assert "waiting" not in states.values()
    assert {states[each.url] for each in results(*sound)} == {"ok"}
    assert len({*states.values()}) > 2
