"""A command line of commands, each in a module that is imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, get_type_hints

from weps import _options
from weps._formatting import cut_middle, suggest_similar
from weps.cli.console import Console
from weps.errors import OutputError

_LONGEST_FAULT = 1_000


class Command(NamedTuple):
    """The module of a command, and its purpose."""

    module: str
    """Defines the dataclass ``Options`` and ``run_command(options, console)``, and may say what it
    keeps when it is stopped, in ``KEPT``; or is empty. ``MODULE:FUNCTION`` names another function,
    whose argument ``options`` is annotated with its dataclass."""
    purpose: str
    destination: str = ""
    """Attribute of the options for the chosen subcommand."""
    subcommands: Mapping[str, Command] = MappingProxyType({})


def add_commands(parser: CommandParser, destination: str, commands: Mapping[str, Command]) -> None:
    """Declare commands, whose modules are imported only when they are called.

    The parsed options get ``run``, the function of the chosen command.

    Args:
        parser: of the program, or of a command with subcommands.
        destination: attribute of the options for the chosen command.
        commands: name → command.
    """
    chosen = parser.add_subparsers(
        dest=destination, required=True, metavar=destination.upper(), parser_class=CommandParser
    )
    parser.has_commands = True
    for name, command in commands.items():
        purpose = command.purpose
        sentence = f"{purpose[0].upper()}{purpose[1:]}."
        added = chosen.add_parser(name, help=purpose, description=sentence)
        added.module = command.module
        add_common(added)
        if command.subcommands:
            add_commands(added, command.destination, command.subcommands)


class CommandParser(argparse.ArgumentParser):
    """Imports its module, if it has one, and declares the options only when it is called."""

    module = ""
    has_commands = False
    """Whether it must be followed by the name of a command."""

    def parse_known_args(  # type: ignore[override] # only this overload is called
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Declare the options, and read them."""
        for word in args or ():
            try:
                possible = b"\0" not in os.fsencode(word)  # what the shell gives always is
            except UnicodeEncodeError:
                possible = False
            if not possible:
                self.error(f"a word has a character that no file name can have: {word!r}")
        if self.has_commands and not args:
            self.print_help()
            self.exit()
        self.declare_options()
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and not self.has_commands:  # here, where the known options are known
            known = [name for action in self._actions for name in action.option_strings]
            words = (word.partition("=")[0] for word in unknown if word.startswith("--"))
            near = suggest_similar(words, known)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{near and f'; {near}'}")
        return options, unknown

    def declare_options(self) -> None:
        """Import the module, if there is one, and let it declare its options; once."""
        module, self.module = self.module, ""
        if module:
            name, _, function = module.partition(":")
            command: Any = importlib.import_module(name)
            run: Callable[[Any, Console], int] = getattr(command, function or "run_command")
            options = get_type_hints(run)["options"] if function else command.Options
            _options.declare_options(self, options)
            self.set_defaults(
                run=lambda words, console: run(_options.read_options(options, words), console),
                kept=getattr(command, "KEPT", ""),
            )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check a choice, and suggest the nearest ones to a wrong one instead of listing all."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            if near := suggest_similar([str(value)], list(map(str, action.choices or ()))):
                error.message = f"invalid choice: {value!r}; {near}"
            raise

    def error(self, message: str) -> NoReturn:
        """Report a fault of the command line, which may have words of any length."""
        super().error(cut_middle(message, _LONGEST_FAULT))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help, where an error of the stream is told, or an error."""
        if file in (None, sys.stdout):
            Console().write(message.removesuffix("\n"))
        else:
            Console().write_status(message.removesuffix("\n"))


class PrintCompletion(argparse.Action):
    """``--print-completion SHELL``: print a completion script of all commands, and exit."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Declare the options of every command, which a single call does without.

        Raises:
            OutputError: if shtab is not installed.
        """
        del namespace
        try:
            shtab = importlib.import_module("shtab")  # an extra
        except ImportError:
            remedy = "pip install 'weps[completion]'"
            raise OutputError("needs shtab", where=str(option_string), remedy=remedy) from None
        for action in _declare_everything(parser):
            if action.type is Path:
                action.complete = shtab.FILE  # type: ignore[attr-defined] # read by shtab
        Console().write(shtab.complete(parser, values).removesuffix("\n"))
        parser.exit()


def _declare_everything(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All options and arguments of a parser and of its commands."""
    if isinstance(parser, CommandParser):
        parser.declare_options()
    for action in parser._actions:
        yield action
        commands = action.choices if action.nargs == argparse.PARSER else None
        for each in commands.values() if isinstance(commands, dict) else ():
            yield from _declare_everything(each)


def add_common(parser: argparse.ArgumentParser) -> None:
    """Declare ``--quiet`` and ``--traceback`` for a command: they may follow the command's name.

    They have no default, which would override one given before the command.
    """
    meaning = "print only brief results, warnings and errors, no progress and no tables"
    parser.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS, help=meaning)
    meaning = "print the traceback of an error, for bug reports"
    parser.add_argument("--traceback", action="store_true", default=argparse.SUPPRESS, help=meaning)
