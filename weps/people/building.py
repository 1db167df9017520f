"""From clusters to people: pages with scores and neighbours, a description, a name.

A description has a line, terms, context entities and a refined query. Also the answers at other
thresholds, with a description of every node of the dendrogram that is a person in one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._formatting import round_probability
from weps.clustering.confidence import PageConfidence, PersonConfidence
from weps.clustering.dendrogram import Dendrogram
from weps.coreference.base import Calibration
from weps.key_terms.labels import labels_and_words
from weps.key_terms.refinement import suggest_refinements
from weps.people.answer import (
    UNSURE,
    Alternatives,
    ContextEntity,
    ExplainedMerge,
    PageScore,
    Person,
    PersonDescription,
    RelatedPage,
    SetAsidePage,
)
from weps.people.context import ContextEntities
from weps.people.person_line import person_lines
from weps.people.set_aside import Sign
from weps.records import Document, Page
from weps.similarity.pairs import pair_position, square_matrix
from weps.similarity.table import PairTable

_PEOPLE_DIGITS = 2
"""Decimal places of expected numbers of people."""
_MAX_TITLE_LENGTH = 80
_MAX_NAMES = 15
"""Largest number of context entities of a description."""
_MIN_STEPS, _STEPS_OF_PAGES, _MAX_STEPS = 60, 1 / 6, 200
"""Merges by which other answers may differ from the answer: a share of the pages, within bounds.
Describing them all, and clusters of most of the pages above all, takes most of the time where pages
are many."""
_ROWS_AT_ONCE = 512
_NO_PROBABILITY = -1.0
"""Less than any probability."""

Rows = tuple[int, ...]
Clusters = Sequence[Rows]
Floats = NDArray[np.floating]


def describe_people(
    groups: Sequence[Sequence[int]],
    table: PairTable,
    context: ContextEntities | None,
    known: dict[Rows, PersonDescription] | None = None,
) -> list[PersonDescription]:
    """Describe each group of pages; all other pages count as those of namesakes.

    Args:
        groups: for each the rows of its pages; groups may overlap, as nodes of a dendrogram do.
        table: the pages, of any form.
        context: the context entities; None to leave them out.
        known: earlier descriptions for the same table and context, by rows, which are not computed
            again; new ones are added.
    """
    known, keys = {} if known is None else known, list(map(tuple, groups))
    if new := [rows for rows in dict.fromkeys(keys) if rows not in known]:
        name = table.analysis.name.text
        parts = zip(
            labels_and_words(new, table),
            _context_of_groups(new, table, context) if context else [()] * len(new),
            suggest_refinements(new, table),
            person_lines(new, table.analysis, context),
            strict=True,
        )
        made = (
            PersonDescription(*label, names, refined, line=line.written(name, label.terms))
            for label, names, refined, line in parts
        )
        known.update(zip(new, made, strict=True))
    return [known[rows] for rows in keys]


def add_confidence(
    descriptions: Mapping[int, PersonDescription],
    dendrogram: Dendrogram,
    person_confidence: PersonConfidence,
) -> dict[int, PersonDescription]:
    """The descriptions, by node, with the probability of one person and how many to expect."""
    one_person, expected = person_confidence.of_nodes(dendrogram)
    return {
        node: replace(
            description,
            one_person=round_probability(float(one_person[node])),
            expected_people=round(float(expected[node]), _PEOPLE_DIGITS),
        )
        for node, description in descriptions.items()
    }


def _context_of_groups(
    groups: Sequence[Sequence[int]], table: PairTable, context: ContextEntities
) -> Iterator[tuple[ContextEntity, ...]]:
    """For each group the names on its pages."""
    ranks = np.array([document.rank for document in table.analysis.documents], dtype=np.int64)
    present = context.present.astype(bool).toarray()
    everywhere = present.sum(axis=0)
    for rows in map(list, groups):
        pages = present[rows].sum(axis=0)
        best = np.lexsort((everywhere, -pages))[:_MAX_NAMES]
        yield tuple(
            ContextEntity(
                context.texts[at],
                context.kinds[at],
                tuple(sorted(ranks[rows][present[rows, at]].tolist())),
            )
            for at in best[pages[best] > 0].tolist()
        )


def describe_page(  # noqa: PLR0913, PLR0917 - all that is told of a page by itself
    document: Document,
    source: Page,
    excerpt: str,
    fingerprint: str,
    caution: str,
    score: float,
    confirmed: bool,
) -> PageScore:
    """A page without its relations to others, see :class:`PageScore`.

    Args:
        document: the page as it was read.
        source: the page as it was found; its content is not needed.
        excerpt: of the page.
        fingerprint: of its content.
        caution: what is unlike the pages of training.
        score: the confidence of the page.
        confirmed: whether a user has confirmed it.
    """
    return PageScore(
        rank=document.rank,
        url=document.url,
        title=_page_title(document),
        score=round_probability(score),
        note=document.note,
        caution=caution,
        excerpt=excerpt,
        confirmed=confirmed,
        fingerprint=fingerprint,
        file=source.file,
        fetched=source.fetched,
    )


def relate_pages(
    clusters: Clusters, shown: Dendrogram, pages: Sequence[PageScore]
) -> list[PageScore]:
    """The pages with their relations to others, by rows.

    Args:
        clusters: the rows of each, ascending.
        shown: calibrated probabilities of all pairs.
        pages: without relations.
    """
    square = square_matrix(shown.probability, shown.size, diagonal=_NO_PROBABILITY)
    people = _nearest_people(square, clusters)
    cluster_of = np.empty(len(square), dtype=np.int64)
    for number, rows in enumerate(clusters):
        cluster_of[list(rows)] = number
    related: list[PageScore] = []
    for start in range(0, len(square), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        mates = cluster_of[part, np.newaxis] == cluster_of
        own = _nearest_pages(np.where(mates, square[part], _NO_PROBABILITY), pages)
        others = _nearest_pages(np.where(mates, _NO_PROBABILITY, square[part]), pages)
        for page, person, closest, rival in zip(
            pages[part], people[part], own, others, strict=True
        ):
            nearest = person if page.unsure else None
            related.append(replace(page, nearest=nearest, closest=closest, rival=rival))
    return related


def build_people(
    clusters: Clusters,
    pages: Sequence[PageScore],
    scores: NDArray[np.float64],
    descriptions: Mapping[Rows, PersonDescription],
    assigned_names: Sequence[tuple[int, str]],
) -> tuple[Person, ...]:
    """A person for each cluster, in the same order.

    Args:
        clusters: the rows of each, ascending.
        pages: by rows.
        scores: shape (n,), confidence of each page.
        descriptions: by rows, of the clusters at least.
        assigned_names: ranks of pages and the names of their people, the latest last.
    """
    people = []
    for number, rows in enumerate(clusters, start=1):
        members = tuple(pages[row] for row in rows)
        own = {page.rank for page in members}
        confidence = fmean(scores[list(rows)].tolist())
        latest_name = next((name for rank, name in reversed(assigned_names) if rank in own), "")
        people.append(
            Person(number, round_probability(confidence), members, descriptions[rows], latest_name)
        )
    return tuple(people)


def mark_copies(people: Iterable[Person], groups: Iterable[Sequence[int]]) -> tuple[Person, ...]:
    """The people with :attr:`PageScore.copy_of` of their pages.

    Args:
        people: without it.
        groups: ranks of pages that are near-duplicates, ascending.
    """
    group_of = {rank: number for number, ranks in enumerate(groups) for rank in ranks}

    def marked(pages: Iterable[PageScore]) -> Iterator[PageScore]:
        first: dict[int, int] = {}
        for page in pages:
            group = group_of.get(page.rank, -1)
            original = page.rank if group < 0 else first.setdefault(group, page.rank)
            yield page if original == page.rank else replace(page, copy_of=original)

    return tuple(replace(each, pages=tuple(marked(each.pages))) for each in people)


def order_clusters(clusters: Sequence[Sequence[int]], scores: NDArray[np.float64]) -> list[Rows]:
    """The clusters, larger ones first, but those all of whose pages are unsure last.

    Ties keep their order.
    """
    unsure = [round_probability(score) < UNSURE for score in scores.tolist()]
    return sorted(
        map(tuple, clusters), key=lambda rows: (all(unsure[row] for row in rows), -len(rows))
    )


def explain_merges(
    shown: Dendrogram, kept: int, ranks: Sequence[int]
) -> tuple[ExplainedMerge, ...]:
    """All merges, in order."""
    return tuple(
        ExplainedMerge(
            (ranks[merge.first], ranks[merge.second]),
            round_probability(merge.probability),
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


def build_set_aside(
    sign: Sign, document: Document, source: Page, excerpt: str, fingerprint: str
) -> SetAsidePage:
    """A page that is set aside, with its sign."""
    return SetAsidePage(
        document.rank,
        document.url,
        _page_title(document),
        *sign,
        note=document.note,
        excerpt=excerpt,
        fingerprint=fingerprint,
        file=source.file,
        fetched=source.fetched,
    )


def _page_title(document: Document) -> str:
    """The title, else the beginning of the text."""
    first_block = document.blocks[0] if document.blocks else ""
    return document.title or first_block[:_MAX_TITLE_LENGTH]


def _nearest_people(square: Floats, clusters: Clusters) -> list[int | None]:
    """For each page the nearest other person, see :class:`PageScore`.

    Ties go to the first.
    """
    size = len(square)
    if len(clusters) < 2:
        return [None] * size
    nearest, greatest = np.zeros(size, dtype=np.int64), np.full(size, -np.inf)
    for number, rows in enumerate(clusters, start=1):
        nearness = square[:, rows].mean(axis=1)
        nearness[list(rows)] = _NO_PROBABILITY
        nearer = nearness > greatest
        nearest[nearer], greatest[nearer] = number, nearness[nearer]
    return list(nearest.tolist())


def _nearest_pages(square: Floats, pages: Sequence[PageScore]) -> list[RelatedPage | None]:
    """For each row the most probable page, if any; ties go to the first."""
    nearest = square.argmax(axis=1).tolist()
    return [
        RelatedPage(pages[other].rank, round_probability(float(square[row, other])))
        if square[row, other] > _NO_PROBABILITY
        else None
        for row, other in enumerate(nearest)
    ]


def node_rows(dendrogram: Dendrogram) -> list[Rows]:
    """The rows of all 2n - 1 nodes, ascending: the n pages, then the cluster of each merge."""
    unions = (tuple(sorted(ours + theirs)) for ours, theirs in dendrogram.merged_pairs())
    return [*((row,) for row in range(dendrogram.size)), *unions]


def cut_limits(dendrogram: Dendrogram, kept: int) -> tuple[int, int]:
    """The smallest and the largest number of merges of other answers than that with ``kept``.

    As far as corrections allow, that is from none to all of them if there are few pages.
    """
    least, most = map(dendrogram.bounded_count, (0, len(dendrogram.merges)))
    steps = min(max(_MIN_STEPS, int(_STEPS_OF_PAGES * dendrogram.size)), _MAX_STEPS)
    return max(least, kept - steps), min(most, kept + steps)


def build_alternatives(  # noqa: PLR0913, PLR0917 - everything that they consist of
    dendrogram: Dendrogram,
    shown: Dendrogram,
    ranks: Sequence[int],
    descriptions: Mapping[int, PersonDescription],
    calibration: Calibration,
    page_confidence: PageConfidence,
    *,
    kept: int,
    compared: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> Alternatives:
    """The answers at other thresholds.

    Args:
        dendrogram: of the rows.
        shown: the same, calibrated.
        ranks: of the rows.
        descriptions: of the people, by node.
        calibration: of the probabilities, for display.
        page_confidence: computes scores of pages.
        kept: number of merges of the answer.
        compared: first and second rows of the pairs whose probabilities are kept; None for all.
    """
    least, most = cut_limits(dendrogram, kept)
    probability: NDArray[np.floating] | sparse.csr_array = dendrogram.probability
    missing = 0.0
    if compared is not None:
        known = dendrogram.probability[pair_position(*compared, dendrogram.size)]
        others = len(dendrogram.probability) - len(known)
        total = dendrogram.probability.sum(dtype=np.float64) - known.sum(dtype=np.float64)
        missing = float(total) / max(others, 1)
        shape = dendrogram.size, dendrogram.size
        probability = sparse.coo_array((known, compared), shape=shape).tocsr()
    return Alternatives(
        ranks=tuple(ranks),
        nodes=tuple(dendrogram.children()),
        levels=tuple(merge.probability for merge in shown.merges),
        kept_merges=kept,
        min_merges=least,
        max_merges=most,
        descriptions=descriptions,
        probability=probability,
        calibration=calibration,
        page_confidence=page_confidence,
        missing=missing,
    )
