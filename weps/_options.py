"""Options of commands, declared once as fields of frozen dataclasses.

A field says all that is to be known of an option: name, type, default and help text::

    @dataclass(frozen=True, kw_only=True)
    class Settings(JsonOption):
        source: Path = cli_argument("a testbed")
        seed: int = cli_option("seed of all resampling", 0, least=0)
        level: float = cli_option("maximum one-sided p", 0.05, least=0, most=1, metavar="P")
        test: Test = cli_option("Wilcoxon's test: paired by topic, or unpaired", Test.SIGNED_RANK)
        exclude: tuple[str, ...] = cli_option("names to leave out", (), metavar="NAME")
        svr: bool = cli_option("also support vector regression, which is slow", False)
        line: str = ""  # not declared: no option of the command line

In Python, ``Settings(source=Path("set.jsonl"), seed=3)`` makes the same object as the words
``set.jsonl --seed 3`` do on the command line::

    declare_options(parser, Settings)  # SOURCE, --seed N, --level P, --test {…}, …
    settings = read_options(Settings, parser.parse_args(words))

The help lists the options of a class before those of its bases, so that groups of options which
several commands share are bases. A subclass that declares an option again replaces it.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, field, fields
from enum import StrEnum
from itertools import chain
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from weps._formatting import suggest_names, suggest_similar
from weps.errors import InputTypeError, ValuesError

Options = TypeVar("Options")

REQUIRED: Any = MISSING
"""Default of an option that must be given."""
ADDRESS = re.compile("[a-z][a-z0-9+.-]+://", re.IGNORECASE)
"""The beginning of an address."""


def cli_option(  # noqa: PLR0913 - a declaration states every fact about an option
    meaning: str,
    default: Any = None,
    *,
    flag: str = "",
    metavar: str | tuple[str, ...] = "",
    choices: Collection[Any] = (),
    least: float | None = None,
    most: float | None = None,
    parse: Callable[[str], Any] | None = None,
    repeat: bool = False,
    group: str = "",
    instead_of: str = "",
    prefix: str = "--",
) -> Any:
    """Declare a field of a dataclass as an option.

    The type of the field decides what is read: ``bool`` is a flag without a value, which is False
    by default; ``tuple[T, ...]`` takes one word or more and ``tuple[T, T]`` two; strings, paths,
    numbers and enumerations of strings take one word.

    Args:
        meaning: the help text, to which a default is added that it does not name.
        default: the value without the option, or :data:`REQUIRED`.
        flag: how the option is written, if not as the field is called.
        metavar: placeholder of the value, or of each of several values, in the help.
        choices: values that are accepted, if not all members of the type.
        least: lowest number that is accepted.
        most: highest number that is accepted.
        parse: reads a word in another way; raises ``argparse.ArgumentTypeError`` for a wrong one.
        repeat: whether several values are given by repeating the option, one word each.
        group: heading in the help, if not the general one.
        instead_of: field of an option, declared before, that cannot be given together with this
            one.
        prefix: beginning of the flag; empty for an argument, which has none.
    """
    return field(
        default=default,
        metadata={
            "meaning": meaning,
            "prefix": prefix,
            "flag": flag,
            "metavar": metavar,
            "choices": choices,
            "least": least,
            "most": most,
            "parse": parse,
            "repeat": repeat,
            "group": group,
            "instead_of": instead_of,
        },
    )


def cli_argument(meaning: str, default: Any = REQUIRED, **details: Any) -> Any:
    """Declare a field as an argument, given without a flag; see :func:`cli_option`."""
    return cli_option(meaning, default, prefix="", **details)


def declare_options(parser: argparse.ArgumentParser, options: type) -> None:
    """Declare the options of a dataclass; the parser sets only those that are given."""
    types = get_type_hints(options)
    groups: dict[str, Any] = {"": parser}
    alternatives: dict[str, Any] = {}
    declared = _option_fields(options)
    replaced = {each.metadata["instead_of"] for each in declared}
    for each in declared:
        heading = each.metadata["group"]
        if heading not in groups:
            groups[heading] = parser.add_argument_group(heading)
        place = alternatives.get(each.metadata["instead_of"], groups[heading])
        if each.name in replaced:
            place = alternatives[each.name] = place.add_mutually_exclusive_group()
        place.add_argument(_flag(each), **_argparse_settings(each, types[each.name]))


def read_options(options: type[Options], namespace: argparse.Namespace) -> Options:
    """The options of a dataclass with the values that were parsed, and defaults for the others."""
    return options(
        **{
            name: tuple(value) if isinstance(value, list) else value
            for name, value in vars(namespace).items()
            if name in getattr(options, "__dataclass_fields__", {})
        }
    )


def read_values(options: type[Options], values: Mapping[str, Any]) -> Options:
    """The options of a dataclass with values from Python, which may be what a command line has.

    Raises:
        InputTypeError: if there is no such option.
        ValuesError: if the command line would not take one.
    """
    types, read = get_type_hints(options), dict(values)
    for unknown in values.keys() - types.keys():
        raise InputTypeError(
            f"there is no setting {unknown!r}", remedy=suggest_names(unknown, list(types))
        )
    for each in _option_fields(options):
        value, kind = values.get(each.name, each.default), types[each.name]
        if value is each.default or kind is bool:
            continue
        settings = _argparse_settings(each, kind)
        words = list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
        try:
            if settings.get("nargs") == 2 != len(words):
                raise ValueError(f"expected 2 values, got {len(words)}")
            if settings.keys().isdisjoint({"nargs", "action"}):
                read[each.name] = settings["type"](",".join(words))
            else:
                read[each.name] = tuple(map(settings["type"], words))
        except (argparse.ArgumentTypeError, ValueError) as fault:
            raise ValuesError(str(fault), where=each.name) from None
    return options(**read)


def given_flags(options: object, group: type) -> list[str]:
    """The flags of a group of options, a base of their class, that are not at their defaults."""
    return [
        _flag(each) for each in _option_fields(group) if getattr(options, each.name) != each.default
    ]


def _word_parser(values: Collection[Any]) -> Callable[[str], Any]:
    """Parse one of several values, written as ``str`` does; near ones are suggested for others."""
    known = {str(value): value for value in values}

    def read(text: str) -> Any:
        if text not in known:
            near = suggest_similar([text], list(known))
            raise argparse.ArgumentTypeError(
                f"expected one of {', '.join(known)}, got {text!r}{near and f'; {near}'}"
            )
        return known[text]

    return read


def _number_parser(
    kind: Callable[[str], float], least: float | None = None, most: float | None = None
) -> Callable[[str], Any]:
    """Parse a number, an ``int`` or ``float``, between limits."""
    expected = "a whole number" if kind is int else "a number"
    expected += "" if least is None else f" from {least:,}"
    expected += "" if most is None else f" to {most:,}"

    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = float("nan")
        # Comparisons with NaN are false.
        low, high = (bound if bound is not None else number for bound in (least, most))
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")
        return number

    return read


def parse_path(text: str) -> Path:
    """A path, which has at least one character, and is no address."""
    if not text or ADDRESS.match(text):  # Path takes one for the current folder, the other apart
        raise argparse.ArgumentTypeError(f"expected a path, got {text!r}")
    return Path(text)


def _option_fields(options: type) -> list[Field[Any]]:
    """The fields that are options, those of a class before those of its bases."""
    every = {each.name: each for each in fields(options) if "meaning" in each.metadata}
    names = chain.from_iterable(map(inspect.get_annotations, options.__mro__))
    return [every[name] for name in dict.fromkeys(names) if name in every]


def _flag(each: Field[Any]) -> str:
    if not each.metadata["prefix"]:
        return each.name
    return each.metadata["flag"] or f"--{each.name.replace('_', '-')}"


def _argparse_settings(each: Field[Any], kind: Any) -> dict[str, Any]:
    """The keyword arguments of ``add_argument`` for a field of some type."""
    about, default = each.metadata, each.default
    is_flagged = bool(about["prefix"])
    settings: dict[str, Any] = {"default": argparse.SUPPRESS, "help": about["meaning"]}
    has_default = default not in {REQUIRED, None, "", ()} and default is not False
    if has_default and "default" not in about["meaning"]:
        shown = " ".join(map(str, default)) if isinstance(default, tuple) else default
        settings["help"] += f" (default: {shown})"
    if is_flagged:
        settings |= {"dest": each.name, "required": default is REQUIRED}
    else:
        settings["metavar"] = about["metavar"] or each.name.upper()
    if kind is bool:
        return {**settings, "action": "store_true"}
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        kind, second = get_args(kind)
        at_least = "+" if is_flagged or default is REQUIRED else "*"
        number = at_least if second is Ellipsis else 2
        settings |= {"action": "append"} if about["repeat"] else {"nargs": number}
    elif not is_flagged and default is not REQUIRED:
        settings |= {"nargs": "?", "default": default}  # argparse would read another one as a word
    value: dict[str, Any] = {"type": parse_path if kind is Path else kind}
    members = about["choices"] or (kind if issubclass(kind, StrEnum) else ())
    if members:
        value = {"type": _word_parser(members), "choices": list(members)}
    elif kind in {int, Path}:
        value["metavar"] = "N" if kind is int else "FILE"
    if kind in {int, float} and not members:
        value["type"] = _number_parser(kind, about["least"], about["most"])
    stated = {"type": about["parse"], "metavar": about["metavar"]}
    return value | {name: each for name, each in stated.items() if each} | settings
