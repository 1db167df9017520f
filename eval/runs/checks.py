"""Checks of what a run is made of: it may come from a file that somebody else has written."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any
from unicodedata import category

from eval.instances.wording import quoted
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = [
    "check_date",
    "check_digest",
    "check_fields",
    "check_numbers",
    "check_plain",
    "check_scores",
    "check_text",
    "check_whole",
]

_LONGEST = 10_000
"""Characters of a text: command lines can be long."""
_UNSEEN = ("Cc", "Cs")
"""Control characters, and halves of characters, which cannot be written."""


def check_fields(data: Any, fields: Collection[str], where: str) -> None:
    """An object with these fields and no other."""
    _check_table(data, where)
    for fault, found in (
        ("lacks", [each for each in fields if each not in data]),
        ("has unknown fields:", [each for each in data if each not in fields]),
    ):
        if found:
            raise ValuesError(f"the {where} {fault} {listed(map(quoted, found))}")


def check_text(value: Any, where: str) -> None:
    """A text on one line, not empty."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
        raise ValuesError(f"the {where} is no text of 1 to {_LONGEST:,} characters")
    if any(category(character) in _UNSEEN for character in value):
        raise ValuesError(f"the {where} has characters that cannot be printed")


def check_whole(value: Any, where: str) -> None:
    """A whole number from 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValuesError(f"the {where} is no whole number from 0")


def check_digest(value: Any) -> None:
    """A digest as sources give it."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{8,64}", value):
        raise ValuesError("the digest of the corpus is not 8 to 64 hexadecimal digits")


def check_date(value: Any) -> None:
    """A date as 2026-11-21."""
    check_text(value, "date")
    try:
        sound = date.fromisoformat(value).isoformat() == value
    except ValueError:
        sound = False
    if not sound:
        raise ValuesError(f"{quoted(value)} is no date such as 2026-11-21")


def check_plain(value: Any, where: str) -> None:
    """Text → text, which may be empty, finite number, or truth value."""
    for key, entry in _check_table(value, where).items():
        if isinstance(entry, str):
            check_text(entry or "-", f"{where} of {quoted(key)}")
        elif not isinstance(entry, bool):
            _check_number(entry, f"{where} of {quoted(key)}", least=-math.inf)


def check_numbers(value: Any, where: str) -> None:
    """Text → finite number from 0."""
    for key, entry in _check_table(value, where).items():
        _check_number(entry, f"{where} of {quoted(key)}")


def check_scores(value: Any) -> None:
    """Name → measure → score from 0 to 1, at least one, every name with the same measures."""
    names = _check_table(value, "scores")
    if not names:
        raise ValuesError("there are no scores")
    measures = set(_check_table(next(iter(names.values())), "scores"))
    for name, scores in names.items():
        if set(_check_table(scores, f"scores of {quoted(name)}")) != measures or not measures:
            raise ValuesError(f"{quoted(name)} is not scored by the measures of the other names")
        for measure, score in scores.items():
            _check_number(score, f"{quoted(measure)} of {quoted(name)}", most=1)


def _check_table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValuesError(f"the {where} are no fields with values")
    for key in value:
        check_text(key, f"name of a field in the {where}")
    return value


def _check_number(value: Any, where: str, *, least: float = 0, most: float = math.inf) -> None:
    """A number of this range; infinity, NaN and truth values are none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValuesError(f"the {where} is no number")
    if not (least <= value <= most and -math.inf < value < math.inf):
        limits = " from 0 to 1" if most == 1 else ""
        raise ValuesError(f"the {where} is no number{limits or ' that it can be'}")
