"""Instances to files of several kinds, written atomically."""

from __future__ import annotations

import csv
import gzip
import io
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import IO

from eval.tables.columns import ending_of
from eval.tables.instances import Instances
from eval.tables.reading import write_archive
from weps._formatting import error_reason, guard_cell, quote_text
from weps.errors import OutputError

__all__ = ["GROUP", "LABEL", "WRITERS", "Writer", "write_instances"]

Binary = IO[bytes] | gzip.GzipFile
Writer = Callable[[Instances, Binary], None]

LABEL, GROUP = "label", "group"
"""The first two columns of a table that was written; the measures follow."""
_BLOCK = 2_000
"""Rows held as text at a time."""


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


def _delimited_writer(delimiter: str) -> Writer:
    def write(instances: Instances, file: Binary) -> None:
        taken = [name for name in (LABEL, GROUP) if name in instances.measures]
        if taken:
            what = f"a measure cannot be called {quote_text(taken[0])} in a table"
            raise OutputError(what, remedy="rename it, or write .npz")
        # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
        _write_rows(instances, text, delimiter)
        text.detach()

    return write


def _write_rows(instances: Instances, text: IO[str], delimiter: str) -> None:
    rows = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    rows.writerow((LABEL, GROUP, *map(guard_cell, instances.measures)))
    groups = list(map(guard_cell, instances.groups))
    for start in range(0, len(instances.positive), _BLOCK):
        block = slice(start, start + _BLOCK)
        labels = instances.positive[block].astype(int).tolist()
        named = [groups[index] for index in instances.group[block].tolist()]
        values = instances.values[:, block].T.tolist()
        rows.writerows((*row[:2], *row[2]) for row in zip(labels, named, values, strict=True))


def _compressed_writer(write: Writer) -> Writer:
    def write_compressed(instances: Instances, file: Binary) -> None:
        # Neither time nor file name, so that the same instances give the same bytes.
        with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
            write(instances, packed)

    return write_compressed


WRITERS: dict[str, Writer] = {
    ".csv": _delimited_writer(","),
    ".tsv": _delimited_writer("\t"),
    ".csv.gz": _compressed_writer(_delimited_writer(",")),
    ".tsv.gz": _compressed_writer(_delimited_writer("\t")),
    ".npz": write_archive,
}
"""By ending."""
