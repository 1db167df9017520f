"""``weps study features``: rank, compare and combine what pages, or anything, are compared by."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.commands.loading import add_corpus_options
from eval.commands.study_corpora import study_corpora
from eval.commands.study_table import study_table
from eval.document import write_document
from eval.figures import available
from eval.instances.endings import ending_of
from eval.instances.writing import WRITERS
from weps.commands.console import Console
from weps.commands.options import check_writable, whole_number
from weps.errors import OutputError, SourceError
from weps.forms import Form
from weps.placing import make_folder

__all__ = ["arguments", "run"]

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
        type=whole_number,
        default=_COMBINATIONS,
        metavar="N",
        help=f"random combinations to compare bounds and trees by (default: {_COMBINATIONS})",
    )
    parser.add_argument(
        "--exhaustive",
        type=whole_number,
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
        type=Form,
        choices=list(Form),
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
    console.say(f"study: {index}, with {len(written) - 1} files beside it")
    return 0


def _check(options: argparse.Namespace) -> None:
    """Find out before long work what cannot be done.

    Raises:
        SourceError: if it is unclear what to study.
        OutputError: if the instances cannot be written.
    """
    if (options.corpus is None) == (options.table is None):
        raise SourceError(
            "unclear what to study",
            remedy="say `study features CORPUS`, with or without `--test CORPUS`, "
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
