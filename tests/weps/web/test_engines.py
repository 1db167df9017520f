"""Search engines: what they are asked, what is made of their answers, and how they fail."""

import json
import re
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.web.engine_server import HTML, EngineServer, Reply
from weps.errors import SearchError, SourceError
from weps.records import SearchResult
from weps.web import engines
from weps.web.engines import (
    MAX_PAGES,
    Answer,
    Brave,
    Found,
    SearXNG,
    _merge_results,
    _search_queries,
    choose_engine,
    engines_set_up,
    make_queries,
)

KEY = "BSA-very-secret-key-0123456789"


def searxng_result(number, **others):
    """A result as SearXNG of 2026 sends it."""
    url = f"https://site{number}.example/robin"
    return {
        "url": url, "title": f"Robin Averdale {number}", "content": "Botanist &amp; <b>poet</b>",
        "engine": "brave", "template": "default.html", "parsed_url": ["https", url, "", "", "", ""],
        "img_src": "", "priority": "", "engines": ["brave", "mojeek"], "positions": [number],
        "score": 1.0, "category": "general", "publishedDate": None,
    } | others  # fmt: skip


def searxng_answer(*results, unresponsive=(), **others):
    """An answer as SearXNG of 2026 sends it."""
    return {
        "query": '"Robin Averdale"', "results": list(results), "answers": [], "corrections": [],
        "infoboxes": [], "suggestions": [], "unresponsive_engines": list(unresponsive),
    } | others  # fmt: skip


def brave_answer(first, last, *, more=True):
    """An answer as the Brave Search API sends it, with some results."""
    results = [
        {"title": f"Robin {each}", "url": f"https://site{each}.example/", "description": "A poet",
         "extra_snippets": ["…"], "language": "en", "type": "search_result", "subtype": "generic",
         "profile": {"name": "site", "url": "https://site.example"},
         "meta_url": {"scheme": "https", "netloc": "site.example", "path": "› x"}}
        for each in range(first, last)
    ]  # fmt: skip
    query = {"original": "x", "altered": None, "more_results_available": more}
    return {"type": "search", "query": query, "web": {"type": "search", "results": results}}


def brave_error(status, code, detail="no"):
    error = {"id": "1", "status": status, "code": code, "detail": detail, "meta": {}}
    body = {"type": "ErrorResponse", "error": error, "time": 1}
    return Reply(body, status, {"Content-Type": "application/json"})


@pytest.fixture
def server():
    with EngineServer() as started:
        yield started


@pytest.fixture
def searxng(server):
    return SearXNG(server.url, seconds=5.0)


@pytest.fixture
def waits():
    """Seconds that an engine waited."""
    return []


@pytest.fixture
def brave(server, waits):
    return Brave(KEY, address=f"{server.url}/res/v1/web/search", seconds=5.0, sleep=waits.append)


@pytest.mark.parametrize("extra", [{}, {"number_of_results": 0}], ids=["SearXNG", "searx"])
def test_searxng_is_paged_until_nothing_new_comes(server, searxng, extra):
    pages = [[searxng_result(n) for n in numbers] for numbers in ((1, 2), (3, 1), (2, 3), (4,))]
    server.replies = [Reply(searxng_answer(*page, **extra)) for page in pages]
    found = _search_queries(searxng, ['"Robin Averdale"'], MAX_PAGES)
    assert [each.url for each in found.results] == [
        f"https://site{number}.example/robin" for number in (1, 2, 3)
    ]
    assert found.results[0] == SearchResult(
        "https://site1.example/robin", "Robin Averdale 1", "Botanist & poet", ("brave", "mojeek")
    )
    assert (found.warnings, found.requests) == ((), 3)
    assert [each["pageno"] for each in server.asked] == ["1", "2", "3"]
    assert server.asked[0] == {
        "q": '"Robin Averdale"', "format": "json", "pageno": "1", "language": "all",
        "safesearch": "0", "categories": "general",
    }  # fmt: skip
    assert server.paths[0] == "/search"
    assert server.headers[0]["accept-language"] == "en"
    assert server.headers[0]["user-agent"].startswith("weps/")


@pytest.mark.parametrize(("pages", "requests"), [(1, 1), (3, 3), (99, MAX_PAGES)])
def test_no_more_pages_are_asked_for_than_wanted(server, searxng, pages, requests):
    server.replies = [Reply(searxng_answer(searxng_result(n))) for n in range(30)]
    assert _search_queries(searxng, ["x"], pages).requests == len(server.asked) == requests


