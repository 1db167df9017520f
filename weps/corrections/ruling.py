"""What corrections say of the rows of one name: constraints for the clustering."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weps.clustering import Ruling
from weps.corrections.contradictions import person_of, refuse_contradictions
from weps.corrections.said import Correction

__all__ = ["ruling"]


def ruling(corrections: Sequence[Correction], ranks: Sequence[int]) -> Ruling:
    """What is settled about pages, closed under *same* and *different*.

    Args:
        corrections: what a user said; what it says of pages that are not there still ties others.
        ranks: of the rows, without repeats.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    refuse_contradictions(corrections)
    person = person_of(corrections)
    numbers: dict[int, int] = {}
    # A page that nobody speaks of is a person of its own; ranks are never negative.
    component = [numbers.setdefault(person.get(rank, -1 - rank), len(numbers)) for rank in ranks]
    apart = np.zeros((len(numbers), len(numbers)), dtype=bool)
    for sides in (said.different for said in corrections if said.different):
        left, right = ([numbers[person[r]] for r in side if person[r] in numbers] for side in sides)
        apart[np.ix_(left, right)] = apart[np.ix_(right, left)] = True
    vouched = {rank for said in corrections if said.kind == "confirm" for rank in said.groups[0]}
    sure = np.array([rank in vouched for rank in ranks], dtype=bool)
    return Ruling(np.array(component, dtype=np.int64), apart, sure)
