"""The local server: few threads, and limits on the time and the number of connections.

One thread takes requests in, whole, and hands them to those that answer. A connection that is slow
to send one is closed, and where there are too many, the one that has waited longest makes room.
"""

from __future__ import annotations

import errno
import logging
import socket
import time
from collections.abc import Sequence
from typing import Any, Protocol

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer

from weps.app.access import HOST, Access
from weps.app.uploads import MAX_BYTES
from weps.errors import OutputError

_DEFAULT_PORT = 8737
_PORTS_TRIED = 20
"""Number of ports tried, from the default one, where none was given."""
MAX_REQUEST_BYTES = MAX_BYTES + (1 << 20)
"""Of a body: the files of an upload, and the other fields of its form."""
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


class Server(Protocol):
    """The server, which listens as soon as it exists."""

    effective_port: int | str

    def run(self) -> None:
        """Answer requests until it is interrupted."""

    def close(self) -> None:
        """Release the port."""


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
    usual = range(_DEFAULT_PORT, _DEFAULT_PORT + _PORTS_TRIED)
    opened = _open_socket(host, usual if port is None else [port])
    server: Server = _Server(app, access, opened)
    return server


class _Parser(HTTPRequestParser):  # type: ignore[misc] # waitress has no types
    """A request as it comes; of those without access the headers only, which say that."""

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
        server: _Server = self._channel.server
        if server.access.admits(self.headers.get("COOKIE", ""), server.effective_port):
            self._channel.admitted = True
        else:
            self.body_rcv, self.content_length, self.chunked = None, 0, False
            self.expect_continue = False
            self.headers |= {"CONTENT_LENGTH": "0", "CONNECTION": "close"}

    def is_late(self, now: float) -> bool:
        """Whether it should have come by now."""
        return bool(now - self.begun > REQUEST_SECONDS + self.body_bytes_received / BODY_RATE)


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

    def check_time(self, now: float) -> None:
        """Have it closed if its request is late."""
        request = self.request
        if self.waits and request is not None and request.is_late(now):
            self.will_close = True


class _Server(TcpWSGIServer):  # type: ignore[misc]
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
        place: tuple[Any, ...] = opened.family, opened.type, opened.proto, opened.getsockname()
        super().__init__(app, None, True, opened, adj=settings, sockinfo=place, bind_socket=False)

    def maintenance(self, now: float) -> None:
        """Close idle and late connections; called every second."""
        super().maintenance(now)
        for channel in tuple(self.active_channels.values()):
            channel.check_time(time.monotonic())

    def handle_accept(self) -> None:
        """Take a connection; of too many, one that waits is closed: first one without access.

        Never the latest, of which nothing has been read yet.
        """
        super().handle_accept()
        waiting = [each for each in self.active_channels.values() if each.waits]
        if len(waiting) > MAX_CONNECTIONS:
            oldest = min(waiting[:-1], key=lambda each: (each.admitted, each.creation_time))
            oldest.will_close = True


def _open_socket(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket on the first port that is free."""
    for port in ports:
        try:
            return socket.create_server((host, port))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                remedy = f"leave --listen out, which listens on {HOST}"
                what = "this is not an address of this machine"
                raise OutputError(what, where=host, remedy=remedy) from None
            if error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise
            taken = error.errno == errno.EADDRINUSE
    raise OutputError(
        "the port is in use" if taken else "permission to use this port was denied",
        where=f"{host}:{ports[0]}" + (f" to {ports[-1]}" if len(ports) > 1 else ""),
        remedy="choose another with --port, or leave --port out",
    )
