"""Pages come into the app: dropped in any form, of several names, and by a search."""

import base64
import threading
import zipfile
from contextlib import closing
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest

from tests.browser.programs import package
from tests.weps.web.engine_server import EngineServer, Reply
from tests.weps.web.loopback import reply
from tests.weps.web.loopback import serving as serving_web
from weps._cache import Cache

PATIENCE = 30.0
"""Seconds until pages are clustered."""
TRADES = ("baker", "baker", "sailor", "sailor")
DROP = """
const [target, files] = arguments;
const transfer = new DataTransfer();
for (const [name, data] of files) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
}
for (const kind of ["dragover", "drop"]) {
    const event = new DragEvent(kind, {dataTransfer: transfer, bubbles: true, cancelable: true});
    document.querySelector(target).dispatchEvent(event);
}
"""


def page_of(name, trade):
    return f"<!doctype html><title>{name}</title><p>{name} is a {trade} in Port Merrow.".encode()


def mhtml_of(name, trade):
    """A page as Chromium saves it."""
    head = (
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: http://saved.example/\r\n"
        f"Subject: {name}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n"
        '\ttype="text/html";\r\n\tboundary="--x"\r\n\r\n\r\n----x\r\nContent-Type: text/html\r\n'
        "Content-Transfer-Encoding: binary\r\nContent-Location: http://saved.example/\r\n\r\n"
    )
    return head.encode() + page_of(name, trade) + b"\r\n\r\n----x--\r\n"


@pytest.fixture(scope="module")
def web():
    """Four sites, and one that keeps programs out."""
    with serving_web() as web:
        for number, trade in enumerate(TRADES, start=1):
            body = page_of("Ada Lovell", f"{trade} since {number}")
            web.replies[f"site{number}.example/"] = reply(body)
        rules = reply("User-agent: *\nDisallow: /", Content_Type="text/plain")
        web.replies["site5.example/robots.txt"] = rules
        yield web


@pytest.fixture(scope="module")
def app(tmp_path_factory, web):
    """The address of an app that reaches nothing but the sites and an engine on this machine."""
    package("flask")
    package("waitress")
    from weps.app.application import create_app  # noqa: PLC0415
    from weps.app.server import Access, create_server  # noqa: PLC0415
    from weps.model import pretrained  # noqa: PLC0415 - long
    from weps.reading import Reader  # noqa: PLC0415
    from weps.results.result import ResultOptions  # noqa: PLC0415 - long
    from weps.web.engines import SearXNG  # noqa: PLC0415

    place = tmp_path_factory.mktemp("app")
    with EngineServer() as engine:
        found = [
            {"url": f"http://site{n}.example/", "title": f"Title {n}", "content": "Ada Lovell"}
            for n in range(1, 6)
        ]
        engine.replies = [Reply({"results": found}), Reply({"results": []})]
        options = ResultOptions(models=pretrained(), reader=Reader(cache=Cache(place / "cache")))
        access, engines = Access(), {"searxng": SearXNG.at(engine.url)}
        made = create_app(place / "results", options, access, engines)
        with (
            closing(create_server(made, access, 0)) as server,
            pytest.MonkeyPatch.context() as patch,
        ):
            patch.setattr("weps.web.fetching.DownloadOptions", partial(replace, web.options))
            thread = threading.Thread(target=server.run, daemon=True)
            thread.start()
            yield access.address(server.effective_port)
            made.extensions["weps"].jobs.close()


@pytest.fixture
def home(app, open_url):
    """The first page, opened anew."""
    return open_url(app)


def drop(page, target, files):
    encoded = [(name, base64.b64encode(data).decode()) for name, data in files]
    page.browser.run(DROP, target, encoded)
    page.browser.until("document.getElementById('chosen').textContent")


def arrived(page, identifier):
    page.browser.until(f"location.pathname === '/names/{identifier}/'", seconds=PATIENCE)
    page.browser.ready()


def barriers(page):
    """What axe finds in either colour scheme, and what does not fit on a phone."""
    found = page.browser.barriers()
    with page.browser.emulating(scheme="dark"):
        found += page.browser.barriers("color-contrast")
    with page.browser.emulating((390, 844)):
        if page.browser.run("return document.documentElement.scrollWidth") > 390:
            found.append("wider than a phone")
    return found


