"""``weps benchmark``: train, cluster and score on names that the model has not seen."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.clustering import SCORERS
from eval.commands.compare import report as compare
from eval.commands.experiments import ORIGIN, SYSTEMS, cross_validation, transfer
from eval.commands.loading import add_corpus_options, add_systems
from eval.commands.outcome import report
from weps.commands.console import Console
from weps.commands.options import add_json, check_writable
from weps.errors import SourceError
from weps.placing import make_folder

__all__ = ["arguments", "run"]

_KINDS = ("corpus", "cv", "train", "test", "compare")
"""Options that say what is to be done."""
_EXPERIMENTS = {
    frozenset({"corpus", "cv"}): cross_validation,
    frozenset({"train", "test"}): transfer,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        type=Path,
        nargs="*",
        help="corpus to cross-validate on; several of one layout are taken as one",
    )
    parser.add_argument(
        "--cv",
        type=_parts,
        metavar="K",
        help="cross-validate over K parts of the names, or `origin`: names of each origin (found "
        "by search, or listed) are answered by what those of the others teach; everything is "
        "learnt from the other parts alone, stopping and calibration by dividing these once more "
        "(nested cross-validation)",
    )
    parser.add_argument(
        "--train",
        type=Path,
        nargs="+",
        metavar="CORPUS",
        help="learn on these names; several corpora of one layout are taken as one",
    )
    parser.add_argument("--test", type=Path, metavar="CORPUS", help="answer for these names")
    parser.add_argument(
        "--compare",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="compare recorded runs instead: files, or folders of seeds; the first is the baseline",
    )
    parser.add_argument(
        "--scorer", choices=sorted(SCORERS), help="default: the official one of the corpus"
    )
    add_systems(
        parser,
        "append",
        "a system to run; repeat for several, which are compared with the first",
        " and ".join(SYSTEMS),
    )
    parser.add_argument(
        "--common-features",
        action="store_true",
        help="only features that the pages of every name have, those learnt on included",
    )
    add_corpus_options(parser)
    add_json(parser)
    parser.add_argument(
        "--runs", type=Path, metavar="DIR", help="record a run of each system below this folder"
    )
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="also write tables and figures as a document"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the one kind of benchmark or the other, or compare earlier ones."""
    given = {name for name in _KINDS if getattr(options, name) not in (None, [])}
    if given == {"compare"} and not (options.system or options.runs or options.report):
        return compare(options.compare, console, options.json)
    experiment = _EXPERIMENTS.get(frozenset(given))
    if experiment is None:
        raise SourceError(
            "unclear what to run",
            remedy="say `benchmark --cv K CORPUS …`, `benchmark --train CORPUS … --test CORPUS`, "
            "or `benchmark --compare RUN RUN`",
        )
    _check_places(options)
    return report(experiment(options, console), options, console)


def _parts(text: str) -> int | str:
    """A number of parts or a word, as argparse wants it."""
    if text == ORIGIN:
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number and not {ORIGIN!r}") from None


def _check_places(options: argparse.Namespace) -> None:
    """Find out before long work, not after it, that its result cannot be written."""
    check_writable(options.json)
    for folder in (options.runs, options.report):
        if folder:
            make_folder(folder)
