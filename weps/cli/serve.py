"""``weps serve [FOLDER]``: results in the browser, corrected and clustered again at once."""

from __future__ import annotations

import logging
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from weps._files import FolderLock, unfinished_prefix
from weps._options import cli_argument, cli_option
from weps.cli.console import Console
from weps.cli.options import JobsOption, ModelOptions
from weps.cli.search import EngineOptions
from weps.errors import OutputError, SearchError
from weps.results.result import ResultOptions
from weps.web.engines import WAYS, engines_set_up


@dataclass(frozen=True, kw_only=True)
class Options(EngineOptions, ModelOptions, JobsOption):
    """The options of the command."""

    folder: Path = cli_argument(
        "folder of results of `weps cluster`, also for new ones", Path("weps-out")
    )
    port: int | None = cli_option(
        "default: 8737 or the next free one; 0 for any free one", least=0, most=65_535, metavar="N"
    )
    listen: IPv4Address = cli_option(
        "IPv4 address to listen on, for containers (default: 127.0.0.1, which only this machine "
        "reaches; docs/serving.md)",
        IPv4Address("127.0.0.1"),
        metavar="ADDRESS",
    )
    open: bool = cli_option("open it in the browser", False)
    traceback: bool = False
    """Whether the stacks of faults are logged."""


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


def run_command(options: Options, console: Console) -> int:
    """Serve until Ctrl-C."""
    try:
        from weps.app import application, server, sessions  # noqa: PLC0415 - may not be installed
    except ModuleNotFoundError as error:
        raise OutputError(
            f"the local app needs Flask and waitress ({error.name} is missing)",
            remedy="pip install 'weps[app]'",
        ) from None
    if options.traceback:
        logging.getLogger("weps.app").setLevel(logging.DEBUG)
    engines = dict(
        engines_set_up(options.url, keep_results=options.keep_results, only=options.engine)
    )
    if options.engine and not engines:
        what = f"the search engine {options.engine} is not set up"
        raise SearchError(what, remedy=f"give {WAYS[options.engine]} (docs/searching.md)")
    with FolderLock(options.folder, "weps serve") as lock:
        models = options.model_choice().load()
        reader = options.reader(models.language, options.jobs)
        if reader.cache and reader.cache.problem:
            console.warn(reader.cache.problem)
        chosen = ResultOptions(models=models, reader=reader, settings=options.provenance())
        access = server.Access()
        settings = sessions.AppSettings(chosen, engines)
        app = application.create_app(options.folder, settings, access)
        with closing(
            server.create_server(app, access, options.port, str(options.listen))
        ) as serving:
            address = access.address(serving.effective_port)
            lock.tell(f"{server.HOST}:{serving.effective_port}")  # without the token
            host = options.listen
            reached = "this machine only" if host.is_loopback else f"listening on {host}"
            console.write(f"serving on {address} ({reached}; press Ctrl-C to quit)")
            console.write(f"  results: {options.folder.absolute()}")
            with _opened_page(address, options.folder) if options.open else nullcontext():
                serving.run()  # returns at Ctrl-C
            for subject in app.extensions["weps"].jobs.close():
                console.warn(f"{subject}: stopped before completion; its pages are kept")
            app.extensions["weps"].sessions.close()
    console.write_status("ended")
    return 0
