"""How few corrections reach the key: a simulated user who knows it mends one thing after another.

``mending`` is what the user sees and says, ``course`` what comes of it, ``summary`` and ``tables``
what is told of many names.
"""

from eval.correcting.course import Course, course
from eval.correcting.mending import Mending, next_mending
from eval.correcting.summary import STEPS, Summary, summary
from eval.correcting.tables import corrections_data, corrections_lines

__all__ = [
    "STEPS",
    "Course",
    "Mending",
    "Summary",
    "corrections_data",
    "corrections_lines",
    "course",
    "next_mending",
    "summary",
]
