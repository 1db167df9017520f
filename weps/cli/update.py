"""``weps update RESULT NEWPAGES``: assign new pages to the people of a result; ids are kept.

With ``--search`` the Web is searched for them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from weps._files import real_path
from weps._formatting import count_of, cut_text, join_items
from weps._locking import FolderLock
from weps._options import cli_argument, cli_option, given_flags
from weps.cli.cluster import warn_unread
from weps.cli.console import Console
from weps.cli.options import JsonOption, ReadingOptions, check_writable, write_json
from weps.cli.pace import TimedProgress
from weps.cli.search import KEPT, Collecting, CollectingOptions
from weps.corrections.model import CORRECTIONS_SUFFIX, write_corrections
from weps.errors import SourceError
from weps.records import Provenance
from weps.results.changes import Update
from weps.results.files import update_index
from weps.results.result import Result, ResultOptions
from weps.results.stored import (
    StoredResult,
    find_result,
    read_result,
    results_root,
    searched_folder,
)

__all__ = ["KEPT", "Options", "run_command"]

_MAX_LINES = 25
"""Changes that the terminal shows."""
_LONGEST_NAME = 100
"""Characters that it shows of a name, which a result by others may have any number of."""


@dataclass(frozen=True, kw_only=True)
class Options(CollectingOptions, ReadingOptions, JsonOption):
    """The options of the command."""

    result: Path = cli_argument(
        "NAME.json that `weps cluster` or `weps update` wrote, or its folder"
    )
    pages: Path | None = cli_argument(
        "folder of saved pages, or corpus, with new pages of the name; it may be the folder that "
        "the result was made from, if there are more pages now",
        None,
        metavar="NEWPAGES",
    )
    name: str = cli_option("name of the result, if the folder has several", "", metavar="N")
    out: Path | None = cli_option(
        "folder of the new result (default: that of the previous one, which is replaced)",
        metavar="DIR",
    )
    search: bool = cli_option(
        "instead of NEWPAGES: search the Web again, with the queries of `weps search` and those "
        "given here",
        False,
    )


def run_command(options: Options, console: Console) -> int:
    """Cluster the pages of a result together with new ones; write only complete results."""
    if options.search == (options.pages is not None):
        what = "give either NEWPAGES or --search"
        raise SourceError(what, remedy="NEWPAGES is a folder, --search looks on the Web")
    if not options.search and (given := given_flags(options, CollectingOptions)):
        what = f"{join_items(given)}: only for searches"
        raise SourceError(what, remedy="give --search in place of NEWPAGES, or leave it out")
    check_writable(options.json)
    path = find_result(options.result, options.name)
    folder = options.out or read_result(path).folder
    with FolderLock(results_root(folder), "weps update"):
        _update(read_result(path), folder, options, console)  # as it is while nobody else writes
    return 0


def _update(stored: StoredResult, folder: Path, options: Options, console: Console) -> None:
    settings = ("language", "embeddings", "html")
    given = {name: value for name in settings if (value := getattr(options, name))}
    approved = Provenance(language=options.language, embeddings=options.embeddings)
    usual = ResultOptions(reader=options.reader(), settings=approved)
    chosen = ResultOptions.of_result(stored, usual, **given)
    warnings: tuple[str, ...] = ()
    added = options.pages
    if added is None:  # what a search finds goes to the pages of earlier ones
        collecting = Collecting.of_name(options, stored.name, console, searched_folder(stored))
        collecting = replace(collecting, known=stored.addresses, again=True)
        added, warnings = collecting.folder, collecting.collect()
    result, changes = Result.update(
        stored, added, chosen, folder=folder, notes=warnings, progress=TimedProgress(console)
    )
    identifier = stored.identifier
    if result.corrections and real_path(folder) != real_path(stored.folder):
        beside = folder / f"{identifier}{CORRECTIONS_SUFFIX}"
        write_corrections(result.corrections, beside, stored.name)
    result.write(folder, identifier)
    update_index(results_root(folder))
    write_json(options.json, changes.as_data(), private=True)
    _show_update(result, changes, console)
    console.write(f"  report: {folder / identifier}.html")


def _show_update(result: Result, changes: Update, console: Console) -> None:
    for warning in changes.warnings:
        console.warn(warning)
    warn_unread(result.answer.unread, console)
    new, known = len(changes.new), changes.known
    name = cut_text(result.name, _LONGEST_NAME)
    console.write(
        f"{name}: {count_of(new, 'new page')} ({known} known already), now "
        f"{count_of(len(result.search.pages), 'page')} of "
        f"{count_of(len(result.people), 'person', 'people')}",
        "bold",
    )
    console.write(f"  {changes.summary}")
    for line in changes.describe_changes(_MAX_LINES):
        console.write_detail(f"  {line}")