def test_results_that_are_no_pages_of_the_web_are_left_out(server, searxng):
    odd = [
        {"title": "a key and a value", "template": "keyvalue.html"},
        searxng_result(1, url="magnet:?xt=1"),
        searxng_result(2, url=None),
        searxng_result(3, title=None, content=7, engines=None, engine=None),
        "text",
    ]
    server.replies = [Reply(searxng_answer(*odd))]
    assert _search_queries(searxng, ["x"], 1).results == (
        SearchResult("https://site3.example/robin"),
    )


UNRESPONSIVE = [["brave", "timeout"], ["mojeek", "Suspended: too many requests"], ["odd"], "odd"]


def test_engines_that_failed_are_told_and_never_taken_for_no_pages(server, searxng):
    told = ("brave: timeout", "mojeek: Suspended: too many requests", "odd")
    server.replies = [Reply(searxng_answer(searxng_result(1), unresponsive=UNRESPONSIVE))]
    assert _search_queries(searxng, ["x"], 2).warnings == told
    server.replies = [Reply(searxng_answer(unresponsive=UNRESPONSIVE))]
    with pytest.raises(SearchError, match="no answer: brave: timeout, mojeek") as error:
        _search_queries(searxng, ["x"], 2)
    assert "not known" in error.value.remedy
    server.replies = [Reply(searxng_answer())]
    assert _search_queries(searxng, ["x"], 2) == Found((), (), 1)


PAGE = b"<!doctype html><title>403</title>"
REFUSALS = {
    "JSON not allowed": (Reply(PAGE, 403, HTML), r"answer in JSON.*formats: \[html, json"),
    "HTML instead": (Reply(PAGE, 200, HTML), r"web page instead of JSON.*formats: \[html, json"),
    "limiter": (Reply(b"Too Many Requests", 429, HTML), "too many requests.*limiter"),
    "password": (Reply(PAGE, 401, HTML), "asks for a password"),
    "elsewhere": (Reply(PAGE, 404, HTML), "no SearXNG"),
    "bad": (Reply(PAGE, 400, HTML), "error 400"),
    "moved": (Reply(b"", 301, {"Location": "https://new.example/"}), "redirects to https://new"),
    "broken": (Reply(PAGE, 500, HTML), "error 500"),
    "no query": (Reply({"error": "No query"}, 400), r"refuses the query \(No query\)"),
    "truncated": (Reply(b'{"results": [{"url"', missing=90), "incomplete"),
    "cut": (Reply(b'{"results": [{"url"'), "damaged"),
    "deep": (Reply(b'{"results": ' + b"[" * 200_000), "damaged"),
    "a list": (Reply([]), "damaged or holds no results"),
    "too long": (Reply(b" " * (8 << 20) + b"{}"), "over 8 MB"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_searxng_that_refuses_says_why_and_what_to_do(server, searxng, case):
    reply, told = REFUSALS[case]
    server.replies = [reply]
    with pytest.raises(SearchError) as error:
        _search_queries(searxng, ["x"], 3)
    assert error.value.where == searxng.label
    assert error.value.remedy
    assert re.search(told, error.value.describe())
    assert len(server.asked) == 1


def test_a_failure_of_a_later_page_keeps_the_earlier_ones(server, searxng):
    server.replies = [Reply(searxng_answer(searxng_result(1))), Reply(PAGE, 429, HTML)]
    found = _search_queries(searxng, ["x"], 5)
    assert len(found.results) == 1
    assert found.warnings == ("x, page 2: refuses because of too many requests (429)",)


def test_time_is_limited_however_slowly_bytes_come(server):
    server.replies = [Reply(searxng_answer(searxng_result(1)), pause=0.05)]
    with pytest.raises(SearchError, match=r"did not answer within 0\.5 s"):
        _search_queries(SearXNG(server.url, seconds=0.5), ["x"], 1)


def test_an_engine_that_is_not_there_is_said_to_be_unreachable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SearchError, match=r"cannot be reached.*check that it runs"):
        _search_queries(SearXNG.at(f"127.0.0.1:{port}"), ["x"], 1)


@each_case(
    ("url", "address", "label"),
    [
        ("http://localhost:8888", "http://localhost:8888", "SearXNG at localhost:8888"),
        ("localhost:8888/", "http://localhost:8888", "SearXNG at localhost:8888"),
        ("https://me.example/sx/search?q=1", "https://me.example/sx", "SearXNG at me.example/sx"),
        ("http://ann:pw@me.example/", "http://ann:pw@me.example", "SearXNG at me.example"),
        ("http://[::1]:8888/", "http://[::1]:8888", "SearXNG at [::1]:8888"),
    ],
)
def test_addresses_of_searxng(url, address, label):
    engine = SearXNG.at(url)
    assert (engine.address, engine.label) == (address, label)


@each_case("url", ["", "ftp://ann:pw@me.example", "http://", "two words", "http://[::"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(SearchError, match="not an address") as error:
        SearXNG.at(url)
    assert "pw" not in error.value.describe()


def test_a_password_is_sent_and_not_shown(server):
    engine = SearXNG.at(server.url.replace("//", "//ann:pw@"))
    server.replies = [Reply(PAGE, 500, HTML)]
    with pytest.raises(SearchError, match="500") as error:
        _search_queries(engine, ["x"], 1)
    assert server.headers[0]["authorization"] == "Basic YW5uOnB3"
    assert "pw" not in error.value.describe()


def test_brave_is_paged_while_there_is_more(server, brave):
    server.replies = [
        Reply(brave_answer(0, 20)),
        Reply(brave_answer(15, 30)),  # pages may overlap
        Reply(brave_answer(30, 31, more=False)),
    ]
    found = _search_queries(brave, ['"Robin Averdale"'], 10)
    assert [each.url for each in found.results] == [f"https://site{n}.example/" for n in range(31)]
    assert found.results[0] == SearchResult("https://site0.example/", "Robin 0", "A poet")
    assert [each["offset"] for each in server.asked] == ["0", "1", "2"]
    assert server.asked[0] == {
        "q": '"Robin Averdale"', "count": "20", "offset": "0", "result_filter": "web",
        "spellcheck": "false", "text_decorations": "false", "safesearch": "off",
    }  # fmt: skip
    assert server.headers[0]["x-subscription-token"] == KEY
    assert KEY not in "".join(map(str, (server.asked, found, brave)))


def test_brave_may_find_nothing(server, brave):
    server.replies = [Reply({"type": "search", "query": {"original": "x"}})]
    assert _search_queries(brave, ["x"], 3) == Found((), (), 1)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.just("https://a.example"),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["results", "web", "url", "title", "content", "engines", "unresponsive_engines",
             "query", "type", "error", "code", "detail", "more_results_available"]
        ),
        inner | st.just("search"),
    ),
    max_leaves=15,
)  # fmt: skip


