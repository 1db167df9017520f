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

_COMMANDS = {
    "cluster": Command("weps.cli.cluster", "say who is who among the pages found for a name"),
    "update": Command("weps.cli.update", "add pages to a result, and say what changes"),
    "serve": Command("weps.cli.serve", "look at results and correct them, in the browser"),
    "train": Command("eval.cli.train", "learn a model from names whose key is known"),
    "evaluate": Command("eval.cli.evaluate", "score answers as the official WePS scorers do"),
    "benchmark": Command("eval.cli.benchmark", "train, cluster and score on unseen names"),
    "text": Command("eval.cli.text", "compare summaries and translations with references"),
    "meta": Command("eval.cli.meta", "find out which measures deserve trust"),
    "study": Command("eval.cli.study", "find out which evidence earns its place"),
    "features": Command("weps.cli.features", "list what pages can be compared by"),
    "cache": Command("weps.cli.cache", "show or empty the store of pages already read"),
    "train-language": Command("eval.cli.train_language", "make the English pipeline anew"),
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
