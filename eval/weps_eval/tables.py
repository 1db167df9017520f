"""Tables of numbers: columns of measures, instances that measures rank, and their files.

A file has cells between commas or tabs, as they are or compressed, or is one of Parquet. Names and
cells from files are quoted in messages on one line, of bounded length.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from weps._files import STANDARD, atomic_file, open_file, open_unpacked
from weps._formatting import error_reason, guard_cell, quote_text, suggest_names, unguard_cell
from weps._lazy import import_library
from weps._parallel import Progress, log_progress
from weps.errors import OutputError, SourceError, ValuesError, WepsError
from weps_eval.stats import Floats, Ints

TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")
"""Endings of the tables that are read."""
Name = TypeVar("Name", bound=Hashable)
Row: TypeAlias = tuple[int, list[str]]
"""The line on which it starts, and its cells."""

MOST_BYTES = 2 << 30
"""Bytes of a file, as it is and unpacked."""
_BLOCK = 2_000
"""Rows held as text at a time: text takes ten times the room of the numbers."""
_LONGEST = 10_000_000
"""Characters of a line."""
_LONGEST_REASON = 200
"""Characters of what a library says about a damaged file."""
_MISSING = frozenset({"", "-", "?", ".", "na", "n/a", "n.a.", "nan", "nil", "none", "null"})


def ending_of(path: Path, known: Collection[str], error: type[WepsError]) -> str:
    """The known ending of the file's name, in any case; the first for standard input or output.

    Raises:
        WepsError: of the class ``error``, if it has none of them.
    """
    for ending in known:
        if path == STANDARD or path.name.lower().endswith(ending):
            return ending
    raise error(
        "files with this ending do not contain a table of instances",
        where=path,
        remedy=f"known endings are {', '.join(known)}",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a table as they were read, one entry per instance."""

    head: Sequence[str]
    """The names of all columns of the table."""
    texts: Mapping[str, Sequence[str]]
    """The columns that were asked for as text."""
    numbers: Mapping[str, Floats]
    """Columns that hold only numbers, in order; NaN where one is missing."""
    place: Callable[[int], str]
    """The file and the line or row of an instance, by its number from 0."""


def read_columns(
    path: Path,
    text: Sequence[str],
    measures: Sequence[str] | None,
    progress: Progress = log_progress,
) -> Columns:
    """Columns of a table; one that turns out to hold text is left out, unless it was named.

    Args:
        path: a Parquet file, or a text file, see :func:`rows_of`.
        text: the columns of text, such as labels.
        measures: the columns of numbers, None for all that are wholly numeric.
        progress: called with how many rows of text are read.

    Raises:
        SourceError: if it is no such table, or pyarrow is missing.
        ValuesError: if a wanted column is not there, or holds text.
    """
    if path.name.lower().endswith(".parquet"):
        return _read_parquet(path, text, measures)
    rows = rows_of(path)
    head = head_in(rows)
    if not head:
        raise SourceError("the file is empty", where=path, remedy="give it a head and rows")
    candidates = _candidates(head, text, measures, path)
    numbers: dict[str, list[Floats]] = {name: [] for name in candidates}
    lines: list[int] = []
    texts: dict[str, list[str]] = {name: [] for name in text}
    while block := list(islice(rows, _BLOCK)):
        cells = dict(zip(head, zip(*(row for _, row in block), strict=True), strict=True))
        lines += [line for line, _ in block]
        for name in text:
            texts[name] += map(unguard_cell, cells[name])
        for name in candidates:
            values = _numbers(cells[name]) if name in numbers else None
            if values is not None:
                numbers[name].append(values)
            elif measures is None:
                numbers.pop(name, None)
            else:
                at = next(at for at, cell in enumerate(cells[name]) if _numbers([cell]) is None)
                raise ValuesError(
                    f"expected a number in the column {quote_text(name)}, "
                    f"got {quote_text(cells[name][at])}",
                    where=f"{path}, line {block[at][0]:,}",
                    remedy="give it a number there, or leave out the row or the column",
                )
        progress("reading rows", len(lines), 0)
    return Columns(
        head,
        texts,
        {name: np.concatenate(parts) for name, parts in numbers.items() if parts},
        lambda at: f"{path}, line {lines[at]:,}",
    )


