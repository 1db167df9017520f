"""The line: the pages found for a name go in at one end, people come out at the other."""

from __future__ import annotations

import numpy as np

from weps.clustering import Dendrogram, single_link
from weps.coreference import DecisionTree
from weps.forms import form_of, origin_of
from weps.language.pipeline import EMBEDDED, version
from weps.model import ModelSet
from weps.people import Answer, describe
from weps.reading import Reader
from weps.records import Search
from weps.similarity import PairTable, layers_of, pair_table
from weps.version import VERSION

__all__ = ["cluster", "link"]


def cluster(
    search: Search,
    models: ModelSet,
    threshold: float | None = None,
    reader: Reader | None = None,
) -> Answer:
    """Say which pages of a search are about the same person, and why.

    Args:
        search: the name and its pages.
        models: the model to use for the form that the pages have.
        threshold: least probability at which clusters merge, instead of the model's own.
        reader: how to read the pages; None reads them in the language that the model has learnt
            from, without a cache.
    """
    reader = reader or Reader(language=models.language or EMBEDDED)
    form = form_of(search)
    model = models.for_form(form)
    layers = layers_of(model.similarities)
    table = pair_table(reader.read(search, form, layers), model.similarities)
    stop = model.thresholds[origin_of(search)] if threshold is None else threshold
    provenance = f"weps-{VERSION}/{form} sha256:{models.digest}"
    signature = "|".join(
        [
            f"form:{form}",
            "classifier:tree",
            "link:single",
            f"threshold:{stop:.4f}",
            f"model:{models.digest}",
            *([f"language:{version(reader.language)}"] if layers else []),
            f"pages:{len(search.pages)}",
            f"weps:{VERSION}",
        ]
    )
    return describe(
        table,
        link(table, model.tree),
        stop,
        model=provenance,
        signature=signature,
        absent=models.absent(form),
    )


def link(table: PairTable, tree: DecisionTree) -> Dendrogram:
    """Judge all pairs of a table and link the pages."""
    # Leaves judge many pairs alike; the mean similarity says which of them show best why.
    preference = table.values.mean(axis=1, dtype=np.float64)
    size = len(table.analysis.documents)
    return single_link(tree.predict(table.values), size, preference)
