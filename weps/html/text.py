"""From running text to blocks: white space folded, invisible characters removed."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from weps.html.parsing import BREAK, MAIL_CLOSE, MAIL_OPEN, PRE_CLOSE, PRE_OPEN

__all__ = ["blocks_of", "fold_marked", "fold_plain", "fold_text"]

MIN_WRAP_WIDTH: Final = 50
"""Shortest line of wrapped prose, in characters."""

_MAIL = re.compile(f"{MAIL_OPEN}[^{MAIL_CLOSE}]*{MAIL_CLOSE}")
_PREFORMATTED = re.compile(f"{PRE_OPEN}([^{PRE_OPEN}{PRE_CLOSE}]*){PRE_CLOSE}")
_COLUMN_GAP = re.compile(r"\S(?:\t| {3})\s*\S")

_C1_AS_CP1252 = bytes(range(0x80, 0xA0)).decode("cp1252", "replace").replace("\ufffd", "\0")
_INVISIBLE: Final[dict[int, str | None]] = {
    **dict.fromkeys((*range(0x20), 0x7F, 0xAD, 0xFEFF)),
    **dict.fromkeys((0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x206A))),
    **{0x80 + i: c if c != "\0" else None for i, c in enumerate(_C1_AS_CP1252)},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
"""Controls, soft hyphens, marks of direction; a C1 control is a cp1252 character by mistake."""


def fold_text(text: str) -> str:
    """The text on one line: single spaces, no invisible characters."""
    folded = " ".join(text.split())
    if folded.isprintable():
        return folded
    return " ".join(folded.translate(_INVISIBLE).split())


def fold_marked(text: str) -> str:
    """A text with the marks of :mod:`weps.html.parsing`, folded; of marks, breaks and mail stay."""
    if PRE_OPEN in text:
        text = _PREFORMATTED.sub(lambda found: BREAK + _break_lines(found[1]) + BREAK, text)
    return " ".join(text.split())


def fold_plain(text: str) -> str:
    """A plain text folded, with breaks between paragraphs, or lines that are no wrapped prose."""
    return " ".join(_break_lines(text).split())


def blocks_of(folded: str) -> tuple[str, ...]:
    """The blocks of a folded text."""
    if MAIL_OPEN in folded:
        folded = _MAIL.sub("", folded)
    blocks = [piece for piece in map(str.strip, folded.split(BREAK)) if piece]
    if not "".join(blocks).isprintable():
        blocks = [piece for piece in map(fold_text, blocks) if piece]
    return tuple(blocks)


def _break_lines(text: str) -> str:
    """Mark the line ends that divide, leave those that only wrap a paragraph."""
    paragraph: list[str] = []
    marked: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            paragraph.append(line.rstrip())
        else:
            marked.append(_break_paragraph(paragraph))
            paragraph = []
    return BREAK.join(marked)


def _break_paragraph(lines: list[str]) -> str:
    width = max(map(len, lines), default=0)
    if width < MIN_WRAP_WIDTH:
        return BREAK.join(lines)
    ends = [
        " " if _is_wrapped(line, following, width) else BREAK for line, following in pairwise(lines)
    ]
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))


def _is_wrapped(line: str, following: str, width: int) -> bool:
    """Whether the line was wrapped because the next word did not fit."""
    first_word = following.split(maxsplit=1)[0]
    return len(line) + 1 + len(first_word) > width and not _COLUMN_GAP.search(line)