@given(JSON_VALUES, st.sampled_from([200, 400, 422, 429]))
def test_whatever_json_comes_is_results_or_an_error_that_helps(value, status):
    answer = Answer("x", status, {"content-type": "application/json"}, json.dumps(value).encode())
    for engine in (SearXNG("http://x"), Brave(KEY)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engines, "_send_request", lambda *_: answer)
            patch.setattr(engines, "_WAITS", ())
            results, remedy = (), "none needed"
            try:
                results = _search_queries(engine, ["x"], 2).results
            except SearchError as error:
                remedy = error.remedy
            assert remedy
            assert all(each.url.startswith("https://a.example") for each in results)


def test_brave_is_asked_again_when_its_second_is_over(server, brave, waits):
    busy = brave_error(429, "RATE_LIMITED")
    server.replies = [busy, busy, Reply(brave_answer(0, 2, more=False))]
    assert len(_search_queries(brave, ["x"], 3).results) == 2
    assert waits == [1, 2]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            brave_error(422, "SUBSCRIPTION_TOKEN_INVALID"),
            "refuses the key; check it",
        ),
        (brave_error(422, "VALIDATION", f"q is bad, {KEY}"), "VALIDATION: q is bad, …"),
        (brave_error(429, "RATE_LIMITED"), "ask again in a minute.* used up"),
        (Reply(PAGE, 502, HTML), "status 502"),
        (Reply({"web": {}}), "no results in JSON"),
        (Reply(b"", 302, {"Location": "https://elsewhere.example/"}), "status 302"),
    ],
)
def test_a_brave_that_refuses_says_why_and_shows_no_key(server, brave, waits, reply, told):
    server.replies = [reply]
    with pytest.raises(SearchError, match=told) as error:
        _search_queries(brave, ["x"], 3)
    assert len(server.asked) == 1 + len(waits) <= 3
    assert KEY not in error.value.describe() + repr(error.value.__cause__)


