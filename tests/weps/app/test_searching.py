"""Searches from the app: shown, agreed to, watched, stopped, resumed; on this machine alone."""

import io
import json
import re
from dataclasses import replace
from functools import partial

import pytest

from tests.cases import each_case
from tests.weps.app.conftest import App
from tests.weps.web.engine_server import EngineServer, Reply
from tests.weps.web.loopback import reply, serving
from weps.app import application
from weps.results.result import Result
from weps.web import fetching
from weps.web.engines import Brave, SearXNG

KEY = "BSA-very-secret-key-0123456789"
TRADES = ("baker", "baker", "sailor", "sailor")


def text(trade):
    return f"<title>Ada Lovell</title><p>Ada Lovell is a {trade} in Port Merrow, where she lives."


@pytest.fixture
def web():
    """Pages of four hosts; a fifth one keeps programs out."""
    with serving() as web:
        for number, trade in enumerate(TRADES, start=1):
            web.replies[f"site{number}.example/"] = reply(text(f"{trade} since {number}"))
        rules = reply("User-agent: *\nDisallow: /", Content_Type="text/plain")
        web.replies["site5.example/robots.txt"] = rules
        yield web


@pytest.fixture
def engine():
    with EngineServer() as started:
        started.replies = [answer(1, 2, 3, 4, 5), answer()]
        yield started


def answer(*numbers):
    found = [{"url": f"http://site{n}.example/", "title": f"Title{n}"} for n in numbers]
    return Reply({"results": found, "unresponsive_engines": [["slow", "timeout"]]})


@pytest.fixture
def app(tmp_path, models, engine, web, monkeypatch):
    app = App(tmp_path, models)
    app.workspace.jobs.close()
    engines = {
        "searxng": SearXNG.at(engine.url),
        "brave": Brave(KEY, may_be_kept=False, address=engine.url),
    }
    monkeypatch.setattr(fetching, "DownloadOptions", partial(replace, web.options))
    app.start(engines)
    yield app
    app.workspace.jobs.close()


def planned(app, lists=(), **request):
    form = {"request": json.dumps({"name": "Ada Lovell"} | request)}
    return app.post("/search/plan", data=form | {"lists": list(lists)})


def sent(app, **request):
    return app.post("/search", json={"key": planned(app, **request).json["key"]})


def pages_of(app, answer):
    return app.get(answer.json["jobs"][0]["url"]).json["pages"]


def result(app):
    return json.loads((app.folder / "Ada_Lovell.json").read_bytes())


def people(app):
    return {
        each["id"]: {page["url"][11:12] for page in each["pages"]} for each in result(app)["people"]
    }


def test_a_search_is_shown_before_anything_is_sent(app, engine, web):
    shown = planned(app, also=["A. Lovell", " "], words="port").json
    host = engine.url.removeprefix("http://")
    assert shown["name"] == "Ada Lovell"
    assert shown["steps"][:2] == [
        f'asks SearXNG at {host} for "Ada Lovell" port',
        f'asks SearXNG at {host} for "A. Lovell" port; it passes queries on to the search engines '
        "that it is set up with",
    ]
    assert "which see the address of your network" in shown["steps"][2]
    assert str(app.folder / "searched" / "Ada_Lovell") in shown["steps"][3]
    assert (engine.paths, web.requests, app.workspace.jobs.all()) == ([], [], ())
    assert not app.folder.exists()


def test_a_name_becomes_a_report_while_one_watches(app, engine):
    begun = sent(app)
    job = app.ended(begun)
    assert (job.state, job.error) == ("done", "")
    pages = pages_of(app, begun)
    assert {page["url"][11]: page["status"] for page in pages} == {
        "1": "ok", "2": "ok", "3": "ok", "4": "ok", "5": "kept out",
    }  # fmt: skip
    assert {page["title"] for page in pages} == {f"Title{n}" for n in range(1, 6)}
    assert next(page["note"] for page in pages if page["status"] == "kept out")
    assert app.get(begun.json["jobs"][0]["url"] + "?after=4").json["pages"] == pages[4:]
    assert {page for pages in people(app).values() for page in pages} >= set("1234")
    report = app.get("/names/Ada_Lovell/").text
    assert "results may be missing (slow: timeout" in report
    folder = app.folder / "searched" / "Ada_Lovell"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert engine.asked[0]["q"] == '"Ada Lovell"'
    assert "the pages that a search downloaded" in app.get("/names/Ada_Lovell/delete").text
    removed = app.post("/names/Ada_Lovell/delete").json
    assert str(folder) in removed["removed"]
    assert not list(app.folder.rglob("*"))


def test_what_was_not_shown_is_not_sent(app, engine):
    key = planned(app).json["key"]
    app.ended(app.post("/search", json={"key": key}))
    asked = len(engine.paths)
    for body in ({"key": key}, {"key": "x"}, {}, [], {"name": "Ada Lovell"}):
        refused = app.post("/search", json=body)
        assert refused.status_code == 400
        assert "this confirmation is not valid" in refused.json["error"]
    assert len(engine.paths) == asked