def _candidates(
    head: Sequence[str],
    text: Sequence[str],
    measures: Sequence[str] | None,
    where: Path,
) -> Sequence[str]:
    """The columns that are measures, or may be."""
    _check_head(head, where)
    for name in repeated_names(measures or ()):
        raise ValuesError(
            f"the measure {quote_text(name)} is given twice", where=where, remedy="name it once"
        )
    for name in (*text, *(measures or ())):
        if name not in head:
            raise ValuesError(
                f"unknown column {quote_text(name)}",
                where=where,
                remedy=suggest_names(name, head)
                if len(head) > 1
                else "separate cells by commas in .csv, by tabs in .tsv",
            )
    return [name for name in head if name not in text] if measures is None else measures


def _check_head(head: Sequence[str], where: Path) -> None:
    for name in repeated_names(head):
        raise ValuesError(
            f"two columns are called {quote_text(name)}", where=where, remedy="rename one of them"
        )


def columns_of(path: Path) -> list[str]:
    """The names of the columns of a table; none of another file, or of what cannot be read."""
    with suppress(WepsError):  # who reads it says why
        if ending_of(path, TABLES, SourceError) != ".parquet":
            return head_in(rows_of(path))
        with report_damage(path), open_file(path) as opened:
            library = import_library("pyarrow.parquet", "tables", SourceError, path)
            return list(library.ParquetFile(opened).schema_arrow.names)
    return []


def _numbers(cells: Sequence[str]) -> Floats | None:
    """Shape (cells,), NaN where one is missing; None if there is text among them."""
    if "_" in "".join(cells):  # Python takes 2009_1 for a number
        return None
    known = ("nan" if cell.strip().lower() in _MISSING else cell for cell in cells)
    try:
        return np.fromiter(map(float, known), np.float64, len(cells))
    except ValueError:
        return None


def head_in(rows: Iterator[Row]) -> list[str]:
    """The first of the rows; none if there is none."""
    return [unguard_cell(cell) for _, cells in islice(rows, 1) for cell in cells]


