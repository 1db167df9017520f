"""The app put together."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from weps.app.guard import guard
from weps.app.jobs import Jobs
from weps.app.library import Library
from weps.app.office import Office
from weps.app.opened import Settings
from weps.app.replies import register_errors
from weps.app.routes import routes
from weps.app.uploads import MOST_BYTES, MOST_FILES
from weps.app.workshop import Workshop
from weps.report.shown import plain

__all__ = ["create_app"]

_OTHER_FIELDS = 10
_FORM = 1 << 20


def create_app(folder: Path, settings: Settings) -> Flask:
    """The app for a folder of results.

    ``app.extensions["weps"]`` is its :class:`~weps.app.office.Office`, whose jobs are to be closed
    when the app ends.

    Args:
        folder: where the results are; made when the first is.
        settings: by what pages are clustered.
    """
    app = Flask("weps.app")
    app.config.update(
        MAX_CONTENT_LENGTH=MOST_BYTES + _FORM,
        MAX_FORM_PARTS=MOST_FILES + _OTHER_FIELDS,
        SEND_FILE_MAX_AGE_DEFAULT=0,
    )
    app.jinja_env.filters["plain"] = plain
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    library = Library(folder.absolute())
    app.extensions["weps"] = Office(library, Workshop(library, settings), Jobs())
    guard(app)
    register_errors(app)
    app.register_blueprint(routes)
    return app
