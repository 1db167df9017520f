"""Which measures together: greedy and exhaustive search by KING.

KING neither rises nor falls with the set: one measure more lowers QUEEN of models and peers alike
(ACL 2005, section 3.3). So no smaller set says how good a larger one can be, and the exhaustive
search tries every set. Each costs the intersection of its predecessor with one measure and one
count of bits, whatever its size: about 1 ms with 100 topics of 35 peers and 11 models, in
proportion to topics × peers × models × triples. The paper on DUC 2004 first takes one measure of
each of 10 clusters, and then tries all 1,023 sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from eval.meta.qarla.conditions import Conditions, Passed
from eval.meta.qarla.king import crowned, mean_king
from weps.errors import ValuesError

__all__ = ["Selection", "best_set", "every_set", "greedy"]

State: TypeAlias = tuple[Passed, ...]
"""By panel, what the measures so far accept."""


class Selection(NamedTuple):
    """Some measures and what they reach together."""

    measures: tuple[int, ...]
    king: float
    """The mean of KING over topics."""


def greedy(conditions: Conditions, size: int | None = None) -> list[Selection]:
    """Add, one after another, the measure with which KING is highest; the first one if tied.

    Args:
        conditions: of the topics.
        size: how many measures to add; None for all.

    Returns:
        The sets of 1, 2, … measures, in the order in which they were added; KING may fall.

    Raises:
        ValuesError: for a size that cannot be, or as :func:`eval.meta.qarla.king.king`.
    """
    found: list[Selection] = []
    chosen: tuple[int, ...] = ()
    rest = list(range(conditions.measures))
    state = None
    for _ in range(_checked(size, conditions)):
        tried = [_reached(conditions, _narrowed(conditions, state, each)) for each in rest]
        place = tried.index(max(tried))
        leader = rest.pop(place)
        chosen, state = (*chosen, leader), _narrowed(conditions, state, leader)
        found.append(Selection(chosen, tried[place]))
    return found


def best_set(conditions: Conditions, size: int | None = None) -> Selection:
    """The set of at most that size with the highest KING, by trying every one.

    Of equally good ones it is the smallest, then the first in the order of measures.

    Args:
        conditions: of the topics.
        size: at most how many measures; None for any number.

    Raises:
        ValuesError: as :func:`greedy`.
    """
    return min(
        every_set(conditions, size),
        key=lambda each: (-each.king, len(each.measures), each.measures),
    )


def every_set(conditions: Conditions, size: int | None = None) -> Iterator[Selection]:
    """KING of all sets of at most that size, 2ⁿ - 1 of them if it is None, one by one.

    Arguments and errors as of :func:`greedy`. A set comes before those that extend it.
    """
    return _extended(conditions, _checked(size, conditions), (), None)


def _extended(
    conditions: Conditions, limit: int, chosen: tuple[int, ...], state: State | None
) -> Iterator[Selection]:
    """The sets that add to the chosen some of the later measures."""
    for measure in range(chosen[-1] + 1 if chosen else 0, conditions.measures):
        narrowed, larger = _narrowed(conditions, state, measure), (*chosen, measure)
        yield Selection(larger, _reached(conditions, narrowed))
        if len(larger) < limit:
            yield from _extended(conditions, limit, larger, narrowed)


def _narrowed(conditions: Conditions, state: State | None, measure: int) -> State:
    """What is accepted by the measures so far, None being none, and by this one."""
    alone = tuple(panel.passed[measure] for panel in conditions.panels)
    if state is None:
        return alone
    return tuple(before.both(own) for before, own in zip(state, alone, strict=True))


def _reached(conditions: Conditions, state: State) -> float:
    return float(mean_king(crowned(conditions, state)))


def _checked(size: int | None, conditions: Conditions) -> int:
    if size is None:
        return conditions.measures
    if not 1 <= size <= conditions.measures:
        raise ValuesError(f"there is no set of {size} among {conditions.measures} measures")
    return size
