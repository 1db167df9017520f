"""``weps serve [FOLDER]``: results in the browser, corrected and clustered again at once."""

from __future__ import annotations

import argparse
import logging
import os
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from ipaddress import IPv4Address
from pathlib import Path

from weps._files import unfinished_prefix
from weps._locking import FolderLock
from weps.cli.collecting import add_engine
from weps.cli.console import Console
from weps.cli.options import (
    add_jobs,
    add_model,
    model_from_options,
    number_parser,
    provenance_from_options,
    reader_from_options,
)
from weps.errors import OutputError, SearchError
from weps.web.engines import WAYS, EngineSettings, engines_set_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        type=Path,
        nargs="?",
        default=Path("weps-out"),
        help="folder of results of `weps cluster`, also for new ones (default: weps-out)",
    )
    parser.add_argument(
        "--port",
        type=number_parser(int, "a port number (0 to 65535)", lambda port: 0 <= port <= 65535),
        metavar="N",
        help="default: 8737 or the next free one; 0 for any free one",
    )
    parser.add_argument(
        "--listen",
        metavar="ADDRESS",
        type=IPv4Address,
        default=IPv4Address("127.0.0.1"),
        help="IPv4 address to listen on, for containers (default: 127.0.0.1, which only this "
        "machine reaches; docs/serving.md)",
    )
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    add_engine(parser)
    add_model(parser)
    add_jobs(parser)


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">
<title>weps</title><p><a href="{address}">All results</a></p></html>
"""


@contextmanager
def _opened_page(address: str, folder: Path) -> Iterator[None]:
    """Open an address in the browser by a page in the folder, which is removed at the end.

    Every account of the machine sees the arguments of a browser, but only the owner the page.
    """
    with tempfile.TemporaryDirectory(".tmp", unfinished_prefix(), folder) as place:  # mode 0700
        page = Path(place, "weps.html").absolute()
        page.write_text(_PAGE.format(address=address), "utf-8")
        webbrowser.open(page.as_uri())
        yield


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Serve until Ctrl-C."""
    try:
        from weps.app.access import HOST, Access  # noqa: PLC0415 - may not be installed
        from weps.app.factory import create_app  # noqa: PLC0415
        from weps.app.server import create_server  # noqa: PLC0415
        from weps.app.session import AppSettings  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise OutputError(
            f"the local app needs Flask and waitress ({error.name} is missing)",
            remedy="pip install 'weps[app]'",
        ) from None
    if getattr(options, "traceback", False):
        logging.getLogger("weps.app").setLevel(logging.DEBUG)
    engines = engines_set_up(EngineSettings(os.environ, options.url, options.keep_results))
    if options.engine and options.engine not in engines:
        what = f"the search engine {options.engine} is not set up"
        raise SearchError(what, remedy=f"give {WAYS[options.engine]} (docs/searching.md)")
    if options.engine:
        engines = {options.engine: engines[options.engine]}
    with FolderLock(options.folder, "weps serve") as lock:
        models = model_from_options(options)
        reader = reader_from_options(options, models.language, options.jobs)
        if reader.cache and reader.cache.problem:
            console.warn(reader.cache.problem)
        chosen = provenance_from_options(options, reader)
        access = Access()
        app = create_app(options.folder, AppSettings(models, reader, chosen, engines), access)
        server = create_server(app, access, options.port, str(options.listen))
        address = access.address(server.effective_port)
        lock.tell(f"{HOST}:{server.effective_port}")  # without the token
        listening = options.listen
        reached = "this machine only" if listening.is_loopback else f"listening on {listening}"
        console.write(f"serving on {address} ({reached}; press Ctrl-C to quit)")
        console.write(f"  results: {options.folder.absolute()}")
        with _opened_page(address, options.folder) if options.open else nullcontext():
            server.run()  # returns at Ctrl-C
        for subject in app.extensions["weps"].jobs.close():
            console.warn(f"{subject}: stopped before completion; its pages are kept")
        app.extensions["weps"].sessions.close()
        server.close()
    console.write_status("ended")
    return 0
