"""The pages of a name compared with one another, as arrays and frames for programs.

Any clusterer takes the distances, and any classifier the similarities; what clusters pages by
person, :mod:`weps.pipeline`, sees the same probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._formatting import short_repr
from weps._lazy import import_library
from weps._parallel import Progress, checked_progress
from weps._text import split_words
from weps.errors import InputTypeError, require_type, told_as
from weps.features.bags import Bags
from weps.features.registry import load_named_plugins
from weps.model import Model, ModelChoice, ModelSet
from weps.pipeline import prepare_search
from weps.reading import Reader
from weps.records import Page
from weps.similarity.columns import (
    Pairs,
    Vector,
    condense_matrix,
    dice,
    pair_position,
    pair_table,
    square_matrix,
)
from weps.sources.formats.tables import is_missing
from weps.sources.opening import page_rows, read_pages
from weps.systems import similarities_of


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """The n pages of a name, compared: similarities, and probabilities of being one person.

    Pages are in the order in which they were given, and pairs in that of
    ``scipy.spatial.distance.pdist``.

    Example:
        >>> pairs = weps.compare(["Ann Lee paints.", "Ann Lee paints tides."], name="Ann Lee")
        >>> pairs.distances.shape
        (2, 2)
    """

    name: str
    """The name that was searched for."""
    ranks: tuple[int, ...]
    """Rank of each page."""
    pair_probabilities: Vector
    """Shape (n(n-1)/2,): the probability that the two pages of each pair are about one person."""
    first: NDArray[np.int64]
    """Shape (pairs,): place of the first page of each pair that was compared, which of more than
    1,000 pages are not all."""
    second: NDArray[np.int64]
    """Shape (pairs,): place of the other."""
    similarities: Mapping[str, NDArray[np.floating]]
    """Name of a similarity → its values, shape (pairs,)."""

    def __repr__(self) -> str:
        return short_repr(
            self, self.name, f"{len(self.ranks)} pages", f"{len(self.similarities)} similarities"
        )

    @property
    def probabilities(self) -> Vector:
        """Shape (n, n): the probability that two pages are about one person, 1 on the diagonal."""
        return square_matrix(self.pair_probabilities, len(self.ranks), diagonal=1.0).astype(
            np.float64
        )

    @property
    def distances(self) -> Vector:
        """Shape (n, n): one minus the probabilities, for ``metric="precomputed"``."""
        return 1 - self.probabilities

    @property
    def condensed(self) -> Vector:
        """Shape (n(n-1)/2,): distances of the pairs, for ``scipy.cluster.hierarchy.linkage``."""
        return 1 - self.pair_probabilities

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each pair: ranks, probability, similarities.

        Raises:
            OutputError: if pandas is not installed.
        """
        pandas = import_library("pandas")
        ranks = np.array(self.ranks)
        return pandas.DataFrame(
            {
                "rank": ranks[self.first],
                "other_rank": ranks[self.second],
                "probability": self.pair_probabilities[
                    pair_position(self.first, self.second, len(ranks))
                ],
                **self.similarities,
            }
        )


def compare(  # noqa: PLR0913 - everything that a comparison depends on
    pages: Any,
    models: ModelSet | Model | Path | str | None = None,
    reader: Reader | None = None,
    *,
    name: str = "",
    features: str = "",
    columns: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison:
    """Compare the pages of a name with one another, without clustering them.

    Args:
        pages: as of :func:`weps.cluster`.
        models: a system such as ``"paper"``, a file of models, or models; None for the default.
        reader: how to read the pages; None uses the language pipeline of the model, and no cache.
        name: the person's name, where the pages do not state it.
        features: more to compare the pages by, written as for systems: ``token+cosine(email)``,
            ``mine.py:tattoo``, or the name of a function that :func:`weps.load_plugin` was given.
        columns: of a data frame, or keys of dictionaries, to compare the pages by, too. Texts have
            the similarity ``dice(column)``, of their words. Numbers have one of the column's
            name, one minus their difference in relation to the largest one (Gower 1971,
            Biometrics 27); it is 0 where one is missing.
        progress: as of :func:`weps.cluster`.

    Raises:
        WepsError: if the pages cannot be read or have no name, or there is no such feature or
            column.

    Example:
        >>> pairs = weps.compare("resources/demo", features="token")
        >>> pairs.probabilities.shape, pairs.similarities["dice(token)"].shape
        ((30, 30), (435,))
    """
    require_type(features, str, "names of features such as token+cosine(email)", "features")
    columns = [columns] if isinstance(columns, str) else columns
    rows = list(page_rows(pages)) if columns else []
    search, _ = read_pages(rows or pages, name, columns)
    further = similarities_of(load_named_plugins(features)) if features else ()
    chosen = ModelSet.of(models) if models else ModelChoice().load()
    prepared = prepare_search(search, chosen, reader, checked_progress(progress), further)
    pairs, size = prepared.table.pairs, len(prepared.ranks)
    given = np.array([page.rank for page in search.pages])
    order = np.argsort(given)
    found = {
        str(similarity): values
        for table in (prepared.table, pair_table(prepared.analysis, further, pairs))
        for similarity, values in zip(table.similarities, table.values.T, strict=True)
    }
    for column in columns:
        cells = [None if isinstance(rows[at], Page) else rows[at].get(column) for at in order]
        found |= [_compare_cells(column, cells, pairs)]
    # From rows, which are in the order of ranks, to places.
    first, second = np.sort([order[pairs.first], order[pairs.second]], axis=0)
    by_place = np.argsort(pair_position(first, second, size))
    probable = prepared.model.calibration(prepared.probabilities(np.arange(size))[0])
    return Comparison(
        search.name,
        tuple(given.tolist()),
        condense_matrix(square_matrix(probable, size)[np.argsort(order)][:, np.argsort(order)]),
        first[by_place],
        second[by_place],
        {similarity: values[by_place] for similarity, values in found.items()},
    )


def _compare_cells(column: str, cells: Sequence[Any], pairs: Pairs) -> tuple[str, Vector]:
    """The similarity of a column, and its values."""
    if any(isinstance(cell, str) for cell in cells):
        return f"dice({column})", dice(
            Bags.of(split_words(cell) if isinstance(cell, str) else () for cell in cells), pairs
        )
    with told_as(
        *(InputTypeError, "expected texts or numbers", column, "convert the column"),
        kinds=(TypeError, ValueError),
    ):
        numbers = np.array([np.nan if is_missing(cell) else float(cell) for cell in cells])
    apart = np.abs(pairs.combine(np.subtract, numbers))
    return column, np.nan_to_num(1 - apart / (np.fmax.reduce(apart, initial=0) or 1))
