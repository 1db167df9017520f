"""``weps study features``: rank, compare and combine what pages, or anything, are compared by.

The feature study of anyone's table: read, analyse.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.cli.options import add_corpus_options
from eval.cli.study_corpora import study_corpora
from eval.report.claims import rough_intervals
from eval.report.document import Document
from eval.report.figures.canvas import available
from eval.report.render import write_document
from eval.studies.features.findings import Plan, compute_findings
from eval.studies.features.report import BOUND_REMARK, TableStudy, table_document
from eval.studies.features.trees import (
    TreeConfidences,
    comparable_by_trees,
    cross_validate_trees,
    study_settings,
)
from eval.tables.columns import TableRead, ending_of
from eval.tables.instances import Instances
from eval.tables.reading import read_instances
from eval.tables.writing import WRITERS
from weps._expressions import split_items
from weps._files import make_folder
from weps._formatting import count_of
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import check_writable, parse_whole_number
from weps.errors import OutputError, SourceError, ValuesError
from weps.page_forms import PageForm

__all__ = ["arguments", "run", "study_table"]

_MOST_GROUPS = 1_000
"""More are no groups but names of instances; a pair count has groups² cells."""
_LEAF = 100
"""A leaf holds a hundredth of the instances, at most as many as in a system's tree."""


def study_table(options: argparse.Namespace, console: Console) -> Document:
    """Study the measures of a table."""
    measures = split_items(options.measures) if options.measures else None
    read = read_instances(options.table, options.label, options.group, measures)
    instances = read.instances.without_empty_groups()
    _check_groups(instances, options.group)
    base = options.base or instances.measures[0]
    instances.column(base)  # or there is no such base
    for remark in (remarks := list(_remarks(read, base))):
        console.write_status(remark)
    leaf = max(1, min(_LEAF, instances.counts.total // 100))
    settings = study_settings(options.seed, leaf)
    ranked = comparable_by_trees(instances)
    plan = Plan(base, (), options.combinations, options.exhaustive, options.seed)

    def unseen(measures: Sequence[str]) -> list[TreeConfidences]:
        return cross_validate_trees(ranked.only(measures), settings)

    findings = compute_findings(instances, instances, unseen, plan, console.write_status)
    study = TableStudy(
        options.table.name,
        findings,
        tuple(remarks),
        _signature(instances, options, base),
        options.line,
    )
    return table_document(study)


def _check_groups(instances: Instances, column: str | None) -> None:
    if len(instances.groups) > _MOST_GROUPS:
        raise ValuesError(
            f"the column {column!r} makes {len(instances.groups):,} groups of "
            f"{instances.counts.total:,} instances",
            remedy=f"choose one that makes at most {_MOST_GROUPS:,}, or leave out --group",
        )


def _remarks(read: TableRead, base: str) -> Iterator[str]:
    """Remarks on the table."""
    instances = read.instances
    counts = instances.counts
    yield (
        f"{counts.total:,} instances, {counts.positive:,} of them positive; "
        f"{count_of(len(instances.measures), 'measure')}, compared with {base}."
    )
    if read.left_out:
        yield f"Left out, because they hold no numbers: {', '.join(read.left_out)}."
    if len(instances.groups) > 1:
        yield f"{len(instances.groups)} groups are resampled, and held out together from trees."
        yield from rough_intervals(len(instances.groups))
    else:
        yield "Without groups there are no intervals; trees are judged on instances held out."
    yield BOUND_REMARK


def _signature(instances: Instances, options: argparse.Namespace, base: str) -> str:
    """The settings that determine the figures, in one line."""
    parts = {
        "table": f"sha256-{_digest(instances)}",
        "base": base,
        "combinations": options.combinations,
        "exhaustive": options.exhaustive,
        "seed": options.seed,
        "weps": VERSION,
    }
    return "|".join(f"{part}:{value}" for part, value in parts.items())


def _digest(instances: Instances) -> str:
    """Eight hexadecimal digits of what is studied."""
    digest = hashlib.sha256(repr((instances.measures, instances.groups)).encode())
    for array in (instances.values, instances.positive, instances.group):
        digest.update(array.tobytes())
    return digest.hexdigest()[:8]


_OF_CORPORA = ("test", "features", "form", "instances", "exclude")
"""Options that a table knows nothing of."""
_COMBINATIONS = 40
_EXHAUSTIVE = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "corpus", metavar="CORPUS", type=Path, nargs="?", help="names with pages and keys"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("weps-study"), metavar="DIR", help="default: weps-study"
    )
    parser.add_argument(
        "--base",
        metavar="FEATURE",
        help="what the others are compared with (default: token, else the first)",
    )
    parser.add_argument(
        "--combinations",
        type=parse_whole_number,
        default=_COMBINATIONS,
        metavar="N",
        help=f"random combinations to compare bounds and trees by (default: {_COMBINATIONS})",
    )
    parser.add_argument(
        "--exhaustive",
        type=parse_whole_number,
        default=_EXHAUSTIVE,
        metavar="K",
        help=f"search all subsets of up to K for the best (default: {_EXHAUSTIVE})",
    )
    _add_corpora(parser.add_argument_group("corpora"))
    add_corpus_options(parser)
    _add_table(parser.add_argument_group("one's own data instead of a corpus"))


def _add_corpora(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--test", type=Path, metavar="CORPUS", help="judge trees on these names, not by parts"
    )
    group.add_argument(
        "--features", metavar="SET", help="what to study, see `weps features` (default: all)"
    )
    group.add_argument(
        "--form",
        type=PageForm,
        choices=list(PageForm),
        help="study the pages as if only that were at hand (default: the most that every corpus "
        "has)",
    )
    group.add_argument(
        "--instances",
        type=Path,
        metavar="FILE",
        help="also write the pairs as a table (.npz, .csv)",
    )


def _add_table(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="instances × measures with a column of labels (.csv, .tsv, .parquet, .npz)",
    )
    group.add_argument("--label", default="label", metavar="COLUMN", help="default: label")
    group.add_argument(
        "--group", metavar="COLUMN", help="what is resampled and held out together, e.g. a topic"
    )
    group.add_argument(
        "--measures", metavar="COLUMN,COLUMN", help="default: every column of numbers"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Study corpora or a table; write the document."""
    _check(options)
    make_folder(options.out)
    if not available():
        console.warn("figures are left out: they need matplotlib; pip install 'weps[plots]'")
    study = study_corpora if options.corpus else study_table
    document = study(options, console)
    written = write_document(document, options.out)
    index = next(path for path in written if path.name == "index.html")
    console.write(f"study: {index}, with {len(written) - 1} files beside it")
    return 0


def _check(options: argparse.Namespace) -> None:
    """Check in advance that the study can be done.

    Raises:
        SourceError: if it is unclear what to study.
        OutputError: if the instances cannot be written.
    """
    if (options.corpus is None) == (options.table is None):
        raise SourceError(
            "unclear what to study",
            remedy="use `study features CORPUS`, with or without `--test CORPUS`, "
            "or `study features --table FILE`",
        )
    of_corpora = [f"--{name}" for name in _OF_CORPORA if getattr(options, name)]
    if options.table and of_corpora:
        raise SourceError(
            f"{', '.join(of_corpora)} has no meaning for a table",
            where=options.table,
            remedy="leave it out",
        )
    check_writable(options.instances)
    if options.instances:
        ending_of(options.instances, WRITERS, OutputError)
