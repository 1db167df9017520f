"""Files of a report, put in place whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from weps.errors import OutputError
from weps.people import Answer
from weps.report.contents import Report
from weps.report.csv import as_csv
from weps.report.html import as_html
from weps.report.json import as_json
from weps.report.xml import as_xml
from weps.sources.messages import reason

__all__ = ["WRITERS", "Writer", "make_folder", "write"]

Writer = Callable[[Report], str]

WRITERS: dict[str, Writer] = {
    ".csv": as_csv,
    ".clust.xml": as_xml,
    ".html": as_html,
    ".json": as_json,
}
"""By suffix. The JSON comes last: where it stands, the name is finished."""

_REMEDY = "choose a folder in which you may write, with enough room"


def write(  # noqa: PLR0913 - three facts about the answer, three about what surrounds it
    answer: Answer,
    identifier: str,
    folder: Path,
    *,
    scores: Mapping[str, float] | None = None,
    score_signature: str = "",
    notes: Sequence[str] = (),
) -> tuple[Path, ...]:
    """Write ``IDENTIFIER.csv``, ``.clust.xml``, ``.html`` and ``.json`` into a folder.

    The same arguments give the same bytes. All files are written aside and renamed once all of
    them are complete, so that no name is ever half written, even if the run is killed.

    Args:
        answer: who is who.
        identifier: the name as a file name, e.g. ``Thomas_Baker``.
        folder: where to; made if it is missing.
        scores: measure to value, shown in the HTML report.
        score_signature: how the scores were computed.
        notes: remarks on the source, shown in the HTML report.

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
    report = Report(answer, scores or {}, score_signature, tuple(notes))
    texts = {folder / f"{identifier}{suffix}": WRITERS[suffix](report) for suffix in WRITERS}
    make_folder(folder)
    _put_in_place(texts)
    return tuple(texts)


def make_folder(folder: Path) -> None:
    """Make sure that there is a folder to write to.

    Raises:
        OutputError: if it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        what = "is a file where a folder should be"
        raise OutputError(what, where=folder, remedy="choose another folder") from error
    except OSError as error:
        what = f"the folder cannot be made ({reason(error)})"
        raise OutputError(what, where=folder, remedy=_REMEDY) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError("you may not write here", where=folder, remedy=_REMEDY)


def _put_in_place(texts: Mapping[Path, str]) -> None:
    """Write every text beside its path, then rename them all; leave nothing behind on failure."""
    unfinished: dict[Path, Path] = {}
    path = Path()
    try:
        for path, text in texts.items():
            unfinished[path] = path.with_name(f".{secrets.token_hex(8)}.tmp")
            # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
            unfinished[path].write_bytes(text.encode("utf-8", errors="replace"))
        for path in texts:
            unfinished[path].replace(path)
            del unfinished[path]
    except OSError as error:
        what = f"cannot be written ({reason(error)})"
        raise OutputError(what, where=path, remedy=_REMEDY) from error
    finally:
        for left in unfinished.values():
            with suppress(OSError):
                left.unlink()
