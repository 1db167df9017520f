"""The command line: commands, whose modules are imported when they are called, and their options.

Options that several commands share are dataclasses, which select the model, the reader and the
cache; what a command writes as JSON is written here.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, get_type_hints

from weps import _options
from weps._cache import Cache, default_folder
from weps._files import atomic_file, refuse_links_of_others
from weps._formatting import cut_middle, suggest_similar
from weps._options import cli_option
from weps.cli.console import Console
from weps.errors import ModelError, OutputError
from weps.records import HtmlReader, Provenance

if TYPE_CHECKING:
    from weps.model import ModelChoice
    from weps.reading import Reader

_LONGEST_FAULT = 1_000


def _parse_jobs(text: str) -> int:
    jobs = int(text) if text.removeprefix("-").isdecimal() else 0
    if jobs == -1 or jobs >= 1:
        return jobs
    raise argparse.ArgumentTypeError(
        f"expected a number of processes (1, 2, … or -1), got {text!r}"
    )


@dataclass(frozen=True, kw_only=True)
class JsonOption:
    """The file for the result as JSON."""

    json: Path | None = cli_option("also write the result as JSON (docs/output.md)")


@dataclass(frozen=True, kw_only=True)
class JobsOption:
    """The number of processes."""

    jobs: int = cli_option(
        "number of processes, -1 for one per core", 1, parse=_parse_jobs, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class NamesOption:
    """The names of a corpus that are chosen."""

    name: tuple[str, ...] = cli_option(
        "choose this name only (repeat for several)", (), repeat=True, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """The cache of what takes long to compute: pages that were read, values of text measures."""

    cache: Path | None = cli_option(
        "folder of the cache (default: the user's cache folder; `weps cache` shows it)",
        metavar="DIR",
    )
    no_cache: bool = cli_option("do not use the cache", False, instead_of="cache")

    def selected_cache(self) -> Cache | None:
        """The cache, None without one."""
        return None if self.no_cache else Cache(self.cache or default_folder())


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(CacheOptions):
    """How pages are read."""

    html: HtmlReader | None = cli_option(
        "HTML parser: fast (default; BeautifulSoup where it fails), or beautifulsoup for every "
        "page, which is slower",
        metavar="READER",
    )
    language: str = cli_option(
        "spaCy pipeline, a package or a folder, for lemmas, phrases and entities; default: that of "
        "the model, or the small English one that comes with weps",
        "",
        metavar="NAME",
    )
    embeddings: str = cli_option(
        "sentence encoder in ONNX (model.onnx and tokenizer.json), for features that compare "
        "meanings, or none; default: that of weps[embeddings], if it is installed",
        "",
        metavar="FOLDER",
    )
    language_2: str = ""
    """The spaCy pipeline that recognises entities a second time; empty for none."""

    def reader(self, default_language: str = "", jobs: int = 1) -> Reader:
        """The reader of pages.

        Args:
            default_language: the language pipeline of the model's training pages, unless another is
                asked for.
            jobs: processes for the language of one name's pages.
        """
        from weps.language.spacy_pipeline import BUILTIN_PIPELINE  # noqa: PLC0415 - takes long
        from weps.reading import Reader  # noqa: PLC0415

        return Reader(
            self.language or default_language or BUILTIN_PIPELINE,
            self.selected_cache(),
            jobs,
            self.html or HtmlReader.FAST,
            self.language_2,
            self.embeddings,
        )


@dataclass(frozen=True, kw_only=True)
class ModelOptions(ReadingOptions):
    """The model that answers, and how pages are read for it."""

    model: Path | None = cli_option("model file (default: the pretrained model)")
    plugin: tuple[str, ...] = cli_option(
        "a feature of your own that the model uses, or the name of one of an installed package "
        "(docs/extending.md); repeat for several",
        (),
        repeat=True,
        metavar="FILE.py:FUNCTION",
    )
    keep_all: bool = cli_option(
        "do not set aside pages on which the name does not occur or that have no content", False
    )
    system: str = cli_option(
        "pretrained model: default (the most accurate; default-embeddings if there is a sentence "
        "encoder), paper (EMNLP 2009), or paper:features=all (with entities and phrases, slower)",
        "",
        metavar="SYSTEM",
    )

    def model_choice(self) -> ModelChoice:
        """The selected model.

        Raises:
            ModelError: if two are selected.
        """
        from weps.model import ModelChoice  # noqa: PLC0415 - takes long

        if self.model and self.system:
            raise ModelError(
                "--model and --system select two models", remedy="give only one of them"
            )
        return ModelChoice(self.model, self.system, self.embeddings, self.keep_all, self.plugin)

    def provenance(self) -> Provenance:
        """The settings that a result was, or is to be, made with."""
        return Provenance(
            system=self.system,
            model=self.model.absolute().as_posix() if self.model else "",
            language=self.language,
            embeddings=self.embeddings,
            html=self.html or HtmlReader.FAST,
            keep_all=self.keep_all,
        )


def check_writable(path: Path | None) -> None:
    """Check before long work that its result can be written.

    Raises:
        OutputError: if the file cannot be made.
    """
    if path is None:
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise OutputError("expected a file, got a folder", where=path, remedy="add its name")
    if not folder.is_dir():
        raise OutputError("no such folder", where=folder, remedy="create it first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise OutputError("the file cannot be written", where=path, remedy="choose another place")


def write_json(path: Path | None, data: Any, *, private: bool = False) -> None:
    """Write data as JSON, if a file is given; see :func:`write_json_text`."""
    if path:
        write_json_text(
            path, [(json.dumps(data, ensure_ascii=False, indent=1) + "\n")], private=private
        )


def write_json_text(path: Path, texts: Iterable[str], *, private: bool = False) -> None:
    """Write the parts of a JSON file one after another; a private one is for its owner alone.

    Raises:
        OutputError: if it cannot be written.
    """
    if not path.is_symlink() and (path.is_file() or not path.exists()):
        with atomic_file(path, private=private) as whole:
            for text in texts:
                whole.write(text.encode(errors="replace"))
        return
    refuse_links_of_others(path)
    try:
        # The terminal, a link such as /dev/stdout, or a pipe that somebody reads.
        with open(path, "w", encoding="utf-8", errors="replace", opener=_open_read) as file:
            file.writelines(texts)
    except OSError as error:
        raise OutputError(
            f"the JSON cannot be written ({error.strerror})",
            where=path,
            remedy="choose another file with --json",
        ) from None


def _open_read(path: str, flags: int) -> int:
    """Open a file to write; a pipe that nobody reads is an error instead of a wait."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(descriptor, True)
    return descriptor


class Command(NamedTuple):
    """The module of a command, and its purpose."""

    module: str
    """Defines the dataclass ``Options``, which may say what the command keeps when it is stopped,
    in ``KEPT``, and ``run_command(options, console)``; or is empty. ``MODULE:FUNCTION`` names
    another function, whose argument ``options`` is annotated with its dataclass."""
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
        added = chosen.add_parser(
            name,
            help=command.purpose,
            description=f"{command.purpose[0].upper()}{command.purpose[1:]}.",
        )
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
            possible = False
            with suppress(UnicodeEncodeError):
                possible = b"\0" not in os.fsencode(word)  # what the shell gives always is
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
                kept=getattr(options, "KEPT", ""),
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
        is_help = file in (None, sys.stdout)
        (Console().write if is_help else Console().write_status)(message.removesuffix("\n"))


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
            raise OutputError(
                "needs shtab", where=str(option_string), remedy="pip install 'weps[completion]'"
            ) from None
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
    for flag, meaning in (
        ("--quiet", "print only brief results, warnings and errors, no progress and no tables"),
        ("--traceback", "print the traceback of an error, for bug reports"),
    ):
        parser.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=meaning)
