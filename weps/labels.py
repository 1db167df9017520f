"""A few words that tell the people of one name apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weps.features import Bags, feature
from weps.similarity import PairTable, tf_idf

__all__ = ["label"]

_TERMS = 3
_CANDIDATES = ("capitalised(local=true)", "token(local=true)", "title", "capitalised", "token")
_LONGEST = 40
"""Characters; longer phrases are headlines, no labels."""


def label(clusters: Sequence[Sequence[int]], table: PairTable) -> list[str]:
    """For each cluster its most telling terms, joined by commas; empty where there is no text.

    A term tells more the more of the cluster's pages have it and the fewer others do. Phrases of
    capitalised words come first, since they name places, employers and works.
    """
    labels: list[list[str]] = [[] for _ in clusters]
    for name in _CANDIDATES:
        bags = table.bags_of(feature(name))
        for terms, rows in zip(labels, clusters, strict=True):
            _add_terms(terms, bags, rows)
    return [", ".join(terms) for terms in labels]


def _add_terms(terms: list[str], bags: Bags, rows: Sequence[int]) -> None:
    """Add terms, best first, until there are enough; none that repeats a word of another."""
    if len(terms) == _TERMS or bags.counts.shape[1] == 0:
        return
    telling = _telling(bags, rows)
    for column in np.argsort(-telling, kind="stable")[:30].tolist():
        if telling[column] <= 0 or len(terms) == _TERMS:
            return
        term = bags.strings[column]
        known = {word for other in terms for word in other.split()}
        if len(term) <= _LONGEST and known.isdisjoint(term.split()) and not term.isdigit():
            terms.append(term)


def _telling(bags: Bags, rows: Sequence[int]) -> NDArray[np.float64]:
    """Shape (strings,): share of the cluster's pages times share outside that lack it, by idf."""
    present = bags.counts.astype(bool).astype(np.float64)
    inside = np.asarray(present[list(rows)].sum(axis=0))
    outside = np.asarray(present.sum(axis=0)) - inside
    others = max(bags.counts.shape[0] - len(rows), 1)
    weight = np.asarray(tf_idf(bags)[list(rows)].sum(axis=0))
    telling = inside / len(rows) * (1 - outside / others) * np.log1p(weight)
    return np.asarray(telling, dtype=np.float64)
