"""Which attributes give the best one (Table 7)."""

from __future__ import annotations

from collections.abc import Sequence

from eval.ordering import Estimate
from eval.refinement_study.means import mean
from eval.refinement_study.outcomes import Person

__all__ = ["Win", "win_share", "wins"]

Win = tuple[Person, str]
"""A person, and an attribute that gives them the best refinement of all attributes."""


def wins(people: Sequence[Person]) -> list[Win]:
    """All wins of attributes: where several tie, each of them wins, as in the paper."""
    return [(person, kind) for person in people for kind in person.tied_for("best-ae")]


def win_share(
    won: Sequence[Win], attributes: Sequence[str], names: Sequence[str], seed: int = 0
) -> Estimate:
    """Of all wins the share that is some attributes' own."""
    return mean([(person, float(kind in attributes)) for person, kind in won], names, seed)
