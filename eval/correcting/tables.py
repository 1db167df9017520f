"""What corrections reach, as tables for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.clustering import two_decimals
from eval.correcting.course import Course
from eval.correcting.summary import GOOD, STEPS, WAYS, needed, saved, summary
from eval.runs.data import difference_data
from weps.tables import aligned

__all__ = ["corrections_data", "corrections_lines"]

_TITLES = {"anew": "clustered anew", "alone": "as said only"}


def corrections_lines(courses: Sequence[Course]) -> list[str]:
    """One line per name, then the means over names."""
    return [*aligned(_names(courses)), "", *aligned(_means(courses)), _saved(courses)]


def corrections_data(courses: Sequence[Course]) -> dict[str, Any]:
    """The courses as JSON holds them (docs/output.md)."""
    return {
        **{way: _summary_data(courses, way) for way in WAYS},
        "saved": difference_data("corrections", saved(courses)),
        "names": {each.name: _course_data(each) for each in courses},
    }


def _names(courses: Sequence[Course]) -> list[list[str]]:
    to_good, to_best = f"to {GOOD:.2f}", "to best"
    heading = [
        "name",
        "pages",
        "people",
        "F0.5",
        "best",
        to_good,
        "(as said)",
        to_best,
        "(as said)",
    ]
    return [heading, *(_name(each) for each in courses)]


def _name(course: Course) -> list[str]:
    counts = [needed(course, way, level) for level in (GOOD, course.best) for way in WAYS]
    return [
        course.name,
        str(course.pages),
        str(course.people),
        two_decimals(course.anew[0]),
        two_decimals(course.best),
        *("–" if count is None else str(count) for count in counts),
    ]


def _means(courses: Sequence[Course]) -> list[list[str]]:
    heading = ["mean F0.5 after corrections", *map(str, STEPS), f"to {GOOD:.2f}", "to best"]
    return [heading, *(_mean(courses, way) for way in WAYS)]


def _mean(courses: Sequence[Course], way: str) -> list[str]:
    found = summary(courses, way)
    to_good = "–" if found.to_good is None else f"{found.to_good:.1f}"
    return [_TITLES[way], *map(two_decimals, found.after), to_good, f"{found.to_best:.1f}"]


def _saved(courses: Sequence[Course]) -> str:
    found = saved(courses)
    interval = f" ({found.low:+.1f} to {found.high:+.1f})" if len(courses) > 1 else ""
    return (
        f"clustering anew saves {found.mean:.1f}{interval} corrections to the best; fewer on "
        f"{found.better}, more on {found.worse}, as many on {found.equal} names"
    )


def _summary_data(courses: Sequence[Course], way: str) -> dict[str, Any]:
    found = summary(courses, way)
    return {
        "after": dict(zip(map(str, STEPS), found.after, strict=True)),
        "to_good": found.to_good,
        "to_best": found.to_best,
    }


def _course_data(course: Course) -> dict[str, Any]:
    return {
        "pages": course.pages,
        "people": course.people,
        "best": course.best,
        **{way: list(getattr(course, way)) for way in WAYS},
    }
