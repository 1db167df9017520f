"""The application: its routes, security headers and error responses.

Names in addresses are only looked up among the known ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path, PurePath
from typing import Any, cast
from urllib.parse import unquote

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    jsonify,
    render_template,
    request,
    send_file,
    url_for,
)
from werkzeug.exceptions import HTTPException

from weps._files import read_bytes
from weps._schema import parse_json
from weps.app.server import MAX_REQUEST_BYTES, MAX_SENT_BYTES, SAFE_METHODS, SEND_PATH, Access
from weps.app.sessions import MAX_REPORT_BYTES, EditRequest, ResultStore, SessionPool
from weps.app.workspace import (
    DEMO_NAME,
    MAX_BYTES,
    MAX_FILES,
    Job,
    Jobs,
    SearchRequest,
    SentPage,
    Workspace,
    log_fault,
)
from weps.corrections.model import CORRECTIONS_SUFFIX
from weps.errors import (
    ConflictError,
    CorrectionsError,
    OutputError,
    SearchError,
    SourceError,
    WepsError,
    describe_error,
    is_foreseen,
)
from weps.html.text import decode_page
from weps.records import Page
from weps.report.html import PREVIEWS, AppLinks, content_security_policy, is_report, read_assets
from weps.report.safe_text import bounded_text, file_link, protect_environment, safe_link
from weps.report.view import PageLinks, highlighted, shown_title
from weps.results.exports import export_files
from weps.results.files import EXPORTED, plan_removal, result_files
from weps.results.result import ResultOptions
from weps.results.stored import read_file
from weps.sources.base import as_name
from weps.sources.formats.tables import MAX_LIST_BYTES
from weps.web.engines import WAYS, SearchEngine, tested_engine

routes = Blueprint("weps", __name__)

EXPORTS = {
    "html": ("HTML", ".html"),
    "json": ("JSON", ".json"),
    "csv": ("CSV", ".csv"),
    "xml": ("WePS XML", ".clust.xml"),
    "corrections": ("Corrections", CORRECTIONS_SUFFIX),
    "facts": ("Facts", ".facts.csv"),
    "xlsx": ("Excel", ".xlsx"),
    "jsonld": ("JSON-LD", ".jsonld"),
    "gedcom": ("GEDCOM", ".ged"),
    "graphml": ("GraphML", ".graphml"),
    "brief": ("Brief", ".md"),
}
"""Last part of the address → display name and suffix."""
_REPORT_POLICY = f"{content_security_policy(connected=True)}; frame-ancestors 'none'"
"""The policy of the report itself, and that of frames, which a page cannot set."""
_SAVED_POLICY = (
    f"{content_security_policy(connected=False)}; frame-ancestors 'none'; "
    "sandbox allow-scripts allow-forms allow-downloads"
)
"""The file may be written by others: it is not trusted by the app, has no access to the network,
and runs no script but that of reports."""
_FOREIGN_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)
"""The copy of a page may be by anybody, and so may a report that this version did not write: it
runs no script, loads nothing, and its origin is its own."""
_CONNECTING_TAG = re.compile("(</?)(?=link|i?frame|fencedframe|object|embed)", re.IGNORECASE)
"""Chromium connects to the hosts of ``rel=preconnect`` and of frames, whatever the policy."""
_SHARED = dict.fromkeys(("index.css", "keyboard.css"), "text/css") | dict.fromkeys(
    ("keyboard.js", "names.js"), "text/javascript"
)
"""Parts of reports that the app's own pages use, and their types."""
_PAIR = re.compile("([0-9]{1,9})-([0-9]{1,9})")
_LINK = re.compile(rb'href="[^"<>]{1,4000}"')
_MAX_REQUEST_BYTES = 1 << 20
_LONGEST_LINE = 300
"""Characters of a line of evidence."""
_PROGRAM = "a program on this machine"
_ORIGIN = re.compile(r"https?://[\w.:\[\]-]{1,300}", re.ASCII)
_LONGEST_SETTING = 2_000
"""Characters of an address or a key."""
_MAX_BLOCKS = 3_000
"""Paragraphs of a preview."""
_LONGEST_TEXT = 10_000
"""Characters of a text that a page shows, e.g. of a path or a paragraph."""
_MAX_LISTS = 10
"""Files with results of one search."""
_FOR_ANY_NAME = {"weps.cluster_name", "weps.confirm_delete", "weps.delete_name"}
"""Endpoints about names whose pages may have no result."""