def rows_of(path: Path) -> Iterator[Row]:
    """The rows that are not empty, each with the line on which it starts, as long as the first.

    Args:
        path: a file in UTF-8, as it is or compressed with gzip (``.gz``); cells are between tabs
            in ``.tsv``, else between commas.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a row has another length.
    """
    delimiter = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    width = line = before = 0
    reader = csv.reader(lines_of(path), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for cells in reader:
            if cells:
                line, width = before + 1, width or len(cells)
                if len(cells) != width:
                    raise ValuesError(
                        f"the row has {len(cells):,} cells, the head has {width:,}",
                        where=f"{path}, line {line:,}",
                        remedy="correct the row; put quotation marks around cells that hold commas",
                    )
                yield line, cells
            before = reader.line_num
    except csv.Error as error:
        raise SourceError(
            f"a row after line {line:,} cannot be read ({error})",
            where=path,
            remedy="close what quotation marks open, and double those inside a cell",
        ) from None


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file in UTF-8, as it is or compressed with gzip.

    Raises:
        SourceError: if it cannot be read, or a line is too long.
    """
    with report_damage(path), open_unpacked(path, MOST_BYTES, SourceError) as unpacked:
        file = io.TextIOWrapper(unpacked, "utf-8-sig", newline="")
        while line := file.readline(_LONGEST + 1):
            if len(line) > _LONGEST:
                raise SourceError(
                    f"a line has more than {_LONGEST:,} characters",
                    where=path,
                    remedy="give a table with one line per instance",
                )
            yield line


def _read_parquet(path: Path, text: Sequence[str], measures: Sequence[str] | None) -> Columns:
    with report_damage(path), open_file(path) as opened:
        arrow, parquet = (
            import_library(each, "tables", SourceError, path)
            for each in ("pyarrow", "pyarrow.parquet")
        )
        file = parquet.ParquetFile(opened)
        types = {field.name: field.type for field in file.schema_arrow}
        head = file.schema_arrow.names
        candidates = _candidates(head, text, measures, path)
        kinds = (arrow.types.is_integer, arrow.types.is_floating, arrow.types.is_decimal)
        numeric = [name for name in candidates if any(kind(types[name]) for kind in kinds)]
        for name in candidates if measures else ():
            if name not in numeric:
                raise ValuesError(
                    f"the column {quote_text(name)} holds no numbers but "
                    f"{quote_text(str(types[name]))}",
                    where=path,
                    remedy="choose other measures, or give numbers",
                )
        _check_unpacked(8 * file.metadata.num_rows * (len(text) + len(numeric)), path)
        table = file.read(columns=[*text, *numeric])
        texts = {
            name: ["" if value is None else str(value) for value in table.column(name).to_pylist()]
            for name in text
        }
        numbers = {
            name: np.asarray(
                table.column(name).cast(arrow.float64(), safe=False).to_numpy(), dtype=np.float64
            )
            for name in numeric
        }
        return Columns(head, texts, numbers, lambda at: f"{path}, row {at + 1:,}")


OBJECTS = (".jsonl", ".jsonl.gz", ".json", ".json.gz")
"""Endings of files with objects of JSON, one a line or all in one list."""


def records_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table, of Parquet, or of objects of JSON, by column, each with its line.

    Rows of Parquet and of a list are numbered from 1. Cells of a table of text are as they are
    written; see :func:`rows_of`.

    Raises:
        SourceError: if it cannot be read, or pyarrow is missing.
        ValuesError: if a row has another length than the head, or two columns have one name.
    """
    name = path.name.lower()
    if name.endswith(OBJECTS):
        yield from _objects_of(path)
    elif name.endswith(".parquet"):
        with report_damage(path), open_file(path) as opened:
            file = import_library("pyarrow.parquet", "tables", SourceError, path).ParquetFile(
                opened
            )
            batches = (batch.to_pylist() for batch in file.iter_batches())
            yield from enumerate(chain.from_iterable(batches), start=1)
    else:
        rows = rows_of(path)
        _check_head(head := head_in(rows), path)
        yield from ((line, dict(zip(head, cells, strict=True))) for line, cells in rows)


def _objects_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = enumerate(lines_of(path), start=1)
    for line, text in lines:
        whole = [text, *(rest for _, rest in lines)] if text.lstrip().startswith("[") else [text]
        try:
            found = json.loads("".join(whole)) if text.strip() else []
        except (ValueError, RecursionError) as error:
            found, line = None, line + getattr(error, "lineno", 1) - 1  # noqa: PLW2901
        for number, row in enumerate(found if isinstance(found, list) else [found], start=line):
            if not isinstance(row, dict):
                raise SourceError(
                    "expected an object of JSON",
                    where=f"{path}, line {number:,}",
                    remedy="give one object a line, or all of them in one list",
                )
            yield number, row


def _check_unpacked(size: int, path: Path) -> None:
    if size > MOST_BYTES:
        raise SourceError(
            f"over {MOST_BYTES >> 30} GB, unpacked",
            where=path,
            remedy="give fewer instances or measures",
        )


@contextmanager
def report_damage(path: Path) -> Iterator[None]:
    """Check that there is a file; turn what libraries raise while it is read into one error.

    Raises:
        SourceError: if it is missing, a folder, a device, or damaged.
    """
    try:
        yield
    except WepsError:
        raise
    except UnicodeDecodeError as error:
        raise SourceError(
            f"not valid UTF-8 ({error.reason})", where=path, remedy="save it as text in UTF-8"
        ) from None
    except Exception as error:  # noqa: BLE001 - readers of damaged files raise anything
        reason = error_reason(error) if isinstance(error, OSError) else str(error)
        raise SourceError(
            f"cannot be read ({reason[:_LONGEST_REASON] or type(error).__name__})",
            where=path,
            remedy="check that it is readable and complete",
        ) from None


def file_digest(path: Path) -> str:
    """``sha256-`` and the first digits of the SHA-256 of a file, for signatures."""
    with open_file(path) as file:
        return f"sha256-{hashlib.file_digest(file, 'sha256').hexdigest()[:8]}"


@contextmanager
def locate_errors(whose: Path | str) -> Iterator[None]:
    """Name the file, or the text, that errors about values are about."""
    try:
        yield
    except ValuesError as error:
        place = whose if error.where is None else f"{whose}, {error.where}"
        raise ValuesError(error.what, where=place, remedy=error.remedy) from None


_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("1", "0"),
    ("1.0", "0.0"),
    ("positive", "negative"),
    ("+", "-"),
    ("coreferent", "other"),
)
"""Labels of positive and of negative instances; upper case is as good."""
_IS_POSITIVE = {word: word == pair[0] for pair in _PAIRS for word in pair}


