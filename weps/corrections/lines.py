"""Lines of a corrections file: what they say, or what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from weps.corrections.corrections import PageMark
from weps.corrections.said import KINDS, Correction, Ranks
from weps.fingerprints import FINGERPRINT

__all__ = [
    "LONGEST_NAME",
    "FaultyLineError",
    "fault_of",
    "one_line",
    "page_line",
    "parse",
    "parse_page",
    "repeated",
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
