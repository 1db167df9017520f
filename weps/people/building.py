"""Clusters become people: pages with scores and neighbours, a portrait, a name.

What the answer for a name would be at other thresholds: every node of its dendrogram.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import Dendrogram, calibrated
from weps.model import Model
from weps.people.answer import UNSURE, Alternatives, ExplainedMerge, Near, PageScore, Person
from weps.people.description import Portrait
from weps.records import Document

__all__ = [
    "DIGITS",
    "Clusters",
    "Told",
    "alternatives",
    "in_order",
    "merges_of",
    "neighbours",
    "people_of",
    "rows_of_nodes",
]

DIGITS = 4
"""Of probabilities that are told."""
_LONGEST_OPENING = 80
_NOBODY = -1.0
"""Less than any probability."""

Rows = tuple[int, ...]
Clusters = Sequence[Rows]
Vector = NDArray[np.float64]
_Neighbours = tuple[Near | None, Near | None]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a page besides its place."""

    document: Document
    excerpt: str
    fingerprint: str
    score: float
    confirmed: bool


def people_of(
    clusters: Clusters,
    shown: Dendrogram,
    told: Sequence[Told],
    portraits: Mapping[Rows, Portrait],
    called: Sequence[tuple[int, str]],
) -> tuple[Person, ...]:
    """A person for each cluster, in the same order.

    Args:
        clusters: the rows of each, ascending.
        shown: calibrated probabilities of all pairs.
        told: of each page.
        portraits: by rows, of the clusters at least.
        called: ranks of pages, and what their persons are called, what was said last at the end.
    """
    square = _square(shown)
    nearest = _nearest(square, clusters)
    near = _near(square, clusters, told)
    pages = list(map(_page, told, nearest, near))
    return tuple(
        Person(
            id=number,
            confidence=round(fmean(told[row].score for row in rows), DIGITS),
            pages=tuple(pages[row] for row in rows),
            portrait=portraits[rows],
            called=_called([pages[row].rank for row in rows], called),
        )
        for number, rows in enumerate(clusters, start=1)
    )


def in_order(clusters: Sequence[Sequence[int]], scores: Vector) -> list[Rows]:
    """The clusters, larger ones first, but those all of whose pages are unsure last.

    Equals stay in the order in which they are given.
    """
    unsure = scores.round(DIGITS) < UNSURE
    return sorted(map(tuple, clusters), key=lambda rows: (unsure[list(rows)].all(), -len(rows)))


def merges_of(shown: Dendrogram, held: int, ranks: Sequence[int]) -> tuple[ExplainedMerge, ...]:
    """All merges, in order."""
    return tuple(
        ExplainedMerge(
            (ranks[merge.first], ranks[merge.second]),
            round(merge.probability, DIGITS),
            number < held,
        )
        for number, merge in enumerate(shown.merges)
    )


def neighbours(shown: Dendrogram, clusters: Clusters) -> set[tuple[int, int]]:
    """The pairs of each page with its closest page in its own cluster and in all others."""
    square = _square(shown)
    return {
        (min(row, other), max(row, other))
        for row, near in enumerate(_rows_near(square, clusters))
        for other in near
        if other is not None
    }


def _page(about: Told, nearest: int | None, near: _Neighbours) -> PageScore:
    document = about.document
    return PageScore(
        rank=document.rank,
        url=document.url,
        title=document.title or _opening(document),
        score=round(about.score, DIGITS),
        note=document.note,
        nearest=nearest if round(about.score, DIGITS) < UNSURE else None,
        excerpt=about.excerpt,
        closest=near[0],
        rival=near[1],
        confirmed=about.confirmed,
        fingerprint=about.fingerprint,
    )


def _opening(document: Document) -> str:
    """The first words of a page, by which one that has no title can be known."""
    return document.blocks[0][:_LONGEST_OPENING] if document.blocks else ""


