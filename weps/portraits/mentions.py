"""Where the name that was searched for stands in a text, for the eye and for excerpts.

Tokens decide what counts as a mention for features (:mod:`weps.names`); here every character has
its place, and scripts that do not divide words are no worse off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from weps.names import PersonName

__all__ = ["full_mentions", "mentions"]

_FEWEST_MIDDLES, _MOST_MIDDLES = 2, 5
"""That may stand between first and last name, by how many the name searched for has."""
_FULL = 2
"""Words of a full name."""
_JUNIORS = frozenset("jr sr ii iii iv".split())
_NOTHING = "\0"
"""What no text contains."""
_LOWER = "a-zß-öø-ÿα-ωа-я"
_MIDDLE = rf"[\"“'(]?(?:[^\W\d_{_LOWER}][\w'’-]{{0,30}}\.?|[^\W\d_]\.?)[\"”')]?"
"""A middle name, an initial or a nickname."""
_BEGINS, _ENDS = r"(?<![\w@])", r"(?![\w@]|-\w)"
_BETWEEN_CASELESS = r"[\s·・]{0,3}"


def mentions(text: str, name: PersonName) -> list[tuple[int, int]]:
    """Begin and end of every mention of the name in a text, in order; none overlap.

    That is the name in any case and script, with middle names and initials (``Thomas J. Baker``)
    or inverted (``Baker, Thomas J.``); elsewhere the last name alone, unless it is written like
    a common word. A possessive ``'s`` is no part of it. Takes linear time.
    """
    return [
        found.span()
        for found in _found(text, name)
        if found["alone"] is None or not found[0][0].islower()
    ]


def full_mentions(text: str, name: PersonName) -> Iterator[tuple[int, int]]:
    """Begin and end of the mentions of the full name alone; of a name of one word all."""
    return (found.span() for found in _found(text, name) if found["alone"] is None)


def _found(text: str, name: PersonName) -> Iterator[re.Match[str]]:
    last = _parts(name.text)[-1].lower()
    if last not in text.lower().replace("’", "'"):  # most texts, in a tenth of the time
        return iter(())
    return _pattern(name.text).finditer(text)


@lru_cache(maxsize=8)
def _pattern(name: str) -> re.Pattern[str]:
    """The full name in either order, else the last name in a group ``alone``."""
    parts = _parts(name)
    first, last = _spelled(parts[0]), _spelled(parts[-1])
    alone = rf"{_BEGINS}(?P<alone>{last}){_ENDS}"
    if len(parts) < _FULL:
        return re.compile(rf"{_begins(parts[0])}{last}{_ends(parts[0])}|(?P<alone>(?!))")
    gap = _BETWEEN_CASELESS if _caseless(parts[0]) else r"\s{1,3}"
    inner = "|".join([*map(_spelled, parts[1:-1]), _MIDDLE])
    most = min(max(_FEWEST_MIDDLES, len(parts) - _FULL), _MOST_MIDDLES)
    forwards = rf"{first}(?:{gap}(?:{inner})){{0,{most}}}?{gap}{last}{_ends(parts[-1])}"
    inverted = rf"{last},\s{{0,3}}{first}{_ends(parts[0])}(?:\s[^\W\d_{_LOWER}](?![\w'’-])\.?)?"
    return re.compile(rf"{_begins(parts[0])}{forwards}|{_BEGINS}{inverted}|{alone}")


@lru_cache(maxsize=8)
def _parts(name: str) -> list[str]:
    """The words of the name as written, first name first; without *junior*."""
    last, comma, rest = name.partition(",")
    told = (f"{rest} {last}" if comma else name).replace("’", "'").split()
    parts = [part for part in (each.strip(".\"“”()'") for each in told) if part]
    while len(parts) > _FULL and parts[-1].lower() in _JUNIORS:
        parts.pop()
    return parts or [_NOTHING]


def _spelled(part: str) -> str:
    """A pattern for a word of the name, in any case, with any apostrophe."""
    return f"(?i:{re.escape(part)})".replace("'", "['’]")


def _caseless(part: str) -> bool:
    """Whether it is of a script without capitals, in which words need not be divided."""
    return part.lower() == part.upper()


def _begins(part: str) -> str:
    return "" if _caseless(part) else _BEGINS


def _ends(part: str) -> str:
    return "" if _caseless(part) else _ENDS
