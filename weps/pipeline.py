"""The line: the pages found for a name go in at one end, people come out at the other."""

from __future__ import annotations

import numpy as np

from weps.calibration import calibrated
from weps.coreference import Ruled
from weps.forms import form_of, origin_of
from weps.language.pipeline import EMBEDDED, version
from weps.model import Model, ModelSet
from weps.people import Answer, describe
from weps.reading import Reader
from weps.records import Search
from weps.similarity import layers_of, pair_table
from weps.stopping import Stopping, Threshold
from weps.version import VERSION

__all__ = ["cluster"]


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
        threshold: least probability at which clusters merge, instead of the model's own stopping
            decision.
        reader: how to read the pages; None reads them in the language that the model has learnt
            from, without a cache.
    """
    reader = reader or Reader(language=models.language or EMBEDDED)
    form = form_of(search)
    model = models.for_form(form)
    layers = layers_of(model.similarities)
    table = pair_table(reader.read(search, form, layers), model.similarities)
    # Leaves judge many pairs alike; the mean similarity says which of them show best why.
    preference = table.values.mean(axis=1, dtype=np.float64)
    dendrogram = model.dendrogram(table.values, len(search.pages), preference)
    shown = calibrated(dendrogram, model.calibration)
    stopping = model.stopping[origin_of(search)] if threshold is None else Threshold(threshold)
    # Models stop by what their classifier says, people by what they are shown.
    merges = stopping.merges(dendrogram if threshold is None else shown)
    signature = [
        f"form:{form}",
        *_decisions(model, stopping),
        f"model:{models.digest}",
        *([f"language:{version(reader.language)}"] if layers else []),
        f"pages:{len(search.pages)}",
        f"weps:{VERSION}",
    ]
    return describe(
        table,
        shown,
        merges,
        model.beliefs.of(dendrogram, dendrogram.clusters(merges)),
        model=f"weps-{VERSION}/{form} sha256:{models.digest}",
        signature="|".join(signature),
        absent=models.absent(form),
    )


def _decisions(model: Model, stopping: Stopping) -> list[str]:
    """What the signature says of classifier, link and stopping decision."""
    numbers = ",".join(f"{value:.4g}" for value in stopping.to_data().values())
    judge = model.classifier
    kind = f"{judge.inner.kind}+rules" if isinstance(judge, Ruled) else judge.kind
    return [
        f"classifier:{kind}",
        f"link:{model.link}",
        f"stop:{stopping.kind}({numbers})",
    ]
