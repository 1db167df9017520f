"""The line: the pages found for a name go in at one end, people come out at the other.

``prepare`` does what depends on the pages alone, ``answer`` what depends on a threshold and on
corrections besides, so that what a user corrects is answered at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, silent
from weps._version import VERSION
from weps.clustering.agglomeration import Ruling
from weps.clustering.dendrogram import Dendrogram, calibrated, pair_position
from weps.clustering.linkage import LINKS
from weps.clustering.stopping import Stopping, Threshold
from weps.coreference.rules import Ruled
from weps.corrections.constraints import obeying
from weps.corrections.model import Corrections
from weps.language.spacy_pipeline import EMBEDDED, version
from weps.model import Model, ModelSet
from weps.page_forms import Form, Origin, form_of, origin_of
from weps.people.answer import Answer
from weps.people.building import (
    Told,
    alternatives,
    in_order,
    merges_of,
    neighbours,
    people_of,
    rows_of_nodes,
)
from weps.people.context import Around, around
from weps.people.description import portraits
from weps.people.evidence import ExplainedPair, explained
from weps.people.excerpts import excerpt
from weps.provenance import fingerprint
from weps.reading import Reader
from weps.records import Search
from weps.similarity import PairTable, layers_of, pair_table

__all__ = ["Prepared", "answer", "cluster", "prepare"]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The pages of a name, read and compared."""

    form: Form
    origin: Origin
    model: Model
    models: ModelSet
    language: str
    """The pipeline that read the pages as far as the model needs it; empty if it does not."""
    table: PairTable
    around: Around
    excerpts: tuple[str, ...]
    """Of the rows."""
    fingerprints: tuple[str, ...]
    """Of the rows."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """Of the rows, ascending."""
        return tuple(document.rank for document in self.table.analysis.documents)

    def dendrogram(self, said: Corrections) -> Dendrogram:
        """The pages linked, as far as users leave it to the model."""
        values = self.table.values
        # Leaves judge many pairs alike; the mean similarity says which of them show best why.
        preference = values.mean(axis=1, dtype=np.float64)
        probability = self.model.classifier.predict(values)
        return obeying(said.said, LINKS[self.model.link], probability, self.ranks, preference)

    def stopping(self, threshold: float | None) -> Stopping:
        """The stopping decision: a threshold if there is one, else the model's own."""
        return self.model.stopping[self.origin] if threshold is None else Threshold(threshold)


def prepare(
    search: Search,
    models: ModelSet,
    reader: Reader | None = None,
    progress: Progress = silent,
) -> Prepared:
    """Read the pages of a search and compare all pairs of them.

    Args:
        search: the name and its pages.
        models: the model to use for the form that the pages have.
        reader: how to read the pages; None reads them in the language that the model has learnt
            from, without a cache.
        progress: hears how far the work has come.
    """
    reader = reader or Reader(language=models.language or EMBEDDED)
    form = form_of(search)
    model = models.for_form(form)
    layers = layers_of(model.similarities)
    analysis = reader.read(search, form, layers, progress)
    progress("comparing pages", 0, 0)
    table = pair_table(analysis, model.similarities)
    progress("looking for names", 0, 0)
    return Prepared(
        form=form,
        origin=origin_of(search),
        model=model,
        models=models,
        language=version(reader.language) if layers else "",
        table=table,
        around=around(analysis, reader.language, reader.cache),
        excerpts=tuple(excerpt(each, analysis.name) for each in analysis.documents),
        fingerprints=tuple(map(fingerprint, sorted(search.pages, key=lambda page: page.rank))),
    )


