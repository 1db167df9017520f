"""The corrections file of a name: small, readable, and edited by hand if one likes.

One correction a line, see :data:`weps.corrections.KINDS`; ``#`` begins a comment. Lines ``page``
say which page a rank means, so that it is found again when ranks have changed; a file may leave
them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from weps.corrections.contradictions import refuse_contradictions
from weps.corrections.corrections import Corrections, PageMark
from weps.corrections.lines import FaultyLineError, one_line, page_line, parse, parse_page
from weps.corrections.said import Correction
from weps.errors import CorrectionsError
from weps.placing import put_in_place
from weps.sources.messages import reason

__all__ = ["ENDING", "as_text", "from_text", "read_corrections", "write_corrections"]

ENDING = ".corrections.txt"
"""What comes after the name in the name of the file."""
_HEADER = "# Corrections for "
_ABOUT = ". One a line; numbers are ranks of pages. weps writes this file and reads it again."
_LARGEST = 500_000
_MOST_TOLD = 20


def read_corrections(path: Path | str) -> Corrections:
    """Read a corrections file.

    Raises:
        CorrectionsError: if it cannot be read, lines are faulty, or corrections contradict one
            another; one message tells all faulty lines, or all contradictions.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        what = f"the corrections cannot be read ({reason(error)})"
        raise CorrectionsError(what, where=path, remedy="check the path") from error
    if len(raw) > _LARGEST:
        remedy = "choose the file that weps has written beside the results"
        raise CorrectionsError("this is far too large for corrections", where=path, remedy=remedy)
    return from_text(_decoded(raw, path), path)


def from_text(text: str, where: object = None) -> Corrections:
    """The corrections that a text writes; see :func:`read_corrections`.

    Args:
        text: of a whole file.
        where: the file, for messages.

    Raises:
        CorrectionsError: if lines are faulty, or corrections contradict one another.
    """
    said: list[Correction] = []
    pages: dict[int, PageMark] = {}
    notes: list[str] = []
    faults: list[str] = []
    for number, line in _lines(text):
        try:
            if line.startswith("#"):
                notes.append(one_line(line[1:]))
            elif line.startswith("page "):
                pages.update([parse_page(line)])
            else:
                said.append(replace(parse(line), notes=tuple(notes), line=number))
                notes.clear()
        except FaultyLineError as fault:
            faults.append(f"line {number}: {fault}")
    if faults:
        raise _faulty(faults, where)
    refuse_contradictions(said, where)
    return Corrections(tuple(said), pages, tuple(notes))


def as_text(corrections: Corrections, name: str = "") -> str:
    """The corrections as a file; :func:`from_text` reads the same again."""
    return "".join(f"{line}\n" for line in _written(corrections, name))


def write_corrections(corrections: Corrections, path: Path | str, name: str = "") -> None:
    """Write a corrections file, whole or not at all.

    Args:
        corrections: what to write.
        path: where to.
        name: of the person searched for, for the first line.

    Raises:
        OutputError: if it cannot be written.
    """
    put_in_place({Path(path): as_text(corrections, name).encode()})


def _written(corrections: Corrections, name: str) -> Iterator[str]:
    yield _HEADER + (one_line(name) or "a name") + _ABOUT
    for said in corrections.said:
        yield from map(_note, said.notes)
        yield str(said)
    yield from map(_note, corrections.notes)
    for rank, mark in sorted(corrections.pages.items()):
        yield page_line(rank, mark)


def _note(text: str) -> str:
    return f"# {one_line(text)}".rstrip()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, white space folded, and their numbers from 1."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        folded = " ".join(line.split())
        if folded and not (number == 1 and folded.startswith(_HEADER)):
            yield number, folded


def _decoded(raw: bytes, path: Path) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        what, remedy = "this is no text in UTF-8", "save it as UTF-8"
        raise CorrectionsError(what, where=f"{path}, line {number}", remedy=remedy) from error


def _faulty(faults: list[str], where: object) -> CorrectionsError:
    more = f"; and {len(faults) - _MOST_TOLD} more" if len(faults) > _MOST_TOLD else ""
    remedy = "mend the lines, or begin them with “#” to set them aside"
    return CorrectionsError("; ".join(faults[:_MOST_TOLD]) + more, where=where, remedy=remedy)
