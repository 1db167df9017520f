"""``weps text``: texts compared with references, a command for each task."""

from __future__ import annotations

import argparse

from weps.commands.dispatch import Command, add_commands

__all__ = ["arguments"]

_TASKS = {
    "score": Command(
        "eval.commands.text_score",
        "compare the outputs of systems with references, by any measures",
    ),
    "measures": Command("eval.commands.text_measures", "list the measures and sets of measures"),
    "convert": Command("eval.commands.text_convert", "make a testbed of a published set"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the tasks."""
    add_commands(parser, "task", _TASKS)
