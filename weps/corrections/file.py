"""The corrections file of a name, and its pages found again when their ranks have changed.

One correction a line, see :data:`weps.corrections.model.CORRECTION_KINDS`; ``#`` begins a comment.
Lines ``page`` identify the page of a rank; a file may omit them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path

from weps._files import atomic_write, read_bytes
from weps.corrections.model import (
    CORRECTION_KINDS,
    Correction,
    Corrections,
    PageIdentity,
    Ranks,
    check_consistency,
    join_faults,
)
from weps.errors import CorrectionsError
from weps.records import FINGERPRINT_PATTERN, Page, page_fingerprint

MAX_NAME_LENGTH = 200
"""Characters of the name of a person."""
_MAX_ADDRESS_LENGTH = 500
_MAX_QUOTE = 40
_RANK = re.compile(r"[0-9]{1,9}")
_PROBABILITY = re.compile(r"0?\.[0-9]{1,30}|[01](\.0{0,30})?")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Control characters that are no white space, and halves of characters."""


class FaultyLineError(ValueError):
    """A faulty line; the message says what is wrong."""


def parse_line(line: str) -> Correction:
    """Parse the correction of a line; raises a FaultyLineError if it is none."""
    kind, _, rest = line.partition(" ")
    if kind not in CORRECTION_KINDS:
        raise FaultyLineError(
            f"{_quote_word(kind)} is not a correction: a line begins with "
            f"{', '.join(CORRECTION_KINDS)}"
        )
    if kind == "threshold":
        return Correction(kind, (), threshold=_parse_probability(rest.partition("#")[0].strip()))
    rest, name = _split_first_word(rest) if kind == "called" else (rest.partition("#")[0], "")
    parsed = Correction(kind, tuple(map(_parse_ranks, rest.split("/"))), name=name)
    if what := correction_fault(parsed):
        raise FaultyLineError(what)
    return parsed


def _parse_probability(word: str) -> float:
    if not _PROBABILITY.fullmatch(word):
        usage = CORRECTION_KINDS["threshold"].usage
        raise FaultyLineError(f"it should read “{usage}”, with a number from 0 to 1")
    return float(word)


def _parse_page(line: str) -> tuple[int, PageIdentity]:
    rank, rest = _split_first_word(line.partition(" ")[2])
    fingerprint, url = _split_first_word(rest)
    if not _RANK.fullmatch(rank) or not re.fullmatch(FINGERPRINT_PATTERN, fingerprint):
        raise FaultyLineError("it should read “page RANK FINGERPRINT URL”, with 12 hex digits")
    return int(rank), PageIdentity(fingerprint, url)


def correction_fault(correction: Correction) -> str:
    """The fault of a correction by itself; empty if there is none."""
    kind = CORRECTION_KINDS[correction.kind]
    if not kind.min_groups <= len(correction.groups) <= kind.max_groups or not all(
        correction.groups
    ):
        return f"it should read “{kind.usage}”"
    if twice := _repeated_ranks(correction.groups):
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


def _repeated_ranks(groups: Sequence[Ranks]) -> list[int]:
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
_HEADER_END = ". One per line; numbers are ranks of pages. weps writes and reads this file."
_MAX_BYTES = 500_000
_REMEDY = "choose the file that weps wrote beside the results"


def read_corrections(path: Path | str) -> Corrections:
    """Read a corrections file.

    Raises:
        CorrectionsError: if it cannot be read, lines are faulty, or corrections contradict one
            another; one message lists all faulty lines, or all contradictions.
    """
    path = Path(path)
    raw = read_bytes(path, _MAX_BYTES, CorrectionsError, _REMEDY)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        what, remedy = "this is not UTF-8 text", "save it as UTF-8"
        raise CorrectionsError(what, where=f"{path}, line {number}", remedy=remedy) from error
    return parse_corrections(text, path)


