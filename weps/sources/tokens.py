"""The ``tokens`` files that stand in for the pages of WePS-2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weps.errors import SourceError
from weps.sources.files import read_bytes
from weps.sources.keys import parse_rank

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_tokens"]

MAX_BYTES = 256 * 1024 * 1024
"""An official file holds 1 to 3 MB."""


def read_tokens(path: Path) -> dict[int, str]:
    """Read ``rank TAB flag TAB tokens`` from each line: the text of each rank.

    Raises:
        SourceError: not readable, a line of another form, or two lines for one rank.

    """
    texts: dict[int, str] = {}
    for number, line in enumerate(_lines(path), start=1):
        rank, text = _rank_and_text(path, number, line)
        if rank in texts:
            raise _bad_line(path, number, f"rank {rank} for the second time")
        texts[rank] = text
    return texts


def _lines(path: Path) -> list[str]:
    """Split at line feeds alone: text from the web holds other separators of Unicode."""
    data = read_bytes(path, MAX_BYTES, SourceError)
    text = data.decode("utf-8-sig", errors="replace").rstrip("\r\n")
    return text.split("\n") if text else []


def _rank_and_text(path: Path, number: int, line: str) -> tuple[int, str]:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != 3:
        raise _bad_line(path, number, f"has {len(fields)} of 3 columns")
    rank = parse_rank(fields[0])
    if rank is None:
        raise _bad_line(path, number, f"{fields[0][:40]!r} is not a rank")
    return rank, fields[2]


def _bad_line(path: Path, number: int, what: str) -> SourceError:
    return SourceError(
        what, where=f"{path}, line {number}", remedy="each line reads rank TAB flag TAB tokens"
    )
