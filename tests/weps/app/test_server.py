"""The server: who has access, and what connections may take."""

import http.client
import json
import secrets
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress

import pytest
from flask import Flask

from tests.cases import each_case
from tests.weps.app.conftest import ADDRESS, OURS
from weps.app import server
from weps.app.server import Access, create_server
from weps.errors import OutputError

EVIL = "http://evil.example"


@pytest.mark.parametrize("host", ["127.0.0.1:8737", "localhost:8737"])
@pytest.mark.parametrize("site", ["none", "same-origin", "cross-site"])
def test_the_printed_address_lets_in_and_is_replaced_by_one_without_the_token(app, host, site):
    browser = app.flask.test_client()
    address, base = app.access.address(8737), f"http://{host}"
    headers = {"Sec-Fetch-Site": site}
    answer = browser.get(address.removeprefix(ADDRESS), base_url=base, headers=headers)
    if site == "cross-site":  # the cookie is sent with what the page asks for, not with a redirect
        assert (answer.status_code, 'content="0; url=/"' in answer.text) == (200, True)
    else:
        assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert app.access.token not in answer.text
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie == f"weps-8737={app.access.token}; HttpOnly; Path=/; SameSite=Strict"
    assert browser.get("/", base_url=base, headers={"Host": host.upper()}).status_code == 200


PATHS = [
    "/",
    "/static/app.css",
    "/favicon.ico",
    "/names/Ann/",
    "/jobs/1",
    "/none",
    "/names/Ann/saved",
]


@each_case(
    "sent",
    ["", "weps-8737=", "weps-8737=x", "weps-1={}", "weps-8737={}x", "weps-8737=é", "weps-8737"],
)
def test_without_the_token_there_is_nothing_but_how_to_get_in(app, sent):
    other = app.flask.test_client()
    headers = {"Cookie": sent.format(app.access.token)} if sent else {}
    tried = f"?token={secrets.token_urlsafe(32)}" if not sent else "?token=%ff%00é"
    for address in (*PATHS, *(path + tried for path in PATHS)):
        answer = other.get(address, base_url=ADDRESS, headers=headers)
        assert (answer.status_code, answer.mimetype) == (403, "text/plain"), address
        assert "Open the complete address that `weps serve` printed" in answer.text, address
        assert "Set-Cookie" not in answer.headers, address
    for path in PATHS:
        answer = other.post(path, base_url=ADDRESS, headers=OURS | headers)
        assert (answer.status_code, "printed" in answer.json["error"]) == (403, True), path


def test_the_token_is_compared_in_constant_time_and_new_each_time(app, monkeypatch):
    compared = []
    monkeypatch.setattr(
        "weps.app.server.hmac.compare_digest", lambda *pair: compared.append(pair) or False
    )
    assert app.get("/").status_code == 403
    assert compared
    assert len({type(app.access)().token for _ in range(99)}) == 99
    assert app.access.token not in repr(app.access)


@each_case(
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
def test_nobody_else_may_ask(app, headers):
    for path in ("/", "/static/app.css", "/names/Ann/", "/jobs/1", "/none"):
        answer = app.client.get(path, base_url=ADDRESS, headers=headers)
        assert (answer.status_code, answer.mimetype) == (403, "text/plain"), path
        assert "<" not in answer.text, path


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
def test_only_the_apps_own_pages_may_change_something(app, without):
    headers = {name: value for name, value in (OURS | without).items() if value is not None}
    for method, path in WRITING:
        answer = app.client.open(path, method=method, base_url=ADDRESS, headers=headers)
        assert answer.status_code == 403, path
        assert not app.folder.exists(), path
        assert not app.workspace.jobs.all(), path


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_it_listens_on_this_machine_only_unless_told_otherwise():
    for told, host in (([], "127.0.0.1"), (["0.0.0.0"], "0.0.0.0")):  # noqa: S104 - as in a container
        with closing(create_server(Flask("empty"), Access(), 0, *told)) as made:
            assert made.socket.getsockname() == (host, int(made.effective_port))
    with pytest.raises(OutputError, match=r"192\.0\.2\.1:0: cannot listen there"):
        create_server(Flask("empty"), Access(), 0, "192.0.2.1")


def test_a_port_in_use_is_an_error_and_the_usual_one_passed_over(taken, monkeypatch):
    with pytest.raises(OutputError, match=f"{taken}: cannot listen there .*in use"):
        create_server(Flask("empty"), Access(), taken)
    monkeypatch.setattr(server, "_DEFAULT_PORT", taken)
    with closing(create_server(Flask("empty"), Access())) as made:
        assert int(made.effective_port) != taken


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


@pytest.mark.parametrize(
    ("key", "length", "told"),
    [
        (True, 0, b"whether https://harbour.example may send"),
        (True, server.MAX_SENT_BYTES + 1, b"over 16 MB"),
        (False, 0, b"printed in its terminal"),
    ],
)
def test_a_body_of_another_origin_is_read_with_the_key_of_sending_and_up_to_a_limit(
    running, key, length, told
):
    app, port = running
    address = f"{server.SEND_PATH}?key={app.access.send_key if key else 0}"
    site = "https://harbour.example"
    body = json.dumps({"name": "Ada Lovell", "url": site, "html": "Ada"}).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        head = f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {site}\r\n"
        fields = f"Connection: close\r\nContent-Length: {length or len(body)}\r\n\r\n"
        connection.sendall(f"{head}{fields}".encode() + body)
        assert told in closed(connection)
