"""Answers for programs: pages from anywhere are clustered, and the answer can be worked with.

The commands and the app use :mod:`weps.pipeline` itself, whose answers hold no pages.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, no_progress
from weps.corrections.file import CORRECTIONS_SUFFIX, corrections_text, match_pages
from weps.corrections.model import Corrections, PageIdentity
from weps.corrections.operations import ShownPeople, apply_edit
from weps.corrections.questions import choose_questions
from weps.errors import CorrectionsError, OutputError
from weps.model import ModelChoice, ModelSet
from weps.people.answer import Answer
from weps.people.evidence import ExplainedPair
from weps.pipeline import PreparedSearch, build_answer, explain_pages, prepare_search
from weps.provenance import Provenance, source_collection
from weps.reading import Reader
from weps.report.evidence import pair_text
from weps.report.html import as_notebook_html
from weps.report.view import Report
from weps.report.writing import PAGE_COLUMNS, answer_rows, write_report
from weps.results.changes import keep_ids, pages_by_person
from weps.results.people_list import arrow_table
from weps.sources.base import as_identifier
from weps.sources.given import GivenPages

if TYPE_CHECKING:
    from weps.sources.base import Source

_DATA_FRAMES = {
    "pandas": {"string": "str", "int32": "Int32", "float64": "float64", "bool_": "boolean"},
    "polars": {"string": "String", "int32": "Int32", "float64": "Float64", "bool_": "Boolean"},
}
"""Library → type of a column, see :data:`weps.report.writing.PAGE_COLUMNS` → its name there."""


def cluster(  # noqa: PLR0913 - everything that an answer depends on
    pages: Any,
    models: ModelSet | None = None,
    threshold: float | None = None,
    reader: Reader | None = None,
    *,
    name: str = "",
    corrections: Corrections | None = None,
    progress: Progress = no_progress,
) -> CorrectableAnswer:
    """Find out which pages are about the same person, and why.

    Args:
        pages: a folder, a search, dictionaries, a data frame, see
            :meth:`weps.sources.given.GivenPages.of`.
        models: None for the pretrained ones.
        threshold: lowest probability at which clusters merge, from 0 to 1; None for the model's
            own stopping decision.
        reader: how to read the pages; None uses the language pipeline of the model, and no cache.
        name: the person's name, where the pages do not state it.
        corrections: by users; they constrain the clustering. A threshold among them takes
            precedence.
        progress: called with the progress of the work.

    Raises:
        WepsError: if the pages cannot be read or have no name, the corrections contradict one
            another, or the threshold is not a probability.
    """
    given = GivenPages.of(pages, name)
    usual = models is None and reader is None
    prepared = prepare_search(given.search, models or ModelChoice().load(), reader, progress)
    return CorrectableAnswer.of(
        build_answer(prepared, threshold, corrections),
        _prepared=prepared,
        _threshold=threshold,
        _order=tuple(page.rank for page in given.search.pages),
        _source=given.source if usual else None,
        _notes=given.source.warnings(given.source.names[0]) if given.source else (),
    )


def questions_about(
    prepared: PreparedSearch,
    corrections: Corrections,
    threshold: float | None,
    most: int,
    asked: Collection[tuple[int, int]],
) -> tuple[tuple[int, int], ...]:
    """See :meth:`CorrectableAnswer.questions`; the threshold as for :func:`cluster`."""
    cut = prepared.cut(corrections, threshold)
    ranks = [prepared.ranks[row] for row in prepared.clustered_rows(corrections).tolist()]
    rows = {rank: row for row, rank in enumerate(ranks)}
    before = [(rows[one], rows[two]) for one, two in asked if {one, two} <= rows.keys()]
    found = choose_questions(cut.shown, cut.kept, most, asked=before)
    return tuple((ranks[each.rows[0]], ranks[each.rows[1]]) for each in found)


def shown_people(answer: Answer) -> ShownPeople:
    """The people of an answer, for corrections of it."""
    pages = [page for person in answer.people for page in person.pages]
    return ShownPeople(
        answer.clustering.groups,
        {page.rank: page.score for page in pages},
        {page.rank: page.closest.rank for page in pages if page.closest},
    )


@dataclass(frozen=True)
class PairExplanation:
    """Why two pages are, or are not, together; printed, it is text."""

    pair: ExplainedPair
    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


@dataclass(frozen=True, slots=True, repr=False)
class CorrectableAnswer(Answer):
    """An answer that keeps its pages, read and compared, in memory: for programs.

    It can be converted to a table of pages (``to_pandas``, ``to_polars``, ``to_arrow``, or any
    library that reads Arrow's PyCapsule interface), explains any two pages, and can be corrected
    and saved.
    """

    _prepared: PreparedSearch = field(kw_only=True, compare=False)
    _threshold: float | None = field(default=None, compare=False)
    _order: tuple[int, ...] = field(default=(), compare=False)
    """The ranks of the pages as they were given."""
    _source: Source | None = field(default=None, compare=False)
    """Where later commands find the pages; None where a result cannot say so."""
    _notes: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, answer: Answer, **parts: Any) -> CorrectableAnswer:
        """An answer of the pipeline with what it was made from."""
        return cls(**{each.name: getattr(answer, each.name) for each in fields(answer)}, **parts)

    @property
    def labels(self) -> NDArray[np.int64]:
        """Shape (pages,): for each page, as given, the place of its person, -1 if it is set aside.

        Pages of a folder are in order of rank.
        """
        place = {
            page.rank: number for number, person in enumerate(self.people) for page in person.pages
        }
        return np.array([place.get(rank, -1) for rank in self._order], dtype=np.int64)

    def explain(self, first: int, second: int) -> PairExplanation:
        """Why two pages are, or are not, one person.

        Args:
            first: rank of a page.
            second: rank of another.

        Raises:
            ValuesError: if a page belongs to no person, or the two were not compared.
        """
        pair = self.pairs.get((min(first, second), max(first, second)))
        pair = pair or explain_pages(self._prepared, first, second, self.corrections)
        return PairExplanation(pair, pair_text(pair, self))

    def questions(
        self, most: int = 5, asked: Collection[tuple[int, int]] = ()
    ) -> tuple[tuple[int, int], ...]:
        """The pairs of pages about which to ask next whether they are one person, by their ranks.

        Pairs come first if knowing them is expected to improve the answer most, see
        :mod:`weps.corrections.questions`; pass the reply to :meth:`correct` as ``same`` or
        ``different``.

        Args:
            most: largest number of pairs.
            asked: pairs of ranks, ascending, that are left out.
        """
        return questions_about(self._prepared, self.corrections, self._threshold, most, asked)

    def correct(
        self, kind: str, pages: int | Collection[int], *, to: int | None = None, name: str = ""
    ) -> CorrectableAnswer:
        """A new answer with one more correction. People keep their ids.

        Args:
            kind: ``same``: the pages are one person. ``different``: two pages, or pages of two
                people, are not. ``apart``: the same, which says nothing of other pages.
                ``move``: the pages belong to the person of page ``to``. ``split``: the pages are
                another person than the rest of theirs. ``confirm``: they are placed correctly.
                ``exclude``: they are about nobody of the name. ``unclear``: they do not say whom
                they are about. ``keep``: they are not to be set aside. ``called``: their person has
                this ``name``.
            pages: ranks.
            to: rank of a page, for ``move``.
            name: of a person, for ``called``.

        Raises:
            CorrectionsError: if there is no such page, or it contradicts an earlier correction.
        """
        ranks = (pages,) if isinstance(pages, int) else tuple(pages)
        edited = self._edited(kind, ranks, to, name)
        identities = {
            page.rank: PageIdentity(mark, page.url)
            for page, mark in zip(self._prepared.pages, self._prepared.fingerprints, strict=True)
        }
        corrections, _ = match_pages(edited, identities)
        made = build_answer(self._prepared, self._threshold, corrections)
        answer = keep_ids(made, pages_by_person(self))
        changed = {each.name: getattr(answer, each.name) for each in fields(answer)}
        return replace(self, **changed)

    def _edited(self, kind: str, pages: tuple[int, ...], to: int | None, name: str) -> Corrections:
        known = self.clustering.discarded if kind == "keep" else self.clustering.ranks
        if strange := {*pages, *([] if to is None else [to])}.difference(known):
            what = f"there is no page {min(strange)}"
            raise CorrectionsError(what, remedy="give ranks of pages of the answer")
        return apply_edit(kind, self.corrections, pages, shown_people(self), to=to, name=name)

    def save(self, folder: Path | str) -> tuple[Path, ...]:
        """Write the files that ``weps cluster`` writes, for this name, and its corrections.

        ``weps update`` and the app can continue with the result of a folder of pages that was
        clustered by the pretrained model; other results can only be viewed.

        Args:
            folder: where to; made if it is missing.

        Returns:
            ``NAME.csv``, ``NAME.clust.xml``, ``NAME.html`` and ``NAME.json``.

        Raises:
            OutputError: if they cannot be written.
        """
        folder = Path(folder)
        if folder.suffix in {".html", ".json", ".csv", ".xml"} and not folder.is_dir():
            what = "expected a folder, got the name of a file"
            raise OutputError(what, where=folder, remedy=f"give its folder, {folder.parent}")
        identifier = self._source.names[0] if self._source else as_identifier(self.name)
        provenance = Provenance(threshold=self._threshold)
        if self._source:
            where = source_collection(self._source.root, identifier, folder)
            provenance = replace(provenance, collections=(where,))
        others = {}
        if self.corrections:
            text = corrections_text(self.corrections, self.name)
            others[folder / f"{identifier}{CORRECTIONS_SUFFIX}"] = text.encode(errors="replace")
        report = Report(self, notes=self._notes, provenance=provenance)
        return write_report(report, identifier, folder, others)

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``, one row per page, with the columns of ``NAME.csv`` (docs/output.md).

        Raises:
            OutputError: if pyarrow is not installed.
        """
        _require("pyarrow", "weps[tables]")
        return arrow_table(PAGE_COLUMNS, answer_rows(self))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table for what reads Arrow's PyCapsule interface, such as ``polars.DataFrame``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``, see :meth:`to_arrow`; missing numbers are ``NA``.

        Raises:
            OutputError: if pandas is not installed.
        """
        _require("pandas")
        pandas: Any = import_module("pandas")
        columns = {name: pandas.array(*each) for name, each in self._columns("pandas").items()}
        return pandas.DataFrame(columns)

    def to_polars(self) -> Any:
        """A ``polars.DataFrame``, see :meth:`to_arrow`; missing numbers are ``null``.

        Raises:
            OutputError: if polars is not installed.
        """
        _require("polars")
        polars: Any = import_module("polars")
        columns = self._columns("polars").items()
        schema = {name: getattr(polars, kind) for name, (_, kind) in columns}
        return polars.DataFrame({name: cells for name, (cells, _) in columns}, schema=schema)

    def _columns(self, library: str) -> dict[str, tuple[list[Any], str]]:
        """Name → cells and the name of their type in a library."""
        cells: Sequence[Any] = [*zip(*answer_rows(self), strict=True)] or [()] * len(PAGE_COLUMNS)
        return {
            name: (list(column), _DATA_FRAMES[library][kind])
            for (name, kind), column in zip(PAGE_COLUMNS.items(), cells, strict=True)
        }

    def _repr_html_(self) -> str:
        return as_notebook_html(self)


def _require(library: str, package: str = "") -> None:
    if find_spec(library) is None:
        what, remedy = f"{library} is not installed", f"pip install '{package or library}'"
        raise OutputError(what, remedy=remedy)
