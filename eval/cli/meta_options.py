"""What the commands of ``weps meta`` have in common: their options, and how they end.

What the studies of similarities have in common: their source, and keeping it as a table.

What a study of heterogeneity is given: a testbed, a measure matrix, or labelled instances.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from eval.meta.ulc import Scale
from eval.report.claims import rough_intervals
from eval.report.document import Document, Table
from eval.report.render import write_document
from eval.studies.base import Study
from eval.studies.measures import Grouped, Scored, holds_instances, is_testbed, scored
from eval.studies.pairwise import Compared, write_compared
from eval.studies.pairwise_source import Wanted, compared
from eval.tables.instances import Instances, numbered
from eval.tables.reading import columns_of, read_instances
from eval.tables.writing import GROUP, LABEL
from eval.text.measures.topic import Tools
from eval.text.testbed.matrix import HUMAN, MeasureMatrix
from weps._expressions import split
from weps._files import make_folder
from weps._formatting import aligned, listed
from weps.cli.console import Console
from weps.cli.options import (
    add_cache,
    add_jobs,
    add_json,
    cache_of,
    check_writable,
    one_of,
    whole_number,
    write_json,
)
from weps.errors import OutputError, ValuesError
from weps.language.spacy_pipeline import EMBEDDED

__all__ = [
    "WITHIN",
    "Read",
    "add_combined",
    "add_compared_options",
    "add_criteria",
    "add_criterion",
    "add_grouping",
    "add_options",
    "compared_of",
    "criteria_in",
    "criterion_in",
    "finish",
    "grouped_of",
    "is_labelled",
    "prepare",
    "set_of",
    "source_of",
    "told_of",
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


WITHIN = ("topic", "set", "all")
_CALLED_META_GROUPED = {
    "topic": ("topic", "topics"),
    "set": ("set", "sets"),
    "all": ("group", "groups"),
}

Read = tuple[Grouped, MeasureMatrix | None]
"""What is studied, and the matrix it was read from, if it was one."""


def add_grouping(parser: argparse.ArgumentParser) -> None:
    """Declare which instances are compared, and by what they are judged."""
    add_criteria(parser)
    parser.add_argument(
        "--within",
        choices=WITHIN,
        help="compare outputs of one topic, or of one set of topics called SET.1, SET.2, …, or all "
        "of them (default: topic, or set if every topic has one output)",
    )
    parser.add_argument(
        "--label",
        metavar="COLUMN",
        help="of labelled instances: which of them are positive (default: label)",
    )
    parser.add_argument(
        "--group",
        metavar="COLUMN",
        help="of labelled instances: what is compared within, such as a topic (default: group, if "
        "there is such a column)",
    )


def is_labelled(path: Path, label: str | None) -> bool:
    """Whether a file holds labelled instances, as `weps study features --instances` writes them.

    Args:
        path: the file.
        label: the column of labels, if it was named: who names one has instances.
    """
    if is_testbed(path):
        return False
    return label is not None or holds_instances(path)


def grouped_of(options: argparse.Namespace, console: Console) -> Read:
    """Read the source.

    Raises:
        WepsError: if it cannot be read, is faulty, or has nothing to compare.
    """
    if not is_labelled(options.source, options.label):
        if options.group or options.label:
            what = "--label and --group have no meaning for outputs of systems"
            raise ValuesError(what, where=options.source, remedy="leave them out")
        read = source_of(options, console, criteria_in(options))
        return _of_matrix(read, options.within), read.matrix
    if options.human or options.within:
        what = "--human and --within have no meaning for labelled instances"
        raise ValuesError(what, where=options.source, remedy="leave them out")
    by_default = GROUP if GROUP in columns_of(options.source) else None
    label, group = options.label or LABEL, options.group or by_default
    found = read_instances(options.source, label, group, split(options.measures) or None)
    return _of_instances(found.instances.inhabited(), label, options.source), None


def set_of(topic: str) -> str:
    """The name without its last part, after a full stop."""
    return topic.rpartition(".")[0] or topic


def _of_matrix(read: Scored, within: str | None) -> Grouped:
    matrix = read.matrix
    alone = len(set(matrix.topic)) == len(matrix.topic)
    chosen = within or ("set" if alone else "topic")
    names = {"topic": matrix.topic, "set": tuple(map(set_of, matrix.topic))}
    group, groups = numbered(names.get(chosen, ("all",) * len(matrix.topic)))
    return Grouped(
        read.title,
        matrix.measures,
        matrix.values,
        group.astype(np.int64),
        groups,
        matrix.system,
        dict(zip(matrix.criteria, matrix.human, strict=True)),
        False,
        _CALLED_META_GROUPED[chosen],
        (*read.remarks, *_compared(chosen, groups), *_unjudged(matrix)),
        read.digest,
    )


def _compared(chosen: str, groups: tuple[str, ...]) -> Iterator[str]:
    if chosen == "set":
        yield f"Outputs are compared within sets of topics: {', '.join(groups[:10])}."
    elif chosen == "all":
        yield "Outputs are compared across topics."


def _unjudged(matrix: MeasureMatrix) -> Iterator[str]:
    if not matrix.criteria:
        yield (
            f"No scores of people: no column is called {HUMAN}…, or named with --human. Measures: "
            f"{listed(matrix.measures, most=10)}."
        )


def _of_instances(instances: Instances, label: str, path: Path) -> Grouped:
    counts = instances.counts
    remark = f"{counts.total:,} labelled instances, {counts.positive:,} of them positive."
    return Grouped(
        path.name,
        instances.measures,
        instances.values.astype(np.float64),
        instances.group.astype(np.int64),
        instances.groups,
        (),
        {label: instances.positive.astype(np.float64)},
        True,
        _CALLED_META_GROUPED["all"],
        (remark,),
        f"instances:sha256-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}",
    )
