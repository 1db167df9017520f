"""How far long work has come, told to whoever wants to know."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Hears how far long work has come; called from the thread that does the work.

    It returns soon: the work waits for it. What it raises stops the work.
    """

    def __call__(self, what: str, done: int, total: int) -> None:
        """Hear it.

        Args:
            what: the work in plain words, e.g. ``reading pages``.
            done: how much of it is done, from 0 to ``total``.
            total: how much there is; 0 where nobody can say, and nobody tells the end.
        """


def silent(what: str, done: int, total: int) -> None:
    """The progress that nobody wants to know."""