class Counts(NamedTuple):
    """Number of instances of either label."""

    positive: int
    negative: int
    total: int


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """Instances that measures rank, such as pairs of pages, each with a label and a group.

    A group is the unit of resampling, e.g. the person's name that was searched; one may be
    without instances.
    """

    measures: tuple[str, ...]
    """What the measures are called, no two alike."""
    values: NDArray[np.floating[Any]]
    """Shape (measures, instances), float32 or float64, in C order; infinite ones are allowed."""
    positive: NDArray[np.bool_]
    """Shape (instances,): whether the instance is labelled as positive."""
    group: NDArray[np.signedinteger[Any]]
    """Shape (instances,): index into ``groups``, kept as int32."""
    groups: tuple[str, ...]
    """What the groups are called, no two alike."""

    def __post_init__(self) -> None:
        dtype = self.values.dtype if self.values.dtype in (np.float32, np.float64) else np.float64
        object.__setattr__(self, "values", np.ascontiguousarray(self.values, dtype))
        object.__setattr__(self, "group", np.ascontiguousarray(self.group, np.int32))

    @property
    def counts(self) -> Counts:
        """Number of instances of either label."""
        positive = int(self.positive.sum())
        return Counts(positive, len(self.positive) - positive, len(self.positive))

    def column(self, name: str) -> NDArray[np.floating[Any]]:
        """Shape (instances,): the values of one measure.

        Raises:
            ValuesError: if there is no such measure.
        """
        return np.asarray(self.only([name]).values[0])

    def only(self, measures: Sequence[str]) -> Instances:
        """Instances with these measures, in this order.

        Raises:
            ValuesError: if there is no such measure.
        """
        for name in measures:
            if name not in self.measures:
                raise ValuesError(
                    f"unknown measure {quote_text(name)}", remedy=suggest_names(name, self.measures)
                )
        values = self.values[[self.measures.index(name) for name in measures]]
        return replace(self, measures=tuple(measures), values=values)

    def of(self, chosen: NDArray[np.bool_]) -> Instances:
        """Some of the instances, shape (instances,); groups of which none is left are left out."""
        kept, group = np.unique(self.group[chosen], return_inverse=True)
        groups = tuple(self.groups[index] for index in kept)
        return Instances(
            self.measures, self.values[:, chosen], self.positive[chosen], group, groups
        )

    def without_empty_groups(self) -> Instances:
        """Instances without groups that have no instance."""
        return self.of(np.ones(len(self.positive), dtype=np.bool_))


def join_instances(parts: Sequence[Instances]) -> Instances:
    """All the instances of parts with the same measures; groups of the same name become one."""
    return Instances(
        parts[0].measures,
        np.concatenate([part.values for part in parts], axis=1),
        np.concatenate([part.positive for part in parts]),
        *number_names([part.groups[index] for part in parts for index in part.group.tolist()]),
    )


def number_names(names: Sequence[Name]) -> tuple[Ints, tuple[Name, ...]]:
    """For each name its number, shape (names,), and the names in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64), tuple(numbers)


def repeated_names(names: Iterable[str]) -> list[str]:
    """The names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


WRITERS = TABLES[:-1]
"""Endings of the files with instances that are written."""
LABEL, GROUP = "label", "group"
"""The first two columns of a table that was written; the measures follow."""


def read_instances(
    path: Path | str,
    label: str = LABEL,
    group: str | None = None,
    measures: Sequence[str] | None = None,
) -> tuple[Instances, tuple[str, ...]]:
    """Read instances from a table (docs/formats.md).

    Args:
        path: a file that ends like one of :data:`TABLES`.
        label: the column of labels.
        group: the column with the group of each instance, any text. Without one all are of
            the group ``all``.
        measures: the columns wanted, in this order; None for all that are wholly numeric.

    Returns:
        The instances, and the columns left out because they are not wholly numeric.

    Raises:
        SourceError: if the file is missing, damaged, or of another kind.
        ValuesError: if a column is missing, a label is none, all labels are the same, a value is
            missing or no number, or there is no measure.
    """
    path = Path(path)
    ending_of(path, TABLES, SourceError)
    columns = read_columns(path, [label] if group is None else [label, group], measures)
    instances = _as_instances(columns, without_empty=measures is None)
    left_out: tuple[str, ...] = ()
    if measures is None:
        known = (*instances.measures, *columns.texts)
        left_out = tuple(name for name in columns.head if name not in known)
    positive, negative, total = instances.counts
    alike = f"all instances are labelled as {'positive' if positive else 'negative'}"
    for is_fault, what, remedy in (
        (not total, "no instances found", "give one row for each"),
        (not (positive and negative), alike, "give instances of both labels"),
        (
            not instances.measures,
            "no column is a measure",
            "give a column that holds a number for every instance",
        ),
    ):
        if is_fault:
            raise ValuesError(what, where=path, remedy=remedy)
    return instances, left_out


