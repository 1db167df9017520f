"""How fast names are answered, and how long the rest will take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

_SEEN = 200
"""Names by which the rate is measured."""
_FEWEST = 5
_INTERVAL = 60.0
"""Seconds between two lines where no bar is drawn."""


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