def test_a_search_is_confirmed_watched_and_read(home, web, app):
    home.type("#wanted", "Ada Lovell")
    home.click("#search button[type=submit]")
    home.browser.until("document.getElementById('confirm').open")
    assert 'for "Ada Lovell"' in home.texts("#confirm li")[0]
    assert "see the address of your network" in " ".join(home.texts("#confirm li"))
    assert barriers(home) == []
    assert web.requests == []
    home.click("#confirm .cancel")
    assert web.requests == []
    home.click("#search button[type=submit]")
    home.browser.until("document.getElementById('confirm').open")
    home.browser.run(
        "new MutationObserver(() => sessionStorage.setItem('rows', [...document.querySelectorAll("
        "'.downloads tbody tr')].map((row) => row.innerText).join('|'))).observe("
        "document.body, {subtree: true, childList: true})"
    )
    home.click("#confirm .send")
    arrived(home, "Ada_Lovell")
    rows = home.browser.run("return sessionStorage.getItem('rows')")
    assert rows.count("ok") == 4
    assert "kept out" in rows
    assert home.browser.complaints() == []
    assert {address.startswith(app.partition("?")[0]) for address in home.browser.requests()} == {
        True
    }
    shown = sorted(rank for pages in home.view().people.values() for rank in pages)
    assert shown == [1, 2, 3, 4, 5]


def test_a_newcomer_pastes_names_and_addresses_and_sets_up_an_engine(home, web):
    """Nothing is sent for names while there is no engine, for addresses only what was agreed."""
    web.requests.clear()
    home.browser.run("document.getElementById('engines').dataset.chosen = 'false'")
    home.type("#wanted", "Bob Reed\nCid Moor")
    home.click("#search button[type=submit]")
    assert "a search engine that you choose: set one up below" in home.texts("#hint")[0]
    assert barriers(home) == []
    home.type("#searxng", "http://127.0.0.1:9")
    home.click(".engine button")
    home.browser.until("document.getElementById('tested').textContent.includes('cannot be')")
    home.browser.run("document.getElementById('engines').dataset.chosen = 'true'")
    home.click("#search button[type=submit]")
    home.browser.until("document.getElementById('confirm').open")
    assert home.texts("#confirm bdi") == ["Bob Reed, Cid Moor"]
    assert [line for line in home.texts("#confirm li") if "asks" in line][1].count("Cid Moor") == 1
    home.click("#confirm .cancel")
    home.type("#wanted", "http://site1.example/\nsite2.example/ ")
    home.click("#search button[type=submit]")
    assert "Whose pages are these?" in home.texts("#hint")[0]
    home.type("#whose", "Ada Reed")
    home.click("#search button[type=submit]")
    home.browser.until("document.getElementById('confirm').open")
    assert "takes 2 results of addresses.txt" in home.texts("#confirm li")
    assert web.requests == []


def test_pages_dropped_on_a_name_are_added_to_it(home):
    """An MHTML file joins those that a search has found."""
    drop(home, "tr[data-name=Ada_Lovell]", [("saved.mhtml", mhtml_of("Ada Lovell", "tailor"))])
    assert home.texts("#drop button[type=submit]") == ["Add to Ada Lovell"]
    home.click("#drop button[type=submit]")
    arrived(home, "Ada_Lovell")
    assert sum(map(len, home.view().people.values())) == 6
    assert "Updated with 1 new page" in home.browser.run("return document.body.textContent")


def test_files_chosen_for_a_name_are_added_to_it(home, tmp_path):
    (folder := tmp_path / "Bob").mkdir()
    (folder / "new.html").write_text("<p>Ada Lovell, tailor, of York")
    home.click("tr[data-name=Ada_Lovell] .add")
    home.find("#folder").send_keys(str(folder))
    home.browser.until("document.getElementById('chosen').textContent")
    assert home.texts("#drop button[type=submit]") == ["Add to Ada Lovell"]


def test_an_archive_of_several_names_becomes_as_many(home, tmp_path):
    packed = tmp_path / "people.zip"
    with zipfile.ZipFile(packed, "w") as made:
        for name in ("Bea Moss", "Carl Odd"):
            for number, trade in enumerate(TRADES):
                made.writestr(f"people/{name}/{number}.html", page_of(name, trade))
        made.writestr("people/Carl Odd/scan.bin", bytes(999))
    drop(home, "#drop", [("people.zip", packed.read_bytes())])
    home.click("#drop button[type=submit]")
    rows = "[...document.querySelectorAll('#names tr[data-there=result]')]"
    names = f"{rows}.map((row) => row.dataset.name)"
    home.browser.until(f"{names}.length === 3", seconds=PATIENCE)
    assert set(home.browser.run(f"return {names}")) == {"Ada_Lovell", "Bea_Moss", "Carl_Odd"}
    assert home.browser.run("return location.pathname") == "/"
    assert "1 input not read" in " ".join(home.texts("tr[data-name=Carl_Odd] .notes"))
    assert barriers(home) == []
    home.click("#names thead th:first-child button")
    assert home.browser.run(f"return {names}") == ["Ada_Lovell", "Bea_Moss", "Carl_Odd"]
    assert home.browser.complaints() == []


