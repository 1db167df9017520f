"""How far long work has come, told to whoever wants to know."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "part_of", "silent"]


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


def part_of(progress: Progress, what: str, part: int, parts: int) -> Progress:
    """The progress of one of several parts of longer work, told as that of the whole work.

    Args:
        progress: hears of the whole work.
        what: the whole work in plain words; how the part calls itself is not told.
        part: which part it is, from 0; all are taken to be equally long.
        parts: how many there are.
    """
    whole = what

    def told(what: str, done: int, total: int) -> None:  # noqa: ARG001 - the whole has a name
        progress(whole, part * total + done, parts * total)

    return told