def _as_instances(columns: Columns, *, without_empty: bool) -> Instances:
    """The instances of a column of labels and, if there is another text, one of groups."""
    (label, written), *groups = columns.texts.items()
    labels = [_IS_POSITIVE.get(each.strip().casefold()) for each in written]
    if None in labels:
        first = labels.index(None)
        raise ValuesError(
            f"expected a label in the column {quote_text(label)}, got {quote_text(written[first])}",
            where=columns.place(first),
            remedy=f"labels are {', '.join('/'.join(pair) for pair in _PAIRS)}",
        )
    missing = {name: np.isnan(column) for name, column in columns.numbers.items()}
    measures = [name for name, none in missing.items() if not (without_empty and none.all())]
    for name in measures:
        if missing[name].any():
            raise ValuesError(
                f"{missing[name].sum():,} of the values in the column {quote_text(name)} "
                "are missing or NaN",
                where=columns.place(int(missing[name].argmax())),
                remedy="give it a number there, or leave out the row or the column",
            )
    values = np.array([columns.numbers[name] for name in measures])
    return Instances(
        tuple(measures),
        values.reshape(len(measures), len(labels)),
        np.array(labels, dtype=np.bool_),
        *number_names(groups[0][1] if groups else ["all"] * len(labels)),
    )


@contextmanager
def open_archive(path: Path) -> Iterator[np.lib.npyio.NpzFile]:
    """The arrays of an ``.npz`` file.

    Raises:
        SourceError: if it is missing, no such file, damaged or too large.
    """
    with report_damage(path), open_file(path) as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise SourceError(
                "expected an archive, got a single array",
                where=path,
                remedy="give the arrays of docs/formats.md",
            )
        members = archive.zip.infolist() if archive.zip else []
        _check_unpacked(sum(each.file_size for each in members), path)
        yield archive


def write_instances(instances: Instances, path: Path | str) -> None:
    """Write instances to a table; the same instances give the same bytes.

    What is read again with ``group="group"`` is equal, in double precision, with the groups in
    order of first appearance.

    Args:
        instances: what to write.
        path: a file that ends like one of :data:`WRITERS`; replaced if it is there.

    Raises:
        OutputError: if it cannot be written, or a measure of a table is called ``label`` or
            ``group``.
    """
    path = Path(path)
    ending_of(path, WRITERS, OutputError)
    rows = zip(instances.positive, instances.group, instances.values.T, strict=True)
    table = (
        (int(positive), instances.groups[group], *values.tolist())
        for positive, group, values in rows
    )
    write_table(path, (LABEL, GROUP, *instances.measures), table)


def write_table(path: Path, head: Sequence[str], rows: Iterable[Iterable[str | float]]) -> None:
    """Write a table, whole or not at all, with text in quotation marks; NaN is an empty cell.

    Cells are between tabs if the path ends in ``.tsv`` or ``.tsv.gz``, else between commas, and
    are compressed if it ends in ``.gz``.

    Raises:
        OutputError: if it cannot be written, or two columns have the same name.
    """
    for column in repeated_names(head):
        raise OutputError(
            f"two columns of a table cannot be called {quote_text(column)}",
            where=path,
            remedy="rename one of them",
        )
    name = path.name.lower()
    with ExitStack() as stack:
        file: IO[bytes] | gzip.GzipFile = stack.enter_context(atomic_file(path, follow=True))
        if name.endswith(".gz"):
            # Neither time nor file name, so that the same rows give the same bytes.
            file = stack.enter_context(gzip.GzipFile("", "wb", 6, file, mtime=0))
        # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
        cells = csv.writer(
            text,
            delimiter="\t" if name.endswith((".tsv", ".tsv.gz")) else ",",
            quoting=csv.QUOTE_NONNUMERIC,
            lineterminator="\n",
        )
        for row in chain([head], rows):
            cells.writerow(
                guard_cell(each) if isinstance(each, str) else "" if math.isnan(each) else each
                for each in row
            )
        text.detach()
