"""The application: its routes, what its responses restrict, and the command that serves it."""

import http.client
import io
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from tests.cases import each_case

STRANGE = [
    "..",
    "%2e%2e",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%5c..",
    "%2Fetc%2Fpasswd",
    "C:%5Cwindows",
    "a%00b",
    ".hidden",
    "secret",
    "Linked",
    "%F0%28%8C%28",
    "x" * 5000,
]
EXPORTED = ["json", "html", "../json", "%2e%2e"]
BELOW = ["", "saved", "pages/1", "preview/1", "delete", *(f"export/{each}" for each in EXPORTED)]


@pytest.fixture
def outside_file(app):
    """Files that are none of the app's, inside the folder and out of it."""
    app.folder.mkdir()
    outside = app.folder.parent / "secret.json"
    outside.write_text('{"secret": 1}')
    (app.folder / "Linked.json").symlink_to(outside)
    (app.folder / "Linked.html").symlink_to(outside)
    (app.folder / ".hidden.txt").write_text("secret")
    return outside


@each_case("name", STRANGE)
def test_no_name_leads_anywhere(app, outside_file, name):
    for below in BELOW:
        answer = app.get(f"/names/{name}/{below}")
        assert answer.status_code in {404, 308}, below
        assert "secret" not in answer.text.replace("/names/secret", ""), below
    for tail in ("delete", "corrections", "cluster"):
        assert app.post(f"/names/{name}/{tail}", json={"action": "undo"}).status_code == 404
    assert outside_file.read_text() == '{"secret": 1}'
    assert not app.workspace.jobs.all()


@pytest.mark.parametrize(
    "path",
    ["/static/../library.py", "/static/%2e%2e/library.py", "/static//etc/passwd", "/static/"],
)
def test_only_the_apps_own_files_are_served(app, path):
    assert app.get(path, follow_redirects=True).status_code == 404


def uploaded(*paths, name="Robin Averdale"):
    files = [(io.BytesIO(b"<p>Robin Averdale"), path) for path in paths]
    return {"name": name, "pages": files}


@each_case(
    ("form", "status", "message"),
    [
        (uploaded(), 400, "no saved pages"),
        (uploaded("Robin/x.png"), 400, "no saved pages"),
        (uploaded("1.html", name=""), 400, "expected a person's name"),
        (uploaded("Robin/1.html", name="../.."), 400, "expected a person's name"),
    ],
)
def test_what_cannot_be_clustered_is_refused_and_leaves_nothing(app, form, status, message):
    answer = app.post("/names", data=form)
    assert answer.status_code == status
    assert message in answer.json["error"]
    assert not [path for path in app.folder.rglob("*") if path.is_file()]
    assert not app.workspace.jobs.all()


# Werkzeug leaves its temporary files to the garbage collector when it stops in the middle.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_too_large_and_too_many_are_refused(app):
    app.flask.config["MAX_CONTENT_LENGTH"] = 300
    answer = app.post("/names", data=uploaded("1.html", "2.html", "3.html"))
    assert (answer.status_code, "Too large" in answer.json["error"]) == (413, True)
    app.flask.config.update(MAX_CONTENT_LENGTH=None, MAX_FORM_PARTS=3)
    answer = app.post("/names", data=uploaded("1.html", "2.html", "3.html"))
    assert answer.status_code == 413
    assert not app.folder.exists()


def test_pages_are_added_to_those_of_a_name_that_wait(app, monkeypatch):
    monkeypatch.setattr(app.workspace.sessions, "cluster", lambda *_: None)
    app.ended(app.post("/names", data=uploaded("1.html")))
    other = {"name": "robin averdale", "pages": [(io.BytesIO(b"<p>Other"), "1.html")]}
    app.ended(app.post("/names", data=other))
    pages = app.folder / "pages" / "Robin_Averdale"
    assert sorted(path.name for path in pages.iterdir()) == ["1.html", "2.html"]
    assert "Cluster</button>" in app.get("/").text


