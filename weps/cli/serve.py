"""``weps serve [FOLDER]``: results in the browser, corrected and clustered again at once."""

from __future__ import annotations

import argparse
import os
import webbrowser
from pathlib import Path

from weps._files import make_folder
from weps.cli.collecting import add_engine
from weps.cli.console import Console
from weps.cli.options import (
    add_jobs,
    add_model,
    add_reading,
    model_from_options,
    number_parser,
    provenance_from_options,
    reader_from_options,
)
from weps.errors import OutputError, SearchError
from weps.web.engines.registry import WAYS, EngineSettings, engines_set_up


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
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    add_engine(parser)
    add_model(parser)
    add_reading(parser)
    add_jobs(parser)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Serve until Ctrl-C."""
    try:
        from weps.app.factory import HOST, create_app, create_server  # noqa: PLC0415 - may not be installed
        from weps.app.session import AppSettings  # noqa: PLC0415 - may not be installed
    except ModuleNotFoundError as error:
        raise OutputError(
            f"the local app needs Flask and waitress ({error.name} is missing)",
            remedy="pip install 'weps[app]'",
        ) from None
    engines = engines_set_up(EngineSettings(os.environ, options.url, options.keep_results))
    if options.engine and options.engine not in engines:
        what = f"the search engine {options.engine} is not set up"
        raise SearchError(what, remedy=f"give {WAYS[options.engine]} (docs/search.md)")
    if options.engine:
        engines = {options.engine: engines[options.engine]}
    make_folder(options.folder)
    models = model_from_options(options)
    reader = reader_from_options(options, models.language, options.jobs)
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    chosen = provenance_from_options(options, reader)
    app = create_app(options.folder, AppSettings(models, reader, chosen, engines))
    server = create_server(app, options.port)
    address = f"http://{HOST}:{server.effective_port}/"
    console.write(f"serving on {address} (this machine only; press Ctrl-C to quit)")
    console.write(f"  results: {options.folder.absolute()}")
    if options.open:
        webbrowser.open(address)
    server.run()  # returns at Ctrl-C
    for subject in app.extensions["weps"].jobs.close():
        console.warn(f"{subject}: stopped before completion; its pages are kept")
    server.close()
    console.write_status("ended")
    return 0