def _called(ranks: Sequence[int], called: Sequence[tuple[int, str]]) -> str:
    """What the person of these pages is called; if several pages say it, what was said last."""
    return next((name for rank, name in reversed(called) if rank in ranks), "")


def _square(shown: Dendrogram) -> Vector:
    """Shape (n, n): the probabilities, symmetric; less than any on the diagonal."""
    square = np.zeros((shown.size, shown.size))
    square[np.triu_indices(shown.size, k=1)] = shown.probability
    square += square.T
    np.fill_diagonal(square, _NOBODY)
    return square


def _nearest(square: Vector, clusters: Clusters) -> list[int | None]:
    """For each page the other person it is nearest to, see :class:`PageScore`.

    Of equally near persons it is the one told first.
    """
    size = len(square)
    if len(clusters) < 2:
        return [None] * size
    nearness = np.empty((size, len(clusters)))
    for number, rows in enumerate(clusters):
        nearness[:, number] = square[:, rows].mean(axis=1)
        nearness[list(rows), number] = _NOBODY
    return [int(number) + 1 for number in nearness.argmax(axis=1)]


def _near(square: Vector, clusters: Clusters, told: Sequence[Told]) -> Iterator[_Neighbours]:
    """For each page the closest of its person, and of all others."""

    def near(row: int, other: int | None) -> Near | None:
        if other is None:
            return None
        return Near(told[other].document.rank, round(float(square[row, other]), DIGITS))

    for row, (closest, rival) in enumerate(_rows_near(square, clusters)):
        yield near(row, closest), near(row, rival)


def _rows_near(square: Vector, clusters: Clusters) -> list[tuple[int | None, int | None]]:
    """For each row the closest one of its cluster, and of all others; the first of equals."""
    mates = np.zeros(square.shape, dtype=bool)
    for rows in clusters:
        mates[np.ix_(rows, rows)] = True
    own, other = np.where(mates, square, _NOBODY), np.where(mates, _NOBODY, square)
    return list(zip(_best(own), _best(other), strict=True))


def _best(square: Vector) -> list[int | None]:
    best = square.argmax(axis=1) if square.size else np.zeros(0, dtype=int)
    return [
        int(column) if square[row, column] > _NOBODY else None for row, column in enumerate(best)
    ]


def rows_of_nodes(dendrogram: Dendrogram) -> list[Rows]:
    """The rows of all 2n - 1 nodes, ascending: of the n pages, then of what each merge makes."""
    unions = (tuple(sorted(ours + theirs)) for ours, theirs in dendrogram.unions())
    return [*((row,) for row in range(dendrogram.size)), *unions]


def alternatives(
    dendrogram: Dendrogram,
    held: int,
    ranks: Sequence[int],
    portraits: Sequence[Portrait],
    model: Model,
) -> Alternatives:
    """What the answer would be at every other threshold.

    Args:
        dendrogram: the clusterings that the pages were linked to.
        held: how many merges are held.
        ranks: of the rows.
        portraits: of the nodes.
        model: what judged and linked.
    """
    shown = calibrated(dendrogram, model.calibration)
    return Alternatives(
        ranks=tuple(ranks),
        nodes=tuple(_parts_of_nodes(dendrogram)),
        levels=tuple(round(merge.probability, DIGITS) for merge in shown.merges),
        held=held,
        least=dendrogram.allowed(0),
        most=dendrogram.allowed(len(dendrogram.merges)),
        portraits=tuple(portraits),
        probability=dendrogram.probability,
        calibration=model.calibration,
        beliefs=model.beliefs,
    )


def _parts_of_nodes(dendrogram: Dendrogram) -> list[tuple[int, int]]:
    """The two nodes that each merge makes one."""
    node_of = list(range(dendrogram.size))
    parts = []
    for number, (ours, theirs) in enumerate(dendrogram.unions()):
        parts.append((node_of[ours[0]], node_of[theirs[0]]))
        for row in (*ours, *theirs):
            node_of[row] = dendrogram.size + number
    return parts
