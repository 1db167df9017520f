"""Instances read from, and written to, tables and archives.

An archive (``.npz``) holds the arrays ``values``, ``measures``, ``positive``, and ``group`` with
``groups`` or neither.
"""

from __future__ import annotations

import csv
import gzip
import io
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TypeAlias

import numpy as np

from weps._files import open_file
from weps._formatting import error_reason, guard_cell, quote_text, suggest_names
from weps.errors import OutputError, SourceError, ValuesError
from weps_eval.tables.columns import (
    TABLES,
    Columns,
    Request,
    check_unpacked,
    ending_of,
    locate_errors,
    read_columns,
    report_damage,
)
from weps_eval.tables.instances import ACCEPTED, Instances, is_positive, number_names

Binary: TypeAlias = IO[bytes] | gzip.GzipFile

ENDINGS = (*TABLES, ".npz")
"""Endings of the files that are read."""
_ALL_GROUP = "all"
"""The group of all instances where no groups are given."""
_KINDS = {"values": "fiub", "measures": "U", "positive": "b", "group": "iu", "groups": "U"}
"""The arrays and their kinds of type (``numpy.dtype.kind``); the last two go together."""
_KIND_NAMES = {"fiub": "numbers", "U": "text", "b": "true or false", "iu": "whole numbers"}
_REMEDY = (
    "give values (measures × instances), measures, positive, and group with groups, or neither"
)


