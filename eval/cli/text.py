"""``weps text``: texts compared with references, a command for each task."""

from __future__ import annotations

import argparse

from weps.cli.commands import Command, add_commands

__all__ = ["arguments"]

_TASKS = {
    "score": Command(
        "eval.cli.text_score",
        "compare the outputs of systems with references, by any measures",
    ),
    "measures": Command("eval.cli.text_measures", "list the measures and sets of measures"),
    "convert": Command("eval.cli.text_convert", "make a testbed of a published set"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the tasks."""
    add_commands(parser, "task", _TASKS)
