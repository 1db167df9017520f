"""How fast work proceeds, and how long the rest will take."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable

from weps.cli.console import Console

_SEEN = 200
"""Parts by which the rate is measured."""
_FEWEST = 5
_INTERVAL = 60.0
"""Seconds between two lines where no bar is drawn."""
_SHORT = 60.0
"""Seconds; longer work is announced."""
_MEASURED = 5.0
"""Seconds of the work from which the rest is estimated: its first part, or as many as fit."""


class TimedProgress:
    """A :class:`weps._parallel.Progress` that announces long work, and never is silent for long.

    What is estimated to take over a minute, by how long its first parts took, is announced in one
    line. A bar follows where one can be drawn, a line a minute elsewhere, with the rate of the
    parts done last.
    """

    def __init__(
        self, console: Console, jobs: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console, self._clock = console, clock
        self._jobs = (os.cpu_count() or 1) if jobs == -1 else jobs
        self._now = clock()
        self._begin(self._now, 0)

    def _begin(self, began: float, total: int) -> None:
        self._began, self._told = began, self._clock()
        self._times = deque([self._told], maxlen=_SEEN)
        self._total, self._done, self._announced = total, 0, False

    def __call__(self, what: str, done: int, total: int, *, worked: bool = True) -> None:
        """Report the progress; less done than before, or another total, is other work.

        That begins when none of it is reported to be done, or else when the other work ended.

        Args:
            what: the work in words.
            done: parts so far.
            total: all parts; 0 if not known.
            worked: whether the parts were done now; those that were found done have no rate.
        """
        if done < self._done or total != self._total:
            self._begin(self._now if done else self._clock(), total)
        self._now = now = self._clock()
        if worked and done > self._done:
            self._times.append(now)
        self._done = done
        self._console.show_progress(what, done, total)
        # The first parts of several processes are done at the same time.
        left = (now - self._began) / max(done, self._jobs) * (total - done)
        if done and now - self._began >= _MEASURED and left > _SHORT and not self._announced:
            self._announced = True
            self._console.write_status(f"{what}: this takes about {duration_words(left)}")
        elif not self._console.draws_progress and now - self._told >= _INTERVAL:
            self._told = now
            counted = f"{done:,} of {total:,} done" if total else f"{done:,} done"
            known = ", ".join(filter(None, (counted, self._rate()))) if done else "in progress"
            self._console.write_status(f"{what}: {known}")

    def _rate(self) -> str:
        """Words such as ``12 a minute, 3 h 20 min left``; empty if nothing is known."""
        elapsed, number = self._times[-1] - self._times[0], len(self._times) - 1
        if number < _FEWEST or elapsed <= 0 or self._done >= self._total:
            return ""
        rate = number / elapsed
        shown = f"{60 * rate:,.0f}" if 60 * rate >= 10 else f"{60 * rate:.1f}"
        return f"{shown} a minute, {duration_words((self._total - self._done) / rate)} left"


def duration_words(seconds: float) -> str:
    """A length of time in two units at most: ``50 s``, ``3 min``, ``3 h 20 min``, ``2 d 4 h``."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min"
    days, hours = divmod(hours, 24)
    return f"{days:,} d {hours} h"