def test_many_names_are_sent_in_parts_and_wait_in_one_queue(home):
    trade, names = page_of("Gil Tide", "baker"), [f"Gil Tide{letter}" for letter in "abcdef"]
    home.browser.run("document.getElementById('drop').dataset.mostFiles = 4")
    home.browser.run(
        """
        sessionStorage.setItem("queue", "");
        new MutationObserver(() => {
            const queue = document.getElementById("queue");
            const told = queue.checkVisibility() ? queue.textContent : "";
            sessionStorage.setItem("queue", sessionStorage.getItem("queue") + told);
        }).observe(document.getElementById("jobs"), {subtree: true, childList: true});
        const input = document.getElementById("folder");
        const files = arguments[0].flatMap((name) => [1, 2].map((page) => {
            const path = {value: `people/${name}/${page}.html`};
            const file = new File([arguments[1]], `${page}.html`);
            return Object.defineProperty(file, "webkitRelativePath", path);
        }));
        Object.defineProperty(input, "files", {value: files});
        input.dispatchEvent(new Event("change"));
        """,
        names,
        trade.decode(),
    )
    assert home.texts("#drop button[type=submit]") == ["Cluster 6 names"]
    home.click("#drop button[type=submit]")
    home.browser.until(
        "document.querySelectorAll('tr[data-name^=Gil][data-there=result]').length === 6",
        seconds=2 * PATIENCE,
    )
    assert "of 6 names done" in home.browser.run("return sessionStorage.getItem('queue')")
    assert home.browser.run("return location.pathname") == "/"
    assert home.browser.complaints() == []


def test_what_holds_no_page_says_why_in_one_message(home):
    drop(home, "#drop", [("scan.bin", bytes(999))])
    home.type("#name", "Dan Ray")
    home.click("#drop button[type=submit]")
    home.browser.until("document.getElementById('alert').checkVisibility()")
    assert "scan.bin: not a" in home.texts("#alert")[0]
    assert home.browser.run("return document.querySelector('[data-name=Dan_Ray]')") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("found.csv", "url,title\nhttp://site1.example/,One\nhttp://site2.example/,Two\n"),
        ("found.jsonl", '{"url": "http://site1.example/"}\n{"url": "http://site2.example/"}\n'),
        ("found.txt", "# mine\r\nhttp://site1.example/\r\n\r\nhttp://site2.example/\r\n"),
        ("bookmarks.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n"
         '<DT><A HREF="http://site1.example/">One</A>\n<DT><A HREF="http://site2.example/">2</A>'),
    ],
)  # fmt: skip
def test_pages_of_a_list_that_is_dropped_can_be_downloaded(home, web, name, text):
    drop(home, "#drop", [("page.html", page_of("Ina Dell", "baker"))])
    assert not home.visible("#listed")
    web.requests.clear()
    drop(home, "#drop", [(name, text.encode())])
    home.browser.until("document.getElementById('listed').checkVisibility()")
    assert barriers(home) == []
    person = f"Ina {name.partition('.')[2].title()}"
    home.type("#name", person)
    home.click("#download")
    home.browser.until("document.getElementById('confirm').open")
    assert f"takes 2 results of {name}" in " ".join(home.texts("#confirm li"))
    assert web.requests == []
    home.click("#confirm .send")
    arrived(home, person.replace(" ", "_"))
    assert sum(map(len, home.view().people.values())) == 2
    assert "since 1" in home.browser.run("return document.body.textContent")


def test_a_bookmark_sends_the_page_at_hand_once_its_site_is_allowed(home, tmp_path):
    """From a page of another site, whose scripts get no further."""
    (tmp_path / "ada.html").write_bytes(page_of("Ada Mole", "miller"))
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    home.type("#receiver", "Ada Mole")
    script = unquote(home.find("#bookmarklet").get_attribute("href")).removeprefix("javascript:")
    app = home.browser.run("return location.origin")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        origin = f"http://rebound.example:{site.server_port}"

        def press():
            home.browser.open(f"{origin}/ada.html")
            home.browser.run(script)
            return home.browser.alerted()

        assert f"whether {origin} may send pages" in press()
        for path in ("/", "/send", "/jobs"):
            got = home.browser.driver.execute_async_script(
                "fetch(arguments[0]).then(() => arguments[1]('got'), () => arguments[1]('no'))",
                app + path,
            )
            assert got == "no"
        home.load()
        assert home.texts("#sent bdi") == [origin, "Ada Mole", "Ada Mole"]
        assert barriers(home) == []
        home.click("#sent .main")
        rows = "document.querySelectorAll('[data-name=Ada_Mole][data-there=result]').length"
        home.browser.until(f"{rows} || location.pathname !== '/'", seconds=PATIENCE)
        assert press() == "weps adds this page to Ada Mole."
        site.shutdown()
    home.browser.complaints()