@routes.get("/")
def show_home() -> str:
    """All results, and where to drop pages."""
    store, jobs = _workspace().store, _workspace().jobs
    return render_template(
        "home.html",
        results=store.results(),
        pending=store.pending(),
        jobs=[job for job in jobs.all() if not job.finished],
        demo=DEMO_NAME not in store.all(),
        folder=store.folder,
        engines=_workspace().engines,
        sent=_workspace().sent,
        send_url=f"{request.host_url.rstrip('/')}{SEND_PATH}?key={_access().key_of(SEND_PATH)}",
        can_download=all(map(find_spec, ("aiohttp", "protego"))),
        most_files=MAX_FILES,
        most_bytes=MAX_BYTES,
        as_name=as_name,
    )


@routes.get("/favicon.ico")
def send_icon() -> Response:
    """The icon that browsers request even where a page, such as the report, names none."""
    return current_app.send_static_file("icon.svg")


@routes.get("/shared/<name>")
def send_shared(name: str) -> Response:
    """A part of reports that the app's own pages use as well."""
    return Response(mimetype=_SHARED.get(name) or abort(404), response=read_assets(name))


@routes.post("/names")
def add_pages() -> tuple[Response, int]:
    """Pages of names, new ones or not: field ``name``, files ``pages``."""
    files = [
        (file.filename or "", partial(getattr, file, "stream"))
        for file in request.files.getlist("pages")
    ]
    return _accepted_response(*_workspace().add_pages(request.form.get("name", ""), files))


@routes.post("/search/plan")
def plan_search() -> Response:
    """What a search would send to whom.

    Fields ``request``, JSON of a :class:`weps.app.workspace.SearchRequest`, and files ``lists``.
    """
    files = request.files.getlist("lists")
    if len(files) > _MAX_LISTS:
        raise SearchError(f"{len(files)} lists", remedy=f"give at most {_MAX_LISTS} at a time")
    lists = [
        (PurePath(file.filename or "").name, file.stream.read(MAX_LIST_BYTES + 1)) for file in files
    ]
    asked = parse_json(
        SearchRequest,
        request.form.get("request", ""),
        lambda what: SearchError(
            f"this is not a search ({what})", remedy="correct it, or reload the page"
        ),
    )
    key, identifier, planned = _workspace().plan_search(asked, lists)
    steps = [*planned.steps]
    if identifier in _workspace().store.identifiers():
        steps.append("adds the new ones to the result, where people keep their numbers")
    return jsonify(key=key, name=as_name(identifier), steps=steps)


@routes.post(f"/engines/<any({','.join(WAYS)}):name>")
def set_up_engine(name: str) -> Response:
    """Set up a search engine: JSON with its ``setting``, an address or a key; tells its answer."""
    data = _json()
    setting = data.get("setting") if isinstance(data, dict) else None
    if not isinstance(setting, str) or not 0 < len(setting.strip()) <= _LONGEST_SETTING:
        raise SearchError("the field is empty", remedy="fill it in")
    engines = _workspace().engines
    engines[name], told = tested_engine(name, setting.strip())
    return jsonify(message=told, engines=[(key, each.label) for key, each in engines.items()])


@routes.post("/search")
def search() -> tuple[Response, int]:
    """Send a search that was shown: JSON with its ``key``."""
    data = _json()
    return _accepted_response(
        _workspace().search(str(data.get("key") if isinstance(data, dict) else None))
    )


