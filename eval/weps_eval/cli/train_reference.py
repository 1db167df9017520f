"""``weps train-reference CORPUS --out FILE``: count the words shared by pages of many names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from weps._options import REQUIRED, cli_argument, cli_option
from weps._parallel import parallel_map
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import JobsOption, ReadingOptions, check_writable
from weps.cli.pace import TimedProgress
from weps.errors import SourceError
from weps.key_terms.weighting import Reference, content_word_counts
from weps.page_forms import richest_form
from weps.reading import Reader
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source

_FEWEST_NAMES = 3
"""A word on the pages of fewer names may tell who somebody is, and is left out."""


@dataclass(frozen=True, kw_only=True)
class Options(ReadingOptions, JobsOption):
    """The options of the command."""

    corpus: Path = cli_argument("names with their pages")
    out: Path = cli_option("the reference collection", REQUIRED)
    exclude: tuple[str, ...] = cli_option("names to leave out", (), metavar="NAME")


def run_command(options: Options, console: Console) -> int:
    """Count the words of every name's pages, keep those that several names share, write.

    Raises:
        SourceError: if the names are too few to share a word.
    """
    check_writable(options.out)
    source = open_source(options.corpus)
    left_out = set(select_names(source, options.exclude)) if options.exclude else set()
    names = [name for name in source.names if name not in left_out]
    if len(names) < _FEWEST_NAMES:
        raise SourceError(
            f"too few names ({len(names)}): only words that {_FEWEST_NAMES} share are kept",
            where=source.root,
            remedy="give a corpus with more names",
        )
    work = partial(_count_words, source=source, reader=options.reader())
    counted, progress = [], TimedProgress(console, options.jobs)
    for number, words in enumerate(parallel_map(work, names, options.jobs), start=1):
        progress("counting words", number, len(names))
        counted.append(words)
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


def _count_words(name: str, source: Source, reader: Reader) -> Reference:
    search = source.search(name)
    return Reference.of(content_word_counts(reader.read(search, richest_form(search))))
