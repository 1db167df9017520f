"""The one place that prints: answers to standard output, everything else to standard error."""

from __future__ import annotations

import sys
from dataclasses import dataclass

__all__ = ["Console"]


@dataclass(frozen=True, slots=True)
class Console:
    """Talks to the person at the terminal."""

    quiet: bool = False
    """Whether to leave out progress; warnings and errors are always shown."""

    def say(self, text: str = "") -> None:
        """Part of the answer."""
        print(_printable(text, sys.stdout.encoding), flush=True)

    def progress(self, text: str) -> None:
        """How far long work has come."""
        if not self.quiet:
            self._aside(text)

    def warn(self, text: str) -> None:
        """A fault that does not stop the work."""
        self._aside(f"weps: warning: {text}")

    def error(self, text: str) -> None:
        """Why the command, or a part of it, did not succeed."""
        self._aside(f"weps: error: {text}")

    @staticmethod
    def _aside(text: str) -> None:
        print(_printable(text, sys.stderr.encoding), file=sys.stderr, flush=True)


def _printable(text: str, encoding: str | None) -> str:
    """The text without control characters (it may come from the Web), fit for the terminal."""
    shown = "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
    encoding = encoding or "utf-8"
    return shown.encode(encoding, errors="replace").decode(encoding)
