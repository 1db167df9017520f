"""The composition root: the command line, assembled from ``weps`` and ``weps_eval``.

Installed as the command ``weps``; from a checkout, ``python run_weps.py`` does the same.
"""

from __future__ import annotations

import argparse
import gc
import os
import shlex
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if (_LAYER := Path(__file__).resolve().parent / "eval").joinpath("weps_eval").is_dir():
    sys.path.insert(0, str(_LAYER))  # in a checkout, which need not be installed

from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import Command, CommandParser, PrintCompletion, add_commands, add_common
from weps.errors import describe_error, is_foreseen

if TYPE_CHECKING:
    from weps.sources.base import Source
    from weps_eval.clustering.measures import Scorer

__all__ = ["main"]

_TEXT_TASKS = {
    "score": Command(
        "weps_eval.cli.text:score_outputs",
        "compare the outputs of systems with references, by any measures",
    ),
    "measures": Command(
        "weps_eval.cli.text:list_measures", "list the measures and sets of measures"
    ),
    "convert": Command(
        "weps_eval.cli.text:convert_set", "convert a published data set into a testbed"
    ),
}
_META_STUDIES = {
    "qarla": Command(
        "weps_eval.studies.qarla",
        "measures that distinguish human from automatic outputs: QUEEN, KING and JACK (ACL 2005)",
    ),
    "orange": Command(
        "weps_eval.studies.orange",
        "measures that rank references before outputs, and whether people agree (2004, 2006)",
    ),
    "heterogeneity": Command(
        "weps_eval.studies.heterogeneity",
        "how far measures differ, and how reliable they are together (2011)",
    ),
    "hbr": Command(
        "weps_eval.studies.hbr",
        "outputs ranked by many measures without human scores: heterogeneity-based ranking (2012)",
    ),
    "improvements": Command(
        "weps_eval.studies.improvements",
        "which improvements between systems measures find: SIP, SIR, oracle system test (2009)",
    ),
    "correlation": Command(
        "weps_eval.studies.correlation",
        "how far measures agree with human scores, by systems and by outputs",
    ),
    "regression": Command(
        "weps_eval.studies.regression",
        "human scores estimated from measures: voted regression and other models (2006, 2007)",
    ),
}
_STUDIES = {
    "features": Command(
        "weps_eval.studies.features",
        "which features contribute most: PWA, MaxPWA, redundancy (EMNLP 2009)",
    ),
    "key-terms": Command(
        "weps_eval.studies.key_terms",
        "where key concepts occur in sentences, and which weightings find them (COLING 2004)",
    ),
    "refinements": Command(
        "weps_eval.studies.refinements",
        "which words to add to a name to find one person: query refinements (ACL-IJCNLP 2009)",
    ),
}
_CORPUS_TASKS = {
    "check": Command("weps.cli.checks:check_corpus", "check whether a WePS corpus is complete"),
}
_COMMANDS = {
    "cluster": Command("weps.cli.cluster", "cluster the pages found for a name by person"),
    "search": Command("weps.cli.search", "search the Web for a name, and cluster the pages found"),
    "update": Command("weps.cli.search:update", "add pages to a result, and report what changes"),
    "forget": Command(
        "weps.cli.search:delete_name", "delete everything that is stored about a name"
    ),
    "serve": Command("weps.cli.checks:serve_results", "view and correct results in the browser"),
    "train": Command("weps_eval.cli.learning:train_models", "train a model on names with a key"),
    "evaluate": Command("weps_eval.cli.evaluate", "score answers as the official WePS scorers do"),
    "benchmark": Command(
        "weps_eval.cli.learning:run_benchmark", "train, cluster and score on unseen names"
    ),
    "text": Command("", "compare summaries and translations with references", "task", _TEXT_TASKS),
    "meta": Command("", "evaluate measures between texts themselves", "study", _META_STUDIES),
    "study": Command("", "study features, key terms and query refinements", "study", _STUDIES),
    "corpus": Command("", "inspect a WePS corpus", "task", _CORPUS_TASKS),
    "doctor": Command("weps.cli.checks:diagnose", "show what is installed and what is missing"),
    "features": Command(
        "weps.cli.checks:list_features", "list the features by which pages are compared"
    ),
    "cache": Command("weps.cli.checks:show_cache", "show or clear the cache of pages"),
    "train-reference": Command(
        "weps_eval.cli.learning:train_reference", "count word frequencies on pages"
    ),
}
_FAILED, _INTERNAL, _INTERRUPTED = 1, 70, 130
_NEW_OBJECTS = 50_000
"""After which Python looks for cycles among them. By default 700: that takes a twentieth to a tenth
of the processor time, and saves no memory."""
_STATUS = (
    "Exit status: 0 on success, 1 on an error, 2 on an invalid command line, "
    f"{_INTERNAL} on an internal error, {_INTERRUPTED} if interrupted."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and tell any error in one line.

    Returns:
        The exit status: 0 if all went well, 1 if something could not be done, 70 for an internal
        error, 130 if stopped; argparse exits with 2.
    """
    gc.set_threshold(_NEW_OBJECTS)
    _open_closed_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    options, console = argparse.Namespace(traceback="--traceback" in words), Console()
    try:
        _parser().parse_args(words, options)
        options.line = shlex.join(["weps", *words])  # for what says how it was made
        options.scorer_for = _official_scorer
        console.quiet = getattr(options, "quiet", False)
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: console.warn(str(message))
            return int(options.run(options, console))
    except KeyboardInterrupt:
        console.error("; ".join(filter(None, ("stopped", getattr(options, "kept", "")))))
        return _INTERRUPTED
    except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
        return 0
    except Exception as error:  # noqa: BLE001 - the last place that can tell it
        return _tell_error(error, console, trace=options.traceback)
    finally:
        _drop_unwritten()


def _tell_error(error: Exception, console: Console, *, trace: bool) -> int:
    """One line for an error, after its stack if that is wanted; returns the exit status."""
    if trace:
        console.error("".join(traceback.format_exception(error)))
    if is_foreseen(error):
        console.error(describe_error(error))
        return _FAILED
    details = "" if trace else ", with the output of the same command with --traceback"
    console.error(f"{describe_error(error)}; this is a bug in weps: please report it{details}")
    return _INTERNAL


def _open_closed_streams() -> None:
    """Open the standard streams that are closed (``>&-``), lest the next file take their place.

    What is written to such an output fails; messages are lost.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            flags = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            while os.open(os.devnull, flags) < number:
                pass
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
            setattr(sys, name, stream)


def _drop_unwritten() -> None:
    """Drop results that cannot be written: else Python would try again at the end, and say so."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _official_scorer(source: Source) -> Scorer:
    """The scorer of answers to a source, for commands of ``weps``, which never import it."""
    from weps_eval.clustering.measures import scorer_for  # noqa: PLC0415 - not for `weps --help`

    return scorer_for(source)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="weps",
        description="Web people search: which of the pages found for a name are about the same "
        "person, and why.",
        epilog=_STATUS,
    )
    parser.add_argument("--version", action="version", version=f"weps {VERSION}")
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=("bash", "zsh", "fish"),
        metavar="SHELL",
        help="print a script that completes commands and options in bash, zsh or fish",
    )
    add_common(parser)
    add_commands(parser, "command", _COMMANDS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
