"""The application factory: access control, error responses and the local server.

Other pages in the same browser can send requests to 127.0.0.1, too. Requests are rejected if they
come under another host's name (DNS rebinding), from a page of another origin, or if they change
something without the header that only the app's own scripts send.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

from flask import Flask, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from weps.app.jobs import Jobs
from weps.app.routes import routes
from weps.app.session import AppSettings
from weps.app.storage import ResultStore
from weps.app.uploads import MAX_BYTES, MAX_FILES
from weps.app.workspace import SessionPool, Workspace
from weps.errors import CorrectionsError, OutputError, WepsError
from weps.report.safe_text import protect_environment

_HOSTS = ("127.0.0.1", "localhost")
_SAFE_METHODS = frozenset({"GET", "HEAD"})
_CROSS_SITES = frozenset({"cross-site", "same-site"})
_COMMON_POLICY = "base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + _COMMON_POLICY
)
"""Of the app's own pages. A report has its own policy, which allows the app and no other host."""
_SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def _check_request() -> None:
    """Reject requests from elsewhere."""
    port = request.environ["SERVER_PORT"]  # the socket's own, whatever the request says
    hosts = {f"{host}:{port}" for host in _HOSTS} | (set(_HOSTS) if port == "80" else set())
    if request.headers.get("Host", "").lower() not in hosts:
        abort(403, "The address of this app is 127.0.0.1; other host names are rejected.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.headers['Host']}":
        abort(403, "Only pages of this app may request this.")
    if request.headers.get("Sec-Fetch-Site") in _CROSS_SITES:
        abort(403, "Only pages of this app may request this: type the address instead.")
    if request.method not in _SAFE_METHODS and request.headers.get("X-Weps") != "1":
        abort(403, "Only pages of this app may change something.")


def _add_security_headers(response: Response) -> Response:
    response.headers.update(_SECURITY_HEADERS)
    response.headers.setdefault("Content-Security-Policy", POLICY)
    if "sandbox" in response.headers["Content-Security-Policy"]:  # browsers refuse both together
        del response.headers["Cross-Origin-Opener-Policy"]
    return response


_MESSAGES = {
    400: "The request is invalid.",
    404: "Not found: the result may have been deleted or renamed.",
    405: "This method is not allowed here.",
    413: f"Too large: at most {MAX_FILES:,} files and {MAX_BYTES >> 20} MB at a time.",
    415: "The request is invalid.",
    500: "Internal error; nothing was lost. Please report the traceback in the terminal.",
}


_STATUS = {OutputError: 500, CorrectionsError: 409}
"""Class of an error → status of the response; 400 for others."""


def _handle_weps_error(error: WepsError) -> tuple[Response | str, int]:
    return _error_response(error.describe(), _STATUS.get(type(error), 400))


def _handle_http_error(error: HTTPException) -> tuple[Response | str, int]:
    status = error.code or 500
    # Werkzeug's descriptions are for programmers; 403 and 409 are only raised with our own.
    message = _MESSAGES.get(status, error.description or error.name)
    if status == 403:  # not a page of the app
        return Response(message, mimetype="text/plain"), status
    return _error_response(message, status)


def _error_response(message: str, status: int) -> tuple[Response | str, int]:
    """JSON for scripts, otherwise a page."""
    if request.method not in _SAFE_METHODS or request.headers.get("X-Weps"):
        return jsonify(error=message), status
    return render_template("error.html", message=message), status


_MAX_OTHER_FIELDS = 10
_FORM_BYTES = 1 << 20
_LONGEST_TEXT = 10_000
"""Characters of a text that a page shows, e.g. of a path."""


def create_app(folder: Path, settings: AppSettings) -> Flask:
    """The app for a folder of results.

    ``app.extensions["weps"]`` is its :class:`~weps.app.workspace.Workspace`, whose jobs are to be
    closed when the app ends.

    Args:
        folder: of the results; made with the first result.
        settings: how new pages are clustered.
    """
    app = Flask("weps.app")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BYTES + _FORM_BYTES,
        MAX_FORM_PARTS=MAX_FILES + _MAX_OTHER_FIELDS,
        SEND_FILE_MAX_AGE_DEFAULT=0,
    )
    protect_environment(app.jinja_env, _LONGEST_TEXT)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    store = ResultStore(folder.absolute())
    app.extensions["weps"] = Workspace(store, SessionPool(store, settings), Jobs(), settings)
    app.before_request(_check_request)
    app.after_request(_add_security_headers)
    app.register_error_handler(WepsError, _handle_weps_error)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_blueprint(routes)
    return app


HOST = "127.0.0.1"
_DEFAULT_PORT = 8737
_PORTS_TRIED = 20
"""Number of ports tried, from the default one, where none was given."""


class Server(Protocol):
    """The server made by waitress; it listens as soon as it exists."""

    effective_port: int | str

    def run(self) -> None:
        """Answer requests until it is interrupted."""

    def close(self) -> None:
        """Release the port."""


def create_server(app: Flask, port: int | None = None) -> Server:
    """A server that listens on 127.0.0.1.

    Args:
        app: the WSGI application.
        port: 0 for any free one, None for the usual one or the next free one.

    Raises:
        OutputError: if the port is taken or may not be used.
    """
    usual = range(_DEFAULT_PORT, _DEFAULT_PORT + _PORTS_TRIED)
    opened = _open_socket(usual if port is None else [port])
    server: Server = import_module("waitress").create_server(
        app,
        sockets=[opened],
        threads=8,
        ident="",
        max_request_body_size=MAX_BYTES + _FORM_BYTES,
        clear_untrusted_proxy_headers=True,
    )
    return server


def _open_socket(ports: Sequence[int]) -> socket.socket:
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
