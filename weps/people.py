"""Clusters become people: pages with scores, confidence, a label, and the evidence per merge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps.clustering import Dendrogram, Merge, pair_position
from weps.evidence import Evidence, shared_evidence
from weps.labels import label
from weps.records import Clustering, Document
from weps.similarity import PairTable

__all__ = ["Answer", "ExplainedMerge", "PageScore", "Person", "describe"]


_LONGEST_OPENING = 80


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page of a person."""

    rank: int
    url: str
    title: str
    score: float
    """Probability of its closest tie to another page of the person; of a page that stands alone,
    the probability that its closest tie to any page is none."""
    note: str = ""
    """What was wrong with the page, empty where nothing was."""


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people who bear the name."""

    id: int
    """From 1, larger persons first."""
    label: str
    confidence: float
    """Probability of the weakest tie that holds the pages together; of a person with one page,
    that page's score."""
    pages: tuple[PageScore, ...]
    """In order of rank."""


@dataclass(frozen=True, slots=True)
class ExplainedMerge:
    """Two pages that made two clusters one, and why."""

    pages: tuple[int, int]
    """Ranks."""
    probability: float
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
    def clustering(self) -> Clustering:
        """The answer as sets of ranks."""
        groups = tuple(frozenset(page.rank for page in person.pages) for person in self.people)
        return Clustering(groups, labels=tuple(person.label for person in self.people))


def describe(  # noqa: PLR0913 - what was found, and how
    table: PairTable,
    dendrogram: Dendrogram,
    threshold: float,
    *,
    model: str,
    signature: str,
    absent: Iterable[str] = (),
) -> Answer:
    """Put the answer for a name together from what the steps of the line found.

    Args:
        table: the similarities of all pairs, with their bags and documents.
        dendrogram: the clusterings they led to.
        threshold: the least probability at which clusters merge.
        model: which model answered.
        signature: how the answer was made.
        absent: features that the model knows and the pages cannot have.
    """
    clusters = sorted(dendrogram.cut(threshold), key=lambda rows: (-len(rows), rows[0]))
    held = dendrogram.held(threshold)
    scores = _page_scores(dendrogram, clusters)
    confidences = _confidences(held, clusters, scores)
    documents = table.analysis.documents
    people = tuple(
        Person(
            id=number,
            label=words,
            confidence=round(confidence, 4),
            pages=tuple(_page(documents[row], scores[row]) for row in rows),
        )
        for number, (words, confidence, rows) in enumerate(
            zip(label(clusters, table), confidences, clusters, strict=True), start=1
        )
    )
    merges = tuple(_explain(merge, table) for merge in held)
    return Answer(table.analysis.name.text, people, merges, model, signature, tuple(absent))


def _page(document: Document, score: float) -> PageScore:
    title = document.title or _opening(document)
    return PageScore(document.rank, document.url, title, round(float(score), 4), document.note)


def _opening(document: Document) -> str:
    """The first words of a page, by which one that has no title can be known."""
    return document.blocks[0][:_LONGEST_OPENING] if document.blocks else ""


def _page_scores(dendrogram: Dendrogram, clusters: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Shape (pages,): the score of each page, see :class:`PageScore`."""
    size = dendrogram.size
    square = np.zeros((size, size))
    square[np.triu_indices(size, k=1)] = dendrogram.probability
    square = np.maximum(square, square.T)
    scores = np.ones(size)
    for rows in clusters:
        if len(rows) > 1:
            scores[rows] = square[np.ix_(rows, rows)].max(axis=1)
        else:
            scores[rows] = 1 - square[rows[0]].max()
    return scores


def _confidences(
    held: Sequence[Merge], clusters: Sequence[Sequence[int]], scores: NDArray[np.float64]
) -> list[float]:
    """For each cluster its weakest merge; the page's score where the cluster is one page."""
    weakest: dict[int, float] = {}
    for merge in held:
        for row in (merge.first, merge.second):
            weakest[row] = min(weakest.get(row, 1.0), merge.probability)
    return [min(weakest.get(row, float(scores[row])) for row in rows) for rows in clusters]


def _explain(merge: Merge, table: PairTable) -> ExplainedMerge:
    documents = table.analysis.documents
    position = pair_position(merge.first, merge.second, len(documents))
    evidence = shared_evidence(merge.first, merge.second, position, table)
    ranks = (documents[merge.first].rank, documents[merge.second].rank)
    return ExplainedMerge(ranks, round(merge.probability, 4), evidence)
