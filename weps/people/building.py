"""From clusters to people: pages with scores and neighbours, a description, a name.

Also the answers at other thresholds, one for every node of the dendrogram.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import Dendrogram
from weps.model import Model
from weps.people.answer import UNSURE, Alternatives, ExplainedMerge, PageScore, Person, RelatedPage
from weps.people.description import PersonDescription
from weps.records import Document

__all__ = [
    "PROBABILITY_DIGITS",
    "Clusters",
    "PageDescription",
    "build_alternatives",
    "build_people",
    "explain_merges",
    "neighbour_pairs",
    "node_rows",
    "order_clusters",
]

PROBABILITY_DIGITS = 4
"""Decimal places of the probabilities in answers."""
_MAX_TITLE_LENGTH = 80
_NO_PROBABILITY = -1.0
"""Less than any probability."""

Rows = tuple[int, ...]
Clusters = Sequence[Rows]
Vector = NDArray[np.float64]
_RelatedPages = tuple[RelatedPage | None, RelatedPage | None]


@dataclass(frozen=True, slots=True)
class PageDescription:
    """The parts of a page score besides the cluster."""

    document: Document
    excerpt: str
    fingerprint: str
    score: float
    confirmed: bool


def build_people(
    clusters: Clusters,
    shown: Dendrogram,
    page_descriptions: Sequence[PageDescription],
    person_descriptions: Mapping[Rows, PersonDescription],
    assigned_names: Sequence[tuple[int, str]],
) -> tuple[Person, ...]:
    """A person for each cluster, in the same order.

    Args:
        clusters: the rows of each, ascending.
        shown: calibrated probabilities of all pairs.
        page_descriptions: of each page.
        person_descriptions: by rows, of the clusters at least.
        assigned_names: ranks of pages and the names of their people, the latest
            last.
    """
    square = _square_matrix(shown)
    nearest = _nearest_people(square, clusters)
    near = _related_pages(square, clusters, page_descriptions)
    pages = list(map(_build_page, page_descriptions, nearest, near))
    return tuple(
        Person(
            id=number,
            confidence=round(
                fmean(page_descriptions[row].score for row in rows), PROBABILITY_DIGITS
            ),
            pages=tuple(pages[row] for row in rows),
            description=person_descriptions[rows],
            assigned_name=_assigned_name([pages[row].rank for row in rows], assigned_names),
        )
        for number, rows in enumerate(clusters, start=1)
    )


def order_clusters(clusters: Sequence[Sequence[int]], scores: Vector) -> list[Rows]:
    """The clusters, larger ones first, but those all of whose pages are unsure last.

    Ties keep their order.
    """
    unsure = scores.round(PROBABILITY_DIGITS) < UNSURE
    return sorted(map(tuple, clusters), key=lambda rows: (unsure[list(rows)].all(), -len(rows)))


def explain_merges(
    shown: Dendrogram, kept: int, ranks: Sequence[int]
) -> tuple[ExplainedMerge, ...]:
    """All merges, in order."""
    return tuple(
        ExplainedMerge(
            (ranks[merge.first], ranks[merge.second]),
            round(merge.probability, PROBABILITY_DIGITS),
            number < kept,
        )
        for number, merge in enumerate(shown.merges)
    )


def neighbour_pairs(people: Iterable[Person]) -> set[tuple[int, int]]:
    """The ranks of each page and its closest page, of its own person and of all others."""
    return {
        (min(page.rank, near.rank), max(page.rank, near.rank))
        for person in people
        for page in person.pages
        for near in (page.closest, page.rival)
        if near is not None
    }


def _build_page(
    description: PageDescription, nearest: int | None, near: _RelatedPages
) -> PageScore:
    document = description.document
    return PageScore(
        rank=document.rank,
        url=document.url,
        title=document.title or _first_words(document),
        score=round(description.score, PROBABILITY_DIGITS),
        note=document.note,
        nearest=nearest if round(description.score, PROBABILITY_DIGITS) < UNSURE else None,
        excerpt=description.excerpt,
        closest=near[0],
        rival=near[1],
        confirmed=description.confirmed,
        fingerprint=description.fingerprint,
    )


def _first_words(document: Document) -> str:
    """The first words of a page, which identify it if it has no title."""
    return document.blocks[0][:_MAX_TITLE_LENGTH] if document.blocks else ""


def _assigned_name(ranks: Sequence[int], assigned_names: Sequence[tuple[int, str]]) -> str:
    """The assigned name of the person of these pages, the latest if there are several."""
    return next((name for rank, name in reversed(assigned_names) if rank in ranks), "")


def _square_matrix(shown: Dendrogram) -> Vector:
    """Shape (n, n): the probabilities, symmetric; less than any on the diagonal."""
    square = np.zeros((shown.size, shown.size))
    square[np.triu_indices(shown.size, k=1)] = shown.probability
    square += square.T
    np.fill_diagonal(square, _NO_PROBABILITY)
    return square


def _nearest_people(square: Vector, clusters: Clusters) -> list[int | None]:
    """For each page the nearest other person, see :class:`PageScore`.

    Ties go to the first.
    """
    size = len(square)
    if len(clusters) < 2:
        return [None] * size
    nearness = np.empty((size, len(clusters)))
    for number, rows in enumerate(clusters):
        nearness[:, number] = square[:, rows].mean(axis=1)
        nearness[list(rows), number] = _NO_PROBABILITY
    return [int(number) + 1 for number in nearness.argmax(axis=1)]


def _related_pages(
    square: Vector, clusters: Clusters, page_descriptions: Sequence[PageDescription]
) -> Iterator[_RelatedPages]:
    """For each page the closest of its person, and of all others."""

    def near(row: int, other: int | None) -> RelatedPage | None:
        if other is None:
            return None
        return RelatedPage(
            page_descriptions[other].document.rank,
            round(float(square[row, other]), PROBABILITY_DIGITS),
        )

    for row, (closest, rival) in enumerate(_nearest_rows(square, clusters)):
        yield near(row, closest), near(row, rival)


def _nearest_rows(square: Vector, clusters: Clusters) -> list[tuple[int | None, int | None]]:
    """For each row the closest one of its cluster, and of all others; ties go to the first."""
    mates = np.zeros(square.shape, dtype=bool)
    for rows in clusters:
        mates[np.ix_(rows, rows)] = True
    own, other = np.where(mates, square, _NO_PROBABILITY), np.where(mates, _NO_PROBABILITY, square)
    return list(zip(_best_columns(own), _best_columns(other), strict=True))


def _best_columns(square: Vector) -> list[int | None]:
    best = square.argmax(axis=1) if square.size else np.zeros(0, dtype=int)
    return [
        int(column) if square[row, column] > _NO_PROBABILITY else None
        for row, column in enumerate(best)
    ]


def node_rows(dendrogram: Dendrogram) -> list[Rows]:
    """The rows of all 2n - 1 nodes, ascending: the n pages, then the cluster of each merge."""
    unions = (tuple(sorted(ours + theirs)) for ours, theirs in dendrogram.merged_pairs())
    return [*((row,) for row in range(dendrogram.size)), *unions]


def build_alternatives(
    dendrogram: Dendrogram,
    merges: Sequence[ExplainedMerge],
    ranks: Sequence[int],
    descriptions: Sequence[PersonDescription],
    model: Model,
) -> Alternatives:
    """The answers at all other thresholds.

    Args:
        dendrogram: of the pages.
        merges: all of them, as they are explained.
        ranks: of the rows.
        descriptions: of the nodes.
        model: the model of the dendrogram.
    """
    return Alternatives(
        ranks=tuple(ranks),
        nodes=tuple(_node_children(dendrogram)),
        levels=tuple(merge.probability for merge in merges),
        kept_merges=sum(merge.kept for merge in merges),
        min_merges=dendrogram.bounded_count(0),
        max_merges=dendrogram.bounded_count(len(dendrogram.merges)),
        descriptions=tuple(descriptions),
        probability=dendrogram.probability,
        calibration=model.calibration,
        page_confidence=model.page_confidence,
    )


def _node_children(dendrogram: Dendrogram) -> list[tuple[int, int]]:
    """The two nodes of each merge."""
    node_of = list(range(dendrogram.size))
    parts = []
    for number, (ours, theirs) in enumerate(dendrogram.merged_pairs()):
        parts.append((node_of[ours[0]], node_of[theirs[0]]))
        for row in (*ours, *theirs):
            node_of[row] = dendrogram.size + number
    return parts
