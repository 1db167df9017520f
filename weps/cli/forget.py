"""``weps forget NAME``: remove the results, corrections and pages of a name, and cached pages."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from weps._formatting import count_of
from weps._locking import FolderLock
from weps._options import cli_argument, cli_option
from weps.cli.console import Console
from weps.cli.options import CacheOptions, JsonOption, check_writable, write_json
from weps.errors import OutputError, SourceError, WepsError
from weps.reading import Reader
from weps.results.forgetting import PAGES_FOLDER as GIVEN_FOLDER
from weps.results.forgetting import SEARCHED_FOLDER, forget_name, plan_removal
from weps.results.result import ResultOptions
from weps.results.stored import read_result, result_names, result_path
from weps.sources.base import KnownNames, as_identifier, as_name, select_names
from weps.sources.collected import PAGES_FOLDER, is_collected


@dataclass(frozen=True, kw_only=True)
class Options(CacheOptions, JsonOption):
    """The options of the command."""

    name: str = cli_argument("a name with results or downloaded pages")
    out: Path = cli_option("folder of the results", Path("weps-out"), metavar="DIR")
    folder: Path | None = cli_option(
        "folder that `weps search` downloaded to, if there is no result that states it (default: "
        f"{PAGES_FOLDER}/NAME)",
        metavar="DIR",
    )
    yes: bool = cli_option("do not ask", False)


def run_command(options: Options, console: Console) -> int:
    """Say what will be removed, ask, and remove it."""
    if options.folder and not is_collected(options.folder):
        what, remedy = "has no downloaded pages", "give the folder that `weps search` wrote to"
        raise SourceError(what, where=options.folder, remedy=remedy)
    check_writable(options.json)
    results = options.out.absolute()
    (identifier,) = select_names(_known_names(options, results), [options.name])
    places = [path.absolute() for path in (options.folder, PAGES_FOLDER / identifier) if path]
    with FolderLock(results, "weps forget") if results.is_dir() else nullcontext():
        plan = plan_removal(results, identifier, places)
        lines = [f"weps will delete everything that it stores about {options.name}:"]
        lines += map(_line, plan.files)
        if not options.no_cache:
            lines.append("  the cache entries of pages with this name")
        if plan.elsewhere:
            lines.append("Your own files, from which pages were read, are not deleted:")
            lines += map(_line, plan.elsewhere)
        remedy = "run it in a terminal, or confirm with --yes"
        error = OutputError("deleting needs your confirmation", remedy=remedy)
        console.require_consent("\n".join(lines), "Delete?", error, given=options.yes)
        reader = Reader(cache=options.selected_cache())
        with suppress(OSError, WepsError):  # as far as it is known, the one that made the result
            stored = read_result(result_path(results, identifier))
            chosen = ResultOptions.of_result(stored, ResultOptions(reader=reader))
            reader = chosen.reader or reader
        done = forget_name(results, identifier, reader, places)
    entries = count_of(done.cached, "entry", "entries")
    console.write(f"removed: {count_of(len(done.files), 'file or folder', 'files and folders')}")
    console.write(f"removed from the cache: {entries}")
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    write_json(
        options.json,
        {
            "name": identifier,
            "removed": list(map(str, done.files)),
            "kept": list(map(str, done.elsewhere)),
            "cache_entries": done.cached,
        },
    )
    return 0


def _known_names(options: Options, results: Path) -> KnownNames:
    """The names with results, with pages that were given to the app, or with downloaded pages.

    Raises:
        SourceError: there are none.
    """
    names = set(result_names(results)) if results.is_dir() else set()
    for root in (GIVEN_FOLDER, SEARCHED_FOLDER):
        names |= {path.name for path in (results / root).glob("*/")}
    names |= {path.name for path in PAGES_FOLDER.glob("*/") if is_collected(path)}
    if options.folder:
        names.add(as_identifier(as_name(options.name)))
    if not names:
        what = "nothing is stored here about any name"
        raise SourceError(what, where=results, remedy="choose another folder with --out")
    return KnownNames(results, tuple(sorted(names)))


def _line(path: Path) -> str:
    number = sum(1 for each in path.rglob("*") if each.is_file()) if path.is_dir() else 0
    return f"  {path}" + (f" ({count_of(number, 'file')})" if number else "")
