"""Plain text made fit for a file: of one line, without characters that are not what they seem."""

from __future__ import annotations

import re

from weps.report.shown import plain as visible
from weps.report.shown import shown

__all__ = ["code", "marked_down", "marked_up", "plain"]

_LONGEST = 10_000
"""More characters than this are no paragraph."""

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SPECIAL = re.compile(r"[\\`*_\[\]~#$]")
_OPENING = re.compile(r"^([0-9]*)([-+=.)])(?![0-9A-Za-z.])")
"""What makes a list, a rule or a heading of a line."""


def marked_up(text: str) -> str:
    """HTML for a text, an attribute's value included."""
    return shown(text, _LONGEST)


def plain(text: str) -> str:
    """The text alone."""
    line = visible(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def marked_down(text: str) -> str:
    """Markdown for a text; the bars in it are left to the table."""
    line = _SPECIAL.sub(r"\\\g<0>", plain(text).translate(_HTML))
    return _OPENING.sub(r"\1\\\2", line)


def code(text: str) -> str:
    """A code span of Markdown: its fence is longer than any run of backticks in it."""
    line = plain(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"
