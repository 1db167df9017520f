"""Where results are: in their folder or, if there are very many, in parts of it.

A part is a subfolder such as ``results-3f``, after the first byte of the SHA-256 of the name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from weps._files import list_entries, open_file

MOST_UNDIVIDED = 1_000
"""Names of a source whose results are in one folder."""
RESULT_SUFFIX = ".json"
_PART = re.compile(r"results-[0-9a-f]{2}")
_DIGEST = '{{\n "digest": "{}",\n'
_MARK = _DIGEST.partition("{}")[0].format().encode()
"""What a result begins with that ``weps cluster`` wrote."""


def stable_hash(identifier: str) -> bytes:
    """The SHA-256 of an identifier: the same on every machine and in every run."""
    return hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).digest()


def in_shard(identifier: str, shard: int, shards: int) -> bool:
    """Whether a name belongs to a shard (from 1) of so many, which depends on nothing else."""
    return int.from_bytes(stable_hash(identifier)[:8], "big") % shards == shard - 1


def result_folder(folder: Path, identifier: str, *, divided: bool = False) -> Path:
    """The folder of the files of a result: where it is, else where it is to be.

    Args:
        folder: of all results.
        identifier: the name as a file name.
        divided: whether new results go to parts of the folder.
    """
    part = folder / f"results-{stable_hash(identifier)[:1].hex()}"
    places = (part, folder) if divided else (folder, part)
    known = (place for place in places if (place / f"{identifier}{RESULT_SUFFIX}").is_file())
    return next(known, places[0])


def result_path(folder: Path, identifier: str) -> Path:
    """Where the ``NAME.json`` of a result is, or would be."""
    return result_folder(folder, identifier) / f"{identifier}{RESULT_SUFFIX}"


def is_part(name: str) -> bool:
    """Whether a folder of this name is a part of a folder of results."""
    return _PART.fullmatch(name) is not None


def results_root(folder: Path) -> Path:
    """The folder of all results, given that of one of them."""
    return folder.parent if is_part(folder.name) else folder


def result_paths(folder: Path) -> Iterator[Path]:
    """The ``NAME.json`` of the results in a folder and its parts, in order of the identifiers.

    Each has a report beside it, or says that it is a result.
    """
    entries = list_entries(folder)
    parts = (each for each in entries if is_part(each.name) and each.is_dir())
    files = [*entries, *(file for part in parts for file in list_entries(part))]
    files = [each for each in files if each.suffix == RESULT_SUFFIX]
    for file in sorted(files, key=lambda each: each.stem):
        if file.with_suffix(".html").is_file() or _says_result(file):
            yield file


def result_names(folder: Path) -> tuple[str, ...]:
    """The identifiers of the results in a folder and its parts, sorted."""
    return tuple(path.stem for path in result_paths(folder))


def _says_result(path: Path) -> bool:
    try:
        with open_file(path) as file:
            return file.read(len(_MARK)) == _MARK
    except OSError:
        return False


def is_finished(path: Path, digest: str) -> bool:
    """Whether a ``NAME.json`` is there and was made from what has this digest.

    The digest stands first in the file, so that nothing else of it is read.
    """
    head = _DIGEST.format(digest).encode()
    try:
        with open_file(path) as file:
            return file.read(len(head)) == head
    except OSError:
        return False
