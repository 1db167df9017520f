"""Pages are dropped, clustered, looked at, corrected, saved, deleted."""

import io
import json
import os
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from tests.cases import each_case
from tests.weps.app.conftest import ADDRESS, OURS, App
from weps._files import resource_path
from weps.app.application import EXPORTS
from weps.people.pages import SIGNS, SetAsideRule
from weps.reading import PageForm
from weps.results.files import EXPORTED

NAME = "/names/Robin_Averdale"
FILES = {suffix for _, suffix in EXPORTS.values() if suffix not in EXPORTED}


@pytest.fixture(scope="module")
def clustered(shared):
    """With the demo dropped and clustered."""
    demo = sorted(resource_path("demo/Robin_Averdale").glob("[0-9]*.*"))
    pages = [(io.BytesIO(path.read_bytes()), f"Robin_Averdale/{path.name}") for path in demo]
    job = shared.ended(shared.post("/names", data={"name": "Robin Averdale", "pages": pages}))
    assert (job.state, job.error) == ("done", "")
    assert job.what == "writing the report"
    return shared


@pytest.fixture
def app(clustered):
    """The result open, and afterwards as it was."""
    before = clustered.files()
    assert clustered.workspace.sessions.page("Robin_Averdale", 1)
    yield clustered
    clustered.restore(before)


def result(app):
    return json.loads((app.folder / "Robin_Averdale.json").read_bytes())


def people(app):
    return {
        person["id"]: {page["rank"] for page in person["pages"]} for person in result(app)["people"]
    }


def correct(app, action, pages=(), **more):
    return app.post(f"{NAME}/corrections", json={"action": action, "pages": list(pages), **more})


