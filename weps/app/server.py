"""The local server: who may use the app, and how much of it at a time.

Every account of the machine can connect to 127.0.0.1, so each run has a random token, which is part
of the address that the command prints and is kept in a cookie. Pages in the same browser can send
requests there, too: they are rejected if they come under another host's name (DNS rebinding), from
a page of another origin, or if they change something without the header that only the app's own
scripts send. One address takes pages that others send of themselves; it has a key of its own.

One thread takes requests in, whole, and hands them to those that answer. A connection that is slow
to send one is closed, and where there are too many, the one that has waited longest makes room.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from flask import Flask, Response, abort, request
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from werkzeug.http import parse_cookie

from weps._files import atomic_write, read_bytes
from weps.app.workspace import MAX_BYTES
from weps.errors import OutputError, WepsError, told_as

HOST = "127.0.0.1"
_HOSTS = (HOST, "localhost")
SAFE_METHODS = frozenset({"GET", "HEAD"})
SEND_PATH = "/send"
"""Where pages of any origin may send themselves, with the key of this address."""
MAX_SENT_BYTES = 16 << 20
"""Bytes of such a page."""
_PARAMETER = "token"
_NO_ACCESS = (
    "This app is open only to the person who started it. Open the complete address that "
    "`weps serve` printed in its terminal, including the token. Each start of `weps serve` has its "
    "own token: earlier addresses and tabs no longer work."
)
_ENTRY_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/">
<title>weps</title><p><a href="/">All results</a></p></html>
"""


@dataclass(frozen=True, slots=True)
class Access:
    """The token of a run of the app."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    send_key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """The key of :data:`SEND_PATH`, which bookmarks have; see :func:`kept_key`."""

    def address(self, port: int | str) -> str:
        """The address that lets its reader in."""
        return f"http://{HOST}:{port}/?{_PARAMETER}={self.token}"

    def admits(self, cookies: str, port: int | str) -> bool:
        """Whether the header ``Cookie`` of a request has the token."""
        return _equal(parse_cookie(cookies).get(_cookie_name(port), ""), self.token)

    def key_of(self, path: str) -> str:
        """The key of an address, which lets in whoever has it there alone: to read, or to send.

        Browsers send no cookie with requests that a sandboxed page makes, or one of another origin.
        """
        if path == SEND_PATH:
            return self.send_key
        return hmac.new(self.token.encode(), path.encode(), "sha256").hexdigest()

    def check_request(self) -> Response | None:
        """Reject requests from elsewhere; a response to the first request of a browser.

        That one has the token in its address. The answer moves it into a cookie and leads to the
        address without it.
        """
        port = request.environ["SERVER_PORT"]  # the socket's own, whatever the request says
        hosts = {f"{host}:{port}" for host in _HOSTS} | (set(_HOSTS) if port == "80" else set())
        if request.headers.get("Host", "").lower() not in hosts:
            abort(403, "The address of this app is 127.0.0.1; other host names are rejected.")
        elsewhere = request.headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}
        reading = request.method in SAFE_METHODS
        if request.path == "/" and _equal(request.args.get(_PARAMETER, ""), self.token):
            # Browsers send no cookie along a redirect where a link led here, but from a page.
            response = Response(status=303, headers={"Location": "/"})
            if elsewhere:
                response = Response(_ENTRY_PAGE, mimetype="text/html")
            response.set_cookie(
                _cookie_name(port), self.token, path="/", httponly=True, samesite="Strict"
            )
            return response
        keyed = _equal(request.args.get("key", ""), self.key_of(request.path))
        if keyed and (reading or request.path == SEND_PATH):
            return None
        if not self.admits(request.headers.get("Cookie", ""), port):
            abort(403, _NO_ACCESS)
        own = f"http://{request.headers['Host']}"
        if request.headers.get("Origin", own) != own:
            abort(403, "Only pages of this app may request this.")
        if elsewhere:
            abort(403, "Only pages of this app may request this: type the address instead.")
        if not reading and request.headers.get("X-Weps") != "1":
            abort(403, "Only pages of this app may change something.")
        return None


def kept_key(folder: Path) -> str:
    """The key of :data:`SEND_PATH` for a folder of results, made at its first use."""
    file, new = folder / ".send-key", secrets.token_urlsafe(32)
    with suppress(OSError, ValueError, WepsError):  # then bookmarks last as long as this run
        if not file.exists():
            atomic_write({file: new.encode()}, private=True)
        kept = read_bytes(file, 100, OutputError).decode("ascii")
        return kept if len(kept) == len(new) and kept.isprintable() else new
    return new


def _equal(text: str, secret: str) -> bool:
    """Whether they are equal, in the same time for all texts of a length."""
    return hmac.compare_digest(text.encode("utf-8", "replace"), secret.encode())


def _cookie_name(port: int | str) -> str:
    """Cookies of one host are shared by all ports."""
    return f"weps-{port}"


_DEFAULT_PORT = 8737
_PORTS_TRIED = 20
"""Number of ports tried, from the default one, where none was given."""
MAX_REQUEST_BYTES = MAX_BYTES + (1 << 20)
"""Bytes of a body: the files of an upload, and the other fields of its form."""
MAX_HEADER_BYTES = 32 << 10
MAX_CONNECTIONS = 100
THREADS = 8
"""Requests that are answered at a time."""
REQUEST_SECONDS = 10.0
"""For the headers, from the first byte on; a body may take longer if it comes fast enough."""
BODY_RATE = 100_000
"""Bytes a second, on average, of a body that takes longer."""
IDLE_SECONDS = 30
"""Until a connection without a request is closed, or one that does not take its answer."""


def create_server(app: Flask, access: Access, port: int | None = None, host: str = HOST) -> Server:
    """A server that listens on 127.0.0.1, unless another address is given.

    Args:
        app: the WSGI application.
        access: bodies are only taken from those who have it.
        port: 0 for any free one, None for the usual one or the next free one.
        host: the IPv4 address to listen on, such as 0.0.0.0 within a container. Requests are
            answered if they are sent to 127.0.0.1 or localhost, whatever it is.

    Raises:
        OutputError: if the port is taken or may not be used, or the address is not this machine's.
    """
    ports = [port] if port is not None else range(_DEFAULT_PORT, _DEFAULT_PORT + _PORTS_TRIED)
    for each in ports[:-1]:
        with suppress(OSError):
            return Server(app, access, socket.create_server((host, each)))
    with told_as(
        OutputError,
        "cannot listen there",
        f"{host}:{ports[-1]}",
        "choose another port or address, or leave --port and --listen out",
    ):
        return Server(app, access, socket.create_server((host, ports[-1])))


class _Parser(HTTPRequestParser):  # type: ignore[misc] # waitress has no types
    """A request as it comes; of those without access the headers only, which say that."""

    content_length: int
    chunked: bool

    def __init__(self, channel: _Channel) -> None:
        super().__init__(channel.adj)
        self.begun = time.monotonic()
        self._channel = channel

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers once they are complete."""
        try:
            super().parse_header(header_plus)
        except ValueError:  # more digits than Python reads
            raise ParsingError("Content-Length is invalid") from None
        server: Server = self._channel.server
        address = f"{SEND_PATH}?key={server.access.key_of(SEND_PATH)}"
        if server.access.admits(self.headers.get("COOKIE", ""), server.effective_port):
            self._channel.admitted = True
        elif not _equal(self.request_uri, address) or (
            self.chunked or self.content_length > MAX_SENT_BYTES
        ):
            self.body_rcv, self.content_length, self.chunked = None, 0, False
            self.expect_continue = False
            self.headers |= {"CONTENT_LENGTH": "0", "CONNECTION": "close"}


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    admitted = False
    """Whether a request on it came from somebody with access."""

    def parser_class(self, _adjustments: Adjustments) -> _Parser:
        """Begin to read a request."""
        return _Parser(self)

    @property
    def waits(self) -> bool:
        """Whether no request on it is complete."""
        return not self.requests and not self.will_close


