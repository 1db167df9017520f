"""The server: where it listens, and what slow and many connections do to it."""

import http.client
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress

import pytest
from flask import Flask

from weps.app import server
from weps.app.access import Access
from weps.app.server import create_server
from weps.errors import OutputError


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_it_listens_on_this_machine_only_unless_told_otherwise():
    for told, host in (([], "127.0.0.1"), (["0.0.0.0"], "0.0.0.0")):  # noqa: S104 - as in a container
        made = create_server(Flask("empty"), Access(), 0, *told)
        assert made.socket.getsockname() == (host, int(made.effective_port))
        made.close()
    with pytest.raises(OutputError, match=r"192\.0\.2\.1: this is not an address of this machine"):
        create_server(Flask("empty"), Access(), 0, "192.0.2.1")


def test_a_port_in_use_is_an_error_and_the_usual_one_passed_over(taken, monkeypatch):
    with pytest.raises(OutputError, match=f"{taken}: the port is in use; choose another"):
        create_server(Flask("empty"), Access(), taken)
    monkeypatch.setattr(server, "_DEFAULT_PORT", taken)
    made = create_server(Flask("empty"), Access())
    assert int(made.effective_port) != taken
    made.close()


@pytest.fixture
def running(app, monkeypatch):
    """The app at work; a request has a second, a connection that waits three."""
    monkeypatch.setattr(server, "REQUEST_SECONDS", 1.0)
    monkeypatch.setattr(server, "IDLE_SECONDS", 3)
    made = create_server(app.flask, app.access, 0)

    def run():
        with suppress(OSError):  # it is closed while it waits for the socket
            made.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield app, int(made.effective_port)
    made.task_dispatcher.shutdown()
    for channel in tuple(made.active_channels.values()):
        channel.will_close = True  # by the thread, which ends when there is none left
    made.close()
    thread.join(20)


def head(app, port, method="GET", cookie=True, **fields):
    fields = {"Host": f"127.0.0.1:{port}", "X-Weps": "1"} | fields
    if cookie:
        fields["Cookie"] = f"weps-{port}={app.access.token}"
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"{method} / HTTP/1.1\r\n{lines}".encode()


def asked(app, port):
    """The status of an answer that comes while others wait."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", "/", headers={"Cookie": f"weps-{port}={app.access.token}"})
        return connection.getresponse().status


def closed(connection):
    """What came until the server closed a connection; fails where it leaves it open."""
    connection.settimeout(60)
    received = b""
    try:
        while part := connection.recv(1 << 16):
            received += part
    except ConnectionError:
        pass
    return received


@pytest.mark.slow
@pytest.mark.parametrize("cookie", [True, False])
@pytest.mark.parametrize("sent", ["nothing", "half a head", "a head and half a body"])
def test_many_connections_that_wait_block_nobody_and_are_closed(running, sent, cookie):
    app, port = running
    with ExitStack() as stack:
        waiting = []
        for _ in range(300):
            connection = socket.create_connection(("127.0.0.1", port), timeout=60)
            waiting.append(stack.enter_context(connection))
            if sent == "half a head":
                connection.sendall(head(app, port, cookie=cookie))
            elif sent == "a head and half a body":
                length = 50_000_000
                connection.sendall(
                    head(app, port, "POST", cookie, Content_Length=length) + b"\r\nx"
                )
        assert asked(app, port) == 200
        for connection in waiting:
            answer = closed(connection)
            assert answer.startswith(b"HTTP/1.1 403") if answer else True
        assert asked(app, port) == 200


@pytest.mark.slow
@pytest.mark.parametrize("body", [False, True])
def test_a_request_that_comes_drop_by_drop_is_cut_off(running, body):
    app, port = running
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        begun = head(app, port, "POST", Content_Length=10**6)
        connection.sendall(begun + (b"\r\n" if body else b"X-"))
        with pytest.raises(ConnectionError):
            feed(connection)


def feed(connection):
    """A letter ten times a second, for a minute."""
    for _ in range(600):
        connection.sendall(b"a")
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("cookie", [True, False])
def test_a_body_is_waited_for_with_the_token_only(running, cookie):
    app, port = running
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head(app, port, "POST", cookie, Content_Length=4_000_000) + b"\r\n")
        if cookie:
            connection.sendall(bytes(4_000_000))
        assert connection.recv(99).split()[1] == (b"405" if cookie else b"403")


@pytest.mark.slow
@pytest.mark.parametrize("value", ["9" * 5000, "-1", "1e3", "", "1, 1"])
def test_a_length_that_is_no_number_is_a_bad_request(running, value, caplog):
    app, port = running
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head(app, port, "POST", Content_Length=value) + b"\r\n")
        assert closed(connection).startswith(b"HTTP/1.1 4")
    assert "Traceback" not in caplog.text
    assert asked(app, port) == 200