LABEL, GROUP = "label", "group"
"""The first two columns of a table that was written; the measures follow."""
_BLOCK = 2_000
"""Rows held as text at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class TableRead:
    """What a file held."""

    instances: Instances
    left_out: tuple[str, ...]
    """Columns that are not wholly numeric, and so no measures."""


def read_instances(
    path: Path | str,
    label: str = "label",
    group: str | None = None,
    measures: Sequence[str] | None = None,
) -> TableRead:
    """Read instances from a table or an archive (docs/formats.md).

    Args:
        path: a file that ends like one of :data:`ENDINGS`.
        label: the column of labels; archives have none.
        group: the column with the group of each instance, any text; archives have none. Without
            one all are of the group ``all``.
        measures: the columns wanted, in this order; None for all that are wholly numeric.

    Raises:
        SourceError: if the file is missing, damaged, or of another kind.
        ValuesError: if a column is missing, a label is none, all labels are the same, a value is
            missing or no number, or there is no measure.
    """
    path = Path(path)
    request = Request(label, group, None if measures is None else tuple(measures))
    if ending_of(path, ENDINGS, SourceError) == ".npz":
        instances = _read_archive(path)
        found = TableRead(instances if measures is None else instances.only(measures), ())
    else:
        found = _as_instances(read_columns(path, request), request, path)
    positive, negative, total = found.instances.counts
    if not total:
        raise ValuesError("no instances found", where=path, remedy="give one row for each")
    if not positive or not negative:
        what = f"all instances are labelled as {'positive' if positive else 'negative'}"
        raise ValuesError(what, where=path, remedy="give instances of both labels")
    if not found.instances.measures:
        remedy = "give a column that holds a number for every instance"
        raise ValuesError("no column is a measure", where=path, remedy=remedy)
    return found


def _as_instances(columns: Columns, request: Request, where: Path) -> TableRead:
    labels = list(map(is_positive, columns.label))
    if None in labels:
        first = labels.index(None)
        cell = quote_text(columns.label[first])
        raise ValuesError(
            f"expected a label in the column {quote_text(request.label)}, got {cell}",
            where=f"{where}, {columns.unit} {columns.places[first]:,}",
            remedy=f"labels are {ACCEPTED}",
        )
    positive = np.array(labels, dtype=np.bool_)
    numbers = dict(columns.numbers)
    if request.measures is None:
        numbers = {name: each for name, each in numbers.items() if not np.isnan(each).all()}
    for name, column in numbers.items():
        missing = np.isnan(column)
        if missing.any():
            raise ValuesError(
                f"{missing.sum():,} of the values in the column {quote_text(name)} "
                "are missing or NaN",
                where=f"{where}, {columns.unit} {columns.places[int(missing.argmax())]:,}",
                remedy="give it a number there, or leave out the row or the column",
            )
    group, groups = number_names(columns.group or [_ALL_GROUP] * len(positive))
    values = np.array(list(numbers.values())).reshape(len(numbers), len(positive))
    known = columns.head if request.measures is not None else (*numbers, *request.text)
    return TableRead(
        Instances(tuple(numbers), values, positive, group, groups),
        tuple(name for name in columns.head if name not in known),
    )


def _read_archive(path: Path) -> Instances:
    """Read an ``.npz`` file; without ``group`` and ``groups`` all are of one group."""
    with report_damage(path), locate_errors(path), open_file(path) as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            what = "expected an archive, got a single array"
            raise SourceError(what, where=path, remedy=_REMEDY)
        members = archive.zip.infolist() if archive.zip else []
        check_unpacked(sum(each.file_size for each in members), path)
        needed = ["values", "measures", "positive"]
        if not {"group", "groups"}.isdisjoint(archive.files):
            needed += ["group", "groups"]
        for name in needed:
            if name not in archive.files:
                what = f"unknown array {quote_text(name)}"
                raise ValuesError(what, remedy=suggest_names(name, archive.files))
        arrays = {name: np.asarray(archive[name]) for name in needed}
        for name, array in arrays.items():
            if array.dtype.kind not in _KINDS[name] or array.ndim != (2 if name == "values" else 1):
                what = f"{name} has type {quote_text(str(array.dtype))} and shape {array.shape}"
                remedy = f"make it {_KIND_NAMES[_KINDS[name]]}, {_REMEDY}"
                raise ValuesError(what, remedy=remedy)
        return Instances(
            tuple(arrays["measures"].tolist()),
            arrays["values"].astype(np.result_type(arrays["values"], np.float32), copy=False),
            arrays["positive"],
            arrays.get("group", np.zeros(arrays["positive"].size, np.int32)),
            tuple(arrays["groups"].tolist()) if "groups" in arrays else (_ALL_GROUP,),
        )


def write_instances(instances: Instances, path: Path | str) -> None:
    """Write instances to a table or an archive; the same instances give the same bytes.

    What is read again is equal, from a table with ``group="group"``. Tables have double precision
    and number the groups in order of first appearance.

    Args:
        instances: what to write.
        path: a file that ends like one of :data:`WRITERS`; replaced if it is there.

    Raises:
        OutputError: if it cannot be written, or a measure of a table is called ``label`` or
            ``group``.
    """
    path = Path(path)
    ending = ending_of(path, WRITERS, OutputError)
    unfinished = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with unfinished.open("xb") as file:
            WRITERS[ending](instances, file)
        unfinished.replace(path)
    except OSError as error:
        what = f"cannot be written ({error_reason(error)})"
        remedy = "choose a folder in which you may write, with enough room"
        raise OutputError(what, where=path, remedy=remedy) from error
    except OutputError as error:
        raise OutputError(error.what, where=path, remedy=error.remedy) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _write_delimited(instances: Instances, file: Binary, delimiter: str) -> None:
    taken = [name for name in (LABEL, GROUP) if name in instances.measures]
    if taken:
        what = f"a measure cannot be called {quote_text(taken[0])} in a table"
        raise OutputError(what, remedy="rename it, or write .npz")
    # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    rows = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    rows.writerow((LABEL, GROUP, *map(guard_cell, instances.measures)))
    groups = list(map(guard_cell, instances.groups))
    for start in range(0, len(instances.positive), _BLOCK):
        block = slice(start, start + _BLOCK)
        labels = instances.positive[block].astype(int).tolist()
        names = [groups[index] for index in instances.group[block].tolist()]
        values = instances.values[:, block].T.tolist()
        rows.writerows((*row[:2], *row[2]) for row in zip(labels, names, values, strict=True))
    text.detach()


def _write_compressed(instances: Instances, file: Binary, delimiter: str) -> None:
    # Neither time nor file name, so that the same instances give the same bytes.
    with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        _write_delimited(instances, packed, delimiter)


def _write_archive(instances: Instances, file: Binary) -> None:
    np.savez_compressed(
        file,
        values=instances.values,
        measures=np.array(instances.measures, dtype=np.str_),
        positive=instances.positive,
        group=instances.group,
        groups=np.array(instances.groups, dtype=np.str_),
    )


WRITERS: dict[str, Callable[[Instances, Binary], None]] = {
    ".csv": partial(_write_delimited, delimiter=","),
    ".tsv": partial(_write_delimited, delimiter="\t"),
    ".csv.gz": partial(_write_compressed, delimiter=","),
    ".tsv.gz": partial(_write_compressed, delimiter="\t"),
    ".npz": _write_archive,
}
"""Readers by ending."""
