"""Stored results: their people, their pages and their provenance, found by any of their files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from weps._files import list_entries, read_bytes
from weps._formatting import join_items
from weps.errors import SourceError
from weps.provenance import FINGERPRINT_PATTERN, Collection, Provenance
from weps.sources.base import select_names

__all__ = ["StoredResult", "find_result", "read_result"]

_SUFFIX = ".json"
_OTHER_SUFFIXES = (".clust.xml", ".corrections.txt", ".csv", ".html")
"""Files beside ``NAME.json``."""


def find_result(path: Path, name: str | None = None) -> Path:
    """The ``NAME.json`` of a result.

    Args:
        path: the file itself, another file of the result, or a folder of results.
        name: of the person, required if a folder has several results.

    Raises:
        SourceError: if there is none, or several to choose from.
    """
    if path.is_dir():
        return _result_in_folder(path, name)
    suffix = next((each for each in _OTHER_SUFFIXES if path.name.endswith(each)), "")
    return path.with_name(path.name.removesuffix(suffix) + _SUFFIX) if suffix else path


def _result_in_folder(folder: Path, name: str | None) -> Path:
    results = _FolderResults(folder)
    if not results.names:
        raise SourceError("has no results", where=folder, remedy="make one with `weps cluster`")
    chosen = select_names(results, [name] if name else [])
    if len(chosen) > 1:
        raise SourceError(
            f"has the results of {len(chosen)} names ({join_items(chosen)})",
            where=folder,
            remedy="choose one with --name",
        )
    return folder / f"{chosen[0]}{_SUFFIX}"


class _FolderResults:
    """The results in a folder, by name."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.names = tuple(
            file.stem
            for file in list_entries(folder)
            if file.suffix == _SUFFIX and file.with_suffix(".html").is_file()
        )


Item = TypeVar("Item")

_MAX_BYTES = 100 * 1024 * 1024
"""Largest file; a result of 200 pages has about 1 MB."""
_MAX_NUMBER = 10**9
"""Largest id or rank."""
_READ_ERRORS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""Exceptions raised by reading data of the wrong shape."""
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that weps never writes, and paths must not contain."""
_REMEDY = "make it again with `weps cluster`"


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The parts of ``NAME.json`` that later commands need."""

    path: Path
    """The file."""
    name: str
    """The name that was searched for."""
    people: Mapping[int, frozenset[int]]
    """Ids, and the ranks of the pages of each; no page twice."""
    labels: Mapping[int, str]
    """The name or label of each person."""
    fingerprints: Mapping[int, str]
    """Rank → fingerprint of the page, empty where none was written."""
    provenance: Provenance
    model: str
    """Signature of the model."""
    signature: str
    """Provenance of the result."""

    @property
    def identifier(self) -> str:
        """The name as a file name."""
        return self.path.stem

    @property
    def folder(self) -> Path:
        """The folder of the result."""
        return self.path.parent


def read_result(path: Path) -> StoredResult:
    """Read ``NAME.json``.

    Raises:
        SourceError: if it cannot be read, is not a result, or is of a version that did not record
            the sources of its pages.
    """
    raw = read_bytes(path, _MAX_BYTES, SourceError)
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        what = f"this is not a result of `weps cluster` ({error})"
        raise SourceError(what, where=path, remedy=_REMEDY) from None
    _check_version(data, path)
    try:
        return _build_result(data, path)
    except _READ_ERRORS as error:
        what = f"this result is damaged ({_describe_error(error)})"
        raise SourceError(what, where=path, remedy=_REMEDY) from None


def _describe_error(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _check_version(data: Any, path: Path) -> None:
    if not isinstance(data, dict) or not {"name", "people", "merges"} <= set(data):
        raise SourceError(
            "this is not a result of `weps cluster` for one name",
            where=path,
            remedy="give the NAME.json that it wrote",
        )
    if missing := [key for key in ("collected", "settings") if key not in data]:
        raise SourceError(
            f"this result does not state where its pages are ({join_items(missing)} missing): "
            "it was written by another version of weps",
            where=path,
            remedy=_REMEDY,
        )


def _build_result(data: dict[str, Any], path: Path) -> StoredResult:
    people = [(_check_integer(each["id"], 1), each) for each in data["people"]]
    pages = [(_check_integer(page["rank"]), page) for _, each in people for page in each["pages"]]
    return StoredResult(
        path=path,
        name=_check_text(data["name"]),
        people=_unique_items("person", ((id_, _page_ranks(each)) for id_, each in people)),
        labels={id_: _check_text(each["label"]) for id_, each in people},
        fingerprints=_unique_items(
            "page", ((rank, _check_fingerprint(page)) for rank, page in pages)
        ),
        provenance=_read_provenance(data["collected"], data["settings"]),
        model=_check_text(data["model"]),
        signature=_check_text(data["signature"]),
    )


def _page_ranks(person: dict[str, Any]) -> frozenset[int]:
    return frozenset(_check_integer(page["rank"]) for page in person["pages"])


def _read_provenance(collected: list[dict[str, Any]], settings: dict[str, Any]) -> Provenance:
    return Provenance(
        tuple(map(_read_collection, collected)),
        system=_check_text(settings["system"]),
        model=_check_text(settings["model"]),
        threshold=_check_threshold(settings["threshold"]),
        language=_check_text(settings["language"]),
        last_id=_check_integer(settings.get("last_id", 0)),
    )


def _read_collection(data: dict[str, Any]) -> Collection:
    ranks = data.get("ranks")
    if ranks is not None:
        ranks = _unique_items(
            "rank", ((_check_integer(there), _check_integer(here)) for there, here in ranks)
        )
    return Collection(_check_text(data["path"]), _check_text(data["name"]), ranks)


def _unique_items(noun: str, items: Iterable[tuple[int, Item]]) -> dict[int, Item]:
    """Items by number, none of them twice."""
    found: dict[int, Item] = {}
    for number, item in items:
        if number in found:
            raise ValueError(f"{noun} {number} occurs twice")
        found[number] = item
    return found


def _check_integer(value: object, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= _MAX_NUMBER:
        raise ValueError(f"expected a whole number from {least}, got {value!r:.40}")
    return value


def _check_threshold(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"expected a threshold from 0 to 1, got {value!r:.40}")
    return float(value)


def _check_text(value: object) -> str:
    if not isinstance(value, str) or _NO_TEXT.search(value):
        raise ValueError(f"expected a text, got {value!r:.40}")
    return value


def _check_fingerprint(page: dict[str, Any]) -> str:
    value = _check_text(page.get("fingerprint", ""))
    if value and not re.fullmatch(FINGERPRINT_PATTERN, value):
        raise ValueError(f"expected a fingerprint, got {value!r:.40}")
    return value
