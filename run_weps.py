"""The composition root: the command line, assembled from ``weps`` and ``eval``.

Installed as the command ``weps``; from a checkout, ``python run_weps.py`` does the same.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from weps._version import VERSION
from weps.cli.commands import Command, add_commands, add_quiet
from weps.cli.console import Console
from weps.errors import WepsError

if TYPE_CHECKING:
    from eval.clustering.scorers import Scorer
    from weps.sources.base import Source

__all__ = ["main"]

_TEXT_TASKS = {
    "score": Command(
        "eval.cli.text_score",
        "compare the outputs of systems with references, by any measures",
    ),
    "measures": Command("eval.cli.text_measures", "list the measures and sets of measures"),
    "convert": Command("eval.cli.text_convert", "make a testbed of a published set"),
}
_META_STUDIES = {
    "qarla": Command(
        "eval.studies.qarla.study",
        "measures that distinguish people from systems: QUEEN, KING and JACK (ACL 2005)",
    ),
    "orange": Command(
        "eval.studies.orange.study",
        "measures that rank references before outputs, and whether people agree (2004, 2006)",
    ),
    "heterogeneity": Command(
        "eval.studies.heterogeneity.study",
        "how far measures differ, and how reliable they are together (2011)",
    ),
    "hbr": Command(
        "eval.studies.hbr.study",
        "outputs ranked by many measures without people: heterogeneity-based ranking (2012)",
    ),
    "improvements": Command(
        "eval.studies.improvements.study",
        "which improvements of systems measures see: SIP, SIR, oracle system test (2009)",
    ),
    "correlation": Command(
        "eval.studies.correlation.study",
        "how far measures agree with people, by systems and by outputs",
    ),
    "regression": Command(
        "eval.studies.regression.study",
        "scores of people estimated from measures: voted regression and its rivals (2006, 2007)",
    ),
}
_STUDIES = {
    "features": Command(
        "eval.studies.features.study",
        "which evidence earns its place: PWA, MaxPWA, redundancy (EMNLP 2009)",
    ),
    "key-terms": Command(
        "eval.studies.key_terms.study",
        "where key concepts stand in sentences, and which weightings find them (COLING 2004)",
    ),
    "refinements": Command(
        "eval.studies.refinements.study",
        "what to add to a name to find one person: the best query refinements (ACL-IJCNLP 2009)",
    ),
}
_COMMANDS = {
    "cluster": Command("weps.cli.cluster", "say who is who among the pages found for a name"),
    "search": Command("weps.cli.search", "find pages for a name on the Web, and say who is who"),
    "update": Command("weps.cli.update", "add pages to a result, and say what changes"),
    "forget": Command("weps.cli.forget", "remove everything that is kept of a name"),
    "serve": Command("weps.cli.serve", "look at results and correct them, in the browser"),
    "train": Command("eval.cli.train", "learn a model from names whose key is known"),
    "evaluate": Command("eval.cli.evaluate", "score answers as the official WePS scorers do"),
    "benchmark": Command("eval.cli.benchmark", "train, cluster and score on unseen names"),
    "text": Command("", "compare summaries and translations with references", "task", _TEXT_TASKS),
    "meta": Command("", "find out which measures deserve trust", "study", _META_STUDIES),
    "study": Command("", "find out which evidence earns its place", "study", _STUDIES),
    "features": Command("weps.cli.features", "list what pages can be compared by"),
    "cache": Command("weps.cli.cache", "show or empty the store of pages already read"),
    "train-language": Command("eval.cli.train_language", "build the English pipeline again"),
    "train-reference": Command("eval.cli.train_reference", "count how common words are on pages"),
}
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 if all went well."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(words)
    options.line = shlex.join(["weps", *words])  # for what says how it was made
    options.scorer_for = _official_scorer
    console = Console(quiet=getattr(options, "quiet", False))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: console.warn(str(message))
            return int(options.run(options, console))
    except WepsError as error:
        console.error(error.describe())
        return 1
    except KeyboardInterrupt:
        console.error("; ".join(filter(None, ("stopped", getattr(options, "kept", "")))))
        return _INTERRUPTED
    except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _official_scorer(source: Source) -> Scorer:
    """What scores answers to a source, for commands of ``weps``, which do not know ``eval``."""
    from eval.clustering.scorers import scorer_for  # noqa: PLC0415 - not for `weps --help`

    return scorer_for(source)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="weps",
        description="Web people search: which of the pages found for a name are about the same "
        "person, and why.",
    )
    parser.add_argument("--version", action="version", version=f"weps {VERSION}")
    add_quiet(parser)
    add_commands(parser, "command", _COMMANDS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
