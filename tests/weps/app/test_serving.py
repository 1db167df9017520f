"""A server for this machine alone, and the command that starts it."""

import http.client
import signal
import socket
import subprocess
import sys
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from flask import Flask

from weps.app import serving
from weps.app.serving import listen
from weps.errors import OutputError

COMMAND = """
import argparse, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let jobs ignore it
from weps.commands import serve
from weps.commands.console import Console
parser = argparse.ArgumentParser()
serve.arguments(parser)
sys.exit(serve.run(parser.parse_args(), Console()))
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
    server = listen(Flask("empty"), 0)
    assert server.socket.getsockname() == ("127.0.0.1", int(server.effective_port))
    server.close()


def test_a_port_in_use_is_told_and_the_usual_one_passed_over(taken, monkeypatch):
    with pytest.raises(OutputError, match=f"{taken}: the port is in use; choose another"):
        listen(Flask("empty"), taken)
    monkeypatch.setattr(serving, "_FIRST", taken)
    server = listen(Flask("empty"))
    assert int(server.effective_port) != taken
    server.close()


def test_the_command_serves_and_ends_at_ctrl_c(tmp_path):
    folder = tmp_path / "results"
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(folder), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        address = process.stdout.readline().split()[3]
        assert address.startswith("http://127.0.0.1:")
        status, headers, page = asked(address)
        assert (status, b"Who is who" in page) == (200, True)
        assert "waitress" not in headers.lower()
        assert asked(address, Host="evil.example")[0] == 403
    finally:
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=200)
    assert process.returncode == 0
    assert "Traceback" not in told[1]
    assert folder.is_dir()
