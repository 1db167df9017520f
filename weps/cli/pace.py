"""How fast work proceeds, and how long the rest will take."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable

from weps.cli.console import Console

_SEEN = 200
"""Names by which the rate is measured."""
_FEWEST = 5
_INTERVAL = 60.0
"""Seconds between two lines where no bar is drawn."""
_SHORT = 60.0
"""Seconds; longer work is announced."""
_MEASURED = 5.0
"""Seconds of the work from which the rest is estimated: its first part, or as many as fit."""


class Pace:
    """The rate of the names answered last; those that were finished before do not count."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times = deque([clock()], maxlen=_SEEN)
        self._told = clock()

    def after(self, done: int, total: int, *, worked: bool) -> str:
        """Note that a name is done, and say in words the rate and the time that remains.

        Args:
            done: names so far.
            total: all names.
            worked: whether it was answered now.

        Returns:
            Such as ``12 a minute, 3 h 20 min left``; empty as long as nothing is known, and at the
            end.
        """
        if worked:
            self._times.append(self._clock())
        elapsed, number = self._times[-1] - self._times[0], len(self._times) - 1
        if number < _FEWEST or elapsed <= 0 or done >= total:
            return ""
        rate = number / elapsed
        per_minute = 60 * rate
        shown = f"{per_minute:,.0f}" if per_minute >= 10 else f"{per_minute:.1f}"
        return f"{shown} a minute, {duration_words((total - done) / rate)} left"

    @property
    def is_due(self) -> bool:
        """Whether a minute has passed since this was true."""
        now = self._clock()
        if now - self._told < _INTERVAL:
            return False
        self._told = now
        return True


class TimedProgress:
    """A :class:`weps._parallel.Progress` that announces long work, and never is silent for long.

    What is estimated to take over a minute, by how long its first parts took, is announced in one
    line. A bar follows where one can be drawn, a line a minute elsewhere.
    """

    def __init__(
        self, console: Console, jobs: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console, self._clock = console, clock
        self._jobs = (os.cpu_count() or 1) if jobs == -1 else jobs
        self._began = self._now = clock()
        self._total, self._done, self._announced = 0, 0, False
        self._pace = Pace(clock)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Report the progress; less done than before, or another total, is other work.

        That begins when none of it is reported to be done, or else when the other work ended.
        """
        if done < self._done or total != self._total:
            self._began = self._now if done else self._clock()
            self._total, self._done, self._announced = total, 0, False
            self._pace = Pace(self._clock)
        pace = self._pace.after(done, total, worked=done > self._done)
        self._now, self._done = self._clock(), done
        self._console.show_progress(what, done, total)
        elapsed = self._now - self._began
        # The first parts of several processes are done at the same time.
        left = elapsed / max(done, self._jobs) * (total - done)
        if done and elapsed >= _MEASURED and left > _SHORT and not self._announced:
            self._announced = True
            self._console.write_status(f"{what}: this takes about {duration_words(left)}")
        elif not self._console.draws_progress and self._pace.is_due:
            counted = f"{done:,} of {total:,} done" if total else f"{done:,} done"
            known = ", ".join(filter(None, (counted, pace))) if done else "in progress"
            self._console.write_status(f"{what}: {known}")


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
