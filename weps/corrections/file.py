"""The corrections file of a name: small, readable, and edited by hand if one likes.

One correction a line, see :data:`weps.corrections.model.KINDS`; ``#`` begins a comment. Lines
``page`` say which page a rank means, so that it is found again when ranks have changed; a file
may leave them out.

Lines of a corrections file: what they say, or what is wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from weps._files import put_in_place
from weps._formatting import reason
from weps.corrections.model import (
    KINDS,
    Correction,
    Corrections,
    PageMark,
    Ranks,
    refuse_contradictions,
)
from weps.errors import CorrectionsError
from weps.provenance import FINGERPRINT

__all__ = [
    "ENDING",
    "LONGEST_NAME",
    "FaultyLineError",
    "as_text",
    "fault_of",
    "from_text",
    "one_line",
    "page_line",
    "parse",
    "parse_page",
    "read_corrections",
    "repeated",
    "write_corrections",
]

LONGEST_NAME = 200
"""Characters of what a person may be called."""
_LONGEST_QUOTE = 40
_RANK = re.compile(r"[0-9]{1,9}")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Control characters that are no white space, and halves of characters."""


class FaultyLineError(ValueError):
    """What is wrong with a line."""


def parse(line: str) -> Correction:
    """The correction that a line writes.

    Raises:
        FaultyLineError: if it writes none.
    """
    kind, _, rest = line.partition(" ")
    if kind not in KINDS:
        raise FaultyLineError(
            f"{_quoted(kind)} is no correction: a line begins with {', '.join(KINDS)}"
        )
    rest, name = _first(rest) if kind == "called" else (rest.partition("#")[0], "")
    said = Correction(kind, tuple(map(_ranks, rest.split("/"))), name=name)
    if what := fault_of(said):
        raise FaultyLineError(what)
    return said


def parse_page(line: str) -> tuple[int, PageMark]:
    """The page that a line ``page RANK FINGERPRINT URL`` tells from others.

    Raises:
        FaultyLineError: if it tells none.
    """
    rank, rest = _first(line.partition(" ")[2])
    fingerprint, url = _first(rest)
    if not _RANK.fullmatch(rank) or not re.fullmatch(FINGERPRINT, fingerprint):
        raise FaultyLineError("it should read “page RANK FINGERPRINT URL”, with 12 hex digits")
    return int(rank), PageMark(fingerprint, url)


def page_line(rank: int, mark: PageMark) -> str:
    """The line that :func:`parse_page` reads."""
    return one_line(f"page {rank} {mark.fingerprint} {mark.url}")


def fault_of(said: Correction) -> str:
    """What is wrong with a correction by itself; empty if nothing is."""
    kind = KINDS[said.kind]
    if not kind.fewest <= len(said.groups) <= kind.most or not all(said.groups):
        return f"it should read “{kind.form}”"
    if twice := repeated(said.groups):
        return f"page {twice[0]} stands on two sides of “/”"
    if len(said.same) == 1 and not kind.apart:
        return "it takes two pages at least to be one person"
    return _fault_of_name(said) if said.kind == "called" else ""


def one_line(text: str) -> str:
    """A text without control characters, white space folded to blanks."""
    return " ".join(_CONTROLS.sub("", text).split())


def _fault_of_name(said: Correction) -> str:
    if len(said.ranks) != 1 or not said.name:
        return f"it should read “{KINDS[said.kind].form}”, with the number of one page"
    if said.name != one_line(said.name):
        return "the name has control characters or needless white space"
    if not any(map(str.isalnum, said.name)):
        return "the name has no letter and no digit"
    if len(said.name) > LONGEST_NAME:
        return f"the name is longer than {LONGEST_NAME} characters"
    return ""


def _ranks(text: str) -> Ranks:
    words = text.replace(",", " ").split()
    for word in words:
        if not _RANK.fullmatch(word):
            raise FaultyLineError(f"{_quoted(word)} is no rank of a page")
    return tuple(sorted(set(map(int, words))))


def repeated(groups: Sequence[Ranks]) -> list[int]:
    """The ranks that stand in groups more than once."""
    every = sorted(rank for group in groups for rank in group)
    return [rank for rank, other in pairwise(every) if rank == other]


def _first(text: str) -> tuple[str, str]:
    """The first word, and the rest."""
    first, _, rest = text.strip(" ").partition(" ")
    return first, rest.strip(" ")


def _quoted(word: str) -> str:
    short = word if len(word) <= _LONGEST_QUOTE else word[:_LONGEST_QUOTE] + "…"
    return f"“{_CONTROLS.sub('?', short)}”"


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
