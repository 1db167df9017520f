"""``weps cache``: the size of the cache of read pages, and how to delete it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from weps._cache import Cache, Usage, default_folder
from weps._options import cli_option
from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json


@dataclass(frozen=True, kw_only=True)
class Options(JsonOption):
    """The options of the command."""

    cache: Path | None = cli_option("default: the user's cache folder", metavar="DIR")
    clear: bool = cli_option("remove all entries", False)


def run_command(options: Options, console: Console) -> int:
    """Show the cache, or clear it."""
    check_writable(options.json)
    cache = Cache(options.cache or default_folder())
    status = _clear_cache(cache, console) if options.clear else _show_usage(cache, console)
    usage = {"folder": str(cache.folder), "limit": cache.limit, **asdict(cache.usage())}
    write_json(options.json, usage)
    return status


def _show_usage(cache: Cache, console: Console) -> int:
    usage = cache.usage()
    console.write(f"folder:  {cache.folder}")
    console.write(f"entries: {usage.entries:,}")
    console.write(f"size:    {_megabytes(usage.bytes)} of at most {_megabytes(cache.limit)}")
    if usage.oldest is not None:
        console.write(f"oldest:  last used on {datetime.fromtimestamp(usage.oldest):%Y-%m-%d}")
    return 0


def _clear_cache(cache: Cache, console: Console) -> int:
    removed, left = cache.clear(), cache.usage()
    console.write(f"removed {_usage_text(removed)} from {cache.folder}")
    if left.entries:
        console.warn(f"{cache.folder}: {_usage_text(left)} could not be removed, or are new")
    return int(left.entries > 0)


def _usage_text(usage: Usage) -> str:
    return f"{usage.entries:,} entries ({_megabytes(usage.bytes)})"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
