"""The answer for a name: people, their pages, why they are together, and what else they could be.

``answer`` holds the records, ``describing`` makes people of clusters, ``alternatives`` of every
node of the dendrogram.
"""

from weps.explaining import ExplainedPair
from weps.people.answer import (
    UNSURE,
    Alternatives,
    Answer,
    ExplainedMerge,
    Near,
    PageScore,
    Person,
)

__all__ = [
    "UNSURE",
    "Alternatives",
    "Answer",
    "ExplainedMerge",
    "ExplainedPair",
    "Near",
    "PageScore",
    "Person",
]
