"""The application factory: access, security headers and error responses."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from weps.app.access import SAFE_METHODS, Access
from weps.app.jobs import Jobs, log_fault
from weps.app.routes import routes
from weps.app.server import MAX_REQUEST_BYTES
from weps.app.session import AppSettings
from weps.app.storage import ResultStore
from weps.app.uploads import MAX_BYTES, MAX_FILES
from weps.app.workspace import SessionPool, Workspace
from weps.errors import (
    ConflictError,
    CorrectionsError,
    OutputError,
    WepsError,
    describe_error,
    is_foreseen,
)
from weps.report.html import read_asset
from weps.report.safe_text import protect_environment

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
}


_STATUS = {OutputError: 500, CorrectionsError: 409, ConflictError: 412}
"""Class of an error → status of the response; 400 for others."""


def _handle_weps_error(error: WepsError) -> tuple[Response | str, int]:
    return _error_response(error.describe(), _STATUS.get(type(error), 400))


def _handle_fault(error: Exception) -> tuple[Response | str, int]:
    if is_foreseen(error):
        return _error_response(describe_error(error), 500)
    log_fault(request.path, error)
    message = "Internal error; no data was lost. Please report the message in the terminal."
    return _error_response(message, 500)


def _handle_http_error(error: HTTPException) -> tuple[Response | str, int]:
    status = error.code or 500
    # Werkzeug's descriptions are for programmers; 403 and 409 are only raised with our own.
    message = _MESSAGES.get(status, error.description or error.name)
    return _error_response(message, status)


def _error_response(message: str, status: int) -> tuple[Response | str, int]:
    """JSON for scripts, otherwise a page; a plain one for those who may not see the app."""
    if request.method not in SAFE_METHODS or request.headers.get("X-Weps"):
        return jsonify(error=message), status
    if status == 403:
        return Response(message, mimetype="text/plain"), status
    return render_template("error.html", message=message), status


_SHARED = dict.fromkeys(("index.css", "keyboard.css"), "text/css") | dict.fromkeys(
    ("keyboard.js", "names.js"), "text/javascript"
)
"""Parts of reports that the app's own pages use as well."""


def _send_shared(name: str) -> Response:
    if name not in _SHARED:
        abort(404)
    return Response(read_asset(name), mimetype=_SHARED[name])


_MAX_OTHER_FIELDS = 10
_LONGEST_TEXT = 10_000
"""Characters of a text that a page shows, e.g. of a path."""


def create_app(folder: Path, settings: AppSettings, access: Access) -> Flask:
    """The app for a folder of results.

    ``app.extensions["weps"]`` is its :class:`~weps.app.workspace.Workspace`, whose jobs are to be
    closed when the app ends.

    Args:
        folder: of the results; made with the first result.
        settings: how new pages are clustered.
        access: of those who may use it.
    """
    app = Flask("weps.app")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES,
        MAX_FORM_PARTS=MAX_FILES + _MAX_OTHER_FIELDS,
        SEND_FILE_MAX_AGE_DEFAULT=0,
    )
    protect_environment(app.jinja_env, _LONGEST_TEXT)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    store = ResultStore(folder.absolute())
    app.extensions["weps"] = Workspace(store, SessionPool(store, settings), Jobs(), settings)
    app.extensions["weps-access"] = access
    app.before_request(access.check_request)
    app.after_request(_add_security_headers)
    app.register_error_handler(WepsError, _handle_weps_error)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(Exception, _handle_fault)
    app.register_blueprint(routes)
    app.add_url_rule("/shared/<name>", "shared", _send_shared)
    return app
