"""The addresses of the app. Names in them are looked up among the known ones, never made paths."""

from __future__ import annotations

from typing import Any, BinaryIO, cast

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    render_template,
    request,
    send_file,
    url_for,
)

from weps.app.jobs import Job
from weps.app.session import wish
from weps.app.storage import MOST_BYTES, MOST_FILES
from weps.app.workspace import DEMO, Office
from weps.corrections.file import ENDING
from weps.report.html import AppLinks, content_security_policy
from weps.sources.base import as_name
from weps.sources.folder import SUFFIXES

__all__ = ["routes"]

routes = Blueprint("weps", __name__)

EXPORTS = {
    "html": ("HTML", ".html"),
    "json": ("JSON", ".json"),
    "csv": ("CSV", ".csv"),
    "xml": ("WePS XML", ".clust.xml"),
    "corrections": ("Corrections", ENDING),
}
"""Last part of the address → what it is called, and its suffix."""
_REPORT_POLICY = f"{content_security_policy(connected=True)}; frame-ancestors 'none'"
"""What the report states itself, and what a page cannot say of its frames."""
_SAVED_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-forms allow-downloads"
)
"""Whatever the file holds, written by any version of weps or by others: it is a stranger to the
app, and reaches no network."""
_LONGEST_WISH = 1 << 20


@routes.get("/")
def home() -> str:
    """All results, and where to drop pages."""
    office = _office()
    return render_template(
        "home.html",
        results=office.library.results(),
        waiting=[each for each in office.library.waiting() if not office.jobs.busy_with(each)],
        jobs=[job for job in office.jobs.all() if not job.ended],
        demo=DEMO not in office.library.all(),
        folder=office.library.folder,
        suffixes=" ".join(sorted(SUFFIXES)),
        most_files=MOST_FILES,
        most_bytes=MOST_BYTES,
        as_name=as_name,
    )


@routes.get("/favicon.ico")
def icon() -> Response:
    """What browsers ask for even where a page, as the report, does not name it."""
    return current_app.send_static_file("icon.svg")


@routes.post("/names")
def take_in() -> tuple[Response, int]:
    """Pages of a new name: fields ``name``, ``percent`` (or empty), and files ``pages``."""
    files = [
        (file.filename or "", cast(BinaryIO, file.stream))
        for file in request.files.getlist("pages")
    ]
    threshold = _threshold(request.form.get("percent", ""))
    return _accepted(_office().take_in(request.form.get("name", ""), files, threshold))


@routes.post("/demo")
def demo() -> tuple[Response, int]:
    """Cluster the pages that come with weps."""
    return _accepted(_office().demo())


@routes.post("/names/<identifier>/cluster")
def cluster(identifier: str) -> tuple[Response, int]:
    """Cluster pages that were saved here and have no result yet."""
    if identifier not in _office().library.waiting():
        abort(404)
    return _accepted(_office().cluster(identifier))


@routes.get("/jobs/<number>")
def job(number: str) -> Response:
    """How far a job has come."""
    return jsonify(_told(_job(number)))


@routes.delete("/jobs/<number>")
def stop(number: str) -> Response:
    """Stop a job."""
    _job(number).stop()
    return jsonify(_told(_job(number)))


@routes.get("/names/<identifier>/")
def report(identifier: str) -> Response | str:
    """The report, once the result is open; until then how far that has come."""
    _known(identifier)
    office = _office()
    page = office.workshop.report(identifier, _links(identifier))
    if page is None:
        return render_template(
            "opening.html",
            name=as_name(identifier),
            identifier=identifier,
            job=office.open(identifier),
        )
    return Response(page, mimetype="text/html", headers={"Content-Security-Policy": _REPORT_POLICY})


@routes.get("/names/<identifier>/saved")
def saved(identifier: str) -> Response:
    """The report as it lies on the disk."""
    response = _file(identifier, "html")
    response.headers["Content-Security-Policy"] = _SAVED_POLICY
    return response


@routes.get("/names/<identifier>/export/<kind>")
def export(identifier: str, kind: str) -> Response:
    """A file of the result."""
    return _file(identifier, kind, download=True)


@routes.post("/names/<identifier>/corrections")
def correct(identifier: str) -> Response:
    """What a user says about who is who, see :func:`weps.app.session.wish`."""
    _known(identifier)
    request.max_content_length = _LONGEST_WISH
    _office().workshop.correct(identifier, wish(_sent()))
    return jsonify(saved=True)


@routes.get("/names/<identifier>/delete")
def ask_to_delete(identifier: str) -> str:
    """What would be removed, before it is."""
    return render_template(
        "delete.html",
        name=as_name(identifier),
        identifier=identifier,
        doomed=_office().workshop.doomed(_deletable(identifier)),
    )


@routes.post("/names/<identifier>/delete")
def delete(identifier: str) -> Response:
    """Remove a name from the folder and from the cache."""
    if _office().jobs.busy_with(_deletable(identifier)):
        abort(409, "This name is being worked on: stop that first.")
    removed = _office().workshop.remove(identifier)
    return jsonify(
        removed=[str(path) for path in removed.files],
        cached=removed.cached,
        kept=[str(path) for path in removed.elsewhere],
    )


def _office() -> Office:
    office: Office = current_app.extensions["weps"]
    return office


def _known(identifier: str) -> str:
    if not _office().library.has(identifier):
        abort(404)
    return identifier


def _deletable(identifier: str) -> str:
    if identifier not in _office().library.all():
        abort(404)
    return identifier


def _job(number: str) -> Job:
    return _office().jobs.find(number) or abort(404)


def _accepted(job: Job) -> tuple[Response, int]:
    return jsonify(_told(job)), 202


def _told(job: Job) -> dict[str, Any]:
    return {
        "url": url_for("weps.job", number=job.id),
        "name": as_name(job.subject),
        "state": job.state,
        "what": job.what,
        "done": job.done,
        "total": job.total,
        "error": job.error,
        "report": url_for("weps.report", identifier=job.subject),
    }


def _sent() -> object:
    """What the request says in JSON."""
    try:
        return request.get_json()
    except RecursionError:
        abort(400)


def _threshold(percent: str) -> float | None:
    """The least probability asked for, None if there is none."""
    if not percent.strip():
        return None
    try:
        threshold = float(percent) / 100
    except ValueError:
        threshold = -1.0
    if not 0 <= threshold <= 1:
        abort(409, "The threshold is no number from 0 to 100.")
    return threshold


def _links(identifier: str) -> AppLinks:
    office = _office()
    exports = {
        title: url_for("weps.export", identifier=identifier, kind=kind)
        for kind, (title, suffix) in EXPORTS.items()
        if office.library.path(identifier, suffix) in office.library.files(identifier)
    }
    return AppLinks(
        corrections_url=url_for("weps.correct", identifier=identifier),
        home_url=url_for("weps.home"),
        exports=exports,
        delete_url=url_for("weps.ask_to_delete", identifier=identifier),
    )


def _file(identifier: str, kind: str, *, download: bool = False) -> Response:
    _known(identifier)
    if kind not in EXPORTS:
        abort(404)
    path = _office().library.path(identifier, EXPORTS[kind][1])
    if path.is_symlink() or not path.is_file():
        abort(404)
    return send_file(path, as_attachment=download, download_name=path.name, conditional=False)