def parse_corrections(text: str, where: object = None) -> Corrections:
    """Parse the text of a corrections file, for messages named ``where``.

    Raises:
        CorrectionsError: see :func:`read_corrections`.
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
                pages.update([_parse_page(line)])
            else:
                parsed.append(replace(parse_line(line), notes=tuple(notes), line=number))
                notes.clear()
        except FaultyLineError as fault:
            faults.append(f"line {number}: {fault}")
    if faults:
        remedy = "correct the lines, or begin them with “#” to ignore them"
        raise CorrectionsError(join_faults(faults, len(faults)), where=where, remedy=remedy)
    check_consistency(parsed, where)
    return Corrections(tuple(parsed), pages, tuple(notes))


def corrections_text(corrections: Corrections, name: str = "") -> str:
    """The text of a corrections file, the inverse of :func:`parse_corrections`."""
    lines = [_HEADER + (one_line(name) or "a name") + _HEADER_END]
    for entry in corrections.entries:
        lines += [*_comment_lines(entry.notes), str(entry)]
    lines += _comment_lines(corrections.notes)
    for rank, mark in sorted(corrections.pages.items()):
        lines.append(one_line(f"page {rank} {mark.fingerprint} {mark.url}"))
    return "".join(f"{line}\n" for line in lines)


def write_corrections(corrections: Corrections, path: Path | str, name: str = "") -> None:
    """Write a corrections file atomically; the name is for its first line.

    Raises:
        OutputError: if it cannot be written.
    """
    atomic_write({Path(path): corrections_text(corrections, name).encode()}, private=True)


def _comment_lines(notes: Iterable[str]) -> list[str]:
    return [f"# {one_line(note)}".rstrip() for note in notes]


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The non-empty lines, white space folded, and their numbers from 1."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        folded = " ".join(line.split())
        if folded and not (number == 1 and folded.startswith(_HEADER)):
            yield number, folded


PageIdentities = Mapping[int, PageIdentity]


def page_identities(
    pages: Sequence[Page], fingerprints: Iterable[str] | None = None
) -> dict[int, PageIdentity]:
    """Rank → identity of the page; fingerprints that are not given are computed."""
    return {
        page.rank: PageIdentity(fingerprint, one_line(page.url)[:_MAX_ADDRESS_LENGTH].rstrip())
        for page, fingerprint in zip(
            pages, fingerprints or map(page_fingerprint, pages), strict=True
        )
    }


def match_pages(
    corrections: Corrections, pages: PageIdentities, where: object = None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections in terms of the current pages, and warnings.

    A page is recognised by its fingerprint, else by an address that no other page has; one that the
    corrections identify in no other way, by its rank. A missing page keeps its identity
    under a rank that no page has: its corrections are kept, and apply again when it is back.

    Returns:
        The corrections, with the identities of all pages they mention; and one sentence for each
        missing page, with the first line that mentions it.

    Raises:
        CorrectionsError: if one of them refers to a page twice, by its current rank and by an
            earlier one, as its identity shows.
    """
    now = _current_ranks(corrections, pages)
    lost = sorted(corrections.ranks - now.keys())
    unused = count(max((0, *pages, *corrections.ranks)) + 1)
    rank_of = now | {rank: next(unused) if rank in pages else rank for rank in lost}
    marks = {rank_of[rank]: corrections.pages[rank] for rank in lost if rank in corrections.pages}
    marks |= {rank: pages[rank] for rank in now.values()}
    entries = tuple(_renumber(each, rank_of, where) for each in corrections.entries)
    found = replace(corrections, entries=entries, pages=dict(sorted(marks.items())))
    return found, tuple(_missing_page_text(rank, corrections) for rank in lost)


def _current_ranks(corrections: Corrections, pages: PageIdentities) -> dict[int, int]:
    """Earlier rank → current rank, of the pages that are not missing."""
    known = {rank: mark for rank, mark in corrections.pages.items() if rank in corrections.ranks}
    times = Counter(mark.url for mark in pages.values())
    now: dict[int, int] = {}
    for key in (
        lambda rank, mark: (rank, mark.fingerprint),  # several pages may be equal
        lambda _, mark: mark.fingerprint,
        lambda _, mark: mark.url if times[mark.url] == 1 else "",
    ):
        free = defaultdict(list)
        for rank in sorted(pages.keys() - now.values(), reverse=True):
            free[key(rank, pages[rank])].append(rank)
        for rank in sorted(known.keys() - now.keys()):
            value = key(rank, known[rank])
            if value and free[value]:
                now[rank] = free[value].pop()
    return {rank: rank for rank in corrections.ranks - known.keys() if rank in pages} | now


def _renumber(correction: Correction, rank_of: Mapping[int, int], where: object) -> Correction:
    groups = tuple(tuple(sorted(rank_of[rank] for rank in group)) for group in correction.groups)
    if twice := _repeated_ranks(groups):
        was = next(rank for rank in correction.ranks if rank_of[rank] == twice[0] != rank)
        what = (
            f"{_line_prefix(correction)}ranks {twice[0]} and {was} mean the same page, "
            f"which was {was} before"
        )
        raise CorrectionsError(what, where=where, remedy="remove one of them from the line")
    return replace(correction, groups=groups)


def _missing_page_text(rank: int, corrections: Corrections) -> str:
    first = next(each for each in corrections.entries if rank in each.ranks)
    mark = corrections.pages.get(rank)
    page = f"page {rank} ({mark.url})" if mark and mark.url else f"page {rank}"
    return (
        f"{_line_prefix(first)}{page} is not among the pages; the correction is kept "
        "but has no effect: bring the page back, or remove the line"
    )


def _line_prefix(correction: Correction) -> str:
    return f"line {correction.line}: " if correction.line else ""
