"""Saved pages on disk: finding them and reading them, whatever state they are in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weps.sources.files import standing
from weps.sources.messages import reason

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from weps.records import Page

__all__ = ["load", "page_places"]

MAX_PAGE_BYTES = 32 * 1024 * 1024
"""What is read of one page; cleaning looks at far less."""


def page_places(folder: Path, rank: int) -> tuple[Path, ...]:
    """Where the page of a rank may lie in a name's folder of a WePS corpus."""
    stem = f"{rank:03d}"
    return (
        folder / "raw" / stem / "index.html",
        folder / f"{stem}.html",
        folder / "raw" / f"{stem}.html",
        folder / stem / "index.html",
    )


def load(page: Page, places: Iterable[Path]) -> Page:
    """Add the bytes found at the first place that exists, or why they cannot be read.

    Where no place exists, the page stays as it is: the search result is all there is.
    """
    file = standing(places)
    if file is None:
        return page
    try:
        return replace(page, content=_content(file))
    except OSError as problem:
        return replace(page, problem=f"{file}: cannot be read ({reason(problem)})")


def _content(file: Path) -> bytes:
    """Read a regular file; a pipe or a device would keep the name waiting."""
    if not file.is_file():
        raise OSError("not a file")
    with file.open("rb") as opened:
        return opened.read(MAX_PAGE_BYTES)
