"""Testbeds as files: JSON lines, the first of which identifies the file; written atomically."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from eval.text.testbed.records import FORMAT, KIND, Testbed, Topic, header_faults
from weps._files import atomic_write
from weps._formatting import error_reason, join_items, quote_text
from weps.errors import SourceError, ValuesError

__all__ = ["read_testbed", "write_testbed"]

_LONGEST = 50_000_000
"""Bytes of a line: a topic with its texts."""
_MOST_LINES = 10_000_000
_LARGEST = 2 << 30
"""Bytes of a file, unpacked."""
_MOST_LISTED = 20
_REMEDY = "give a testbed, see docs/schema/testbed.schema.json"


def read_testbed(path: Path | str) -> Testbed:
    """Read a ``.jsonl`` or ``.jsonl.gz`` file in UTF-8, line by line.

    Empty lines are skipped. A field given twice, or one that is not part of the format, is a fault.

    Raises:
        SourceError: if it cannot be read, or is no testbed of this format.
        ValuesError: if lines are faulty; one message lists all of them, at most 20 in full.
    """
    path = Path(path)
    try:
        with _open_file(path) as file:
            return _testbed(_lines(file, path), path)
    except (OSError, EOFError, zlib.error) as error:
        why = error_reason(error) if isinstance(error, OSError) else str(error)
        remedy = "check that it is there, whole, and that you may read it"
        raise SourceError(f"cannot be read ({why})", where=path, remedy=remedy) from None


def _open_file(path: Path) -> IO[bytes] | gzip.GzipFile:
    """The file; devices and pipes, which may never end, are none."""
    if not path.is_file():
        raise SourceError("file not found", where=path, remedy="check its name")
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")


def _lines(file: IO[bytes] | gzip.GzipFile, path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, numbered from 1."""
    number = size = 0
    while line := file.readline(_LONGEST + 1):
        number, size = number + 1, size + len(line)
        if size > _LARGEST:
            raise SourceError(f"is over {_LARGEST >> 30} GB", where=path, remedy="split it")
        if number > _MOST_LINES:
            what = f"has more than {_MOST_LINES:,} lines"
            raise SourceError(what, where=path, remedy="split it")
        if len(line) > _LONGEST:
            what = f"line {number:,} has more than {_LONGEST:,} bytes"
            raise SourceError(what, where=path, remedy="give one line per topic")
        if stripped := (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip():
            yield number, stripped


def _testbed(lines: Iterator[tuple[int, bytes]], path: Path) -> Testbed:
    header, faults = _header(lines, path)
    topics: dict[str, Topic] = {}
    for number, line in lines:
        try:
            topic = Topic.from_data(_parsed(line))
        except ValuesError as error:
            faults.append(f"line {number:,}: {error.what}")
            continue
        if topic.topic in topics:
            faults.append(f"line {number:,}: the topic {quote_text(topic.topic)} is there already")
        topics[topic.topic] = topic
    if faults:
        raise ValuesError(_fault_list(faults), where=path, remedy="correct the lines")
    if not topics:
        raise ValuesError("the testbed has no topics", where=path, remedy="add a line per topic")
    return Testbed(header["name"], header["language"], header["source"], tuple(topics.values()))


def _header(lines: Iterator[tuple[int, bytes]], path: Path) -> tuple[dict[str, Any], list[str]]:
    """The first line, and what is wrong with it."""
    number, line = next(lines, (1, b""))
    try:
        data = _parsed(line)
    except ValuesError:
        data = None
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise SourceError("expected a testbed of weps", where=path, remedy=_REMEDY)
    if data.get("format") != FORMAT:
        what = f"the testbed has another format than {FORMAT}, which this weps reads"
        raise SourceError(what, where=path, remedy="convert it again")
    return data, [f"line {number:,}: {fault}" for fault in header_faults(data)]


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line.decode(), object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise ValuesError("not valid UTF-8") from None
    except (ValueError, RecursionError):
        raise ValuesError("invalid JSON") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; JSON itself would take the last of two fields of the same name."""
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = [quote_text(name) for name in data if names.count(name) > 1]
        raise ValuesError(f"given twice: {join_items(twice)}")
    return data


def _fault_list(faults: list[str]) -> str:
    more = len(faults) - _MOST_LISTED
    return "; ".join(faults[:_MOST_LISTED]) + (f"; and {more:,} more lines" if more > 0 else "")


def write_testbed(testbed: Testbed, path: Path | str) -> None:
    """Write a testbed; the same testbed gives the same bytes, and reads back equal.

    Args:
        testbed: what to write.
        path: a file, compressed if its name ends in ``.gz``; replaced if it is there.

    Raises:
        OutputError: if it cannot be written.
    """
    path = Path(path)
    content = "".join(f"{line}\n" for line in _json_lines(testbed)).encode()
    if path.suffix.lower() == ".gz":
        content = gzip.compress(content, compresslevel=6, mtime=0)
    atomic_write({path: content})


def _json_lines(testbed: Testbed) -> Iterator[str]:
    for data in (testbed.header(), *(topic.as_data() for topic in testbed.topics)):
        yield json.dumps(data, ensure_ascii=False, allow_nan=False)
