"""Why pages came together or were parted: two pages that show it, and how probable it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from weps.clustering import pair_position
from weps.people import Alternatives, Answer, ExplainedMerge

__all__ = ["NO_REASON", "Reason", "between", "beyond"]

_Ranks = frozenset[int]


class Reason(NamedTuple):
    """Two pages, and how probable it is that they, or the groups they stand for, are one."""

    pair: tuple[int, int] | None = None
    probability: float | None = None
    said: bool = False
    """Whether a user has said so of the two."""


NO_REASON = Reason()


def between(first: _Ranks, second: _Ranks, answer: Answer, *, apart: bool) -> Reason:
    """Why pages of the one side are, or with ``apart`` are not, with pages of the other.

    It is what a user has said of them; else it is found in the merge that unites most of them, held
    or not. If the pages that show this merge best are not of both sides, the most probable pair
    between the sides takes their place.
    """
    if pair := (_parted if apart else _united)(first, second, answer):
        return Reason(pair, 0.0 if apart else 1.0, said=True)
    reason = _merged(first, second, answer.merges)
    if reason.pair is None or answer.alternatives is None or _across(reason.pair, first, second):
        return reason
    return reason._replace(pair=_nearest(first, second, answer.alternatives))


def beyond(pages: _Ranks, merges: Iterable[ExplainedMerge]) -> Reason:
    """Of the merge that would unite a person with anybody else."""
    for one, other, merge in _grown(merges):
        if bool(one & pages) != bool(other & pages):
            return Reason(merge.pages if one & pages else merge.pages[::-1], merge.probability)
    return NO_REASON


def _united(first: _Ranks, second: _Ranks, answer: Answer) -> tuple[int, int] | None:
    """Pages of either side that a user has called one person, the last time that one did."""
    for said in map(frozenset, reversed(answer.corrections.same)):
        if said & first and said & second:
            return min(said & first), min(said & second)
    return None


def _parted(first: _Ranks, second: _Ranks, answer: Answer) -> tuple[int, int] | None:
    """Pages of either side that a user has told apart, the last time that one did."""
    for sides in reversed(answer.corrections.different):
        for one, other in (map(frozenset, sides), map(frozenset, reversed(sides))):
            if one & first and other & second:
                return min(one & first), min(other & second)
    return None


def _across(pair: tuple[int, int], first: _Ranks, second: _Ranks) -> bool:
    return pair[0] in first and pair[1] in second


def _nearest(first: _Ranks, second: _Ranks, alternatives: Alternatives) -> tuple[int, int]:
    """The most probable pair between the sides; of equals the first."""
    size = len(alternatives.ranks)
    row_of = {rank: row for row, rank in enumerate(alternatives.ranks)}

    def probability(pair: tuple[int, int]) -> float:
        one, other = sorted(row_of[rank] for rank in pair)
        return float(alternatives.probability[pair_position(one, other, size)])

    return max(product(sorted(first), sorted(second)), key=probability)


def _merged(first: _Ranks, second: _Ranks, merges: Iterable[ExplainedMerge]) -> Reason:
    """Of the merge that unites most pages of the one with pages of the other, held or not."""
    most, reason = 0, NO_REASON
    for one, other, merge in _grown(merges):
        along, against = (
            len(one & first) * len(other & second),
            len(other & first) * len(one & second),
        )
        if along + against > most:
            most = along + against
            pair = merge.pages if along >= against else merge.pages[::-1]
            reason = Reason(pair, merge.probability)
    return reason


def _grown(merges: Iterable[ExplainedMerge]) -> Iterator[tuple[_Ranks, _Ranks, ExplainedMerge]]:
    """Each merge with the pages that it makes one: those with its first, those with its second."""
    cluster: dict[int, _Ranks] = {}
    for merge in merges:
        one, other = (cluster.get(rank, frozenset({rank})) for rank in merge.pages)
        yield one, other, merge
        cluster |= dict.fromkeys(one | other, one | other)
