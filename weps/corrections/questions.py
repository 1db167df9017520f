"""Questions to the user, whose answers are expected to improve the clustering most.

A question is whether two pages are about one person. Each stands for two groups of pages that the
clustering keeps apart or joins: two clusters, or the two parts of a cluster that a merge of the
dendrogram leaves. If groups of a and b pages of n are joined wrongly, the B-Cubed precision of the
a pages is too small by about b/(a+b) and that of the b pages by a/(a+b), and so is recall if they
are wrongly apart: 2ab/(n(a+b)) in all. Times the probability that the answer is the unexpected one,
this is what the answer is expected to gain; expected error reduction in active learning (Roy and
McCallum 2001, ICML), approximated without clustering again. The pages asked about are the most
typical of their groups: those most probably about one person with the rest of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from weps._sets import membership_matrix
from weps.clustering.dendrogram import Dendrogram
from weps.similarity.pairs import square_matrix

MAX_QUESTIONS = 5
"""Asked of a user one after another."""
_MAX_GROUPS = 1_000
"""Pairs of groups that are considered, those of the greatest gain first."""


@dataclass(frozen=True, slots=True)
class Question:
    """Are these two pages about the same person?"""

    rows: tuple[int, int]
    """Of the two pages in the dendrogram, ascending."""
    together: bool
    """Whether the clustering has them together."""
    probability: float
    """Mean probability that a page of the one group and one of the other are one person."""
    gain: float
    """Expected rise of the B-Cubed F of the name, a rough estimate between 0 and 1."""


@dataclass(frozen=True, slots=True)
class _Groups:
    """Two groups of rows, either both part of one cluster or each a cluster."""

    first: Sequence[int]
    second: Sequence[int]
    together: bool
    probability: float
    gain: float


def choose_questions(
    dendrogram: Dendrogram,
    kept: int,
    most: int = 1,
    answerable: Collection[int] | None = None,
    asked: Collection[tuple[int, int]] = (),
) -> list[Question]:
    """The questions of the greatest expected gain, best first; fewer if there are no more.

    Args:
        dendrogram: of n pages, with calibrated probabilities.
        kept: number of merges that make the clustering.
        most: largest number of questions.
        answerable: rows that may be asked about; None for all.
        asked: pairs of rows that are not asked about again.
    """
    if dendrogram.size < 2:
        return []
    square = square_matrix(dendrogram.probability, dendrogram.size, diagonal=1.0)
    clusters = dendrogram.clusters(kept)
    found = [*_apart(square, clusters), *_joined(square, dendrogram, clusters, kept)]
    excluded = set(asked)
    questions: dict[tuple[int, int], Question] = {}
    for each in nlargest(_MAX_GROUPS, found, key=attrgetter("gain")):
        pages = [_typical_page(square, rows, answerable) for rows in (each.first, each.second)]
        pair = tuple(sorted(page for page in pages if page is not None))
        if len(pair) == 2 and pair not in excluded and not _is_decided(square, each):
            question = Question(pair, each.together, each.probability, each.gain)
            questions.setdefault(pair, question)
        if len(questions) == most:
            break
    return list(questions.values())


def _is_decided(square: NDArray[np.floating], groups: _Groups) -> bool:
    """Whether corrections forbid to join the groups, or to divide them."""
    between = square[np.ix_(groups.first, groups.second)]
    # Probabilities of 0 and 1 come from corrections alone.
    return bool((between == (1 if groups.together else 0)).any())


def _apart(square: NDArray[np.floating], clusters: Sequence[Sequence[int]]) -> Iterator[_Groups]:
    """Pairs of clusters, the most promising ones."""
    member = membership_matrix(clusters, len(square))
    sizes = np.array([len(rows) for rows in clusters], dtype=np.float64)
    first, second = np.triu_indices(len(clusters), k=1)
    sums = (member @ (member @ square).T)[first, second]
    ours, theirs = sizes[first], sizes[second]
    probability = sums / (ours * theirs)
    gain = probability * _cost_of_error(ours, theirs, len(square))
    best = np.argsort(-gain, kind="stable")[:_MAX_GROUPS].tolist()
    for at in best:
        groups = clusters[first[at]], clusters[second[at]]
        yield _Groups(*groups, False, float(probability[at]), float(gain[at]))


def _joined(
    square: NDArray[np.floating],
    dendrogram: Dendrogram,
    clusters: Sequence[Sequence[int]],
    kept: int,
) -> Iterator[_Groups]:
    """Each page and each merge that was kept, and the rest of its cluster."""
    cluster_of = {row: rows for rows in clusters for row in rows}
    merged = islice(dendrogram.merged_pairs(), kept)
    parts = [[row] for row in range(len(square))]
    parts += [[*larger, *smaller] for larger, smaller in merged]
    for part in parts:
        inside = set(part)
        rest = [row for row in cluster_of[part[0]] if row not in inside]
        if rest:
            probability = float(square[np.ix_(part, rest)].mean())
            cost = float(_cost_of_error(len(part), len(rest), len(square)))
            yield _Groups(part, rest, True, probability, (1 - probability) * cost)


def _cost_of_error(
    ours: float | NDArray[np.float64], theirs: float | NDArray[np.float64], pages: int
) -> float | NDArray[np.float64]:
    """What the wrong decision on two groups of so many pages costs of B-Cubed F."""
    return 2 * ours * theirs / (ours + theirs) / pages


def _typical_page(
    square: NDArray[np.floating], rows: Sequence[int], answerable: Collection[int] | None
) -> int | None:
    """The page most probably about one person with the others; None if none may be asked about."""
    allowed = sorted(row for row in rows if answerable is None or row in answerable)
    if not allowed:
        return None
    likeness = square[np.ix_(allowed, rows)].sum(axis=1)
    return allowed[int(likeness.argmax())]