def test_pages_come_in_any_form_at_once_and_what_is_none_is_listed(app):
    answers = {"status": 200, "content": {"mimeType": "text/html", "text": "<p>Ann Lee, sailor"}}
    har = {"log": {"entries": [{"request": {"url": "http://a.example/"}, "response": answers}]}}
    forms = {
        "1.html": b"<!doctype html><p>Ann Lee, baker",
        "web/saved.har": json.dumps(har).encode(),
        "found.csv": b"url,title,snippet\nhttp://b.example/,Ann Lee,Ann Lee sells maps\n",
        "web/scan.bin": bytes(99),
    }
    pages = [(io.BytesIO(content), path) for path, content in forms.items()]
    job = app.ended(app.post("/names", data={"name": "Ann Lee", "pages": pages}))
    assert job.error == ""
    made = json.loads((app.folder / "Ann_Lee.json").read_bytes())
    assert sum(len(each["pages"]) for each in made["people"]) == 3
    assert [each["name"] for each in made["unread"]] == ["web/scan.bin"]
    assert "1 input not read" in app.get("/").text


def test_the_demo_is_one_click(app, monkeypatch):
    monkeypatch.setattr(app.workspace.sessions, "cluster", lambda *_: None)
    begun = app.post("/demo")
    assert (begun.status_code, begun.json["jobs"][0]["name"]) == (202, "Robin Averdale")
    app.ended(begun)
    pages = sorted(path.name for path in (app.folder / "pages" / "Robin_Averdale").iterdir())
    assert (len(pages), pages[0], pages[18]) == (30, "001.html", "019.txt")
    for again in (app.post("/demo"), app.post("/names/Robin_Averdale/cluster")):
        assert again.status_code == 202
        app.ended(again)
    assert len([*(app.folder / "pages" / "Robin_Averdale").iterdir()]) == 30


def test_a_job_can_be_watched_and_stopped(app, monkeypatch):
    def endless(_identifier, progress, *_rest):
        while True:
            progress("reading pages", 3, 9)

    monkeypatch.setattr(app.workspace.sessions, "cluster", endless)
    begun = app.post("/names", data=uploaded("1.html"))
    assert begun.status_code == 202
    url = begun.json["jobs"][0]["url"]
    while (progress := app.get(url).json)["state"] == "waiting":
        pass
    assert progress["what"] in {"", "reading pages"}
    assert url in app.get("/").text
    refused = app.post("/names/Robin_Averdale/delete").json["error"]
    assert "a job for Robin Averdale is in progress" in refused
    app.delete(url)
    app.ended(begun)
    assert app.get(url).json["state"] == "stopped"
    assert app.get("/jobs/none").status_code == 404
    assert list(app.folder.rglob("1.html"))  # nothing is lost


@pytest.mark.parametrize("debugging", [False, True])
def test_a_fault_shows_no_traceback(app, monkeypatch, caplog, debugging):
    caplog.set_level("DEBUG" if debugging else "INFO", "weps.app")

    def broken(_library):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(type(app.workspace.store), "results", broken)
    answer = app.get("/")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert "/: internal error (ZeroDivisionError: secret, test_application.py line" in caplog.text
    assert ("Traceback" in caplog.text) == debugging


def test_a_damaged_result_is_listed_as_such_and_can_be_deleted(app):
    app.folder.mkdir()
    (app.folder / "Bad_<b>.json").write_text(json.dumps({"name": "<script>", "people": 7}))
    page = app.get("/").text
    assert "&lt;b&gt;" in page
    assert "<script>" not in page
    answer = app.post("/names/Bad_<b>/delete")
    assert answer.json["removed"] == [str(app.folder / "Bad_<b>.json")]
    assert not list(app.folder.iterdir())


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "{", b"\xff", ""])
def test_what_is_no_sensible_json_is_no_fault(app, body):
    app.folder.mkdir()
    (app.folder / "Ann.json").write_text("{}")
    answer = app.post("/names/Ann/corrections", data=body, content_type="application/json")
    assert answer.status_code in {400, 409}
    assert "error" in answer.json


def test_a_linked_file_is_not_served(app, outside_file):
    (app.folder / "Ann.json").write_text("{}")
    (app.folder / "Ann.html").symlink_to(outside_file)
    for path in ("saved", "export/html"):
        assert app.get(f"/names/Ann/{path}").status_code == 404


