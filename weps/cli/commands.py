"""A command line of commands, each in a module that is imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple


class Command(NamedTuple):
    """The module of a command, and its purpose."""

    module: str
    """Defines ``add_arguments(parser)`` and ``run_command(options, console)``, or is empty."""
    purpose: str
    destination: str = ""
    """Attribute of the options for the chosen subcommand."""
    subcommands: Mapping[str, Command] = MappingProxyType({})


def add_commands(
    parser: argparse.ArgumentParser, destination: str, commands: Mapping[str, Command]
) -> None:
    """Declare commands, whose modules are imported only when they are called.

    The parsed options get ``run``, the function of the chosen command.

    Args:
        parser: of the program, or of a command with subcommands.
        destination: attribute of the options for the chosen command.
        commands: name → command.
    """
    chosen = parser.add_subparsers(
        dest=destination, required=True, metavar=destination.upper(), parser_class=_LazyParser
    )
    for name, command in commands.items():
        purpose = command.purpose
        sentence = f"{purpose[0].upper()}{purpose[1:]}."
        added = chosen.add_parser(name, help=purpose, description=sentence)
        added.module = command.module
        add_quiet(added)
        if command.subcommands:
            add_commands(added, command.destination, command.subcommands)


class _LazyParser(argparse.ArgumentParser):
    """Imports its module and declares the options only when it is called."""

    module = ""

    def parse_known_args(  # type: ignore[override] # only this overload is called
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Declare the options, and read them."""
        module, self.module = self.module, ""
        if module:
            command = importlib.import_module(module)
            command.add_arguments(self)
            self.set_defaults(run=command.run_command)
        return super().parse_known_args(args, namespace)


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Declare ``--quiet`` for a command, so that it may follow the command's name.

    It has no default, which would override one given before the command.
    """
    told = "no progress and no tables: brief results, warnings and errors"
    parser.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS, help=told)
