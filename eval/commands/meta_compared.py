"""What the studies of similarities have in common: their source, and keeping it as a table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from eval.commands.meta_options import add_criteria, add_options, criteria_in, prepare, tools_of
from eval.judging.remarks import rough_intervals
from eval.meta_study.compared import Compared, Wanted, compared, write_compared
from weps.commands.console import Console
from weps.commands.options import check_writable

__all__ = ["add_compared_options", "compared_of", "told_of"]

_SOURCE = (
    "a testbed (.jsonl, .jsonl.gz) with several references per topic, or a table of similarities "
    "between its texts that --keep has written"
)


def add_compared_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of every study of similarities."""
    add_options(parser, _SOURCE)
    add_criteria(parser)
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FILE",
        help="write the similarities as a table (.csv), which is a SOURCE as well",
    )


def compared_of(options: argparse.Namespace, console: Console, wanted: Wanted) -> Compared:
    """The similarities, kept if asked for.

    Raises:
        WepsError: whatever is wrong with the source, or with where results are written.
    """
    prepare(options)
    check_writable(options.keep)
    wanted = replace(wanted, measures=options.measures, criteria=criteria_in(options))
    tools = tools_of(options)
    found = compared(options.source, wanted, tools, jobs=options.jobs, progress=console.work)
    if options.keep:
        write_compared(found, options.keep)
    return found


def told_of(found: Compared) -> Iterator[str]:
    """What the reader must know of the source."""
    peers = [len(each.systems) for each in found.topics]
    models = [len(each.references) for each in found.topics]
    yield (
        f"{found.title}: {_counted(len(found.topics), 'topic')} with {_range(models)} references "
        f"and {_range(peers)} outputs each, {_counted(len(found.measures), 'measure')}."
    )
    yield from found.remarks
    yield from rough_intervals(len(found.topics))


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    return str(low) if low == high else f"{low} to {high}"
