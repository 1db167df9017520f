"""How commands end whose studies are not run by :class:`eval.studies.base.Study` yet.

What a study of heterogeneity is given: a testbed, a measure matrix, or labelled instances.
"""

from __future__ import annotations

import argparse
import hashlib
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from eval.report.document import Document
from eval.report.render import as_text, write_report
from eval.report.tables import Table
from eval.studies.base import Result
from eval.studies.measures import GroupedInstances, StudyInput, holds_instances, is_testbed
from eval.studies.options import add_criteria, criteria_in, source_of
from eval.tables.instances import Instances, number_names
from eval.tables.reading import columns_of, read_instances
from eval.tables.writing import GROUP, LABEL
from eval.text.testbed.matrix import HUMAN, MeasureMatrix
from weps._expressions import split_items
from weps._formatting import join_items
from weps.cli.console import Console
from weps.cli.options import write_json
from weps.errors import ValuesError

__all__ = [
    "GROUPINGS",
    "GroupedSource",
    "add_grouping",
    "grouped_of",
    "is_labelled",
    "set_of",
    "write_results",
]

GROUPINGS = ("topic", "set", "all")
_GROUP_NOUNS = {
    "topic": ("topic", "topics"),
    "set": ("set", "sets"),
    "all": ("group", "groups"),
}

GroupedSource = tuple[GroupedInstances, MeasureMatrix | None]
"""What is studied, and the matrix it was read from, if it was one."""


def add_grouping(parser: argparse.ArgumentParser) -> None:
    """Declare which instances are compared, and by what they are judged."""
    add_criteria(parser)
    parser.add_argument(
        "--within",
        choices=GROUPINGS,
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


def grouped_of(options: argparse.Namespace, console: Console) -> GroupedSource:
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
    found = read_instances(options.source, label, group, split_items(options.measures) or None)
    return _of_instances(found.instances.without_empty_groups(), label, options.source), None


def set_of(topic: str) -> str:
    """The name without its last part, after a full stop."""
    return topic.rpartition(".")[0] or topic


def _of_matrix(read: StudyInput, within: str | None) -> GroupedInstances:
    matrix = read.matrix
    alone = len(set(matrix.topic)) == len(matrix.topic)
    chosen = within or ("set" if alone else "topic")
    names = {"topic": matrix.topic, "set": tuple(map(set_of, matrix.topic))}
    group, groups = number_names(names.get(chosen, ("all",) * len(matrix.topic)))
    return GroupedInstances(
        read.title,
        matrix.measures,
        matrix.values,
        group.astype(np.int64),
        groups,
        matrix.system,
        dict(zip(matrix.criteria, matrix.human, strict=True)),
        False,
        _GROUP_NOUNS[chosen],
        (*read.remarks, *_comparison_remarks(chosen, groups), *_unjudged_remarks(matrix)),
        read.digest,
    )


def _comparison_remarks(chosen: str, groups: tuple[str, ...]) -> Iterator[str]:
    if chosen == "set":
        yield f"Outputs are compared within sets of topics: {', '.join(groups[:10])}."
    elif chosen == "all":
        yield "Outputs are compared across topics."


def _unjudged_remarks(matrix: MeasureMatrix) -> Iterator[str]:
    if not matrix.criteria:
        yield (
            f"No scores of people: no column is called {HUMAN}…, or named with --human. Measures: "
            f"{join_items(matrix.measures, most=10)}."
        )


def _of_instances(instances: Instances, label: str, path: Path) -> GroupedInstances:
    counts = instances.counts
    remark = f"{counts.total:,} labelled instances, {counts.positive:,} of them positive."
    return GroupedInstances(
        path.name,
        instances.measures,
        instances.values.astype(np.float64),
        instances.group.astype(np.int64),
        instances.groups,
        (),
        {label: instances.positive.astype(np.float64)},
        True,
        _GROUP_NOUNS["all"],
        (remark,),
        f"instances:sha256-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}",
    )


def write_results(  # noqa: PLR0913 - what is told, in every form
    options: argparse.Namespace,
    console: Console,
    study: Result[Any],
    tables: Iterable[Table],
    *,
    document: Document,
    data: Any,
) -> int:
    """Print remarks and tables, write what is asked for; the exit status."""
    for remark in study.remarks:
        console.write(textwrap.fill(remark, console.width))
    for table in tables:
        console.write_detail("\n" + as_text(table, console.width))
    console.write_detail()
    console.write(study.signature)
    write_json(options.json, data)
    if options.report:
        write_report(document, options.report, console)
    return 0