@routes.route(SEND_PATH, methods=["POST", "OPTIONS"])
def receive_page() -> Response:
    """A page of any origin: JSON of a :class:`weps.app.workspace.SentPage`, of any media type."""
    if request.method == "OPTIONS":
        return Response(status=204)
    origin, data = request.headers.get("Origin", _PROGRAM), request.get_data()
    refused = partial(SourceError, remedy="save the page, and drop the file")
    if origin != _PROGRAM and not _ORIGIN.fullmatch(origin):
        raise refused("the page has no origin")
    if not 0 < len(data) <= MAX_SENT_BYTES:
        raise refused(f"the page is empty, or has over {MAX_SENT_BYTES >> 20} MB")
    page = parse_json(SentPage, data, lambda what: refused(f"this is no page ({what})"))
    return jsonify(message=_workspace().receive(origin, page))


@routes.post("/origins")
def decide_origin() -> tuple[Response, int]:
    """Allow or refuse the pages of an origin: fields ``origin`` and ``allowed``, 1 or 0."""
    origin = request.args.get("origin", "")
    if origin not in _workspace().sent:
        abort(404)
    allowed = request.args.get("allowed") == "1"
    return _accepted_response(*_workspace().decide_origin(origin, allowed=allowed))


@routes.post("/demo")
def cluster_demo() -> tuple[Response, int]:
    """Cluster the pages that come with weps."""
    return _accepted_response(_workspace().cluster_demo())


@routes.post("/names/<identifier>/cluster")
def cluster_name(identifier: str) -> tuple[Response, int]:
    """Cluster uploaded pages that have no result yet."""
    if identifier not in {each.identifier for each in _workspace().store.pending()}:
        abort(404)
    return _accepted_response(_workspace().begin(_workspace().sessions.cluster, identifier))


@routes.route("/jobs", methods=["GET", "DELETE"])
def show_jobs() -> Response:
    """The progress of all jobs, those that ended lately among them; DELETE stops them all."""
    jobs = _workspace().jobs.all()
    for job in jobs if request.method == "DELETE" else ():
        job.stop()
    return jsonify(jobs=list(map(_job_data, jobs)))


@routes.route("/jobs/<number>", methods=["GET", "DELETE"])
def show_job(number: str) -> Response:
    """The progress of a job, with the pages downloaded after the first ``after``; DELETE stops."""
    job = _workspace().jobs.find(number) or abort(404)
    if request.method == "DELETE":
        job.stop()
    return jsonify(
        **_job_data(job), pages=job.pages[max(0, request.args.get("after", 0, type=int)) :]
    )


@routes.get("/names/<identifier>/")
def show_report(identifier: str) -> Response | str:
    """The report once the result is open; until then the progress of opening it."""
    store = _workspace().store
    files = result_files(store.folder, identifier)
    exports = {
        title: url_for("weps.export_file", identifier=identifier, kind=kind)
        for kind, (title, suffix) in EXPORTS.items()
        if store.path(identifier, suffix) in files
        or (suffix in EXPORTED and (kind != "xlsx" or find_spec("xlsxwriter")))
    }
    page = _workspace().sessions.report(identifier, AppLinks(exports))
    if page is None:
        return render_template(
            "opening.html",
            name=as_name(identifier),
            identifier=identifier,
            job=_workspace().begin(_workspace().sessions.open, identifier),
        )
    return _html_response(page, _REPORT_POLICY)


@routes.get("/names/<identifier>/saved")
def show_saved_report(identifier: str) -> Response:
    """The report as it is on disk, but that its links to saved copies lead to :func:`show_copy`.

    What another version or anybody else wrote is shown without its scripts.
    """
    report = read_bytes(_result_file(identifier, ".html"), MAX_REPORT_BYTES, SourceError)
    access = _access()
    links: dict[bytes, bytes] = {}
    with suppress(WepsError):  # damaged, but the report may be there
        for rank, file in _workspace().store.read_stored(identifier).files.items():
            url = url_for("weps.show_copy", identifier=identifier, rank=rank)
            link = f'href="{url}?key={access.key_of(unquote(url))}"'
            links[f'href="{file_link(file)}"'.encode()] = link.encode()
    linked = _LINK.sub(lambda match: links.get(match[0], match[0]), report)
    if not is_report(report):
        return _foreign_response(linked.decode("utf-8", "replace"))
    return _html_response(linked, _SAVED_POLICY)


