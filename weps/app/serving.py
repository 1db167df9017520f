"""A server for this machine alone."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from flask import Flask

from weps.app.uploads import MOST_BYTES
from weps.errors import OutputError

__all__ = ["HOST", "Server", "listen"]

HOST = "127.0.0.1"
_FIRST = 8737
_TRIED = 20
"""Ports, from the first one, that are tried where none was asked for."""


class Server(Protocol):
    """What waitress makes; it listens as soon as it is there."""

    effective_port: int | str

    def run(self) -> None:
        """Answer requests until it is interrupted."""

    def close(self) -> None:
        """Give the port back."""


def listen(app: Flask, port: int | None = None) -> Server:
    """A server that listens on 127.0.0.1.

    Args:
        app: who answers.
        port: 0 for any that is free, None for the usual one or the next that is free.

    Raises:
        OutputError: if the port is taken or may not be used.
    """
    opened = _opened(range(_FIRST, _FIRST + _TRIED) if port is None else [port])
    server: Server = import_module("waitress").create_server(
        app,
        sockets=[opened],
        threads=8,
        ident="",
        max_request_body_size=MOST_BYTES + (1 << 20),
        clear_untrusted_proxy_headers=True,
    )
    return server


def _opened(ports: Sequence[int]) -> socket.socket:
    """A socket on the first port that is free."""
    for port in ports:
        try:
            return socket.create_server((HOST, port))
        except OSError as error:
            if error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise
            taken = error.errno == errno.EADDRINUSE
    raise OutputError(
        "the port is in use" if taken else "you may not use this port",
        where=f"{HOST}:{ports[0]}" + (f" to {ports[-1]}" if len(ports) > 1 else ""),
        remedy="choose another with --port, or leave --port out",
    )
