"""The application and its command."""

import http.client
import os
import signal
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--url", "ftp://x"), "not an address of a SearXNG"),
        (("--engine", "brave"), "brave is not set up; give BRAVE_API_KEY in the environment"),
        (("--engine", "searxng"), "searxng is not set up; give --url or WEPS_SEARXNG_URL"),
    ],
)
def test_a_search_engine_that_is_not_set_up_is_told_at_once(weps, tmp_path, words, message):
    status, _, err = weps("serve", tmp_path / "results", *words)
    assert status == 1
    assert message in err
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
    assert [*folder.iterdir()] == []
