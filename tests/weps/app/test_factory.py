"""The application and its command."""

import http.client
import signal
import socket
import subprocess
import sys
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from flask import Flask

from weps.app import factory
from weps.app.factory import create_server
from weps.errors import OutputError

ADDRESS = "http://127.0.0.1:8737"
EVIL = "http://evil.example"
OURS = {"X-Weps": "1", "Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize("host", ["127.0.0.1:8737", "localhost:8737", "LOCALHOST:8737"])
def test_the_machine_itself_may_ask(app, host):
    headers = {"Host": host, "Sec-Fetch-Site": "none"}
    assert app.client.get("/", base_url=ADDRESS, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:8737"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:80"},
        {"Host": "127.0.0.1:8737.evil.example"},
        {"Host": "localhost:8737@evil.example"},
        {"Host": "[::1]:8737"},
        {"Host": ""},
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8737"},
        {"Origin": "http://localhost:8737"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example:8737", "Origin": "http://evil.example:8737"},
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/app.css", "/names/Ann/", "/jobs/1", "/none"])
def test_nobody_else_may_ask(app, headers, path):
    answer = app.client.get(path, base_url=ADDRESS, headers=headers)
    assert answer.status_code == 403
    assert answer.mimetype == "text/plain"
    assert "<" not in answer.text


WRITING = [
    ("POST", "/names"),
    ("POST", "/demo"),
    ("POST", "/search/plan"),
    ("POST", "/search"),
    ("POST", "/names/Ann/corrections"),
    ("POST", "/names/Ann/delete"),
    ("POST", "/names/Ann/cluster"),
    ("DELETE", "/jobs/1"),
    ("PUT", "/names/Ann/"),
]


@pytest.mark.parametrize(("method", "path"), WRITING)
@pytest.mark.parametrize(
    "without",
    [
        {"X-Weps": None},
        {"X-Weps": "0"},
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example:8737"},
    ],
)
def test_only_the_apps_own_pages_may_change_something(app, method, path, without):
    headers = {name: value for name, value in (OURS | without).items() if value is not None}
    answer = app.client.open(path, method=method, base_url=ADDRESS, headers=headers)
    assert answer.status_code == 403
    assert not app.folder.exists()
    assert not app.workspace.jobs.all()


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
import argparse, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let jobs ignore it
from weps.cli import serve
from weps.cli.console import Console
parser = argparse.ArgumentParser()
serve.add_arguments(parser)
sys.exit(serve.run_command(parser.parse_args(), Console()))
"""


def asked(address: str, **headers: str) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=200)
    with closing(connection):
        connection.request("GET", "/", headers=headers)
        answer = connection.getresponse()
        return answer.status, str(answer.headers), answer.read()


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_it_listens_on_this_machine_only():
    server = create_server(Flask("empty"), 0)
    assert server.socket.getsockname() == ("127.0.0.1", int(server.effective_port))
    server.close()


def test_a_port_in_use_is_an_error_and_the_usual_one_passed_over(taken, monkeypatch):
    with pytest.raises(OutputError, match=f"{taken}: the port is in use; choose another"):
        create_server(Flask("empty"), taken)
    monkeypatch.setattr(factory, "_DEFAULT_PORT", taken)
    server = create_server(Flask("empty"))
    assert int(server.effective_port) != taken
    server.close()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--url", "ftp://x"), "no address of a SearXNG"),
        (("--engine", "brave"), "brave is not set up; give BRAVE_API_KEY in the environment"),
        (("--engine", "searxng"), "searxng is not set up; give --url or WEPS_SEARXNG_URL"),
    ],
)
def test_a_search_engine_that_is_not_set_up_is_told_at_once(weps, tmp_path, words, message):
    status, _, err = weps("serve", tmp_path / "results", *words)
    assert status == 1
    assert message in err
    assert not (tmp_path / "results").exists()


@pytest.mark.slow
def test_the_command_serves_and_ends_at_ctrl_c(tmp_path):
    folder = tmp_path / "results"
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(folder), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        address = process.stdout.readline().split()[2]
        assert address.startswith("http://127.0.0.1:")
        status, headers, page = asked(address)
        assert (status, b"Who is who" in page) == (200, True)
        assert "waitress" not in headers.lower()
        assert asked(address, Host="evil.example")[0] == 403
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=200)
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert folder.is_dir()
