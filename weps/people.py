"""Clusters become people: pages with scores, a label, a refined query, evidence per merge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weps.clustering import Dendrogram, Merge, pair_position
from weps.evidence import Evidence, shared_evidence
from weps.labels import labels
from weps.records import Clustering, Document
from weps.refinement.suggest import Refinement, suggestions
from weps.similarity import PairTable

__all__ = ["UNSURE", "Answer", "ExplainedMerge", "PageScore", "Person", "describe"]

UNSURE = 0.5
"""Pages with a lower score are unsure: they are more probably in the wrong place than not."""
_LONGEST_OPENING = 80
_FEWEST_PEOPLE = 2
"""For a page to belong to another."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page of a person."""

    rank: int
    url: str
    title: str
    score: float
    """Calibrated probability that the page stands in the right place: that it belongs with most of
    the person's other pages; of a page that stands alone, that it belongs with no other."""
    note: str = ""
    """What was wrong with the page, empty where nothing was."""
    nearest: int | None = None
    """Of an unsure page, the other person with whose pages it is most probably one person, on
    average over these pages: the person's id. None if the page is not unsure or there is nobody
    else."""

    @property
    def unsure(self) -> bool:
        """Whether the page is more probably in the wrong place than not, see :data:`UNSURE`."""
        return self.score < UNSURE


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people who bear the name."""

    id: int
    """From 1, larger persons first."""
    terms: tuple[str, ...]
    """Words and names that tell the person from the namesakes, best first."""
    confidence: float
    """Mean score of the pages: the share of them that is expected to stand in the right place."""
    pages: tuple[PageScore, ...]
    """In order of rank."""
    refinement: Refinement | None = None
    """What to add to the name to find the person again; None where nothing is known to help."""

    @property
    def label(self) -> str:
        """The terms on one line; empty where there are none."""
        return ", ".join(self.terms)

    @property
    def unsure(self) -> bool:
        """Whether all pages are unsure."""
        return all(page.unsure for page in self.pages)


@dataclass(frozen=True, slots=True)
class ExplainedMerge:
    """What made two clusters one, and the pair of their pages that shows best why."""

    pages: tuple[int, int]
    """Ranks, one of either cluster: of the pairs between them one of the most probable."""
    probability: float
    """That the two clusters are one person, by the model's link: for average link from the mean
    probability of the pairs between them, for single link from that of the most probable."""
    evidence: tuple[Evidence, ...]
    """Strongest first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Who is who among the pages found for a name."""

    name: str
    people: tuple[Person, ...]
    merges: tuple[ExplainedMerge, ...]
    """Most probable first; one fewer than its pages for each person."""
    model: str
    """Which model answered, e.g. ``weps-0.1.0/pages sha256:1a2b3c4d``."""
    signature: str
    """How the answer was made, so that it can be made again."""
    absent_features: tuple[str, ...] = ()
    """Features that the model knows and pages of this form cannot have, by name."""

    @property
    def unsure(self) -> tuple[PageScore, ...]:
        """The pages that are unsure, person by person."""
        return tuple(page for person in self.people for page in person.pages if page.unsure)

    @property
    def clustering(self) -> Clustering:
        """The answer as sets of ranks."""
        groups = tuple(frozenset(page.rank for page in person.pages) for person in self.people)
        return Clustering(groups, labels=tuple(person.label for person in self.people))


def describe(  # noqa: PLR0913 - what was found, and how
    table: PairTable,
    dendrogram: Dendrogram,
    merges: int,
    beliefs: NDArray[np.float64],
    *,
    model: str,
    signature: str,
    absent: Iterable[str] = (),
) -> Answer:
    """Put the answer for a name together from what the steps of the line found.

    Args:
        table: the similarities of all pairs, with their bags and documents.
        dendrogram: the clusterings they led to.
        merges: how many of its merges are held, the first so many.
        beliefs: shape (pages,), the calibrated probability that each page stands in the right
            cluster.
        model: which model answered.
        signature: how the answer was made.
        absent: features that the model knows and the pages cannot have.
    """
    clusters = sorted(dendrogram.clusters(merges), key=lambda rows: (-len(rows), rows[0]))
    told = zip(table.analysis.documents, beliefs, _nearest(dendrogram, clusters), strict=True)
    pages = [_page(document, float(belief), nearest) for document, belief, nearest in told]
    people = tuple(
        Person(
            id=number,
            terms=terms,
            confidence=round(float(beliefs[rows].mean()), 4),
            pages=tuple(pages[row] for row in rows),
            refinement=refinement,
        )
        for number, (rows, terms, refinement) in enumerate(
            zip(clusters, labels(clusters, table), suggestions(clusters, table), strict=True),
            start=1,
        )
    )
    explained = tuple(_explain(merge, table) for merge in dendrogram.merges[:merges])
    return Answer(table.analysis.name.text, people, explained, model, signature, tuple(absent))


def _page(document: Document, belief: float, nearest: int | None) -> PageScore:
    title = document.title or _opening(document)
    page = PageScore(document.rank, document.url, title, round(belief, 4), document.note)
    return replace(page, nearest=nearest) if page.unsure else page


def _opening(document: Document) -> str:
    """The first words of a page, by which one that has no title can be known."""
    return document.blocks[0][:_LONGEST_OPENING] if document.blocks else ""


def _nearest(dendrogram: Dendrogram, clusters: Sequence[Sequence[int]]) -> list[int | None]:
    """For each page the other person it is nearest to, see :class:`PageScore`.

    Of equally near persons it is the one told first.
    """
    size = dendrogram.size
    if len(clusters) < _FEWEST_PEOPLE:
        return [None] * size
    square = np.zeros((size, size))
    square[np.triu_indices(size, k=1)] = dendrogram.probability
    square += square.T
    nearness = np.empty((size, len(clusters)))
    for number, rows in enumerate(clusters):
        nearness[:, number] = square[:, rows].mean(axis=1)
        nearness[rows, number] = -1.0
    return [int(number) + 1 for number in nearness.argmax(axis=1)]


def _explain(merge: Merge, table: PairTable) -> ExplainedMerge:
    documents = table.analysis.documents
    position = pair_position(merge.first, merge.second, len(documents))
    evidence = shared_evidence(merge.first, merge.second, position, table)
    ranks = (documents[merge.first].rank, documents[merge.second].rank)
    return ExplainedMerge(ranks, round(merge.probability, 4), evidence)
