"""Tables declared once, by typed columns, for the terminal and for documents.

columns = [
    Column("measure", lambda each: each.name, name_kind(48)),
    Column("KING", lambda each: each.king, ESTIMATE),
]
Table("king", "KING of measures", columns, measures)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from math import isfinite
from operator import itemgetter
from typing import Any, Literal, Self

import numpy as np

from weps._formatting import (
    cut_columns,
    format_count,
    format_interval,
    format_number,
    format_p_value,
    format_percentage,
    format_percentage_interval,
    format_signed,
)
from weps.report.safe_text import clean_text
from weps_eval.stats import Estimate

Tone = Literal["yes", "no", "open"]
"""The colour of a badge; the badge's word gives its meaning."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How the values of a column are printed."""

    cell: Callable[[Any], str]
    """Value → text of its cell; never called with None, which is printed as a dash."""
    brief: Callable[[Any], str] | None = None
    """Value → text of its cell on the terminal, where it differs."""
    left: bool = False
    """Aligned left; see :attr:`Table.left`."""
    marks: Mapping[str, Tone] = field(default_factory=dict)
    """Cells that are shown as badges: the whole cell, e.g. ``holds``, and its colour."""


def _of_value(form: Callable[[float], str]) -> Callable[[Any], str]:
    """A form of numbers, for estimates without their intervals too."""
    return lambda figure: form(float(figure.value if isinstance(figure, Estimate) else figure))


def measure_cell(name: object, columns: int = 36) -> str:
    """A measure's name, cut to that many columns of a terminal."""
    return cut_columns(clean_text(str(name)), columns)


def name_kind(columns: int = 36) -> Kind:
    """A name, cut to that many columns on the terminal."""
    return Kind(str, partial(measure_cell, columns=columns), left=True)


TEXT = Kind(str, left=True)
COUNT = Kind(_of_value(format_count))
SHARE = Kind(_of_value(format_number))
"""Three decimals; of an estimate without the interval."""
SIGNED = Kind(_of_value(format_signed))
PERCENT = Kind(_of_value(format_percentage))
TWO = Kind(_of_value(partial(format_number, decimals=2)))
SIGNED_TWO = Kind(_of_value(partial(format_signed, decimals=2)))
P_VALUE = Kind(_of_value(partial(format_p_value, compact=True)))
ESTIMATE = Kind(format_interval)
"""An estimate with its interval, by as many digits as that needs."""
SIGNED_ESTIMATE = Kind(partial(format_interval, signed=True))
PERCENT_ESTIMATE = Kind(format_percentage_interval)


def or_blank(kind: Kind) -> Kind:
    """Kind of cell that is empty for an empty text."""
    return Kind(lambda value: "" if value == "" else kind.cell(value))


@dataclass(frozen=True, slots=True)
class Column:
    """What one column shows of every row."""

    header: str
    value: Callable[[Any], Any]
    """Row → text, number, estimate, or None where there is none."""
    kind: Kind = TEXT
    only: Literal["", "report", "terminal"] = ""
    """Where it is shown, if not everywhere."""

    def cell(self, row: Any) -> str:
        """The printed text."""
        value = self.value(row)
        return "–" if value is None else self.kind.cell(value)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, and the columns that show them."""

    key: str
    """Name of its files, unique in the document: letters and digits, hyphens between them."""
    title: str
    columns: Sequence[Column]
    records: Sequence[Any]
    """One object for each row, which the columns' functions take."""
    note: str = ""

    @classmethod
    def of_text(
        cls, key: str, title: str, rows: Sequence[Sequence[str]], note: str = "", left: int = 1
    ) -> Self:
        """A table of cells that are text already.

        Of the rows, all of one length, the first is the heading; the first ``left`` columns are
        aligned left.
        """
        heading, *others = rows
        columns = [
            Column(header, itemgetter(number), Kind(str, left=number < left))
            for number, header in enumerate(heading)
        ]
        return cls(key, title, columns, others, note)

    @property
    def printed(self) -> list[Column]:
        """The columns that the report shows."""
        return [each for each in self.columns if each.only in {"", "report"}]

    @property
    def rows(self) -> list[list[str]]:
        """The cells of the report; the first row is the heading."""
        columns = self.printed
        cells = ([column.cell(record) for column in columns] for record in self.records)
        return [[column.header for column in columns], *cells]

    @property
    def left(self) -> int:
        """How many columns are aligned left: the first, and those of text that follow it."""
        return 1 + len(list(takewhile(lambda column: column.kind.left, self.printed[1:])))

    def brief(self) -> Table:
        """The table as the terminal shows it."""
        columns = [
            replace(each, only="", kind=replace(each.kind, cell=each.kind.brief or each.kind.cell))
            for each in self.columns
            if each.only in {"", "terminal"}
        ]
        return replace(self, columns=columns)


def as_json(value: Any) -> Any:
    """The value in JSON form.

    An estimate becomes ``value``, ``low`` and ``high``; a number that is not finite becomes null;
    arrays become lists.
    """
    if isinstance(value, Estimate):
        return {part: as_json(each) for part, each in value._asdict().items()}
    if isinstance(value, Mapping):
        return {key: as_json(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
