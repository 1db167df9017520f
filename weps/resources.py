"""Where the files of ``resources/`` are: in the installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from weps.errors import SourceError

__all__ = ["gazetteer", "resource", "word_list"]

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """Path of a resource such as ``stopwords/english.txt``."""
    for place in _PLACES:
        if (place / name).exists():
            return place / name
    raise SourceError(
        f"the resource {name!r} is missing", where=_PLACES[0], remedy="install weps again"
    )


@cache
def word_list(*names: str) -> frozenset[str]:
    """The union of word lists: one lower-case word a line, ``#`` starts a comment."""
    lines = (
        line.strip() for name in names for line in resource(name).read_text("utf-8").splitlines()
    )
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def gazetteer(*lists: str) -> dict[str, str]:
    """Name → the first name of the same thing.

    Args:
        lists: of ``resources/gazetteer``; a line there holds names of one thing, ``=`` between.
    """
    found: dict[str, str] = {}
    for line in sorted(word_list(*(f"gazetteer/{each}.txt" for each in lists))):
        names = line.split(" = ")
        found |= dict.fromkeys(names, names[0])
    return found
