"""Only searches leave the machine: no other command opens a connection off it, or asks for a name.

Each command runs with a hook (PEP 578) in every process of Python that it starts, which refuses and
records whatever would leave the machine.
"""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOOK = """
import ipaddress, os, sys

EVENTS = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1, "socket.getaddrinfo": 0,
          "socket.gethostbyname": 0, "socket.gethostbyaddr": 0, "socket.getnameinfo": 0}

def local(host):
    if isinstance(host, tuple):
        host = host[0]
    elif host is None or isinstance(host, bytes) or str(host).startswith(("/", "\\0")):
        return True  # a socket in the file system, or one that is connected
    try:
        address = ipaddress.ip_address(host)
        return address.is_loopback or address.is_unspecified  # the latter is this machine, too
    except ValueError:
        return host in ("localhost", "")

def watch(event, arguments):
    if event in EVENTS and not local(arguments[EVENTS[event]]):
        with open(os.environ["LEAKS"], "a") as file:
            file.write(f"{event} {arguments[EVENTS[event]]}\\n")
        raise OSError("nothing may leave this machine")

sys.addaudithook(watch)
"""
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Start Python with the hook."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK)
    environment = os.environ | {
        "LEAKS": str(tmp_path / "leaks"),
        "PYTHONPATH": os.pathsep.join(map(str, (tmp_path / "hook", ROOT, ROOT / "eval"))),
        "WEPS_CACHE": str(tmp_path / "cache"),
    }

    def run(*words: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *map(str, words)],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


def leaks(tmp_path: Path) -> str:
    file = tmp_path / "leaks"
    return file.read_text() if file.exists() else ""


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("socket.create_connection(('192.0.2.1', 80))", "getaddrinfo 192.0.2.1"),
        ("socket.socket().connect(('192.0.2.1', 80))", "connect ('192.0.2.1', 80)"),
        ("socket.getaddrinfo('name.example', 80)", "getaddrinfo name.example"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))", "sendto"),
        ("urllib.request.urlopen('http://name.example')", "getaddrinfo name.example"),
    ],
)
def test_what_leaves_the_machine_is_seen(start, tmp_path, code, seen):
    process = start("-c", f"import socket, urllib.request; {code}")
    assert "nothing may leave this machine" in process.communicate()[1]
    assert seen in leaks(tmp_path)


def test_a_process_of_a_process_is_watched_as_well(start, tmp_path):
    code = "import socket; socket.socket().connect(('192.0.2.1', 80))"
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])"
    start("-c", inner).communicate()
    assert "connect" in leaks(tmp_path)


@pytest.mark.slow
def test_commands_but_searches_open_no_connection(start, tmp_path):
    demo = ROOT / "resources" / "demo" / "Robin_Averdale"
    for name in ("Robin_Averdale", "Robin_A"):
        shutil.copytree(demo, tmp_path / "pages" / name)
    result = "weps-out/Robin_Averdale.json"
    for words in (
        ("cluster", "pages", "--jobs", 2),
        ("update", result, "pages/Robin_A", "--name", "Robin Averdale"),
        ("forget", "Robin A", "--yes"),
        ("cache", "--clear"),
    ):
        process = start(ROOT / "run_weps.py", *words)
        told = process.communicate()
        assert (process.returncode, leaks(tmp_path)) == (0, ""), told
    assert not list((tmp_path / "weps-out").glob("Robin_A.*"))


def test_the_app_opens_no_connection_by_itself(start, tmp_path):
    process = start(ROOT / "run_weps.py", "serve", "--port", 0)
    try:
        told = process.stdout.readline() or process.stderr.read()
        address, _, path = told.partition("http://")[2].partition(" ")[0].partition("/")
        assert path, told
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("GET", f"/{path}")
        entered = connection.getresponse()
        entered.read()
        cookie = entered.headers["Set-Cookie"].partition(";")[0]
        connection.request("GET", "/", headers={"Cookie": cookie})
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert leaks(tmp_path) == ""
