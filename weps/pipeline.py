"""The line: the pages found for a name go in at one end, people come out at the other."""

from __future__ import annotations

import numpy as np

from weps.clustering import Dendrogram, single_link
from weps.coreference import DecisionTree
from weps.forms import Form, form_of, origin_of, reduce
from weps.html import clean
from weps.language import Analysis, analyse
from weps.model import ModelSet
from weps.people import Answer, describe
from weps.records import Search
from weps.similarity import PairTable, pair_table
from weps.version import VERSION

__all__ = ["cluster", "link", "read"]


def cluster(search: Search, models: ModelSet, threshold: float | None = None) -> Answer:
    """Say which pages of a search are about the same person, and why.

    Args:
        search: the name and its pages.
        models: the model to use for the form that the pages have.
        threshold: least probability at which clusters merge, instead of the model's own.
    """
    form = form_of(search)
    model = models.for_form(form)
    table = pair_table(read(search, form), model.similarities)
    stop = model.thresholds[origin_of(search)] if threshold is None else threshold
    provenance = f"weps-{VERSION}/{form} sha256:{models.digest}"
    signature = "|".join(
        [
            f"form:{form}",
            "classifier:tree",
            "link:single",
            f"threshold:{stop:.4f}",
            f"model:{models.digest}",
            f"pages:{len(search.pages)}",
            f"weps:{VERSION}",
        ]
    )
    return describe(table, link(table, model.tree), stop, model=provenance, signature=signature)


def read(search: Search, form: Form) -> Analysis:
    """Clean the pages of a search and split them into sentences and tokens.

    Args:
        search: the name and its pages, in any order; the answer does not depend on it.
        form: a form no richer than the pages have; they are reduced to it.
    """
    pages = sorted(search.pages, key=lambda page: page.rank)
    documents = (clean(page) for page in pages)
    return analyse(search.name, [reduce(each, search.name, form) for each in documents])


def link(table: PairTable, tree: DecisionTree) -> Dendrogram:
    """Judge all pairs of a table and link the pages."""
    # Leaves judge many pairs alike; the mean similarity says which of them show best why.
    preference = table.values.mean(axis=1, dtype=np.float64)
    size = len(table.analysis.documents)
    return single_link(tree.predict(table.values), size, preference)
