"""A few words that tell the people of one name apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from scipy import sparse

from weps.features import Bags, feature
from weps.measures import tf_idf
from weps.similarity import PairTable

__all__ = ["label"]

_TERMS = 3
_WEIGHTS = {
    "capitalised(local=true)": 2.0,
    "capitalised": 1.5,
    "title": 1.0,
    "token(local=true)": 0.5,
    "token": 0.4,
}
"""Feature → how well its strings label a person: names of places, employers and works best."""
_CANDIDATES = 30
"""Terms of each feature that are looked at."""
_LONGEST = 40
"""Characters; longer phrases are headlines, no labels."""


def label(clusters: Sequence[Sequence[int]], table: PairTable) -> list[str]:
    """For each cluster its most telling terms, joined by commas; empty where there is no text.

    A term tells the more, the more of the cluster's pages have it and the fewer others do.
    """
    name = set(table.analysis.name.tokens)
    candidates: list[dict[str, float]] = [{} for _ in clusters]
    for feature_name, weight in _WEIGHTS.items():
        bags = table.bags_of(feature(feature_name))
        for scores, terms in zip(candidates, _most_telling(bags, clusters), strict=True):
            for term, telling in terms:
                if name.isdisjoint(term.split()):
                    scores[term] = max(scores.get(term, 0.0), weight * telling)
    return [", ".join(_distinct(scores)) for scores in candidates]


def _most_telling(
    bags: Bags, clusters: Sequence[Sequence[int]]
) -> Iterator[list[tuple[str, float]]]:
    """For each cluster the best terms of one feature, with how much they tell.

    That is the share of the cluster's pages that have the term, times the share of other pages
    that lack it, times the logarithm of its mean tf·idf.
    """
    documents = bags.counts.shape[0]
    member = _membership(clusters, documents)
    inside = member @ (bags.counts > 0).astype(np.float64)
    weight = member @ tf_idf(bags)
    inside.sort_indices()
    weight.sort_indices()  # now both have the same strings in the same places
    for number, rows in enumerate(clusters):
        begin, end = inside.indptr[number : number + 2]
        columns, found = inside.indices[begin:end], inside.data[begin:end]
        outside = (bags.frequency[columns] - found) / max(documents - len(rows), 1)
        mean_weight = weight.data[begin:end] / len(rows)
        telling = found / len(rows) * (1 - outside) * np.log1p(mean_weight)
        best = np.lexsort((columns, -telling))[:_CANDIDATES]
        yield [(bags.strings[columns[at]], float(telling[at])) for at in best if telling[at] > 0]


def _membership(clusters: Sequence[Sequence[int]], documents: int) -> sparse.csr_array:
    """Shape (clusters, documents): 1 where the document is in the cluster."""
    columns = np.fromiter(chain.from_iterable(clusters), dtype=np.int64)
    ends = np.cumsum([0, *map(len, clusters)])
    return sparse.csr_array(
        (np.ones(len(columns)), columns, ends), shape=(len(clusters), documents)
    )


def _distinct(scores: Mapping[str, float]) -> list[str]:
    """The best terms, none of which repeats a word of another."""
    terms: list[str] = []
    for term in sorted(scores, key=lambda each: (-scores[each], each)):
        known = {word for other in terms for word in other.split()}
        if len(term) <= _LONGEST and known.isdisjoint(term.split()) and not term.isdigit():
            terms.append(term)
        if len(terms) == _TERMS:
            break
    return terms
