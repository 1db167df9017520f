"""The corrections file of a name: small, readable, and easy to edit by hand.

One correction a line, see :data:`weps.corrections.model.CORRECTION_KINDS`; ``#`` begins a comment.
Lines ``page`` state which page a rank means, so that it is found again when ranks have changed; a
file may omit them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from weps._files import atomic_write
from weps._formatting import error_reason
from weps.corrections.model import (
    CORRECTION_KINDS,
    Correction,
    Corrections,
    PageIdentity,
    Ranks,
    check_consistency,
)
from weps.errors import CorrectionsError
from weps.provenance import FINGERPRINT_PATTERN

__all__ = [
    "CORRECTIONS_SUFFIX",
    "MAX_NAME_LENGTH",
    "FaultyLineError",
    "correction_fault",
    "corrections_text",
    "one_line",
    "page_line",
    "parse_corrections",
    "parse_line",
    "parse_page",
    "read_corrections",
    "repeated_ranks",
    "write_corrections",
]

MAX_NAME_LENGTH = 200
"""Characters of what a person may be called."""
_MAX_QUOTE = 40
_RANK = re.compile(r"[0-9]{1,9}")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Control characters that are no white space, and halves of characters."""


class FaultyLineError(ValueError):
    """A faulty line; the message says what is wrong."""


def parse_line(line: str) -> Correction:
    """Parse the correction of a line.

    Raises:
        FaultyLineError: if it is not a correction.
    """
    kind, _, rest = line.partition(" ")
    if kind not in CORRECTION_KINDS:
        raise FaultyLineError(
            f"{_quote_word(kind)} is not a correction: a line begins with "
            f"{', '.join(CORRECTION_KINDS)}"
        )
    rest, name = _split_first_word(rest) if kind == "called" else (rest.partition("#")[0], "")
    parsed = Correction(kind, tuple(map(_parse_ranks, rest.split("/"))), name=name)
    if what := correction_fault(parsed):
        raise FaultyLineError(what)
    return parsed


def parse_page(line: str) -> tuple[int, PageIdentity]:
    """The page that a line ``page RANK FINGERPRINT URL`` identifies.

    Raises:
        FaultyLineError: if it identifies none.
    """
    rank, rest = _split_first_word(line.partition(" ")[2])
    fingerprint, url = _split_first_word(rest)
    if not _RANK.fullmatch(rank) or not re.fullmatch(FINGERPRINT_PATTERN, fingerprint):
        raise FaultyLineError("it should read “page RANK FINGERPRINT URL”, with 12 hex digits")
    return int(rank), PageIdentity(fingerprint, url)


def page_line(rank: int, mark: PageIdentity) -> str:
    """The line that :func:`parse_page` reads."""
    return one_line(f"page {rank} {mark.fingerprint} {mark.url}")


def correction_fault(correction: Correction) -> str:
    """The fault of a correction by itself; empty if there is none."""
    kind = CORRECTION_KINDS[correction.kind]
    if not kind.min_groups <= len(correction.groups) <= kind.max_groups or not all(
        correction.groups
    ):
        return f"it should read “{kind.usage}”"
    if twice := repeated_ranks(correction.groups):
        return f"page {twice[0]} is on two sides of “/”"
    if len(correction.same) == 1 and not kind.separates:
        return "at least two pages are needed"
    return _name_fault(correction) if correction.kind == "called" else ""


def one_line(text: str) -> str:
    """A text without control characters, white space folded to blanks."""
    return " ".join(_CONTROLS.sub("", text).split())


def _name_fault(correction: Correction) -> str:
    if len(correction.ranks) != 1 or not correction.name:
        usage = CORRECTION_KINDS[correction.kind].usage
        return f"it should read “{usage}”, with the number of one page"
    if correction.name != one_line(correction.name):
        return "the name has control characters or needless white space"
    if not any(map(str.isalnum, correction.name)):
        return "the name has no letter and no digit"
    if len(correction.name) > MAX_NAME_LENGTH:
        return f"the name is longer than {MAX_NAME_LENGTH} characters"
    return ""


def _parse_ranks(text: str) -> Ranks:
    words = text.replace(",", " ").split()
    for word in words:
        if not _RANK.fullmatch(word):
            raise FaultyLineError(f"{_quote_word(word)} is not a rank of a page")
    return tuple(sorted(set(map(int, words))))