def test_queries_that_brave_would_refuse_are_not_sent(server, brave):
    for query in ("x" * 401, "x " * 51):
        with pytest.raises(SearchError, match="at most 400 characters and 50 words"):
            _search_queries(brave, [query], 1)
    assert server.asked == []


OWN = {"WEPS_SEARXNG_URL": "localhost:2"}
BOTH = OWN | {"BRAVE_API_KEY": KEY}


@each_case(
    ("name", "url", "environment", "label"),
    [
        ("", "localhost:1", {}, "SearXNG at localhost:1"),
        ("", "", OWN, "SearXNG at localhost:2"),
        ("", "localhost:1", OWN, "SearXNG at localhost:1"),
        ("", "", BOTH, "SearXNG at localhost:2"),
        ("", "", {"BRAVE_API_KEY": KEY}, "the Brave Search API"),
        ("brave", "", BOTH, "the Brave Search API"),
    ],
)  # fmt: skip
def test_the_engine_is_the_one_asked_for_or_set_up(name, url, environment, label, monkeypatch):
    monkeypatch.setattr("os.environ", environment)
    assert choose_engine(name, url).label == label


@each_case(
    ("name", "url", "environment", "told"),
    [
        ("", "", {}, "--url or WEPS_SEARXNG_URL.*BRAVE_API_KEY.*--results FILE"),
        ("searxng", "", {"BRAVE_API_KEY": KEY}, "searxng is not set up.*WEPS_SEARXNG_URL"),
        ("brave", "", OWN, "brave is not set up.*BRAVE_API_KEY"),
        ("brave", "localhost:1", {"BRAVE_API_KEY": KEY}, "--url is the address of a SearXNG"),
        ("", "", {"BRAVE_API_KEY": "kéy"}, "the key of Brave is not valid .BRAVE_API_KEY"),
        ("", "", {"BRAVE_API_KEY": "a\nb"}, "the key of Brave is not valid .BRAVE_API_KEY"),
    ],
)
def test_without_an_engine_the_ways_are_named(name, url, environment, told, monkeypatch):
    monkeypatch.setattr("os.environ", environment)
    with pytest.raises(SearchError, match=told):
        choose_engine(name, url)


def test_only_what_the_terms_allow_may_be_kept(monkeypatch):
    monkeypatch.setattr("os.environ", {"BRAVE_API_KEY": KEY})
    kept = {name: engine.may_be_kept for name, engine in engines_set_up("localhost:1")}
    assert kept == {"searxng": True, "brave": False}
    assert choose_engine("brave", keep_results=True).may_be_kept


def test_queries_are_phrases_with_further_words():
    assert make_queries("Robin_Averdale") == ('"Robin Averdale"',)
    assert make_queries(' "Robin" Averdale', ["R. Averdale", "Robin Averdale"], "botanist kew") == (
        '"Robin Averdale" botanist kew',
        '"R. Averdale" botanist kew',
    )
    with pytest.raises(SourceError, match="expected a person's name"):
        make_queries("Robin Averdale", [' "" '])


def test_lists_are_merged_in_turn_by_address():
    lists = [
        [SearchResult("http://a.example/", "", "", ("x",)), SearchResult("http://b.example/")],
        [
            SearchResult("http://c.example/?b=1&a=2"),
            SearchResult("http://a.example/#top", "A", "s", ("y",)),
        ],
        [SearchResult("http://c.example/?a=2&utm_source=z&b=1&gclid=7")],
    ]
    assert _merge_results(lists) == (
        SearchResult("http://a.example/", "A", "s", ("x", "y")),
        SearchResult("http://c.example/?b=1&a=2"),
        SearchResult("http://b.example/"),
    )


def test_aliases_are_asked_one_by_one_and_a_later_failure_is_told(server, searxng):
    server.replies = [
        Reply(searxng_answer(searxng_result(1))),
        Reply(PAGE, 500, HTML),
        Reply(searxng_answer(searxng_result(2), searxng_result(1))),
    ]
    told = []
    found = _search_queries(searxng, ["a", "b", "c"], 1, lambda *words: told.append(words))
    assert [each.title for each in found.results] == ["Robin Averdale 1", "Robin Averdale 2"]
    assert found.warnings == ("b, page 1: answers with error 500",)
    assert found.requests == 3
    assert [each["q"] for each in server.asked] == ["a", "b", "c"]
    assert told == [("asking", done, 1) for done in (0, 1, 0, 1, 0, 1)]
