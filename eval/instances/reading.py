"""Instances from files of several kinds."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from eval.instances.archive import read_archive
from eval.instances.delimited import head_of_delimited, read_delimited
from eval.instances.endings import ending_of
from eval.instances.parquet import head_of_parquet, read_parquet
from eval.instances.records import Instances
from eval.instances.rows import check_file
from eval.instances.table import Request, TableRead
from weps.errors import SourceError, ValuesError, WepsError
from weps.sources.messages import reason

__all__ = ["READERS", "Reader", "columns_of", "read_instances"]

Reader = Callable[[Path, Request], TableRead]


def read_instances(
    path: Path | str,
    label: str = "label",
    group: str | None = None,
    measures: Sequence[str] | None = None,
) -> TableRead:
    """Read instances from a table or an archive (docs/formats.md).

    Args:
        path: a file that ends like one of :data:`READERS`.
        label: the column that says which instances are positive; archives have none.
        group: the column with the group of each instance, any text; archives have none. Without
            one all are of the group ``all``.
        measures: the columns wanted, in this order; None for all that are wholly numeric.

    Raises:
        SourceError: if the file is missing, damaged, or of another kind.
        ValuesError: if a column is missing, a label is none, all labels are the same, a value is
            missing or no number, or there is no measure.
    """
    path = Path(path)
    read = READERS[ending_of(path, READERS, SourceError)]
    request = Request(label, group, None if measures is None else tuple(measures))
    try:
        check_file(path)
        found = read(path, request)
    except UnicodeDecodeError as error:
        what = f"this is no text in UTF-8 ({error.reason})"
        raise SourceError(what, where=path, remedy="save it as text in UTF-8") from None
    except OSError as error:
        remedy = "check that you may read it and that it is whole"
        what = f"cannot be read ({reason(error)[:_LONGEST]})"
        raise SourceError(what, where=path, remedy=remedy) from None
    except _DAMAGE as error:
        what = f"cannot be read ({str(error)[:_LONGEST] or type(error).__name__})"
        raise SourceError(what, where=path, remedy="make the file again") from None
    _check_enough(found.instances, path)
    return found


def columns_of(path: Path) -> list[str]:
    """The names of the columns of a table; none of another file, or of what cannot be read."""
    for ending, head_of in _HEADS.items():
        if path.name.lower().endswith(ending):
            with suppress(OSError, WepsError, *_DAMAGE):  # who reads it tells why
                return head_of(path)
    return []


_LONGEST = 200
"""Characters of what a library says about a damaged file."""
_DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What libraries raise for a file that is not what its ending says."""


def _check_enough(instances: Instances, path: Path) -> None:
    """There are instances of both labels, and a measure that ranks them."""
    positive, negative, total = instances.counts
    if not total:
        raise ValuesError("there are no instances", where=path, remedy="give one row for each")
    if not positive or not negative:
        what = f"all instances are labelled as {'positive' if positive else 'negative'}"
        raise ValuesError(what, where=path, remedy="give instances of both labels")
    if not instances.measures:
        remedy = "give a column that holds a number for every instance"
        raise ValuesError("no column is a measure", where=path, remedy=remedy)


def _from_archive(path: Path, request: Request) -> TableRead:
    instances = read_archive(path)
    chosen = instances if request.measures is None else instances.only(request.measures)
    return TableRead(chosen, ())


READERS: dict[str, Reader] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".csv.gz": read_delimited,
    ".tsv.gz": read_delimited,
    ".npz": _from_archive,
    ".parquet": read_parquet,
}
"""By ending."""
_HEADS: dict[str, Callable[[Path], list[str]]] = {
    ending: head_of_parquet if ending == ".parquet" else head_of_delimited
    for ending in READERS
    if ending != ".npz"
}
