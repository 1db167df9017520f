"""Results are downloaded into a folder, with an honest status for each, and can be resumed."""

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.weps.web.loopback import Web, page, reply, results
from weps.errors import OutputError, SearchError
from weps.records import SearchResult
from weps.sources.base import MANIFEST, Manifest, read_manifest
from weps.sources.opening import open_source
from weps.web import downloading
from weps.web.downloading import download_pages, inspect_page

ROOT = Path(downloading.__file__).parents[2]


@pytest.fixture
def seven(web):
    """A web in which seven results come to each of the ends that there are."""
    web.replies = {
        "ok.example/": page("Ann"),
        "gone.example/": reply("gone", 410),
        "kept.example/robots.txt": reply("User-agent: *\nDisallow: /", Content_Type="text/plain"),
        "image.example/": reply("x", Content_Type="image/png"),
        "wall.example/": reply("<title>Just a moment...</title><p>Checking"),
        "busy.example/": reply(status=503),
    }
    names = "ok gone kept image wall busy".split()
    return [*results(*(f"{name}.example/" for name in names)), SearchResult("ftp://x.example/")]


ENDS = ["ok", "failed", "kept out", "not a page", "blocked", "failed", "skipped"]


def test_every_result_has_its_status(web, seven, tmp_path):
    folder, told = tmp_path / "Ann_Lee", []
    summary = download_pages(seven, folder, web.options, lambda *each: told.append(each))
    assert [each.status for each in summary.pages] == ENDS
    assert {(page.rank, page.status) for _, page, _, _ in told} == {
        (rank, status) for rank, status in enumerate(ENDS, start=1)
    }
    assert [(done, total) for *_, done, total in told] == [(number, 7) for number in range(1, 8)]
    assert summary.counts == Counter(ENDS)
    assert summary.requests == len(web.requests)
    assert summary.wire_bytes > 100
    search = open_source(folder).search("Ann Lee")
    assert [each.title for each in search.pages] == [each.title for each in seven if each.title]
    assert [each.problem.partition(":")[0] for each in search.pages] == ["", *ENDS[1:6]]
    [unread] = search.unread  # an address alone says nothing
    assert (unread.name, unread.reason.partition(":")[0]) == ("result 7", "skipped")


def test_what_is_settled_is_not_asked_for_again(web, download, seven, tmp_path):
    download_pages(seven, tmp_path, web.options)
    web.requests.clear()
    web.replies["busy.example/"] = page("Bob")
    again = download()  # the results are in the folder
    assert [each.status for each in again.pages] == [*ENDS[:5], "ok", "skipped"]
    assert again.known == 5
    assert web.asked == ["busy.example/"]
    web.requests.clear()
    more = download("ok.example/#x", "new.example/")
    assert [each.rank for each in more.pages] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert web.asked == ["new.example/"]


def test_one_address_counts_once(web, download):
    web.replies["ann.example/"] = page("Ann")
    found = download("ann.example/", "ann.example/?utm_source=x", "ann.example/#top")
    assert [each.status for each in found.pages] == ["ok"]


def test_a_page_at_two_addresses_is_kept_once(web, tmp_path):
    moved = reply(status=301, Location="http://ann.example/")
    web.replies = {
        "ann.example/": page("Ann"), "mirror.example/": page("Ann"), "old.example/": moved,
        "photo1.example/": reply("<img src=1.png>"), "photo2.example/": reply("<img src=2.png>"),
    }  # fmt: skip
    asked = [*results(*web.replies)]
    asked = [replace(each, title="Ann Lee") for each in asked]
    found = download_pages(asked, tmp_path, web.options).pages
    assert sorted(each.status for each in found) == ["ok"] * 3 + ["skipped"] * 2
    (kept,) = (each.rank for each in found[:3] if each.status == "ok")
    assert {each.note for each in found[:3]} == {"", f"the same page as result {kept}"}