@each_case(
    "request_body",
    [
        "", "[" * 99_999, [], {}, {"name": ""}, {"name": 7}, {"name": "x" * 300},
        {"name": "Ann", "pages": 11},
        {"name": "Ann", "also": ["x"] * 11}, {"name": "Ann", "engine": "other"},
        {"name": "Ann", "identifier": "../secret"},
    ],
)  # fmt: skip
def test_what_is_no_search_is_refused(app, engine, request_body):
    body = request_body if isinstance(request_body, str) else json.dumps(request_body)
    refused = app.post("/search/plan", data={"request": body})
    assert refused.status_code == 400
    assert refused.json["error"]
    assert not engine.paths


def test_addresses_of_this_machine_are_not_asked(app, web, monkeypatch):
    usual = partial(replace, web.options, allowed=None)
    monkeypatch.setattr(fetching, "DownloadOptions", usual)
    begun = sent(app)
    app.ended(begun)
    assert {page["status"] for page in pages_of(app, begun)} == {"skipped"}
    assert web.requests == []


def test_a_stopped_search_goes_on_and_asks_for_nothing_twice(app, web):
    at = app.workspace.jobs
    first = sent(app)
    job = at.find(first.json["jobs"][0]["url"].rpartition("/")[2])
    while not job.pages:
        pass
    app.delete(first.json["jobs"][0]["url"])
    app.ended(first)
    if job.state == "stopped":
        page = app.get("/").text
        assert "Search not finished" in page
        assert "Continue …" in page
    known = {page["url"] for page in job.pages}
    app.ended(sent(app, identifier="Ada_Lovell"))
    assert all(web.asked.count(url[7:]) == 1 for url in known if "site5" not in url)
    assert {page for pages in people(app).values() for page in pages} >= set("1234")


def test_searching_again_adds_what_is_new_and_ids_survive(app, engine, web):
    engine.replies = [answer(1, 3), answer()]
    app.ended(sent(app, words="port"))
    before = people(app)
    assert "people keep their numbers" in planned(app).json["steps"][-1]
    engine.replies = [answer(4, 2, 1)]
    again = sent(app, identifier="Ada_Lovell", also=["A. Lovell"])
    job = app.ended(again)
    assert (job.state, job.error) == ("done", "")
    assert job.message.startswith("2 new pages (2 known already)")
    queries = list(dict.fromkeys(query["q"] for query in engine.asked if "q" in query))
    assert queries == ['"Ada Lovell" port', '"Ada Lovell"', '"A. Lovell"']
    now = people(app)
    assert all(pages <= now[person] for person, pages in before.items())
    assert result(app)["also"] == ["A. Lovell"]
    assert "Updated with 2 new pages" in app.get("/names/Ada_Lovell/").text
    assert len(web.asked) == len(set(web.asked)) == 4


def test_pages_are_added_to_a_searched_name_and_the_other_way_round(app, engine):
    engine.replies = [answer(1, 2), answer()]
    app.ended(sent(app))
    before = people(app)
    dropped = [(io.BytesIO(text("glazier").encode()), "x.html")]
    added = app.post("/names", data={"name": "ada lovell", "pages": dropped})
    assert re.fullmatch(
        r"1 new page \(0 known already\): 1 (new person|page joined .*); 2 earlier pages kept .*",
        app.ended(added).message,
    )
    places = [each["path"] for each in result(app)["collected"]]
    assert places == ["searched/Ada_Lovell", "pages/Ada_Lovell"]
    engine.replies = [answer(1, 2, 3)]
    assert app.ended(sent(app)).message.startswith("1 new page")
    assert set(before) <= set(people(app))
    assert len([page for each in result(app)["people"] for page in each["pages"]]) == 4
    report = app.get("/names/Ada_Lovell/")
    assert "Updated with 1 new page" in report.text


def test_a_correction_made_meanwhile_is_not_lost(app, monkeypatch):
    app.ended(sent(app))
    sessions = app.workspace.sessions
    monkeypatch.setattr(Result, "update", updating := Updating(app))
    dropped = [(io.BytesIO(text("glazier").encode()), "x.html")]
    job = app.ended(app.post("/names", data={"name": "Ada Lovell", "pages": dropped}))
    assert (job.error, updating.number) == ("", 2)
    assert sessions.page("Ada_Lovell", 1)
    assert "The baker" in {each["label"] for each in result(app)["people"]}


class Updating:
    """The update, with a correction by the user before the first is done."""

    def __init__(self, app):
        self.app, self.number, self.update = app, 0, Result.update

    def __call__(self, *parts, **more):
        self.number += 1
        if self.number == 1:
            edit = {"action": "rename", "pages": [1], "name": "The baker"}
            assert self.app.post("/names/Ada_Lovell/corrections", json=edit).status_code == 200
        return self.update(*parts, **more)