class Server(TcpWSGIServer):  # type: ignore[misc]
    """The server, which listens as soon as it exists, at its ``effective_port``."""

    channel_class = _Channel

    def __init__(self, app: Flask, access: Access, opened: socket.socket) -> None:
        self.access = access
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that requests wait is usual
        settings = Adjustments(
            sockets=[opened],
            threads=THREADS,
            ident="",
            max_request_body_size=MAX_REQUEST_BYTES,
            max_request_header_size=MAX_HEADER_BYTES,
            connection_limit=2 * MAX_CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=1,
            clear_untrusted_proxy_headers=True,
        )
        place = opened.family, opened.type, opened.proto, opened.getsockname()
        super().__init__(app, None, True, opened, adj=settings, sockinfo=place, bind_socket=False)

    def maintenance(self, now: float) -> None:
        """Close idle and late connections; called every second."""
        super().maintenance(now)
        for channel in tuple(self.active_channels.values()):
            coming = channel.request
            if channel.waits and coming is not None:
                channel.will_close = time.monotonic() - coming.begun > (
                    REQUEST_SECONDS + coming.body_bytes_received / BODY_RATE
                )

    def handle_accept(self) -> None:
        """Take a connection; of too many, one that waits is closed: first one without access.

        Never the latest, of which nothing has been read yet.
        """
        super().handle_accept()
        waiting = [each for each in self.active_channels.values() if each.waits]
        if len(waiting) > MAX_CONNECTIONS:
            min(waiting[:-1], key=attrgetter("admitted", "creation_time")).will_close = True

    def close(self) -> None:
        """Stop listening, close all connections, and wait until no request is being answered."""
        for channel in tuple(self.active_channels.values()):
            channel.handle_close()
        self.task_dispatcher.shutdown()  # its threads write to what is closed next
        super().close()