def test_one_page_for_results_of_different_titles_is_none_of_theirs(web, download, tmp_path):
    asked = [f"h{number}.example/" for number in range(5)]
    wall = "<title>Shop</title><p>Choose your country to go on.<p><!--"
    web.replies = {each: reply(f"{wall}{each}-->") for each in asked[:4]}
    web.replies["h4.example/"] = page("Ann")
    found = download(*asked).pages
    assert [each.status for each in found] == ["blocked"] * 4 + ["ok"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["005.html", MANIFEST]


def test_refreshing_asks_only_for_what_has_changed(web, download, tmp_path):
    web.replies = {
        "same.example/": reply("<p>Ann Lee paints", ETag='"1"'),
        "new.example/": reply("<p>Ann Lee sells", Last_Modified="Mon, 23 Nov 2026 10:00:00 GMT"),
        "gone.example/": reply("<p>Ann Lee sings", ETag='"3"'),
        "pdf.example/": reply("<p>Ann Lee dances"),
    }
    asked = results(*web.replies)
    before = download_pages(asked, tmp_path, web.options).pages
    web.requests.clear()
    web.replies = {
        "same.example/": reply(status=304, ETag='"1"'),
        "new.example/": reply("<p>Ann Lee has sold"),
        "gone.example/": reply(status=404),
        "pdf.example/": reply("%PDF-1.4", Content_Type="application/pdf"),
    }
    after = download(refresh=True).pages
    sent = {each.host: each.headers for each in web.requests}
    assert sent["same.example"]["if-none-match"] == '"1"'
    assert sent["new.example"]["if-modified-since"] == "Mon, 23 Nov 2026 10:00:00 GMT"
    assert [each.status for each in after] == ["ok"] * 4
    assert after[0] == replace(before[0], http=304)
    assert (tmp_path / "002.html").read_text() == "<p>Ann Lee has sold"
    assert after[2] == replace(before[2], http=404, note="not refreshed: failed: HTTP 404")
    assert (tmp_path / "003.html").read_text() == "<p>Ann Lee sings"
    assert {file.name for file in tmp_path.iterdir()} >= {"004.pdf"}
    assert not (tmp_path / "004.html").exists()


def test_refreshing_asks_blocked_pages_again(web, download, tmp_path):
    wall = "<title>Just a moment...</title><p>Verify you are human"
    unknown = [f"h{number}.example/" for number in range(4)]
    web.replies = {each: reply(f"<p>Choose a country<!--{each}-->") for each in unknown}
    web.replies |= {"wall.example/": reply(wall, ETag='"1"'), "closed.example/": reply(wall)}
    web.replies["ok.example/"] = reply("<p>Ann Lee paints", ETag='"2"')
    blocked = [*unknown, "wall.example/", "closed.example/"]
    asked = [*blocked, "ok.example/"]
    download(*asked)
    web.requests.clear()
    assert [each.status for each in download().pages] == ["blocked"] * 6 + ["ok"]
    assert web.asked == []
    web.replies |= {each: page(each) for each in ("h0.example/", "h3.example/", "wall.example/")}
    web.replies["ok.example/"] = reply(wall)
    for _ in range(2):
        after = download(refresh=True).pages
        opened = [each.url[7:] for each in after if each.status == "ok"]
        assert opened == ["h0.example/", "h3.example/", "wall.example/", "ok.example/"]
        assert [each.rank for each in after if (tmp_path / (each.file or "?")).is_file()] == [
            each.rank for each in after if each.status == "ok"
        ]
    assert after[-1].note == f"not refreshed: blocked: {CHALLENGE}"
    assert (tmp_path / "007.html").read_text() == "<p>Ann Lee paints"
    assert Counter(web.asked) == dict.fromkeys(asked, 2)
    unconditional = {each.host for each in web.requests if "if-none-match" not in each.headers}
    assert unconditional >= {each.removesuffix("/") for each in blocked if each not in opened}


@pytest.mark.parametrize(
    ("copy", "answer", "kept"),
    [
        ("<p>Ann Lee paints", reply("<p>Pick a harbour"), True),
        ("<p>Ann Lee paints", reply("<p>Ann Lee sings"), False),
        ("<p>" + "tides " * 9_000 + "Ann Lee", reply("<p>Pick a harbour"), True),
        ("<p>Ann Lee", reply("%PDF-1.4", Content_Type="application/pdf"), False),
        ("<p>Tides of Port Merrow", reply("<p>Tides of Marl Bay"), False),
    ],
)
def test_a_copy_with_the_name_is_not_replaced_by_one_without(web, tmp_path, copy, answer, kept):
    addresses = [f"h{number}.example/" for number in range(4)]
    asked = [replace(each, title=f"Result {each.url}") for each in results(*addresses)]
    web.replies = {each: reply(f"{copy} {each}") for each in addresses}
    options = replace(web.options, names=("Ann Lee",))
    before = download_pages(asked, tmp_path, options).pages
    web.replies = dict.fromkeys(addresses, answer)
    after = download_pages((), tmp_path, replace(options, refresh=True)).pages
    note = "not refreshed: blocked: the name is not in what came, but in the copy"
    assert [each.note == note for each in after] == [kept] * 4
    if kept:
        assert after == tuple(replace(each, http=200, note=note) for each in before)
        assert (tmp_path / "001.html").read_text() == f"{copy} {addresses[0]}"


def test_a_copy_that_is_gone_is_asked_for_without_conditions(web, download, tmp_path):
    web.replies["ann.example/"] = reply("<p>Ann Lee paints", ETag='"1"')
    download("ann.example/")
    (tmp_path / "001.html").unlink()
    refreshing = replace(web.options, refresh=True)
    download_pages((), tmp_path, refreshing)
    assert "if-none-match" not in web.requests[-1].headers
    assert (tmp_path / "001.html").exists()
    (tmp_path / "001.html").unlink()
    web.replies["ann.example/"] = reply(status=304)  # nobody asked for that
    (page,) = download_pages((), tmp_path, refreshing).pages
    assert page.note == "not refreshed: failed: HTTP 304"


def test_results_that_may_not_be_kept_leave_no_trace(web, seven, tmp_path):
    web.replies["ok.example/"] = reply(status=302, Location="/ann")
    web.replies["ok.example/ann"] = page("Ann")
    options = replace(web.options, keep_results=False)
    download_pages(seven, tmp_path, options)
    written = (tmp_path / MANIFEST).read_text()
    assert "result" not in written
    assert "Title of" not in written
    assert "Snippet" not in written
    assert set(written.replace('"', " ").split()) & {each.url for each in seven} == set()
    search = open_source(tmp_path).search(tmp_path.name)
    assert [(each.url, each.title) for each in search.pages] == [("http://ok.example/ann", "")]
    assert [each.name for each in search.unread] == [f"result {rank}" for rank in range(2, 8)]
    web.requests.clear()
    again = download_pages(seven, tmp_path, options)
    assert [each.status for each in again.pages] == ENDS
    assert web.asked == ["busy.example/"] * 3


def test_results_that_are_not_asked_for_yet_are_in_the_folder(web, tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    web.replies = {f"ann.example/{number}": page(f"Ann {number}") for number in range(3)}
    with pytest.raises(KeyboardInterrupt):
        download_pages(results(*web.replies), tmp_path / "Ann_Lee", web.options, stop)
    pages = open_source(tmp_path / "Ann_Lee").search("Ann Lee").pages
    assert [each.problem for each in pages if not each.content][-1] == "waiting"
    finished = download_pages((), tmp_path / "Ann_Lee", web.options)
    assert finished.counts == {"ok": 3}
    assert Counter(web.asked) == dict.fromkeys(web.replies, 1)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError, SystemExit])
