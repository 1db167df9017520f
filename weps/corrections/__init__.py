"""What users say about who is who: kept, checked, and given to the clustering as constraints.

``said`` is what can be said, ``corrections`` all that was, ``operations`` what a user does to an
answer, ``file`` how it is kept, ``finding`` finds the pages again; ``contradictions`` and
``ruling`` are what follows from it.
"""

from weps.corrections.contradictions import refuse_contradictions
from weps.corrections.corrections import Corrections, PageMark
from weps.corrections.file import (
    ENDING,
    as_text,
    from_text,
    read_corrections,
    write_corrections,
)
from weps.corrections.finding import find, marks_of
from weps.corrections.said import KINDS, Correction

__all__ = [
    "ENDING",
    "KINDS",
    "Correction",
    "Corrections",
    "PageMark",
    "as_text",
    "find",
    "from_text",
    "marks_of",
    "read_corrections",
    "refuse_contradictions",
    "write_corrections",
]
