"""Instances as NumPy archives: ``values``, ``measures``, ``positive``, ``group``, ``groups``."""

from __future__ import annotations

from collections.abc import Mapping
from gzip import GzipFile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from eval.instances.records import Instances
from eval.instances.table import ALL
from eval.instances.wording import among, quoted
from weps.errors import SourceError, ValuesError

__all__ = ["read_archive", "write_archive"]

_KINDS = {"values": "fiub", "measures": "U", "positive": "b", "group": "iu", "groups": "U"}
"""The arrays and their kinds of type (``numpy.dtype.kind``); the last two go together."""
_SAID = {"fiub": "numbers", "U": "text", "b": "true or false", "iu": "whole numbers"}


def read_archive(path: Path) -> Instances:
    """Read an ``.npz`` file; without ``group`` and ``groups`` all are of one group.

    Raises:
        SourceError: if it is no archive of such arrays.
        ValuesError: if the arrays do not fit together, or a value is NaN.
    """
    arrays = _arrays(path)
    size = arrays["positive"].size
    try:
        return Instances(
            tuple(arrays["measures"].tolist()),
            arrays["values"].astype(np.result_type(arrays["values"], np.float32), copy=False),
            arrays["positive"],
            arrays.get("group", np.zeros(size, np.int32)),
            tuple(arrays["groups"].tolist()) if "groups" in arrays else (ALL,),
        )
    except ValuesError as error:
        place = path if error.where is None else f"{path}, {error.where}"
        raise ValuesError(error.what, where=place, remedy=error.remedy) from None


def write_archive(instances: Instances, file: IO[bytes] | GzipFile) -> None:
    """Write an archive; the same instances give the same bytes."""
    np.savez_compressed(
        file,
        values=instances.values,
        measures=np.array(instances.measures, dtype=np.str_),
        positive=instances.positive,
        group=instances.group,
        groups=np.array(instances.groups, dtype=np.str_),
    )


def _arrays(path: Path) -> Mapping[str, NDArray[Any]]:
    with path.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise SourceError("this is one array, no archive", where=path, remedy=_REMEDY)
        _check_held(archive.files, path)
        arrays = {name: np.asarray(archive[name]) for name in _KINDS if name in archive.files}
    for name, array in arrays.items():
        if array.dtype.kind not in _KINDS[name] or array.ndim != (2 if name == "values" else 1):
            raise ValuesError(
                f"{name} has type {quoted(str(array.dtype))} and shape {array.shape}",
                where=path,
                remedy=f"make it {_SAID[_KINDS[name]]}, {_REMEDY}",
            )
    return arrays


_REMEDY = (
    "give values (measures × instances), measures, positive, and group with groups, or neither"
)


def _check_held(held: list[str], path: Path) -> None:
    needed = ["values", "measures", "positive"]
    if "group" in held or "groups" in held:
        needed += ["group", "groups"]
    for name in needed:
        if name not in held:
            raise ValuesError(
                f"there is no array {quoted(name)}", where=path, remedy=among(name, held)
            )
