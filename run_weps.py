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

from weps._version import VERSION
from weps.cli.commands import Command, add_commands, add_quiet
from weps.cli.console import Console
from weps.errors import WepsError

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
    options.line = shlex.join(["weps", *words])  # for what tells how it was made
    console = Console(quiet=getattr(options, "quiet", False))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: console.warn(str(message))
            return _run(options, console)
    except WepsError as error:
        console.error(error.describe())
        return 1
    except KeyboardInterrupt:
        console.error(f"stopped{_kept(options)}")
        return _INTERRUPTED
    except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(options: argparse.Namespace, console: Console) -> int:
    if options.command == "cluster":
        from eval.clustering.scorers import scorer_for  # noqa: PLC0415 - `weps --help` must not wait for it

        return int(options.run(options, console, scorer_for))
    return int(options.run(options, console))


def _kept(options: argparse.Namespace) -> str:
    """What is not lost of work that was stopped."""
    if options.command == "cluster":
        return "; the names finished so far are kept"
    is_kept = options.command == "text" and options.task == "score" and options.out
    return "; the topics finished so far are kept" if is_kept else ""


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
