"""Files of a report, put in place whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from weps.errors import OutputError
from weps.placing import make_folder, put_in_place
from weps.report.contents import Report
from weps.report.csv import as_csv
from weps.report.html import as_html
from weps.report.json import as_json
from weps.report.xml import as_xml

__all__ = ["WRITERS", "Writer", "write"]

Writer = Callable[[Report], str]

WRITERS: dict[str, Writer] = {
    ".csv": as_csv,
    ".clust.xml": as_xml,
    ".html": as_html,
    ".json": as_json,
}
"""By suffix. The JSON comes last: where it stands, the name is finished."""


def write(report: Report, identifier: str, folder: Path) -> tuple[Path, ...]:
    """Write ``IDENTIFIER.csv``, ``.clust.xml``, ``.html`` and ``.json`` into a folder.

    The same arguments give the same bytes. All files are written aside and renamed once all of
    them are complete, so that no name is ever half written, even if the run is killed.

    Args:
        report: who is who, and what else a reader should know.
        identifier: the name as a file name, e.g. ``Thomas_Baker``.
        folder: where to; made if it is missing.

    Returns:
        The files, in the order of :data:`WRITERS`.

    Raises:
        OutputError: if the folder or a file cannot be written, or the identifier is no file name.
    """
    if (
        identifier in {"", ".", ".."}
        or not identifier.isprintable()
        or set(identifier) & set("/\\")
    ):
        raise OutputError(f"{identifier!r} is no file name", where=folder, remedy="rename the name")
    # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    contents = {
        folder / f"{identifier}{suffix}": as_text(report).encode("utf-8", errors="replace")
        for suffix, as_text in WRITERS.items()
    }
    make_folder(folder)
    put_in_place(contents)
    return tuple(contents)