def test_an_error_of_the_caller_ends_the_download_at_once(web, tmp_path, error):
    async def never(*_):
        await asyncio.sleep(60)

    web.replies = {"ann.example/": page("Ann"), "slow.example/": never}

    def stop(*_):
        raise error

    began = time.monotonic()
    with pytest.raises(error):
        download_pages(results(*web.replies), tmp_path, web.options, stop)
    assert time.monotonic() - began < 20, "the slow answer is not waited for"
    with Manifest(tmp_path) as manifest:  # it is free again, and whole
        assert [each.status for each in manifest.pages.values()] == ["ok", "waiting"]


def test_a_download_within_a_running_loop(web, download):
    async def main():
        return download("ann.example/")

    web.replies["ann.example/"] = page("Ann")
    assert asyncio.run(main()).counts == {"ok": 1}


def test_a_folder_that_cannot_be_written_ends_the_download(web, download, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OutputError("cannot be written (No space left on device)", where=tmp_path)

    asked = [f"h{number}.example/" for number in range(30)]
    web.replies = {each: page(each) for each in asked}
    monkeypatch.setattr(downloading, "atomic_write", refuse)
    with pytest.raises(OutputError, match="No space left"):
        download(*asked)


def test_an_error_that_nobody_foresaw_ends_one_page_alone(web, download, monkeypatch):
    def inspect(asked, *rest):
        if "bob" in asked:
            raise RecursionError
        return inspect_page(asked, *rest)

    inspect_page = downloading.inspect_page
    monkeypatch.setattr(downloading, "inspect_page", inspect)
    web.replies = {"ann.example/": page("Ann"), "bob.example/": page("Bob"), "xn--a/": page("Cy")}
    pages = download(*web.replies).pages
    assert [each.status for each in pages] == ["ok", "failed", "ok"]
    assert pages[1].note == "the response cannot be read (RecursionError)"


def test_missing_libraries_are_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    for module in ("fetching", "downloading"):
        monkeypatch.delitem(sys.modules, f"weps.web.{module}", raising=False)
        monkeypatch.delattr(f"weps.web.{module}", raising=False)
    with pytest.raises(
        SearchError, match=r"needs aiohttp and protego .* pip install 'weps\[web\]'"
    ):
        import_module("weps.web.downloading")


@pytest.mark.slow
def test_the_time_taken_is_hardly_more_than_the_busiest_host_asks(web, download):
    """200 results on 60 hosts; the busiest asks for most time, and nothing else takes longer."""
    draw = np.random.default_rng(7)
    hosts = [*range(60), *(int(60 * draw.random() ** 3) for _ in range(140))]
    asked = [f"h{host}.example/{number}" for number, host in enumerate(hosts)]
    web.replies = {each: page(each) for each in asked}
    delays = dict.fromkeys(set(hosts), 1.0) | {3: 4.0, 5: 2.0}
    for host in (3, 5):
        rules = f"User-agent: *\nCrawl-delay: {delays[host]}"
        web.replies[f"h{host}.example/robots.txt"] = reply(rules, Content_Type="text/plain")
    summary = download(*asked)
    assert summary.counts == {"ok": 200}
    least = max(number * delays[host] for host, number in Counter(hosts).items())
    assert least <= summary.seconds <= 1.1 * least
    for host, delay in delays.items():
        assert web.least_distance(f"h{host}.example") >= delay


SIXTY = [f"h{number % 12}.example/{number}" for number in range(60)]


def download_sixty(port, folder):
    web = Web(port=port)
    options = replace(web.options, delay=0.0, clock=time.monotonic, sleep=asyncio.sleep)
    download_pages(results(*SIXTY), folder, options)


def ends_within(seconds, *arguments):
    """Whether 60 pages are downloaded by a process that is killed after so many seconds."""
    process = get_context("forkserver").Process(target=download_sixty, args=arguments)
    process.start()
    process.join(seconds)
    process.kill()  # SIGKILL; nothing happens to a process that has ended
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode == 0


@pytest.mark.slow
def test_killed_at_any_moment_nothing_is_lost_and_nothing_fetched_twice(web, tmp_path, monkeypatch):
    """20 kills: what the folder has is not asked for again, and the end is that of one run."""
    # So that modules are imported once for all.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "eval")]))
    get_context("forkserver").set_forkserver_preload([__name__])
    web.replies = {each: page(each) for each in SIXTY}
    draw = np.random.default_rng(1)
    kills = repeated = 0
    for trial in count():
        if kills >= 20:
            break
        folder = tmp_path / str(trial)
        web.requests.clear()
        known: set[str] = set()
        ended = False
        while not ended:
            before = len(web.asked)
            ended = ends_within(draw.uniform(0.0, 0.6), web.port, folder)
            assert known.isdisjoint(web.asked[before:])
            saved = read_manifest(folder).pages.values() if (folder / MANIFEST).exists() else ()
            known = {each.url.removeprefix("http://") for each in saved if each.status == "ok"}
            kills += not ended
        content = read_manifest(folder)
        assert content.damaged == 0
        assert [each.status for each in content.pages.values()] == ["ok"] * 60
        for state in content.pages.values():
            body = (folder / state.file).read_bytes()
            assert web.replies[state.url.removeprefix("http://")].endswith(b"\r\n\r\n" + body)
        assert set(web.asked) == set(SIXTY)
        repeated += len(web.asked) - 60
    assert repeated <= 12 * kills, "a request to each host may be under way when it is killed"
    print(f"{kills} kills, {repeated} of the requests under way repeated")  # noqa: T201


ARTICLE = "<p>" + "Ann Lee paints the tides of Port Merrow, and sells maps of them. " * 60
CHALLENGE = "the site asks visitors to pass a check"
CONSENT = "the site shows a consent page"
SIGN_IN = "the site asks to sign in"
ERROR = "the site shows an error page"
SCRIPTS = "the page shows nothing without JavaScript"
PARKED = "the domain is parked"


def blocked(
    body: str, asked: str = "http://ann.example/a/b", url: str = "", names: Sequence[str] = ()
) -> str:
    return inspect_page(asked, url or asked, body.encode(), "utf-8", names)[1]


@each_case(
    ("body", "reason"),
    [
        ("<title>Just a moment...</title><p>Verifying you are human.", CHALLENGE),
        ("<title>Attention Required! | Cloudflare</title><h1>You have been blocked", CHALLENGE),
        ("<title>Making sure you&#39;re not a bot!</title><p>Loading...", CHALLENGE),
        ("<title>DDoS-Guard</title><h1>Checking your browser before accessing", CHALLENGE),
        ("<title>Access to this page has been denied</title><p>Press & hold", CHALLENGE),
        ("<title>Pardon Our Interruption</title><p>As you were browsing", CHALLENGE),
        ("<title>Robot Check</title><p>Enter the characters you see below", CHALLENGE),
        ("<title>ann.example</title><p>Verify you are human by completing the action", CHALLENGE),
        ("<p>Our systems have detected unusual traffic from your computer network.", CHALLENGE),
        ("<title>x</title><p>One step more<div class='h-captcha'></div>", CHALLENGE),
        ("<title>x</title><iframe src='/_Incapsula_Resource?x'>No success.</iframe>", CHALLENGE),
        ("<title>Before you continue to Google Search</title><p>We use cookies", CONSENT),
        ("<title>Bevor Sie fortfahren</title><p>Wir verwenden Cookies", CONSENT),
        ("<p>We and our partners store and/or access information on a device, such as cookies. "
         "You may accept or manage your choices.", CONSENT),
        ("<title>Log in to Facebook</title><p>Email or phone Password", SIGN_IN),
        ("<title>Sign in | Example</title><input type=password>", SIGN_IN),
        ("<title>Anmelden</title><p>Kennwort", SIGN_IN),
        ("<title>404 - Page not found</title><p>Menu Home Contact", ERROR),
        ("<title>Shop</title><p>Sorry, the page you were looking for could not be found.", ERROR),
        ("<title>Seite nicht gefunden – Verein</title><p>Start", ERROR),
        ("<title>Página no encontrada</title><p>Inicio", ERROR),
        ("<title>302 Found</title><p>The document has moved <a>here</a>.", ERROR),
        ("<title>Error</title><p>Something went wrong.", ERROR),
        ("<noscript>You need to enable JavaScript to run this.</noscript><div id=root>", SCRIPTS),
        ("<title>Ann Lee</title><div id=root></div><script src=app.js></script>", SCRIPTS),
        ("<p>Bitte aktivieren Sie JavaScript: JavaScript aktivieren", SCRIPTS),
        ("<title>ann.example</title><p>This domain is for sale! Buy this domain.", PARKED),
        ("", "the response is empty"),
        (" \n", "the response is empty"),
    ],
)  # fmt: skip
def test_what_is_no_page(body, reason):
    assert blocked(body) == reason


@each_case(
    "body",
    [
        ARTICLE,
        f"<title>Just a moment in time: Ann Lee</title>{ARTICLE}",
        f"<title>Error 404: a novel by Ann Lee</title>{ARTICLE}",
        f"<title>Ann Lee</title><p>We use cookies. Accept all cookies if you agree.{ARTICLE}",
        f"<title>Ann Lee</title><p>Please enable JavaScript.{ARTICLE}",
        f"<title>Ann Lee</title><p>Verify that you are not a robot: she did.{ARTICLE}",
        f"<title>Ann Lee</title>{ARTICLE}<div class='g-recaptcha'></div>",
        "<title>Ann Lee</title><p>Professor of Marine Ecology. Room 404. Office hours on Monday.",
        "<title>Ann Lee, painter</title><p>I work without errors; not found in shops.",
        "<title>Ann Lee</title><p>Login Home About<p>Ann Lee paints. Sign in to write to her.",
        "<title>Ann</title><p>Ann Lee moved to Port Merrow in 1901.",
        "Ann Lee paints.",
        "<title>Accedian: people</title><p>Ann Lee, engineer.",
        "<title>JavaScript for painters, by Ann Lee</title><p>A book about JavaScript and colour.",
    ],
)
def test_what_is_a_page(body):
    assert blocked(body) == ""


WALLS = {
    "Just a moment...": "{host} needs to review the security of your connection. Ray ID: 8a1",
    "Attention Required! | {host}": "Please complete the security check to access {host}",
    "{host} | 403 Forbidden": "Error 403. Request forbidden by administrative rules.",
    "503 Service Temporarily Unavailable": "nginx",
    "Access Denied": "You don't have permission to access this server. Reference 18.2",
    "Please wait": "Checking your browser before you visit {host}.",
    "Robot or human? - {host}": "Press and hold to verify you are human.",
    "Captcha | {host}": "Enter the captcha to go on to {host}.",
    "Error 404": "The page you are looking for was moved or never existed.",
    "Cookie consent": "{host} and its partners use cookies. Accept all or reject all cookies.",
    "Log in - {host}": "E-mail, password. Forgot your password?",
    "Slow down": "You are making requests too quickly. Try again later.",
    "{host} will be back": "We are down for maintenance.",
    "{host}": "Sorry, you have been blocked. Enable JavaScript and cookies to continue.",
}
"""Title → text of what stands before pages."""
TOPICS = {
    "{number} miles with {name}": "{name} walked along the coast, and drew every lighthouse.",
    "Just a moment: poems by {name}": "Twenty short poems by {name}, with drawings.",
    "Please wait for me, a novel by {name}": "The second novel of {name} is out in May.",
    "{name}, Room {number}": "Office hours of {name}: Monday, ten to twelve.",
    "Error correction: {name}": "{name} lectures on codes at the technical college.",
    "Forbidden fruit - {name}": "Sculptures by {name} in the orchard until June.",
    "Access denied? Ask {name}": "{name} repairs locks, day and night.",
    "{number} - works by {name}": "{number} paintings of {name}, of which ten were not found.",
    "Sign in with {name}": "{name} teaches sign language. Accept all cookies of this site?",
    "Are you a robot? {name} asks": "{name} builds toys with motors.",
    "{name}: {number} songs": "Forgot your password? Already a subscriber? Concerts and songs.",
    "Forbidden | {name}": "Oil on canvas. This site uses cookies. Accept all cookies?",
    "Checking your browser: a class by {name}": "Tuesdays, in the library.",
    "What is a CAPTCHA?": "It asks you to verify that you are not a robot. By {name}.",
    "{number} Not Found, the band": "{number} Not Found: {name}, drums; M. Holm, bass.",
    "Minutes": "Present: {name}. The page you are looking for is on the notice board.",
    "In memory": "{name}, 1912-2001. The document has been moved to the archive.",
    "For sale": "A piano. Buy this domain, too? No, only the piano. {name}",
    "News": "{name} wins a prize. Already a subscriber? Sign in to continue reading.",
    "Forum": "{name}: it says error 1020, Ray ID 8f2d1b7c. Log in to continue.",
}
"""Title → text of short pages about people that read like such walls."""


@pytest.mark.parametrize("host", ["shop.example", "Verein Nord", "THE DAILY", "a.b.example", "x"])
def test_walls_of_many_makers(host):
    pages = [f"<title>{title}</title><p>{text}".format(host=host) for title, text in WALLS.items()]
    assert [page for page in pages if not blocked(page)] == []


@each_case(
    "content",
    [
        "<noscript>Go on</noscript><script>window._cf_chl_opt = {cType: 'managed'}</script>",
        "<p>Controlla che tu sia umano<div class=px-captcha-container></div>",
        "<iframe src='/_Incapsula_Resource?SWUDNSAI=31'></iframe>",
        "<p id=cmsg>Please wait<script src=https://ct.captcha-delivery.com/c.js></script>",
        "<p>Bestätigen Sie, dass Sie ein Mensch sind.",
        "<p>La page vérifie que c'est bien vous, et non un robot.",
        "<p>Подтвердите, что запросы отправляли вы, а не робот.",
        "<p>请完成以下操作，验证您是真人。",
        "<p>Hemos detectado tráfico inusual. URL: http://www.shop.example/?q=%22{name}%22",
        "<p>Erreur. Ray ID: 8f2d1b7c6a4e9d13",
        "<p>Zugriff verweigert. Referenz: 18.6f1c2117.1703071240.a1b2c3",
        "<p>Log in to see the photos of {name}. Forgotten password?",
        "<p>You must log in to continue.",
        "<p>Mit Werbung weiterlesen, oder ein Abo abschließen.",
        "<p>Dieser Artikel ist Abonnenten vorbehalten.",
        "<p>Для работы сайта включите JavaScript.",
        "<p>403 Forbidden",
    ],
)
def test_a_wall_below_the_title_of_the_page(content):
    for name in ("Ann Lee", "Robin Averdale"):
        page = f"<title>{name} | Shop</title>{content.replace('{name}', name)}"
        assert blocked(page, names=(name,)), page


@pytest.mark.parametrize("name", ["Ann Lee", "Robin Averdale", "José Núñez", "王小明"])
@pytest.mark.parametrize("number", [404, 500, 365, 1000])
def test_short_pages_that_carry_the_name_are_no_walls(name, number):
    pages = [
        f"<title>{title}</title><p>{text}<div class='{captcha}'></div>".format(
            name=name, number=number
        )
        for title, text in TOPICS.items()
        for captcha in ("", "g-recaptcha")
    ]
    assert [page for page in pages if blocked(page, names=(name,))] == []


@each_case(
    ("asked", "url", "reason"),
    [
        ("http://a.example/x/y", "http://a.example/", "the address leads to the home page"),
        ("http://a.example/x/y", "https://www.a.example", "the address leads to the home page"),
        ("http://a.example/index.html", "http://a.example/", ""),
        ("http://a.example/~ann/", "http://ann.example/", ""),
        ("http://a.example/", "http://a.example/", ""),
        ("http://a.example/x/y", "http://a.example/?id=7", ""),
        ("http://a.example/in/ann", "https://a.example/authwall?trk=x", SIGN_IN),
        ("http://a.example/ann", "https://sso.a.example/users/sign_in", SIGN_IN),
        ("http://a.example/login-ann", "http://a.example/login-ann/", ""),
        ("http://a.example/blog/ann", "http://a.example/blog/logins-of-ann/", ""),
        ("http://a.example/ann", "https://consent.b.example/m?continue=a", CONSENT),
        ("https://consent.b.example/", "https://consent.b.example/", ""),
        ("http://[", "http://a.example/", ""),
    ],
)
def test_what_redirects_tell(asked, url, reason):
    assert blocked(ARTICLE, asked, url).startswith(reason)
    assert bool(blocked(ARTICLE, asked, url)) == bool(reason)


def test_one_text_in_two_wrappings_has_one_digest():
    one, other, third = (
        inspect_page("", "", body.encode(), "")[0]
        for body in ("<p>Ann <b>Lee</b><!-- 1 -->", "<div>Ann Lee</div>", "<p>Bob")
    )
    assert one == other != third


def test_pdf_files_are_not_read_as_pages():
    assert blocked("%PDF-1.4 Just a moment") == ""
