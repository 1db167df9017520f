"""``weps search NAME``: find the pages of a name on the Web, download them, and say who is who."""

from __future__ import annotations

import argparse

from weps._locking import FolderLock
from weps.cli.cluster import ClusterWork, add_clustering
from weps.cli.collecting import Collecting, add_collecting
from weps.cli.console import Console
from weps.cli.options import add_jobs
from weps.errors import SearchError
from weps.sources.opening import open_source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", metavar="NAME", help="of the person, such as 'Robin Averdale'")
    add_collecting(parser)
    add_clustering(parser)
    add_jobs(parser)
    parser.set_defaults(
        search_again=False,
        kept="downloaded pages are kept; run the same command again to continue",
    )


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Search, download, cluster; whatever is there already is not asked for again."""
    collecting = Collecting.of_name(options, options.name, console)
    with FolderLock(options.out, "weps search"):
        work = ClusterWork.prepare(options, console, options.jobs)
        warnings = collecting.collect()
        source = open_source(collecting.folder, collecting.name)
        if not any(map(source.ranks, source.names)):
            raise SearchError(
                f"no pages were found for {collecting.name}",
                where=collecting.folder,
                remedy="check the spelling, try other names (--also) or another search engine",
            )
        return work.cluster(source, source.names, warnings)