def correction_lines(app):
    lines = (app.folder / "Robin_Averdale.corrections.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith(("#", "page "))]


def test_the_result_is_beside_the_pages_that_were_dropped(app):
    assert len(list((app.folder / "pages/Robin_Averdale").iterdir())) == 30
    assert len(set().union(*people(app).values())) == 30
    assert result(app)["collected"] == [{"path": "pages/Robin_Averdale", "name": "Robin_Averdale"}]
    page = app.get("/").text
    assert 'data-label="pages">30<' in page
    assert f'data-label="people">{len(people(app))}<' in page
    assert "Try the demo" not in page
    assert "not yet clustered" not in page


def test_copies_of_the_pages_are_shown_without_script_or_network(app):
    page = BeautifulSoup(app.get(f"{NAME}/").text, "lxml")
    previews = [a["href"] for a in page.select(".row a.title")]
    assert previews == [f"preview/{rank}" for rank in range(1, 31)]
    copies = [
        BeautifulSoup(app.get(f"{NAME}/{each}").text, "lxml").select(".actions a")[0]["href"]
        for each in previews
    ]
    assert copies == [f"{NAME}/pages/{rank}" for rank in range(1, 31)]
    for link, kind in ((copies[0], "html"), (copies[18], "plain")):
        shown = app.get(link)
        rank = int(link.rpartition("/")[2])
        saved = next((app.folder / "pages/Robin_Averdale").glob(f"{rank:03}.*"))
        assert shown.text == saved.read_text("utf-8").replace("<link", "<x-link")
        assert shown.headers["Content-Type"] == f"text/{kind}; charset=utf-8"
        policy = shown.headers["Content-Security-Policy"].split("; ")
        assert (policy[0], policy[-1]) == ("default-src 'none'", "sandbox")
        assert shown.headers["X-Content-Type-Options"] == "nosniff"
    for strange in ("31", "-1", "x", "001.html", "..%2f..%2fRobin_Averdale.json"):
        for kind in ("pages", "preview"):
            assert app.get(f"{NAME}/{kind}/{strange}").status_code == 404


def test_pages_that_are_gone_are_told(app):
    pages, away = app.folder / "pages", app.folder.with_name("away")
    app.workspace.sessions.close()
    pages.rename(away)
    for kind in ("preview", "pages"):
        answer = app.get(f"{NAME}/{kind}/1")
        assert (answer.status_code, "put them back" in answer.text) == (400, True)
    away.rename(pages)


def test_corrections_are_kept_obeyed_and_taken_back(app):
    before = people(app)
    first, second = sorted(before.values(), key=len)[-2:]
    assert correct(app, "same", first | second).status_code == 200
    assert correction_lines(app) == ["same " + " ".join(map(str, sorted(first | second)))]
    joined = people(app)
    assert first | second <= max(joined.values(), key=len)
    assert set(joined) <= set(before)  # nobody gets another's number

    refused = correct(app, "different", [min(first), min(second)])
    assert refused.status_code == 409
    assert "one person" in refused.json["error"]
    assert people(app) == joined
    assert len(correction_lines(app)) == 1

    page = min(first)
    assert correct(app, "rename", [page], name="The <b>harbour</b> master").status_code == 200
    assert correction_lines(app)[-1] == f"called {page} The <b>harbour</b> master"
    assert "<b>harbour" not in app.get(f"{NAME}/").text
    assert 'data-label="corrections">2<' in app.get("/").text
    assert correct(app, "undo").status_code == 200
    assert correct(app, "remove", name=correction_lines(app)[0]).status_code == 200
    assert correction_lines(app) == []
    assert people(app) == before
    assert correct(app, "undo").status_code == 409


def people_after(app, merges):
    """The people at a position of the slider."""
    alternatives = app.workspace.sessions._sessions["Robin_Averdale"][1].answer.alternatives
    found = {}
    for rank, node in zip(alternatives.ranks, alternatives.nodes_of_rows(merges), strict=True):
        found.setdefault(node, set()).add(rank)
    return sorted(map(sorted, found.values()))


@pytest.mark.parametrize("change", [-2, 3])
def test_the_position_of_the_slider_becomes_the_answer_and_can_be_undone(app, change):
    before = people(app)
    merges = 30 - len(before) - change
    shown = people_after(app, merges)
    assert correct(app, "threshold", merges=merges).status_code == 200
    assert sorted(map(sorted, people(app).values())) == shown
    assert len(shown) == len(before) + change
    assert [line.split()[0] for line in correction_lines(app)] == ["threshold"]
    assert "Merge threshold chosen" in app.get(f"{NAME}/").text
    assert correct(app, "undo").status_code == 200
    assert sorted(map(sorted, people(app).values())) == sorted(map(sorted, before.values()))


def test_corrections_of_another_position_are_of_the_people_shown_there(app):
    everybody = range(2, 31)
    assert correct(app, "split", [1], merges=29).status_code == 200
    assert correction_lines(app) == [f"split 1 / {' '.join(map(str, everybody))}"]
    assert correct(app, "undo").status_code == 200
    assert correct(app, "move", [1], to=2, merges=0).status_code == 200
    assert correction_lines(app) == ["same 1 2"]


def probabilities(app):
    """Of the pairs that both are explained and not decided by a correction."""
    pairs = [each for each in result(app)["pairs"] if "said" not in each]
    return {tuple(each["pages"]): each["probability"] for each in pairs}


def test_pages_are_kept_apart_and_others_follow_if_that_is_wanted(app):
    before, companions = probabilities(app), people(app)
    pair = sorted(max(companions.values(), key=len))[:2]
    assert correct(app, "different", pair).status_code == 200
    assert correction_lines(app) == [f"different {pair[0]} / {pair[1]}"]
    assert not any(set(pair) <= pages for pages in people(app).values())
    others = {frozenset(pages - set(pair)) for pages in companions.values()}
    assert {frozenset(pages - set(pair)) for pages in people(app).values()} >= others
    now = probabilities(app)
    assert all(now[pages] == before[pages] for pages in before.keys() & now.keys())
    assert correct(app, "learn").status_code == 200
    assert correction_lines(app)[1:] == ["learn"]
    learnt = probabilities(app)
    common = before.keys() & learnt.keys()
    assert all(learnt[pages] <= before[pages] for pages in common)
    assert any(learnt[pages] < before[pages] for pages in common)


def test_questions_take_answers_into_account_and_end(app):
    asked = []
    for _ in range(3):
        path = f"{NAME}/question?" + "&".join(f"asked={one}-{two}" for one, two in asked)
        pages = app.get(path).json["pages"]
        asked.append([page["rank"] for page in pages])
        assert all(page["title"] and page["link"].startswith("preview/") for page in pages)
        assert any(is_name for _, is_name in pages[0]["excerpt"])
    assert len(set(map(tuple, asked))) == 3
    assert app.get(f"{NAME}/question?asked=x&asked=1").json["pages"][0]["rank"] == asked[0][0]
    answer = correct(app, "same", range(1, 31))
    assert answer.json == {"saved": True, "version": version_of(app)}
    assert app.get(f"{NAME}/question").json == {"pages": [], "evidence": []}
    assert correct(app, "undo").status_code == 200
    assert app.get("/names/Nobody/question").status_code == 404


def version_of(app):
    page = BeautifulSoup(app.get(f"{NAME}/").text, "lxml")
    return page.select_one("meta[name=weps-version]")["content"]


def test_a_stale_window_is_told_and_does_nothing(app):
    """Two windows have the report; what one does, the other does not know."""
    first, second, third = (min(pages) for pages in list(people(app).values())[:3])
    seen = version_of(app)
    assert version_of(app) == seen
    assert correct(app, "rename", [first], name="Ann", seen=seen).status_code == 200
    assert correct(app, "rename", [second], name="Bea").status_code == 200
    lines = correction_lines(app)
    refused = [
        correct(app, "same", [first, third], seen=seen),
        correct(app, "undo", name=lines[0], seen=version_of(app)),
        correct(app, "remove", name=f"called {third} Eve"),
    ]
    for answer in refused:
        assert answer.status_code == 412
        assert "another window or program changed the result" in answer.json["error"]
    assert correction_lines(app) == lines
    assert correct(app, "remove", name=lines[0], seen=seen).status_code == 200
    assert correction_lines(app) == lines[1:]
    again = correct(app, "remove", name=lines[0], seen=seen)
    assert "is no longer there" in again.json["error"]
    assert correct(app, "undo", name=lines[1], seen=seen).status_code == 200
    assert correction_lines(app) == []
    assert version_of(app) == seen


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX limits the size of files")
def test_a_correction_that_cannot_be_written_is_nowhere(app):
    """The disk is full: the correction fits, the report does not."""
    import resource  # noqa: PLC0415 - POSIX only

    files = {path: path.read_bytes() for path in app.folder.iterdir() if path.is_file()}
    shown = app.get(f"{NAME}/").text
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        refused = correct(app, "rename", [1], name="Ann")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (refused.status_code, "cannot be written" in refused.json["error"]) == (500, True)
    assert {path: path.read_bytes() for path in app.folder.iterdir() if path.is_file()} == files
    assert app.get(f"{NAME}/").text == shown
    assert correct(app, "rename", [2], name="Bea").status_code == 200
    assert correction_lines(app) == ["called 2 Bea"]


def test_copies_open_from_a_report_as_it_is_on_disk(app):
    """It is sandboxed, so that browsers send no cookie: its links have keys of their own."""
    saved = BeautifulSoup(app.get(f"{NAME}/saved").text, "lxml")
    copies = [a["href"] for a in saved.select(".row a.title")]
    assert len(copies) == 30
    stranger = app.flask.test_client()
    sandboxed = {"Sec-Fetch-Site": "cross-site"}
    for rank, link in enumerate(copies, start=1):
        shown = stranger.get(link, base_url=ADDRESS, headers=sandboxed)
        own = app.get(f"{NAME}/pages/{rank}")
        assert (shown.status_code, shown.data) == (200, own.data)
        assert shown.headers["Content-Security-Policy"] == own.headers["Content-Security-Policy"]
    key = copies[0].partition("?")[2]
    for path in (f"{NAME}/pages/2?{key}", f"{NAME}/?{key}", f"{copies[0]}0", f"{NAME}/pages/1"):
        assert stranger.get(path, base_url=ADDRESS).status_code == 403
    assert stranger.post(copies[0], base_url=ADDRESS, headers=OURS).status_code == 403


FORGED = {
    "script": ("<title>", "<script>location = 'http://evil.example/'</script><title>"),
    "refresh": ("<title>", "<meta HTTP-Equiv=refresh content='0;url=http://evil.example/'><title>"),
    "other version": ("script-src", "script-src 'unsafe-inline'"),
    "other encoding": ("<!doctype", "\ufeff<!doctype"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_only_the_script_of_reports_runs_in_a_report_as_it_is_on_disk(app, kind):
    path = app.folder / "Robin_Averdale.html"
    own = app.get(f"{NAME}/saved").headers["Content-Security-Policy"]
    assert "allow-scripts" in own
    assert "unsafe-inline" not in own
    path.write_text(path.read_text("utf-8").replace(*FORGED[kind], 1), "utf-8")
    policy = app.get(f"{NAME}/saved").headers["Content-Security-Policy"]
    assert policy == own if kind == "script" else policy.endswith("; sandbox")


def test_a_page_that_is_set_aside_is_put_back_and_may_be_set_aside_again(tmp_path, models):
    rule = SetAsideRule(dict.fromkeys(SIGNS, 1.0))
    pages = replace(models.for_form(PageForm.PAGES), set_aside=rule)
    model = replace(models, models={**models.models, PageForm.PAGES: pages})
    app = App(tmp_path, model)
    texts = ("Robin Averdale", "Robin Averdale on tides", "Oak chairs")
    files = [(io.BytesIO(text.encode()), f"p/{at}.txt") for at, text in enumerate(texts)]
    app.ended(app.post("/names", data={"name": "Robin Averdale", "pages": files}))
    (aside,) = result(app)["set_aside"]
    rank = aside["rank"]
    assert (aside["pile"], rank in set().union(*people(app).values())) == ("other name", False)
    assert correct(app, "same", [rank]).status_code == 409
    assert correct(app, "keep", [rank]).status_code == 200
    assert correction_lines(app) == [f"keep {rank}"]
    assert "set_aside" not in result(app)
    assert rank in set().union(*people(app).values())
    assert correct(app, "undo").status_code == 200
    assert result(app)["set_aside"] == [aside]
    assert correct(app, "exclude", [rank]).status_code == 409  # it is of no person
    other = min(set().union(*people(app).values()))
    for kind, pile in (("exclude", "other name"), ("unclear", "cannot tell")):
        assert correct(app, kind, [other]).status_code == 200
        piles = {page["rank"]: page["pile"] for page in result(app)["set_aside"]}
        assert piles == {rank: "other name", other: pile}
        assert f"page {other} was set aside" in app.get(f"{NAME}/").text
        assert correct(app, "undo").status_code == 200
    app.workspace.jobs.close()


@each_case(
    "request_body",
    [
        [],
        {},
        {"action": "burn"},
        {"action": ["same"]},
        {"action": "same"},
        {"action": "same", "pages": "1 2"},
        {"action": "same", "pages": [1, True]},
        {"action": "same", "pages": [1, -2]},
        {"action": "same", "pages": [1.0]},
        {"action": "same", "pages": [1, 10**30]},
        {"action": "same", "pages": [1] * 10_001},
        {"action": "same", "pages": [1, 999]},
        {"action": "keep", "pages": [1]},
        {"action": "different", "pages": [1]},
        {"action": "move", "pages": [1]},
        {"action": "move", "pages": [1], "to": 999},
        {"action": "move", "pages": [1], "to": "2"},
        {"action": "rename", "pages": [1], "name": 7},
        {"action": "apart", "pages": [1, 2]},
        {"action": "split", "pages": [1], "merges": 30},
        {"action": "threshold"},
        {"action": "threshold", "merges": 30},
        {"action": "threshold", "merges": -1},
        {"action": "remove", "to": 0},
        {"action": "remove"},
        {"action": "remove", "name": "same 1 2"},
    ],
)
def test_an_invalid_edit_changes_nothing(app, request_body):
    before = {path: path.read_bytes() for path in app.folder.glob("*.*")}
    answer = app.post(f"{NAME}/corrections", json=request_body)
    assert answer.status_code in {400, 409, 412}
    assert answer.json["error"]
    assert {path: path.read_bytes() for path in app.folder.glob("*.*")} == before


def test_an_edit_that_is_no_json_is_refused(app):
    assert app.post(f"{NAME}/corrections", data=b"{").status_code == 415
    answer = app.post(f"{NAME}/corrections", data=b"{", content_type="application/json")
    assert answer.status_code == 400
    much = b"[" + b" " * (2 << 20)
    answer = app.post(f"{NAME}/corrections", data=much, content_type="application/json")
    assert answer.status_code == 413


def test_every_file_can_be_fetched_and_no_other(app):
    assert correct(app, "confirm", [1]).status_code == 200
    for kind, (_, suffix) in EXPORTS.items():
        answer, file = app.get(f"{NAME}/export/{kind}"), f"Robin_Averdale{suffix}"
        if suffix in FILES:
            assert answer.data == (app.folder / file).read_bytes()
        assert answer.data
        assert f"attachment; filename={file}" in answer.headers["Content-Disposition"]
        assert f"{NAME}/export/{kind}" in app.get(f"{NAME}/").text
    assert app.get(f"{NAME}/export/pages").status_code == 404
    alone = app.get(f"{NAME}/export/brief?person=2")
    assert "filename=Robin_Averdale.person-2.md" in alone.headers["Content-Disposition"]
    assert "## 2. " in alone.text
    assert "## 1. " not in alone.text
    assert not list(app.folder.glob("*.md"))


def test_after_a_restart_the_result_is_opened_again_as_it_was(app):
    correct(app, "rename", [1], name="Ann")
    before = people(app)
    app.workspace.sessions.close()
    page = app.get(f"{NAME}/").text
    assert "Opening" in page
    assert f"{NAME}/saved" in page
    job = app.workspace.jobs.all()[-1]
    assert app.ended(app.get(f"/jobs/{job.id}")).error == ""
    assert "weps-corrections" in app.get(f"{NAME}/").text
    assert people(app) == before
    app.workspace.sessions.close()  # a report that was left open in the browser
    assert correct(app, "undo").status_code == 200
    assert correction_lines(app) == []


def test_deleting_asks_first_and_leaves_nothing(app):
    assert correct(app, "split", [1], merges=29).status_code == 200  # there is a file of them
    asked = app.get(f"{NAME}/delete").text
    for suffix in FILES:
        assert str(app.folder / f"Robin_Averdale{suffix}") in asked
    assert app.cache.usage().entries > 30
    answer = app.post(f"{NAME}/delete").json
    assert len(answer["removed"]) == len(FILES) + 1
    assert answer["kept"] == []
    assert answer["cached"] > 30
    assert app.cache.usage().entries == 0
    assert list(app.folder.iterdir()) == []
    assert app.get(f"{NAME}/").status_code == 404
    assert "Try the demo" in app.get("/").text
