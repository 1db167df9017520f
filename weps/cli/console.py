"""The only module that prints: results to standard output, everything else to standard error.

Tables, styles and progress are drawn by rich, which is imported when the first of them is needed.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, TextIO

from weps._formatting import cut_middle, error_reason, text_width
from weps.errors import OutputError, WepsError

if TYPE_CHECKING:
    from rich.progress import Progress

_DEFAULT_COLUMNS = 100
"""Columns where the width is unknown; the same for every pipe and file."""
_UNLIMITED_COLUMNS = 100_000
"""Text in tables of pipes and files is not folded, so that a row is a line."""
_FOLDED_COLUMNS = 16
"""Text may be folded to this width."""
_LONGEST_MESSAGE = 10_000
_PROGRESS_DELAY = 0.3
"""Seconds before progress is shown; short work shows none."""


@dataclass(slots=True)
class Console:
    """Writes to the terminal."""

    quiet: bool = False
    """Whether to omit progress and details; warnings and errors are always shown."""
    renamed: tuple[str, str] = ("", "")
    """A copy of a folder, and the address that is written in its place."""
    _progress: Progress | None = field(default=None, init=False, repr=False)
    _progress_began: float | None = field(default=None, init=False, repr=False)

    @property
    def width(self) -> int:
        """Columns of the output; the same for every pipe and file."""
        return shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else _DEFAULT_COLUMNS

    def write(self, text: str = "") -> None:
        """Write a part of the result."""
        self._print_result(printable_text(text, sys.stdout.encoding))

    def write_detail(self, text: str = "") -> None:
        """Write a detail, omitted in quiet mode."""
        if not self.quiet:
            self.write(text)

    def write_table(
        self,
        rows: Sequence[Sequence[str]],
        left: int | Collection[int] = 1,
        styles: Sequence[str] = (),
    ) -> None:
        """Write a table, two blanks between columns.

        On a terminal the heading is bold, and text that does not fit its column is folded. Columns
        of figures for which there is no room follow in a table of their own, with the first column,
        also in pipes and files.

        Args:
            rows: heading and rows, all of one length.
            left: columns that are aligned left, by number, or how many from the first; the others
                are aligned right.
            styles: of the rows after the heading; those beyond its end are plain.
        """
        from rich.console import Console as Renderer  # noqa: PLC0415 - see the module's docstring
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        texts = range(left) if isinstance(left, int) else left
        widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
        needed = [min(w, _FOLDED_COLUMNS) if i in texts else w for i, w in enumerate(widths)]
        ends = accumulate(needed, lambda used, width: used + 2 + width)
        fitting = max(sum(end <= self.width for end in ends), 2)
        if fitting < len(needed):
            for block in ([*range(fitting)], [0, *range(fitting, len(needed))]):
                self.write_table(
                    [[row[column] for column in block] for row in rows],
                    [block.index(i) for i in block if i in texts],
                    styles,
                )
                if block[-1] == fitting - 1:
                    self.write()
            return
        heading, *others = (
            [Text(printable_text(cell, sys.stdout.encoding)) for cell in row] for row in rows
        )
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
        for number, header in enumerate(heading):
            is_text = number in texts
            table.add_column(
                header, justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold"
            )
        for cells, style in zip_longest(others, styles[: len(others)], fillvalue=""):
            table.add_row(*cells, style=str(style))
        drawn = io.StringIO()
        Renderer(
            file=drawn,
            width=self.width if _is_terminal(sys.stdout) else _UNLIMITED_COLUMNS,
            force_terminal=_is_terminal(sys.stdout),
            color_system="standard" if _has_styles(sys.stdout) else None,
        ).print(table)
        self._print_result("\n".join(line.rstrip() for line in drawn.getvalue().split("\n")[:-1]))

    def write_status(self, text: str) -> None:
        """Write a line of progress."""
        if not self.quiet:
            self._write_error(text)

    def show_progress(self, what: str, done: int, total: int) -> None:
        """Show a bar with the time that remains; nothing without a terminal or for short work.

        A :class:`weps._parallel.Progress`. The bar is erased when the work is done or anything else
        is written.
        """
        if not self.draws_progress:
            return
        if done == total > 0:
            self._erase_progress()
            self._progress = self._progress_began = None
            return
        self._progress_began = self._progress_began or time.monotonic()
        if time.monotonic() - self._progress_began >= _PROGRESS_DELAY:
            if self._progress is None:
                self._progress = _progress_bar()
                self._progress.add_task(what, total=total or None)
            [task] = self._progress.tasks
            if done < task.completed or (total or None) != task.total:  # of another pace
                self._progress.reset(task.id, total=total or None)
            self._progress.start()
            self._progress.update(
                task.id,
                completed=done,
                total=total or None,
                description=printable_text(what, sys.stderr.encoding),
                refresh=True,
            )

    @property
    def draws_progress(self) -> bool:
        """Whether :meth:`show_progress` has a terminal to draw on."""
        return not self.quiet and _can_erase(sys.stderr)

    @property
    def can_ask(self) -> bool:
        """Whether somebody is there to answer a question."""
        return _is_terminal(sys.stdin) and _is_terminal(sys.stderr)

    def require_consent(self, notice: str, question: str, error: WepsError, *, given: bool) -> None:
        """Tell what is going to be done, and go on only if somebody agrees, also in quiet mode.

        Args:
            notice: what is going to be done.
            question: asked after the notice.
            error: raised if nobody can be asked.
            given: whether the user has agreed already.

        Raises:
            WepsError: if nobody can be asked, or somebody disagrees.
        """
        if given:
            self.write_status(notice)
            return
        if not self.can_ask:
            raise error
        self._write_error(f"{notice}\n{question} [y/N]")
        if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
            raise type(error)("not confirmed: nothing was done", remedy="answer y to continue")

    def warn(self, text: str) -> None:
        """Warn of a problem that does not stop the work."""
        self._write_error(f"weps: warning: {text}")

    def error(self, text: str) -> None:
        """Report why the command, or a part of it, failed."""
        self._write_error(f"weps: error: {text}")

    def _write_error(self, text: str) -> None:
        with suppress(OSError):  # it is full or gone, and there is no other place to tell it
            self._print(
                printable_text(cut_middle(text, _LONGEST_MESSAGE), sys.stderr.encoding), sys.stderr
            )

    def _print_result(self, text: str) -> None:
        try:
            self._print(text, sys.stdout)
        except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
            raise
        except OSError as error:
            raise OutputError(
                f"the result cannot be written ({error_reason(error)})",
                where="standard output",
                remedy="redirect it to a place that can be written and has enough room",
            ) from error

    def _print(self, text: str, stream: TextIO) -> None:
        self._erase_progress()
        print(text.replace(*self.renamed), file=stream, flush=True)

    def _erase_progress(self) -> None:
        if self._progress is not None:
            self._progress.stop()


def printable_text(text: str, encoding: str | None = None) -> str:
    """The text without control characters (it may come from the Web), fit for the terminal.

    Args:
        text: any text; its line breaks stay.
        encoding: of the terminal; None stands for UTF-8.
    """
    shown = "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
    encoding = encoding or "utf-8"
    return shown.encode(encoding, errors="replace").decode(encoding)


def _progress_bar() -> Progress:
    """One line without a thread of its own, which worker processes could not inherit."""
    from rich.console import Console as Renderer  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Renderer(
            file=sys.stderr, color_system="standard" if _has_styles(sys.stderr) else None
        ),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _is_terminal(stream: TextIO) -> bool:
    return not stream.closed and stream.isatty()


def _can_erase(stream: TextIO) -> bool:
    """Whether the stream is a terminal that supports control sequences."""
    return _is_terminal(stream) and os.environ.get("TERM") != "dumb"


def _has_styles(stream: TextIO) -> bool:
    """Whether styles show, and the user wants them (https://no-color.org)."""
    return _can_erase(stream) and not os.environ.get("NO_COLOR")


_SEEN = 200
"""Parts by which the rate is measured."""
_FEWEST = 5
_INTERVAL = 60.0
"""Seconds between two lines where no bar is drawn."""


class TimedProgress:
    """A :class:`weps._parallel.Progress` that never is silent for long.

    There is a bar where one can be drawn, and a line a minute elsewhere, with the rate of the parts
    done last and the time that remains.
    """

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console, clock
        self._begin(0)

    def _begin(self, total: int) -> None:
        self._told = self._clock()
        self._times = deque([self._told], maxlen=_SEEN)
        self._total, self._done = total, 0

    def __call__(self, what: str, done: int, total: int, *, worked: bool = True) -> None:
        """Report the progress; less done than before, or another total, is other work.

        Args:
            what: the work in words.
            done: parts so far.
            total: all parts; 0 if not known.
            worked: whether the parts were done now; those that were found done have no rate.
        """
        if done < self._done or total != self._total:
            self._begin(total)
        now = self._clock()
        if worked and done > self._done:
            self._times.append(now)
        self._done = done
        self._console.show_progress(what, done, total)
        if not self._console.draws_progress and now - self._told >= _INTERVAL:
            self._told = now
            counted = f"{done:,} of {total:,} done" if total else f"{done:,} done"
            known = ", ".join(filter(None, (counted, self._rate()))) if done else "in progress"
            self._console.write_status(f"{what}: {known}")

    def _rate(self) -> str:
        """Words such as ``12 a minute, 3:20:00 left``; empty if nothing is known."""
        elapsed, number = self._times[-1] - self._times[0], len(self._times) - 1
        if number < _FEWEST or elapsed <= 0 or self._done >= self._total:
            return ""
        rate = number / elapsed
        return (
            f"{60 * rate:,.{int(60 * rate < 10)}f} a minute, "
            f"{timedelta(seconds=round((self._total - self._done) / rate))} left"
        )
