"""What goes back to the browser when something is refused or fails: one sentence, no traceback."""

from __future__ import annotations

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from weps.app.uploads import MOST_BYTES, MOST_FILES
from weps.errors import CorrectionsError, OutputError, WepsError

__all__ = ["register_errors"]

_PLAIN = {
    400: "This request cannot be understood.",
    404: "There is nothing here: the result may have been deleted, or renamed.",
    405: "This cannot be done here.",
    413: f"This is too much: at most {MOST_FILES} pages and {MOST_BYTES >> 20} MB at a time.",
    415: "This request cannot be understood.",
    500: "A fault in weps; nothing was lost. Please report what the terminal says.",
}


def register_errors(app: Flask) -> None:
    """Let the app answer errors in the form that was asked for: JSON to scripts, else a page."""
    app.register_error_handler(WepsError, _mendable)
    app.register_error_handler(HTTPException, _refused)


def _mendable(error: WepsError) -> tuple[Response | str, int]:
    """What is wrong, where, and what to do about it."""
    status = 500 if isinstance(error, OutputError) else 400
    return _reply(error.describe(), 409 if isinstance(error, CorrectionsError) else status)


def _refused(error: HTTPException) -> tuple[Response | str, int]:
    status = error.code or 500
    # Werkzeug's own words are for programmers; 403 and 409 are only ever raised with ours.
    message = _PLAIN.get(status, error.description or error.name)
    if status == 403:  # whoever that is: no page of the app
        return Response(message, mimetype="text/plain"), status
    return _reply(message, status)


def _reply(message: str, status: int) -> tuple[Response | str, int]:
    if request.method not in {"GET", "HEAD"} or request.headers.get("X-Weps"):
        return jsonify(error=message), status
    return render_template("error.html", message=message), status
