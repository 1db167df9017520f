"""Hosts are asked one request at a time, after a delay, and only for what robots.txt allows."""

import asyncio
import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.cases import each_case
from tests.weps.web.loopback import page, reply, results
from weps.web.downloading import download_pages
from weps.web.fetching import MAX_ROBOTS, TOKEN, parse_robots


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
    rules = parse_robots(text.encode())
    for path in allowed.split():
        assert rules.can_fetch(f"http://ann.example{path}", TOKEN), path
    for path in forbidden.split():
        assert not rules.can_fetch(f"http://ann.example{path}", TOKEN), path
    assert rules.can_fetch("http://ann.example/robots.txt", TOKEN)


def test_rules_of_many_programs_are_not_kept_for_each():
    """12,000 programs with 32,000 rules each would be 384 million."""
    names = "".join(f"User-agent: a{number}\n" for number in range(12_000))
    rules = parse_robots((names + "Allow:/\n" * 32_000).encode())
    assert len(rules._user_agents) == 1


def test_of_a_long_robots_txt_the_beginning_counts():
    text = b"User-agent: *\nDisallow: /a\n" + b"#" * MAX_ROBOTS + b"\nDisallow: /b\n"
    rules = parse_robots(text)
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
def test_what_an_answer_for_robots_txt_means(web, tmp_path, answer, status, note):
    web.replies = {
        "ann.example/robots.txt": answer,
        "bob.example/rules": robots(FORBIDDING),
        "ann.example/": page("Ann"),
    }
    (found,) = download_pages(results("ann.example/"), tmp_path, web.options).pages
    assert found.status == status
    assert found.note.startswith(note)
    assert web.asked.count("ann.example/") == (status == "ok")


def test_a_host_without_a_connection_is_not_asked_for_pages(web, tmp_path):
    summary = download_pages(
        results("no.invalid/1", "no.invalid/2", "ann.example/"), tmp_path, web.options
    )
    assert [each.status for each in summary.pages] == ["failed"] * 3
    assert summary.pages[0].note == "robots.txt: the host is unknown"
    assert summary.requests == 3 + 2, "three attempts to reach the one, two requests to the other"


def test_robots_txt_is_asked_for_at_each_hop(web, tmp_path):
    web.replies = {
        "ann.example/": reply(status=301, Location="http://bob.example/x"),
        "bob.example/robots.txt": robots("User-agent: weps\nDisallow: /x"),
        "bob.example/x": page("Bob"),
    }
    (found,) = download_pages(results("ann.example/"), tmp_path, web.options).pages
    assert (found.status, found.url) == ("kept out", "http://bob.example/x")
    assert web.asked == ["ann.example/"]


@pytest.mark.parametrize(("hops", "status"), [(5, "ok"), (6, "failed")])
def test_redirects_are_followed_five_times(web, tmp_path, hops, status):
    for hop in range(hops):
        host, target = f"h{hop}.example", f"//h{hop + 1}.example/a%20b?q=%C3%A9"
        for path in ("/", "/a%20b?q=%C3%A9"):
            web.replies[host + path] = reply(
                status=(301, 302, 303, 307, 308)[hop % 5], Location=target
            )
    web.replies[f"h{hops}.example/a%20b?q=%C3%A9"] = page("Ann")
    (found,) = download_pages(results("h0.example/"), tmp_path, web.options).pages
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
    ],
)
def test_where_redirects_lead(web, tmp_path, answer, path):
    web.replies = (
        {"ann.example/": answer, f"ann.example{path}": page("Ann")}
        if path
        else {"ann.example/": answer}
    )
    (found,) = download_pages(results("ann.example/"), tmp_path, web.options).pages
    assert found.status == "ok"
    assert web.asked[1:] == ([f"ann.example{path}"] if path else [])


def test_requests_to_a_host_keep_their_distance(web, tmp_path):
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
    summary = download_pages(results(*asked, "ann.example/busy"), tmp_path, web.options)
    assert summary.counts == {"ok": 7, "failed": 1}
    assert web.least_distance("ann.example") >= 1.0
    assert web.least_distance("bob.example") >= 2.5


def test_sixteen_requests_at_once(web, tmp_path):
    async def slowly(request, writer):
        for _ in range(100):  # until others came meanwhile, which on a busy machine takes a while
            await asyncio.sleep(0.05)
            if web.most_under_way > 2:
                break
        writer.write(page(request.host + request.path))
        await writer.drain()

    asked = [f"h{number}.example/" for number in range(24)]
    web.replies = dict.fromkeys(asked, slowly)
    download_pages(results(*asked), tmp_path, web.options)
    assert 2 < web.most_under_way <= 16
    web.most_under_way = 0
    download_pages(results(*asked), tmp_path, replace(web.options, refresh=True, hosts_at_once=3))
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
def test_another_attempt(web, tmp_path, first, status, note, least, most):
    web.replies["ann.example/"] = attempts(first, page("Ann"))
    (found,) = download_pages(results("ann.example/"), tmp_path, web.options).pages
    assert (found.status, found.note) == (status, note)
    times = [each.at for each in web.requests if each.path == "/"]
    assert len(times) == (2 if most else 1)
    assert least <= times[-1] - times[0] <= most


def test_a_host_that_asks_to_wait_long_is_left_alone(web, tmp_path):
    web.replies |= {"ann.example/1": reply(status=429, Retry_After="3600")}
    pages = download_pages(results("ann.example/1", "ann.example/2"), tmp_path, web.options).pages
    assert [each.status for each in pages] == ["failed", "skipped"]
    assert pages[1].note == "the host asks to wait for 3600 s"
    assert web.asked == ["ann.example/1"]


def test_a_host_that_fails_three_times_in_a_row_is_left_alone(web, tmp_path):
    web.replies = {f"ann.example/{number}": reply(status=500) for number in (1, 2, 4, 5, 6)}
    web.replies["ann.example/3"] = page("Ann")
    asked = [f"ann.example/{number}" for number in range(1, 9)]
    pages = download_pages(results(*asked), tmp_path, web.options).pages
    assert [each.status for each in pages] == [
        *("failed", "failed", "ok", "failed", "failed", "failed", "skipped", "skipped")
    ]
    assert pages[-1].note == "the host failed 3 times in a row"
    assert "ann.example/7" not in web.asked
