"""The only module that prints: results to standard output, everything else to standard error."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from enum import Enum
from typing import TextIO

from weps._formatting import cut_columns

__all__ = ["Console", "Style", "printable_text"]

_DEFAULT_COLUMNS = 100
"""Columns where the width is unknown; the same for every pipe and file."""
_ERASE_LINE = "\r\x1b[K"


class Style(Enum):
    """Style of a line on terminals that support it; plain elsewhere."""

    PLAIN = ""
    BOLD = "1"
    DIM = "2"

    def of(self, text: str) -> str:
        """The text in this style (ECMA-48, select graphic rendition)."""
        return f"\x1b[{self.value}m{text}\x1b[0m" if self.value else text


@dataclass(slots=True)
class Console:
    """Writes to the terminal."""

    quiet: bool = False
    """Whether to omit progress and details; brief results, warnings and errors
    are always shown."""
    _line_shown: bool = field(default=False, init=False)
    """Whether a line of :meth:`show_progress` is on the terminal."""

    @property
    def width(self) -> int:
        """Columns of the output; the same for every pipe and file."""
        return shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else _DEFAULT_COLUMNS

    def write(self, text: str = "", style: Style = Style.PLAIN) -> None:
        """Write a part of the result."""
        self._erase_line()
        shown = printable_text(text, sys.stdout.encoding)
        print(style.of(shown) if _has_styles(sys.stdout) else shown, flush=True)

    def write_detail(self, text: str = "", style: Style = Style.PLAIN) -> None:
        """Write a detail, omitted in quiet mode."""
        if not self.quiet:
            self.write(text, style)

    def write_status(self, text: str) -> None:
        """Write a line of progress."""
        if not self.quiet:
            self._write_error(text)

    def show_progress(self, what: str, done: int, total: int) -> None:
        """Show progress in one line that is rewritten; nothing without a terminal.

        A :class:`weps._parallel.Progress`. The line is erased when the work is done or anything
        else is written.
        """
        if self.quiet or not _can_erase(sys.stderr):
            return
        self._erase_line()
        if done == total > 0:
            return
        columns = shutil.get_terminal_size().columns - 1  # a full line would wrap
        line = cut_columns(
            printable_text(_progress_text(what, done, total), sys.stderr.encoding), columns
        )
        self._line_shown = True
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def warn(self, text: str) -> None:
        """Warn of a problem that does not stop the work."""
        self._write_error(f"weps: warning: {text}")

    def error(self, text: str) -> None:
        """Report why the command, or a part of it, failed."""
        self._write_error(f"weps: error: {text}")

    def _write_error(self, text: str) -> None:
        self._erase_line()
        print(printable_text(text, sys.stderr.encoding), file=sys.stderr, flush=True)

    def _erase_line(self) -> None:
        if self._line_shown:
            self._line_shown = False
            print(_ERASE_LINE, end="", file=sys.stderr, flush=True)


def printable_text(text: str, encoding: str | None = None) -> str:
    """The text without control characters (it may come from the Web), fit for the terminal.

    Args:
        text: any text; its line breaks stay.
        encoding: of the terminal; None stands for UTF-8.
    """
    shown = "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
    encoding = encoding or "utf-8"
    return shown.encode(encoding, errors="replace").decode(encoding)


def _progress_text(what: str, done: int, total: int) -> str:
    """``reading pages 37/100``; without figures where there are none."""
    return f"{what} {done:,}/{total:,}" if total else f"{what} {done:,}" if done else what


def _is_terminal(stream: TextIO) -> bool:
    return not stream.closed and stream.isatty()


def _can_erase(stream: TextIO) -> bool:
    """Whether the stream is a terminal that supports control sequences."""
    return _is_terminal(stream) and os.environ.get("TERM") != "dumb"


def _has_styles(stream: TextIO) -> bool:
    """Whether styles show, and the user wants them (https://no-color.org)."""
    return _can_erase(stream) and not os.environ.get("NO_COLOR")