def test_a_saved_report_has_no_access_to_the_app(app):
    app.folder.mkdir()
    (app.folder / "Ann.json").write_text("{}")
    (app.folder / "Ann.html").write_text("<script>parent</script>")
    headers = app.get("/names/Ann/saved").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert policy.endswith("; sandbox")  # nothing is allowed in it
    assert "Cross-Origin-Opener-Policy" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_all_jobs_are_told_and_stopped_at_once(app):
    began = threading.Event()

    def work(job):
        began.set()
        while True:
            job.check()

    jobs = [app.workspace.jobs.submit(name, work) for name in ("Ann", "Bob", "Cleo")]
    assert began.wait(5)
    told = app.get("/jobs").json["jobs"]
    assert [each["subject"] for each in told] == ["Ann", "Bob", "Cleo"]
    assert [each["state"] for each in told] == ["running", "waiting", "waiting"]
    assert app.delete("/jobs").status_code == 200
    for each in jobs:
        app.ended(SimpleNamespace(json={"url": f"/jobs/{each.id}"}))
    assert {each["state"] for each in app.get("/jobs").json["jobs"]} == {"stopped"}


def test_parts_of_reports_are_sent_and_no_other_file(app):
    assert "aria-keyshortcuts" in app.get("/shared/keyboard.js").text
    assert app.get("/shared/index.css").mimetype == "text/css"
    for name in ("correcting.js", "..%2fhtml.py", "%00"):
        assert app.get(f"/shared/{name}").status_code == 404


@pytest.mark.parametrize("path", ["/", "/static/app.css", "/static/jobs.js", "/none", "/jobs/1"])
def test_every_response_restricts_the_browser(app, path):
    headers = app.get(path).headers
    policy = headers["Content-Security-Policy"]
    for rule in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let jobs ignore it
import run_weps
sys.exit(run_weps.main(["serve", *sys.argv[1:]]))
"""


def asked(address: str, **headers: str) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=200)
    with closing(connection):
        connection.request("GET", "/", headers=headers)
        answer = connection.getresponse()
        return answer.status, str(answer.headers), answer.read()


def test_a_search_engine_that_is_not_set_up_is_told_at_once(weps, tmp_path):
    status, _, err = weps("serve", tmp_path / "results", "--engine", "brave")
    assert status == 1
    assert "brave is not set up; give BRAVE_API_KEY in the environment" in err
    assert not (tmp_path / "results").exists()


BROWSER = """#!/bin/sh
printf '%s' "$1" > "$WEPS_OPENED"
"""


@pytest.mark.slow
def test_the_command_serves_and_ends_at_ctrl_c(tmp_path):
    """The browser is not given the token on its command line, which everybody can see."""
    folder, browser, opened = tmp_path / "results", tmp_path / "browser", tmp_path / "opened"
    browser.write_text(BROWSER)
    browser.chmod(0o700)
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(folder), "--port", "0", "--open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"BROWSER": f"{browser} %s", "WEPS_OPENED": str(opened)},
    )
    try:
        address = process.stdout.readline().split()[2]
        token = address.partition("/?token=")[2]
        assert address.startswith("http://127.0.0.1:")
        assert len(token) >= 40
        cookie = f"weps-{urlsplit(address).port}={token}"
        status, headers, page = asked(address, Cookie=cookie)
        assert (status, b"Who is who" in page) == (200, True)
        assert "waitress" not in headers.lower()
        assert asked(address, Cookie=cookie, Host="evil.example")[0] == 403
        assert asked(address)[0] == 403
        while not (opened.exists() and opened.read_text()):
            time.sleep(0.1)
        shown = Path(urlsplit(opened.read_text()).path)
        assert token not in opened.read_text()
        assert f'url={address}"' in shown.read_text()
        assert stat.S_IMODE(shown.parent.stat().st_mode) == 0o700
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=200)
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert [each.name for each in folder.iterdir()] == [".send-key"]  # of the bookmark shown
