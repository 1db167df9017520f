"""A command line of commands, each in a module that is imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Command", "add_commands", "add_quiet"]


class Command(NamedTuple):
    """Where a command is, and what it does."""

    module: str
    """It offers ``arguments(parser)``, and ``run(options, console)`` unless it has commands."""
    purpose: str


def add_commands(
    parser: argparse.ArgumentParser, destination: str, commands: Mapping[str, Command]
) -> None:
    """Declare commands, whose modules are imported only when they are called.

    The options of the called one get ``run``, the function that does it.

    Args:
        parser: of the whole, or of a command that has commands.
        destination: what the options call the chosen one.
        commands: name → command.
    """
    chosen = parser.add_subparsers(
        dest=destination, required=True, metavar=destination.upper(), parser_class=_LazyParser
    )
    for name, (module, purpose) in commands.items():
        told = f"{purpose[0].upper()}{purpose[1:]}."
        command = chosen.add_parser(name, help=purpose, description=told)
        command.module = module
        add_quiet(command)


class _LazyParser(argparse.ArgumentParser):
    """Imports its module and declares the options only when it is called."""

    module = ""

    def parse_known_args(  # type: ignore[override] # one form of it is called
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Declare the options, and read them."""
        module, self.module = self.module, ""
        if module:
            command = importlib.import_module(module)
            command.arguments(self)
            if hasattr(command, "run"):
                self.set_defaults(run=command.run)
        return super().parse_known_args(args, namespace)


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Declare the option of a command, which stands anywhere in the line.

    Without a default: it must not undo one that stands before the command.
    """
    told = "no progress and no tables: answers in brief, warnings and errors"
    parser.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS, help=told)
