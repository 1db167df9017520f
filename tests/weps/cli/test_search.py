"""The command search, and update --search: from a name to a report, on this machine alone."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import run_weps
from tests.cases import each_case
from tests.weps.web.demo_web import DemoWeb, searx
from tests.weps.web.engine_server import HTML, EngineServer, Reply
from weps._files import resource_path
from weps.cli.console import Console
from weps.records import Clustering
from weps.results.stored import read_file
from weps.sources.base import read_manifest
from weps.sources.opening import open_source
from weps.web import engines
from weps.web.fetching import DownloadOptions
from weps_eval.clustering.measures import scorer_for

KEY = "BSA-very-secret-key-0123456789"
TRADES = ("baker", "baker", "sailor", "sailor")


def result(server, number, **others):
    url = f"{server.url}/{number}.html"
    return {"url": url, "title": f"Title{number}", "content": f"Snippet{number}"} | others


def answer(*results, unresponsive=()):
    return Reply({"results": list(results), "unresponsive_engines": list(unresponsive)})


@pytest.fixture
def server(monkeypatch):
    """A search engine that knows four pages of the server, and one that is not there."""
    monkeypatch.setattr("weps.web.fetching.DownloadOptions", partial(DownloadOptions, delay=0.0))
    with EngineServer() as started:
        for number, trade in enumerate(TRADES, start=1):
            text = f"<title>Ada Lovell {number}</title><p>Ada Lovell is a {trade} in Port Merrow."
            started.pages[f"/{number}.html"] = text.encode()
        started.replies = [answer(*(result(started, number) for number in range(1, 6)))]
        started.replies[:0] = [started.replies[0]]
        yield started


@pytest.fixture
def search(weps, server, tmp_path):
    """Run the command into folders of the test."""

    def run(*words, command=("search", "Ada Lovell"), agreed=("--yes",)):
        return weps(
            *command, *agreed, "--allow-private", "--folder", tmp_path / "pages",
            *(("--out", tmp_path / "out") if command[0] == "search" else ()), *words,
        )  # fmt: skip

    return partial(run, "--url", server.url)


def asked_pages(server):
    return [path for path in server.paths if path.endswith(".html")]


def people(tmp_path):
    made = json.loads((tmp_path / "out" / "Ada_Lovell.json").read_text())
    return {each["id"]: {page["url"][-6] for page in each["pages"]} for each in made["people"]}


def test_a_name_becomes_a_report(search, server, tmp_path):
    server.replies = [
        answer(result(server, 1), result(server, 5), unresponsive=[["slow", "timeout"]]),
        answer(*(result(server, number) for number in (2, 3, 4))),
        Reply(b"<p>", 429, HTML),
    ]
    status, out, err = search()
    assert status == 0
    assert f'asks SearXNG at {server.url[7:]} for "Ada Lovell"' in err
    assert "which see the address of your network" in err
    missing = "page 3: refuses"
    assert "results may be missing (slow: timeout, " in err
    assert missing in err
    assert "5 results (3 requests)" in out
    assert "5 pages asked for (0 known already)" in out
    assert "404" in out
    assert missing in (tmp_path / "out" / "Ada_Lovell.html").read_text()
    for folder in ("pages", "out"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "pages" / "queries.txt").read_text() == '"Ada Lovell"\n'
    assert {page for pages in people(tmp_path).values() for page in pages} >= set("1234")


def test_nothing_is_asked_for_twice(search, server):
    assert search()[0] == 0
    before = len(server.paths)
    status, out, _ = search("--quiet")
    assert status == 0
    assert "0 pages asked for (5 known already)" in out
    assert set(server.paths[before:]) == {"/search"}
    assert sorted(asked_pages(server)) == [f"/{number}.html" for number in range(1, 6)]


@pytest.mark.parametrize(("typed", "status"), [("n\n", 1), ("", 1), ("y\n", 0)])
def test_nothing_is_sent_before_somebody_agrees(
    search, server, monkeypatch, typed, status, tmp_path
):
    monkeypatch.setattr(Console, "can_ask", True)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    done, _, err = search("--also", "A. Lovell", "--with", "port", agreed=())
    assert done == status
    assert f'asks SearXNG at {server.url[7:]} for "A. Lovell" port' in err
    assert "Continue? [y/N]" in err
    assert ("nothing was done" in err) is (not server.paths) is bool(status)
    assert (tmp_path / "pages").exists() is not bool(status)


def test_without_a_terminal_somebody_has_to_agree_beforehand(search, server):
    status, _, err = search(agreed=())
    assert (status, server.paths) == (1, [])
    assert "run it in a terminal, or confirm with --yes" in err


@pytest.fixture
def brave(monkeypatch, server):
    """The Brave Search API, on this machine."""
    monkeypatch.setenv("BRAVE_API_KEY", KEY)
    monkeypatch.setattr(engines, "Brave", partial(engines.Brave, address=server.url))
    results = [
        {"url": f"{server.url}/{number}.html", "title": f"Title{number}", "description": "Snippet"}
        for number in range(1, 6)
    ]
    query = {"original": "x", "more_results_available": False}
    server.replies = [Reply({"type": "search", "query": query, "web": {"results": results}})]


@pytest.mark.usefixtures("brave")
@pytest.mark.parametrize("kept", [False, True])
def test_what_brave_says_is_written_nowhere_unless_the_plan_grants_it(
    server, weps, tmp_path, kept, cache_folder
):
    status, out, err = weps(
        "search", "Ada Lovell", "--yes", "--allow-private", "--folder", tmp_path / "pages",
        "--out", tmp_path / "out", *(["--keep-results"] if kept else []),
    )  # fmt: skip
    assert status == 0
    assert ("do not allow storing" in err) is not kept
    files = [*tmp_path.rglob("*.*"), *cache_folder.rglob("*.*")]
    written = b"".join(path.read_bytes() for path in files if path.is_file())
    assert KEY not in f"{out}{err}"
    assert KEY.encode() not in written
    for words in ("Title1", "Snippet", f"{server.url}/5.html"):
        assert (words.encode() in written) is kept
    assert f"{server.url}/1.html".encode() in written  # where a page came from
    before = len(server.paths)
    assert weps("search", "Ada Lovell", "--yes", "--folder", tmp_path / "pages",
                "--out", tmp_path / "out", "--allow-private")[0] == 0  # fmt: skip
    assert not asked_pages(server)[5:]
    assert len(server.paths) == before + 1


def test_results_of_files_need_no_engine(search, server, tmp_path):
    listed, other = tmp_path / "found.csv", tmp_path / "more.txt"
    listed.write_text(f"url,title\n{server.url}/1.html,One\n,Nowhere\n{server.url}/2.html,Two\n")
    other.write_text(f"{server.url}/3.html\n{server.url}/1.html#top\n")
    usual = os.dup(0)
    with other.open("rb") as piped, contextlib.ExitStack() as restored:
        restored.callback(os.close, usual)
        restored.callback(os.dup2, usual, 0)
        os.dup2(piped.fileno(), 0)
        status, out, err = search("--results", listed, "--results", "-")
    assert status == 0
    assert f"takes 3 results of {listed}, standard input" in err
    assert "1 result without an address: Nowhere" in err
    assert "3 pages asked for" in out
    assert "/search" not in server.paths
    pages = read_manifest(tmp_path / "pages").pages.values()
    assert [each.result.title for each in pages] == ["One", "", "Two"]


def test_a_name_that_nobody_knows_is_said_to_have_no_pages(search, server, tmp_path):
    server.replies = [answer()]
    status, out, err = search()
    assert status == 1
    assert "0 results" in out
    assert "no pages were found for Ada Lovell" in err
    server.replies = [answer(unresponsive=[["slow", "timeout"]])]
    status, _, err = search("--folder", tmp_path / "other")
    assert status == 1
    assert "no answer: slow: timeout" in err
    assert not (tmp_path / "other").exists()


def test_where_the_engine_fails_earlier_results_are_gone_on_with(search, server, tmp_path):
    served = server.pages.pop("/4.html")
    assert search()[0] == 0
    server.pages["/4.html"] = served
    server.replies = [answer(unresponsive=[["slow", "Suspended"]])]
    (tmp_path / "pages" / "001.html").unlink()
    status, _, err = search()
    assert status == 0
    assert "no answer: slow: Suspended" in err
    assert "the results of earlier searches are used" in err


def test_pages_are_not_put_among_others(search, server, tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "001.html").write_text("Ada Lovell")
    status, _, err = search()
    assert (status, server.paths) == (1, [])
    assert "has files that do not come from a search" in err


def test_an_update_searches_again_and_keeps_ids(search, server, tmp_path):
    server.replies = [answer(result(server, 1), result(server, 3)), answer()]
    assert search("--with", "port")[0] == 0
    before = people(tmp_path)
    server.replies = [answer(*(result(server, number) for number in (4, 2, 1)))]
    changes = tmp_path / "changes.json"
    update = ("update", tmp_path / "out", "--search")
    status, out, _ = search("--also", "A. Lovell", "--json", changes, command=update)
    assert status == 0
    asked = [query["q"] for query in server.asked if "q" in query]
    assert list(dict.fromkeys(asked)) == ['"Ada Lovell" port', '"Ada Lovell"', '"A. Lovell"']
    assert "2 new pages (2 known already)" in out
    now = people(tmp_path)
    assert all(pages <= now[identifier] for identifier, pages in before.items())
    assert json.loads(changes.read_text())["known"] == 2
    assert read_file(tmp_path / "out" / "Ada_Lovell.json").also == ("A. Lovell",)


def test_an_update_leaves_out_pages_that_were_saved_by_hand(search, server, weps, tmp_path):
    folder = tmp_path / "Ada_Lovell"
    folder.mkdir()
    saved = f"<!-- saved from url=(0020){server.url}/1.html -->".encode() + server.pages["/1.html"]
    (folder / "001.html").write_bytes(saved)
    assert weps("cluster", folder, "--out", tmp_path / "out")[0] == 0
    status, out, err = search(command=("update", tmp_path / "out", "--search"))
    assert (status, err.count("warning")) == (0, 0)
    assert asked_pages(server) == [f"/{number}.html" for number in (2, 3, 4, 5)]
    assert "4 new pages (0 known already), now 5 pages" in out


def test_addresses_of_this_machine_are_not_asked_unless_allowed(server, weps, tmp_path):
    status, out, _ = weps("search", "Ada Lovell", "--url", server.url, "--yes",
                          "--folder", tmp_path / "pages", "--out", tmp_path / "out")  # fmt: skip
    assert status == 0
    assert not asked_pages(server)
    assert "5  skipped  port" in out
    assert {page for pages in people(tmp_path).values() for page in pages} == set("12345")


@pytest.mark.parametrize("words", [(), ("pages", "--search")])
def test_an_update_takes_pages_or_searches(weps, words, tmp_path):
    status, _, err = weps("update", tmp_path, *words)
    assert status == 1
    assert "give either NEWPAGES or --search" in err


@each_case(
    "words",
    [
        ("--also", "A. Lovell"),
        ("--allow-private", "--refresh", "--keep-results", "--url", "http://localhost:8888"),
    ],
)
def test_an_update_with_pages_refuses_options_of_searches(weps, words, tmp_path):
    status, _, err = weps("update", tmp_path, "pages", *words)
    assert status == 1
    assert all(word in err for word in words if word.startswith("--"))
    assert "only for searches; give --search" in err


@pytest.mark.slow
@pytest.mark.parametrize("stopped_by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_search_goes_on_where_it_was(search, server, tmp_path, stopped_by):
    """In a process of its own, which waits a second between two pages of a host."""
    command = [
        sys.executable, run_weps.__file__, "search", "Ada Lovell", "--url", server.url, "--yes",
        "--allow-private", "--folder", tmp_path / "pages", "--out", tmp_path / "out",
    ]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(asked_pages(server)) < 2 and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(stopped_by)
    _, err = running.communicate()
    if stopped_by != signal.SIGKILL:
        assert running.returncode == 130
        assert "stopped; downloaded pages are kept; run the same command again" in err
    before = len(asked_pages(server))
    assert 2 <= before <= 3
    status, out, _ = search()
    assert status == 0
    assert "4  ok" in out
    settled = asked_pages(server)[: before - 1]  # the last one may have been under way
    assert not set(settled) & set(asked_pages(server)[before:])


@pytest.mark.slow
def test_a_real_engine_leads_to_the_people_of_the_demo(weps, tmp_path):
    """Debian's searx, an index and the pages, all on this machine."""
    demo = resource_path("demo")
    folder, out = tmp_path / "pages", tmp_path / "out"
    with DemoWeb(demo / "Robin_Averdale") as web, searx(web, tmp_path) as url:
        more = ("--engine", "searxng", "--url", url, "--yes", "--allow-private")
        words = ("search", "Robin Averdale", "--folder", folder, "--out", out, *more)
        status, printed, err = weps(*words, "--pages", 1)
        assert status == 0, err
        assert "10 results (1 request)" in printed
        for failure in ("busy: too many requests", "forbidding: blocked", "broken: unexpected"):
            assert failure in err
        assert weps(*words)[0] == 0
        asked = [path for path in web.paths if path in web.pages]
        assert len(asked) == len(set(asked)) == 29
        status, printed, err = weps("update", out, "--search", "--also", "robinaverdale", *more)
        assert status == 0, err
        assert "1 new page (29 known already), now 30 pages" in printed
    made = json.loads((out / "Robin_Averdale.json").read_text())
    addresses = [[page["url"] for page in each["pages"]] for each in made["people"]]
    groups = [frozenset(int(Path(url).stem) for url in urls) for urls in addresses]
    source = open_source(demo)
    key, ranks = source.key("Robin_Averdale"), source.ranks("Robin_Averdale")
    scores = scorer_for(source).scores(Clustering(tuple(groups)), key, ranks)
    assert scores["bcubed_f05"] > 0.7