def answer(
    prepared: Prepared,
    threshold: float | None = None,
    corrections: Corrections | None = None,
) -> Answer:
    """Say which pages are about the same person, and why.

    Args:
        prepared: the pages.
        threshold: least probability at which clusters merge, instead of the model's own stopping
            decision.
        corrections: what users have said; it is obeyed.

    Raises:
        CorrectionsError: if what they have said contradicts itself.
    """
    said = corrections or Corrections()
    ruling = said.ruling(prepared.ranks) if said else Ruling.nothing(len(prepared.ranks))
    dendrogram = prepared.dendrogram(said)
    shown = calibrated(dendrogram, prepared.model.calibration)
    stopping = prepared.stopping(threshold)
    # Models stop by what their classifier says, people by what they are shown.
    held = stopping.merges(dendrogram if threshold is None else shown)
    nodes = rows_of_nodes(dendrogram)
    drawn = portraits(nodes, prepared.table, prepared.around)
    found = dendrogram.clusters(held)
    confirmed = ruling.confirmed(found)
    scores = np.where(confirmed, 1.0, prepared.model.beliefs.of(dendrogram, found))
    clusters = in_order(found, scores)
    return Answer(
        name=prepared.table.analysis.name.text,
        people=people_of(
            clusters,
            shown,
            _told(prepared, scores, confirmed),
            dict(zip(nodes, drawn, strict=True)),
            said.called,
        ),
        merges=merges_of(shown, held, prepared.ranks),
        model=f"weps-{VERSION}/{prepared.form} sha256:{prepared.models.digest}",
        signature=_signature(prepared, stopping, said),
        absent_features=prepared.models.absent(prepared.form),
        pairs=_pairs(prepared, shown, neighbours(shown, clusters), ruling),
        alternatives=alternatives(dendrogram, held, prepared.ranks, drawn, prepared.model),
        corrections=said,
        similarities=tuple(map(str, prepared.model.similarities)),
        note="" if prepared.form is Form.TOKENS else prepared.around.problem,
    )


def cluster(  # noqa: PLR0913 - everything that an answer depends on
    search: Search,
    models: ModelSet,
    threshold: float | None = None,
    reader: Reader | None = None,
    *,
    corrections: Corrections | None = None,
    progress: Progress = silent,
) -> Answer:
    """Say which pages of a search are about the same person, and why.

    See :func:`prepare` and :func:`answer`.
    """
    return answer(prepare(search, models, reader, progress), threshold, corrections)


def _told(
    prepared: Prepared, scores: NDArray[np.float64], confirmed: NDArray[np.bool_]
) -> list[Told]:
    documents = prepared.table.analysis.documents
    known = (documents, prepared.excerpts, prepared.fingerprints)
    return list(map(Told, *known, scores.tolist(), confirmed.tolist()))


def _pairs(
    prepared: Prepared, shown: Dendrogram, near: Iterable[tuple[int, int]], ruling: Ruling
) -> dict[tuple[int, int], ExplainedPair]:
    """Why merges are made, and what is near: by ranks, ascending."""
    merged = ((merge.first, merge.second) for merge in shown.merges)
    rows = sorted({*merged, *near})
    told = explained(rows, prepared.table, prepared.model, shown.probability, _said(rows, ruling))
    return {each.pages: each for each in told}


def _said(rows: Sequence[tuple[int, int]], ruling: Ruling) -> dict[tuple[int, int], str]:
    """What users have said of pairs."""
    size = len(ruling.component)
    same, different = ruling.same, ruling.different
    places = {pair: pair_position(*pair, size) for pair in rows}
    return {
        pair: "same" if same[at] else "different"
        for pair, at in places.items()
        if same[at] or different[at]
    }


def _signature(prepared: Prepared, stopping: Stopping, said: Corrections) -> str:
    """How the answer was made."""
    return "|".join(
        (
            f"form:{prepared.form}",
            *_decisions(prepared.model, stopping),
            f"model:{prepared.models.digest}",
            *([f"language:{prepared.language}"] if prepared.language else []),
            f"pages:{len(prepared.ranks)}",
            *([f"corrections:{len(said.said)}"] if said else []),
            f"weps:{VERSION}",
        )
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
