"""A few words that tell the people of one name apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from weps.features import Bags, feature
from weps.similarity import PairTable, tf_idf

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
        for scores, rows in zip(candidates, clusters, strict=True):
            for term, telling in _most_telling(bags, rows):
                if name.isdisjoint(term.split()):
                    scores[term] = max(scores.get(term, 0.0), weight * telling)
    return [", ".join(_distinct(scores)) for scores in candidates]


def _most_telling(bags: Bags, rows: Sequence[int]) -> Iterator[tuple[str, float]]:
    """The best terms of one feature for a cluster, with how much they tell."""
    if bags.counts.shape[1] == 0:
        return
    telling = _telling(bags, rows)
    for column in np.argsort(-telling, kind="stable")[:_CANDIDATES].tolist():
        if telling[column] > 0:
            yield bags.strings[column], float(telling[column])


def _telling(bags: Bags, rows: Sequence[int]) -> NDArray[np.float64]:
    """Shape (strings,): share of the cluster's pages times share outside that lack it, by idf."""
    present = bags.counts.astype(bool).astype(np.float64)
    inside = np.asarray(present[list(rows)].sum(axis=0))
    outside = np.asarray(present.sum(axis=0)) - inside
    others = max(bags.counts.shape[0] - len(rows), 1)
    weight = np.asarray(tf_idf(bags)[list(rows)].sum(axis=0)) / len(rows)
    telling = inside / len(rows) * (1 - outside / others) * np.log1p(weight)
    return np.asarray(telling, dtype=np.float64)


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