@routes.get("/names/<identifier>/preview/<int:rank>")
def show_preview(identifier: str, rank: int) -> str:
    """The text of a page, with the name marked; the browser goes to the first mention."""
    page, document, name = _workspace().sessions.page(identifier, rank) or abort(404)
    blocks = [each for each in document.blocks or (document.snippet,) if each]
    return render_template(
        "preview.html",
        identifier=identifier,
        document=document,
        has_copy=_saved_copy(page) is not None,
        title=bounded_text(document.title or document.url or f"page {rank}"),
        live=safe_link(document.url),
        blocks=[highlighted(each, name, _LONGEST_TEXT) for each in blocks[:_MAX_BLOCKS]],
        others=max(0, len(blocks) - _MAX_BLOCKS),
    )


@routes.get("/names/<identifier>/pages/<int:rank>")
def show_copy(identifier: str, rank: int) -> Response:
    """The saved copy of a page of the result, in UTF-8, else its preview."""
    page, *_ = _workspace().sessions.page(identifier, rank) or abort(404)
    content = _saved_copy(page)
    if content is None:
        return Response(show_preview(identifier, rank))
    response = _foreign_response(decode_page(content, page.charset))
    if page.file.lower().endswith(".txt"):
        response.mimetype = "text/plain"
    return response


def _saved_copy(page: Page) -> bytes | None:
    """The copy of a page, unless it is gone; no path comes from the request."""
    with suppress(OSError, SourceError):
        return page.read_content()
    return None


@routes.get("/names/<identifier>/export/<kind>")
def export_file(identifier: str, kind: str) -> Response:
    """A file of the result, or an export, of one person if the address asks for ``person=ID``."""
    _, suffix = EXPORTS.get(kind) or abort(404)
    path = _result_file(identifier, ".json" if suffix in EXPORTED else suffix)
    content: Path | BytesIO = path
    if suffix in EXPORTED:  # of the answer as it is now
        person = request.args.get("person", type=int)
        exported = export_files(read_file(path), path.parent, identifier, [suffix], person)
        [(path, data)] = exported.items()
        content = BytesIO(data)
    return send_file(content, as_attachment=True, download_name=path.name, conditional=False)


@routes.post("/names/<identifier>/corrections")
def correct_result(identifier: str) -> Response:
    """An edit of the result by the user, see :class:`weps.app.sessions.EditRequest`."""
    return jsonify(
        saved=True, version=_workspace().sessions.correct(identifier, EditRequest.parse(_json()))
    )


@routes.get("/names/<identifier>/question")
def show_question(identifier: str) -> Response:
    """Two pages about which to ask next, none if there are none; ``asked=1-2`` for each before."""
    asked = (_PAIR.fullmatch(each) for each in request.args.getlist("asked"))
    before = {(int(pair[1]), int(pair[2])) for pair in asked if pair}
    name, pair, evidence = _workspace().sessions.next_question(identifier, before)
    shown = [
        {
            "rank": page.rank,
            "title": shown_title(page),
            "link": links.saved or links.live,
            "place": bounded_text(links.domain + links.path),
            "excerpt": [
                (part, at % 2 == 1)
                for at, part in enumerate(highlighted(page.excerpt, name))
                if part
            ],
        }
        for page in pair
        for links in [PageLinks.of(page, PREVIEWS)]
    ]
    lines = [bounded_text(line.removeprefix("- "), _LONGEST_LINE) for line in evidence]
    return jsonify(pages=shown, evidence=lines)


@routes.get("/names/<identifier>/delete")
def confirm_delete(identifier: str) -> str:
    """Preview of what a deletion removes."""
    return render_template(
        "delete.html",
        name=as_name(identifier),
        identifier=identifier,
        doomed=plan_removal(_workspace().store.folder, identifier),
    )


@routes.post("/names/<identifier>/delete")
def delete_name(identifier: str) -> Response:
    """Remove a name from the folder and from the cache."""
    _workspace().require_idle(identifier)
    removed = _workspace().sessions.remove(identifier)
    return jsonify(
        removed=[str(path) for path in removed.files],
        cached=removed.cached,
        kept=[str(path) for path in removed.elsewhere],
    )


def _access() -> Access:
    return cast(Access, current_app.extensions["weps-access"])


