"""``weps text``: texts compared with references, a command for each task."""

from __future__ import annotations

import argparse
import importlib

from weps.commands.console import Console
from weps.commands.options import add_quiet

__all__ = ["arguments", "run"]

_TASKS = {
    "score": (
        "eval.commands.text_score",
        "compare the outputs of systems with references, by any measures",
    ),
    "measures": ("eval.commands.text_measures", "list the measures and sets of measures"),
    "convert": ("eval.commands.text_convert", "make a testbed of a published set"),
}
"""Task → its module and what it does."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the tasks and their options."""
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    for name, (module, purpose) in _TASKS.items():
        task = tasks.add_parser(
            name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
        )
        importlib.import_module(module).arguments(task)
        add_quiet(task)


def run(options: argparse.Namespace, console: Console) -> int:
    """Do the chosen task."""
    return int(importlib.import_module(_TASKS[options.task][0]).run(options, console))
