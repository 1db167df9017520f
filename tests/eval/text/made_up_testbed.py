"""A small testbed, and its file."""

import json
from pathlib import Path
from typing import Any

from eval.text.testbed import Output, Reference, Testbed, Topic

HEADER = {
    "kind": "weps testbed",
    "format": 1,
    "name": "Tides",
    "language": "en",
    "source": "made up",
}


def tides() -> Testbed:
    return Testbed("Tides", "en", "made up", (first(), second()))


def first() -> Topic:
    return Topic(
        "harbours",
        (Reference("A", "The tide rose."), Reference("B", ("It rose.", "Boats left."))),
        (
            Output("one", "The tide rose.", {"fluency": 5.0, "coherence": 1.5}),
            Output("two", ""),
        ),
        ("At noon the tide rose. Boats left.", ("A second", "document")),
    )


def second() -> Topic:
    return Topic("ebb", (Reference("A", "Ebbe – 潮"),), (Output("two", ("Low water", "")),))


def data(**changes: Any) -> dict[str, Any]:
    """The line of a topic, with other values for some fields; a field with None is left out."""
    given = {**first().as_data(), **changes}
    return {field: value for field, value in given.items() if value is not None}


def write(folder: Path, *lines: Any) -> Path:
    """A file with these lines: data or, as they are, text and bytes."""
    path = folder / "made.jsonl"
    path.write_bytes(b"\n".join(map(_line, lines)))
    return path


def _line(line: Any) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line)).encode()
