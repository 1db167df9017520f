"""Names: as people write them, as files carry them, and how one finds the other."""

from __future__ import annotations

import difflib
import re
import unicodedata
from typing import TYPE_CHECKING, Protocol

from weps.errors import SourceError
from weps.sources.messages import listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["as_identifier", "as_name", "select"]

_UNFIT_FOR_FILES = re.compile(r'[\s_/\\:*?"<>|\x00-\x1f\x7f]+')
_QUOTES = "\"'“”„«»"


class Named(Protocol):
    """Something that holds names, as every source does."""

    @property
    def root(self) -> Path:
        """Where it stands."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its identifiers."""


def select(source: Named, names: Sequence[str]) -> tuple[str, ...]:
    """Turn names as typed (``Thomas Baker``, ``thomas_baker``) into identifiers of a source.

    The order given is kept, a repeated name counts once, and no names at all means every name.

    Raises:
        SourceError: names that the source does not hold, all of them at once.

    """
    if not names:
        return source.names
    exact = set(source.names)
    if exact.issuperset(names):
        return tuple(dict.fromkeys(names))
    known = {_folded(name): name for name in source.names}
    found = [name if name in exact else known.get(_folded(name)) for name in names]
    unknown = [typed for typed, name in zip(names, found, strict=True) if name is None]
    if unknown:
        raise _unknown(source, unknown, known)
    return tuple(dict.fromkeys(name for name in found if name is not None))


def as_identifier(name: str) -> str:
    """Make a file name of a person's name: ``Thomas Baker`` becomes ``Thomas_Baker``."""
    return _UNFIT_FOR_FILES.sub("_", unicodedata.normalize("NFC", name)).strip("_. ")


def as_name(text: str) -> str:
    """Write a name as a person would: without underscores or the quotes of a search string."""
    return " ".join(text.replace("_", " ").strip(_QUOTES + " \t\r\n").split())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", as_identifier(as_name(name))).casefold()


def _unknown(source: Named, unknown: Sequence[str], known: dict[str, str]) -> SourceError:
    return SourceError(
        "no results for " + "; ".join(_with_near_matches(typed, known) for typed in unknown),
        where=source.root,
        remedy=f"the names here are {listed(source.names, most=10)}",
    )


def _with_near_matches(typed: str, known: dict[str, str]) -> str:
    near = [known[match] for match in difflib.get_close_matches(_folded(typed), known)]
    return f"{typed!r}" + (f" (did you mean {' or '.join(near)}?)" if near else "")
