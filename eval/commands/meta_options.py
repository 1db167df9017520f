"""What the commands of ``weps meta`` have in common: their options, and how they end."""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eval.document import Document, Table, write_document
from eval.meta.ulc import Scale
from eval.meta_study.material import Scored, scored
from eval.meta_study.study import Study
from eval.text.desk import Tools
from eval.text.testbed.tables import HUMAN
from weps.commands.console import Console
from weps.commands.options import (
    add_cache,
    add_jobs,
    add_json,
    check_writable,
    one_of,
    whole_number,
    write_json,
)
from weps.commands.reading import cache_of
from weps.errors import OutputError, ValuesError
from weps.expressions import split
from weps.language.pipeline import EMBEDDED
from weps.placing import make_folder
from weps.tables import aligned

__all__ = [
    "add_combined",
    "add_criteria",
    "add_criterion",
    "add_options",
    "criteria_in",
    "criterion_in",
    "finish",
    "prepare",
    "source_of",
    "tools_of",
]

_READ, _WRITTEN = ("source", "official"), ("json", "keep", "out")
_CALLED = {
    "source": "the source",
    "official": "the table of --official",
    "json": "the file of --json",
    "keep": "the file of --keep",
}


def add_options(parser: argparse.ArgumentParser, source: str) -> None:
    """Declare the options of every study."""
    parser.add_argument("source", metavar="SOURCE", type=Path, help=source)
    parser.add_argument(
        "--measures",
        metavar="LIST",
        default="",
        help="between commas: columns of a matrix (default: all), or measures and sets to be "
        "computed on a testbed, see `weps text measures` (default: usual)",
    )
    parser.add_argument(
        "--seed", type=whole_number, default=0, metavar="N", help="of all resampling (default: 0)"
    )
    parser.add_argument(
        "--wordnet", type=Path, metavar="DIR", help="the folder of WordNet's files, for a testbed"
    )
    parser.add_argument(
        "--language",
        metavar="NAME",
        default=EMBEDDED,
        help="spaCy pipeline for measures that need one (default: that which comes with weps)",
    )
    add_cache(parser, "walks through WordNet are kept", "walk through WordNet anew")
    add_jobs(parser)
    add_json(parser)
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="also write all as a document with figures"
    )


def add_criteria(parser: argparse.ArgumentParser) -> None:
    """``--human LIST``, read by :func:`criteria_in`."""
    parser.add_argument(
        "--human",
        metavar="LIST",
        default="",
        help="criteria by which people judged, between commas (default: all)",
    )


def criteria_in(options: argparse.Namespace) -> tuple[str, ...]:
    """The criteria asked for, each once and without ``human:``; none stand for all."""
    return tuple(dict.fromkeys(name.removeprefix(HUMAN) for name in split(options.human)))


def add_criterion(parser: argparse.ArgumentParser) -> None:
    """``--human CRITERION``."""
    parser.add_argument(
        "--human", metavar="CRITERION", default="", help="by which people judged (default: first)"
    )


def criterion_in(options: argparse.Namespace) -> tuple[str, ...]:
    """The criterion asked for, if there is one.

    Raises:
        ValuesError: if there are several.
    """
    found = criteria_in(options)
    if len(found) > 1:
        what, remedy = f"{len(found)} criteria are too many", "choose one, or call it for each"
        raise ValuesError(what, where="--human", remedy=remedy)
    return found


def add_combined(parser: argparse.ArgumentParser) -> None:
    """``--ulc SCALE``."""
    parser.add_argument(
        "--ulc",
        type=one_of(Scale),
        choices=list(Scale),
        default=Scale.DEVIATION,
        help="how measures are scaled before ULC takes their mean (default: deviation)",
    )


def prepare(options: argparse.Namespace) -> None:
    """Find out before long work whether results can be written, each into a file of its own.

    Raises:
        OutputError: if not.
    """
    check_writable(options.json)
    _check_apart(options)
    if options.report:
        make_folder(options.report)


def _check_apart(options: argparse.Namespace) -> None:
    taken: dict[str, str] = {}
    for name in (*_READ, *_WRITTEN):
        path: Path | None = getattr(options, name, None)
        if path is None:
            continue
        before = taken.setdefault(os.path.realpath(path), name)
        if before != name and name in _WRITTEN:
            what = f"this is {_CALLED[before]} already"
            raise OutputError(what, where=path, remedy=f"choose another file with --{name}")


def tools_of(options: argparse.Namespace) -> Tools:
    """What measures need besides texts."""
    return Tools(options.language, options.wordnet, cache_of(options))


def source_of(
    options: argparse.Namespace, console: Console, criteria: Iterable[str] = ()
) -> Scored:
    """The values of measures that are studied."""
    return scored(
        options.source,
        options.measures,
        tuple(criteria),
        tools=tools_of(options),
        jobs=options.jobs,
        progress=console.work,
    )


def finish(  # noqa: PLR0913 - what is told, in every form
    options: argparse.Namespace,
    console: Console,
    study: Study[Any],
    tables: Iterable[Table],
    *,
    document: Document,
    data: Any,
) -> int:
    """Print remarks and tables, write what is asked for; the exit status."""
    for remark in study.remarks:
        console.say(textwrap.fill(remark, console.width))
    for table in tables:
        note = textwrap.fill(table.note, console.width)
        lines = [table.title, *map(str.rstrip, aligned(table.rows, left=table.left)), note]
        console.detail("\n" + "\n".join(filter(None, lines)))
    console.detail()
    console.say(study.signature)
    write_json(options.json, data)
    if options.report:
        *others, index = write_document(document, options.report)
        console.say(f"report: {index}, with {len(others)} files beside it")
    return 0