def _workspace() -> Workspace:
    return cast(Workspace, current_app.extensions["weps"])


@routes.before_request
def _require_known_name() -> None:
    """Reject requests about a name that has no result, or nothing to cluster or to delete."""
    identifier, store = (request.view_args or {}).get("identifier"), _workspace().store
    if identifier is None or identifier in store.identifiers():
        return
    if request.endpoint not in _FOR_ANY_NAME or identifier not in store.all():
        abort(404)


def _html_response(page: str | bytes, policy: str) -> Response:
    return Response(page, mimetype="text/html", headers={"Content-Security-Policy": policy})


def _foreign_response(page: str) -> Response:
    """A page of anybody, in UTF-8."""
    text = _CONNECTING_TAG.sub(r"\1x-", page)
    response = _html_response(text.encode("utf-8", "replace"), _FOREIGN_POLICY)
    response.headers["X-DNS-Prefetch-Control"] = "off"
    return response


def _json() -> object:
    """The JSON of the request."""
    request.max_content_length = _MAX_REQUEST_BYTES
    try:
        return cast(object, request.get_json())
    except RecursionError:
        abort(400)


def _accepted_response(*jobs: Job) -> tuple[Response, int]:
    return jsonify(jobs=list(map(_job_data, jobs))), 202


def _job_data(job: Job) -> dict[str, Any]:
    return {
        "url": url_for("weps.show_job", number=job.id),
        "subject": job.subject,
        "name": as_name(job.subject),
        "state": job.state,
        "stopping": job.stopping,
        "what": job.what,
        "done": job.done,
        "total": job.total,
        "downloaded": len(job.pages),
        "message": job.message,
        "error": job.error,
        "report": url_for("weps.show_report", identifier=job.subject),
    }


def _result_file(identifier: str, suffix: str) -> Path:
    path = _workspace().store.path(identifier, suffix)
    if suffix == ".html":
        _workspace().sessions.write_late()
    if path.is_symlink() or not path.is_file():
        abort(404)
    return path


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""Policy of the app's own pages. A report has its own, which allows the app and no other host."""
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
    if request.path == SEND_PATH and response.status_code != 403:  # whoever asks has the key
        response.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin", "null")
        response.headers["Vary"] = "Origin"
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Headers"] = "Content-Type"
            response.headers["Access-Control-Allow-Private-Network"] = "true"
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


def _handle_error(error: Exception) -> tuple[Response | str, int]:
    """JSON for scripts, otherwise a page; a plain one for those who may not see the app."""
    message, status = describe_error(error), 500
    if isinstance(error, WepsError):
        status = _STATUS.get(type(error), 400)
    elif isinstance(error, HTTPException):
        status = error.code or 500
        # Werkzeug's descriptions are for programmers; 403 is only raised with our own.
        message = _MESSAGES.get(status, error.description or error.name)
    elif not is_foreseen(error):
        log_fault(request.path, error)
        message = "Internal error; no data was lost. Please report the message in the terminal."
    if request.method not in SAFE_METHODS or request.headers.get("X-Weps"):
        return jsonify(error=message), status
    if status == 403:
        return Response(message, mimetype="text/plain"), status
    return render_template("error.html", message=message), status


_MAX_OTHER_FIELDS = 10


def create_app(
    folder: Path,
    options: ResultOptions,
    access: Access,
    engines: Mapping[str, SearchEngine] | None = None,
) -> Flask:
    """The app for a folder of results.

    ``app.extensions["weps"]`` is its :class:`~weps.app.workspace.Workspace`, whose jobs are to be
    closed when the app ends.

    Args:
        folder: of the results; made with the first result.
        options: loaded models, reader, and the settings that the user has approved.
        access: of those who may use it.
        engines: search engines that are set up, by their names; the first is the default.
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
    app.extensions["weps"] = Workspace(
        store, SessionPool(store, options), Jobs(), dict(engines or {})
    )
    app.extensions["weps-access"] = access
    app.before_request(access.check_request)
    app.after_request(_add_security_headers)
    app.register_error_handler(Exception, _handle_error)
    app.register_blueprint(routes)
    return app