def test_a_search_without_pages_says_so_and_a_silent_engine_is_no_answer(app, engine):
    engine.replies = [Reply({"results": []})]
    assert "no pages were found" in app.ended(sent(app)).error
    assert "no page could be read" in app.ended(app.post("/names/Ada_Lovell/cluster")).error
    assert app.post("/names/Ada_Lovell/delete").json["removed"]
    assert not list(app.folder.rglob("*"))
    engine.replies = [answer()]
    assert "no answer: slow: timeout" in app.ended(sent(app, name="Bob Lee")).error


def test_lists_of_results_need_no_engine(app, engine, web):
    engines = app.workspace.engines
    engines.clear()
    page = app.get("/").text
    assert 'Search engine: <span id="asked">choose one' in page
    assert "Lists of results" in page
    assert "is not set up" in planned(app).json["error"]
    table = b"url,title\nhttp://site1.example/,One\n,Nowhere\nhttp://site3.example/,Three\n"
    lists = [(io.BytesIO(table), "found.csv"), (io.BytesIO(b"http://site2.example/\n"), "x.txt")]
    shown = planned(app, lists).json
    assert shown["steps"][0] == "takes 3 results of found.csv, x.txt"
    begun = app.post("/search", json={"key": shown["key"]})
    assert app.ended(begun).error == ""
    assert {page["title"] for page in pages_of(app, begun)} >= {"One", "Three"}
    assert sorted(web.asked) == [f"site{n}.example/" for n in (1, 2, 3)]
    assert "1 result without an address: Nowhere" in app.get("/names/Ada_Lovell/").text
    assert engine.paths == []
    refused = planned(app, [(io.BytesIO(b"\x89PNG\r\n\x1a\n"), "x.png")])
    assert (refused.status_code, "x.png" in refused.json["error"]) == (400, True)


def test_an_engine_is_set_up_by_a_test_and_its_key_kept_in_memory_alone(
    app, engine, monkeypatch, caplog, capfd
):
    app.workspace.engines.clear()
    monkeypatch.setattr("weps.web.engines.Brave", partial(Brave, address=engine.url))
    caplog.set_level("DEBUG")

    def set_up(name, **setting):
        return app.post(f"/engines/{name}", json=setting)

    for setting in ({}, {"setting": " "}):
        assert set_up("searxng", **setting).status_code == 400
    assert set_up("yahoo", setting="x").status_code == 404
    assert "not an address" in set_up("searxng", setting="http://[").json["error"]
    engine.replies = [Reply({"error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}, 422)]
    assert "refuses the key" in set_up("brave", setting="wrong-key").json["error"]
    assert app.workspace.engines == {}
    engine.replies = [Reply({"type": "search", "web": {"results": []}, "query": {}})]
    assert "the Brave Search API answers: 0 results" in set_up("brave", setting=KEY).json["message"]
    engine.replies = [answer(1, 2)]
    told = set_up("searxng", setting=engine.url).json
    assert "answers: 2 results for “Ada Lovelace”" in told["message"]
    assert [name for name, _ in told["engines"]] == ["brave", "searxng"]
    assert "asks SearXNG" in planned(app, engine="searxng").json["steps"][0]
    written = b"".join(app.files().values()) + "".join(capfd.readouterr()).encode()
    for secret in (KEY, "wrong-key"):
        assert secret not in repr(app.workspace) + app.get("/").text + caplog.text
        assert secret.encode() not in written


def test_keys_never_reach_the_browser(app, engine):
    assert KEY not in app.get("/").text
    assert "Brave" in app.get("/").text
    shown = planned(app, engine="brave")
    assert KEY not in shown.text
    engine.replies = [Reply({"error": {"code": "X", "detail": f"what {KEY}?"}}, 422)]
    begun = app.post("/search", json={"key": shown.json["key"]})
    assert app.ended(begun).error
    assert KEY not in app.get(begun.json["jobs"][0]["url"]).text


def test_without_its_libraries_the_form_says_what_to_install(app, monkeypatch):
    assert "pip install" not in app.get("/").text
    monkeypatch.setattr(application, "find_spec", lambda _: None)
    assert "pip install &#39;weps[web]&#39;" in app.get("/").text.replace("'", "&#39;")


def test_two_jobs_of_one_name_do_not_run_at_once(app, monkeypatch):
    monkeypatch.setattr(app.workspace.jobs, "unfinished_for", lambda _: object())
    for refused in (
        sent(app),
        app.post("/names", data={"name": "Ada Lovell", "pages": [(io.BytesIO(b"x"), "1.html")]}),
    ):
        assert refused.status_code == 400
        assert "in progress" in refused.json["error"]
    assert not list(app.folder.rglob("1.html"))
