"""``weps train-reference CORPUS --out FILE``: count the words shared by pages of many names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from weps._parallel import parallel_map
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import add_jobs, add_reading, check_writable, reader_from_options
from weps.cli.pace import TimedProgress
from weps.errors import SourceError
from weps.key_terms.weighting import Reference, content_word_counts
from weps.page_forms import richest_form
from weps.reading import Reader
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source

_FEWEST_NAMES = 3
"""A word on the pages of fewer names may tell who somebody is, and is left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="names with their pages")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the reference collection"
    )
    parser.add_argument(
        "--exclude", nargs="+", default=[], metavar="NAME", help="names to leave out"
    )
    add_reading(parser)
    add_jobs(parser)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Count the words of every name's pages, keep those that several names share, write."""
    check_writable(options.out)
    source = open_source(options.corpus)
    names = _names(source, options.exclude)
    counted = _count_words(source, names, options, console)
    reference = replace(
        Reference.combine(counted, _FEWEST_NAMES),
        made_from={
            "layout": source.layout,
            "digest": source.digest(names),
            "names": len(names),
            "fewest_names": _FEWEST_NAMES,
            "weps": VERSION,
        },
    )
    reference.write(options.out)
    console.write(
        f"{len(reference.words):,} words that occur on pages of {_FEWEST_NAMES} names or more, "
        f"from {reference.documents:,} pages of {reference.size:,} words\n"
        f"reference collection: {options.out}"
    )
    return 0


def _names(source: Source, exclude: list[str]) -> list[str]:
    """The names whose pages are counted.

    Raises:
        SourceError: if they are too few to share a word.
    """
    left_out = set(select_names(source, exclude)) if exclude else set()
    names = [name for name in source.names if name not in left_out]
    if len(names) < _FEWEST_NAMES:
        raise SourceError(
            f"too few names ({len(names)}): only words that {_FEWEST_NAMES} share are kept",
            where=source.root,
            remedy="give a corpus with more names",
        )
    return names


def _count_words(
    source: Source, names: list[str], options: argparse.Namespace, console: Console
) -> Iterator[Reference]:
    """The words of each name's pages."""
    work = partial(_of_name, source=source, reader=reader_from_options(options))
    collections = parallel_map(work, names, options.jobs)
    progress = TimedProgress(console, options.jobs)
    for number, each in enumerate(collections, start=1):
        progress("counting words", number, len(names))
        yield each


def _of_name(name: str, source: Source, reader: Reader) -> Reference:
    search = source.search(name)
    return Reference.of(content_word_counts(reader.read(search, richest_form(search))))