def repeated_ranks(groups: Sequence[Ranks]) -> list[int]:
    """The ranks that occur more than once in the groups."""
    every = sorted(rank for group in groups for rank in group)
    return [rank for rank, other in pairwise(every) if rank == other]


def _split_first_word(text: str) -> tuple[str, str]:
    """The first word, and the rest."""
    first, _, rest = text.strip(" ").partition(" ")
    return first, rest.strip(" ")


def _quote_word(word: str) -> str:
    short = word if len(word) <= _MAX_QUOTE else word[:_MAX_QUOTE] + "…"
    return f"“{_CONTROLS.sub('?', short)}”"


CORRECTIONS_SUFFIX = ".corrections.txt"
"""Suffix of the file name after the name."""
_HEADER = "# Corrections for "
_HEADER_END = ". One a line; numbers are ranks of pages. weps writes this file and reads it again."
_MAX_BYTES = 500_000
_MAX_REPORTED = 20


def read_corrections(path: Path | str) -> Corrections:
    """Read a corrections file.

    Raises:
        CorrectionsError: if it cannot be read, lines are faulty, or corrections contradict one
            another; one message lists all faulty lines, or all contradictions.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except OSError as error:
        what = f"the corrections cannot be read ({error_reason(error)})"
        raise CorrectionsError(what, where=path, remedy="check the path") from error
    if len(raw) > _MAX_BYTES:
        remedy = "choose the file that weps wrote beside the results"
        raise CorrectionsError("the file is too large for corrections", where=path, remedy=remedy)
    return parse_corrections(_decode_utf8(raw, path), path)


def parse_corrections(text: str, where: object = None) -> Corrections:
    """Parse the text of a corrections file; see :func:`read_corrections`.

    Args:
        text: of a whole file.
        where: the file, for messages.

    Raises:
        CorrectionsError: if lines are faulty, or corrections contradict one another.
    """
    parsed: list[Correction] = []
    pages: dict[int, PageIdentity] = {}
    notes: list[str] = []
    faults: list[str] = []
    for number, line in _numbered_lines(text):
        try:
            if line.startswith("#"):
                notes.append(one_line(line[1:]))
            elif line.startswith("page "):
                pages.update([parse_page(line)])
            else:
                parsed.append(replace(parse_line(line), notes=tuple(notes), line=number))
                notes.clear()
        except FaultyLineError as fault:
            faults.append(f"line {number}: {fault}")
    if faults:
        raise _faulty_lines(faults, where)
    check_consistency(parsed, where)
    return Corrections(tuple(parsed), pages, tuple(notes))


def corrections_text(corrections: Corrections, name: str = "") -> str:
    """The text of a corrections file, the inverse of :func:`parse_corrections`."""
    return "".join(f"{line}\n" for line in _text_lines(corrections, name))


def write_corrections(corrections: Corrections, path: Path | str, name: str = "") -> None:
    """Write a corrections file atomically.

    Args:
        corrections: of the name.
        path: of the file.
        name: of the person searched for, for the first line.

    Raises:
        OutputError: if it cannot be written.
    """
    atomic_write({Path(path): corrections_text(corrections, name).encode()})


def _text_lines(corrections: Corrections, name: str) -> Iterator[str]:
    yield _HEADER + (one_line(name) or "a name") + _HEADER_END
    for parsed in corrections.entries:
        yield from map(_comment_line, parsed.notes)
        yield str(parsed)
    yield from map(_comment_line, corrections.notes)
    for rank, mark in sorted(corrections.pages.items()):
        yield page_line(rank, mark)


def _comment_line(text: str) -> str:
    return f"# {one_line(text)}".rstrip()


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The non-empty lines, white space folded, and their numbers from 1."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        folded = " ".join(line.split())
        if folded and not (number == 1 and folded.startswith(_HEADER)):
            yield number, folded


def _decode_utf8(raw: bytes, path: Path) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        what, remedy = "this is not UTF-8 text", "save it as UTF-8"
        raise CorrectionsError(what, where=f"{path}, line {number}", remedy=remedy) from error


def _faulty_lines(faults: list[str], where: object) -> CorrectionsError:
    more = f"; and {len(faults) - _MAX_REPORTED} more" if len(faults) > _MAX_REPORTED else ""
    remedy = "correct the lines, or begin them with “#” to ignore them"
    return CorrectionsError("; ".join(faults[:_MAX_REPORTED]) + more, where=where, remedy=remedy)
