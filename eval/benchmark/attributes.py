"""Facts about people that annotators wrote down page by page (WePS-1 and WePS-2, ``attributes``).

Each line reads rank TAB attribute TAB value, with further values after further TABs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from weps._files import first_existing, read_bytes
from weps.errors import KeyFileError
from weps.sources.xml import parse_rank

__all__ = ["Attributes", "attributes_of", "read_attributes"]

Attributes = dict[int, dict[str, tuple[str, ...]]]
"""Rank of a page → attribute (``dateofbirth``) → its values there, in order, none twice."""

_MAX_BYTES = 16 * 1024 * 1024
"""An official file holds some 100 kB."""


def attributes_of(root: Path, name: str) -> Attributes | None:
    """The attributes of one name of a corpus; None without annotations.

    Args:
        root: the folder of the corpus, or any other that has a folder ``attributes``.
        name: the name's identifier, as in the names of files.

    Raises:
        KeyFileError: see :func:`read_attributes`.
    """
    found = first_existing([root / "attributes" / f"{name}.txt"])
    return read_attributes(found) if found else None


def read_attributes(path: Path) -> Attributes:
    """Read a file of attributes.

    Attributes are called alike whatever their case and blanks: ``Date of birth`` and
    ``dateofbirth``. A line without a value says that there is none. Bytes that are not UTF-8 are
    taken for the Windows code page.

    Raises:
        KeyFileError: not readable, or a line without a rank or an attribute.
    """
    found: defaultdict[int, defaultdict[str, dict[str, None]]]
    found = defaultdict(lambda: defaultdict(dict))
    for rank, attribute, values in _lines(path):
        found[rank][attribute].update(dict.fromkeys(values))
    return {
        rank: {attribute: tuple(values) for attribute, values in page.items() if values}
        for rank, page in sorted(found.items())
    }


def _lines(path: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Rank, attribute and values of every line that is not blank."""
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            yield _parsed_line(line, f"{path}, line {number}")


def _text(path: Path) -> str:
    data = read_bytes(path, _MAX_BYTES, KeyFileError)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _parsed_line(line: str, where: str) -> tuple[int, str, list[str]]:
    first, *others = line.split("\t")
    rank = parse_rank(first)
    attribute = "".join(others[0].lower().split()) if others else ""
    if rank is None or not attribute:
        what = f"{first.strip()[:40]!r} is not a rank" if rank is None else "has no attribute"
        remedy = "each line reads rank TAB attribute TAB value, further values after further TABs"
        raise KeyFileError(what, where=where, remedy=remedy)
    return rank, attribute, [folded for value in others[1:] if (folded := " ".join(value.split()))]
