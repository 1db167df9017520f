"""Courses of many names, in the mean over names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from eval.comparison import Difference, compare
from eval.correcting.course import Course

__all__ = ["GOOD", "STEPS", "WAYS", "Summary", "after", "needed", "saved", "summary"]

GOOD = 0.95
"""An F0.5 that is good enough for most purposes."""
STEPS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of corrections after which the mean F0.5 is told."""
WAYS = ("anew", "alone")
"""See :class:`eval.correcting.course.Course`."""
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Summary:
    """One way of correcting, over all names."""

    after: tuple[float, ...]
    """Mean F0.5 after each of :data:`STEPS`."""
    to_good: float | None
    """Mean number of corrections until F0.5 is :data:`GOOD`, over the names where it can be; None
    if there are none."""
    to_best: float
    """The same until it is as good as it can be, over all names."""


def summary(courses: Sequence[Course], way: str) -> Summary:
    """The means over names of one of :data:`WAYS`."""
    good = [count for each in courses if (count := needed(each, way, GOOD)) is not None]
    best = [needed(each, way, each.best) or 0 for each in courses]
    return Summary(
        tuple(fmean(after(each, way, step) for each in courses) for step in STEPS),
        fmean(good) if good else None,
        fmean(best),
    )


def saved(courses: Sequence[Course]) -> Difference:
    """How many corrections fewer it takes to the best answer if names are clustered anew."""
    anew, alone = ([needed(each, way, each.best) or 0 for each in courses] for way in WAYS)
    return compare(anew, alone)


def after(course: Course, way: str, corrections: int) -> float:
    """F0.5 after so many corrections; who needs no more has what there is in the end."""
    scores = _scores(course, way)
    return scores[min(corrections, len(scores) - 1)]


def needed(course: Course, way: str, level: float) -> int | None:
    """After how many corrections F0.5 first reaches a level; None if it never does."""
    reached = (count for count, f in enumerate(_scores(course, way)) if f >= level - _EQUAL)
    return next(reached, None)


def _scores(course: Course, way: str) -> tuple[float, ...]:
    return {"anew": course.anew, "alone": course.alone}[way]
