"""``weps cache``: what is kept of pages already read, and how to get rid of it."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from weps._cache import Cache, Usage, default_folder
from weps.cli.console import Console

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="default: the user's cache folder"
    )
    parser.add_argument("--clear", action="store_true", help="remove everything that is kept")


def run(options: argparse.Namespace, console: Console) -> int:
    """Show the cache, or clear it."""
    cache = Cache(options.cache or default_folder())
    return _clear(cache, console) if options.clear else _show(cache, console)


def _show(cache: Cache, console: Console) -> int:
    usage = cache.usage()
    console.say(f"folder:  {cache.folder}")
    console.say(f"entries: {usage.entries:,}")
    console.say(f"size:    {_megabytes(usage.bytes)} of at most {_megabytes(cache.limit)}")
    if usage.oldest is not None:
        console.say(f"oldest:  last used on {datetime.fromtimestamp(usage.oldest):%Y-%m-%d}")
    return 0


def _clear(cache: Cache, console: Console) -> int:
    removed, left = cache.clear(), cache.usage()
    console.say(f"removed {_amount(removed)} from {cache.folder}")
    if left.entries:
        console.warn(f"{cache.folder}: {_amount(left)} could not be removed, or are new")
    return int(left.entries > 0)


def _amount(usage: Usage) -> str:
    return f"{usage.entries:,} entries ({_megabytes(usage.bytes)})"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
