"""Testbeds: topics with references, outputs of systems and human scores, and their files.

A file has JSON lines, the first of which identifies it.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from unicodedata import category

from weps._files import atomic_write
from weps._formatting import error_reason, join_items, quote_text
from weps.errors import SourceError, ValuesError

__all__ = [
    "FORMAT",
    "KIND",
    "Output",
    "Reference",
    "Testbed",
    "Text",
    "Topic",
    "header_faults",
    "read_testbed",
    "topic_faults",
    "whole_text",
    "write_testbed",
]


Faults = Iterator[str]

_LONGEST_NAME = 1_000
_HALF = re.compile("[\ud800-\udfff]")
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
"""Control characters, halves of characters, which cannot be written, and ends of lines."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows."""


def header_faults(data: Any) -> Faults:
    """What is wrong with the first line, whose kind and format are known to be right."""
    fields = ("kind", "format", "name", "language", "source")
    if wrong := _field_fault(data, fields):
        yield wrong
        return
    for key in ("name", "language", "source"):
        yield from _name_faults(data[key], key)


def topic_faults(data: Any) -> Faults:
    """What is wrong with the line of a topic."""
    if wrong := _field_fault(data, ("topic", "references", "outputs"), ("sources", "concepts")):
        yield wrong
        return
    yield from _name_faults(data["topic"], "topic")
    yield from _entry_faults(data["references"], "reference", "id", _reference_faults)
    yield from _entry_faults(data["outputs"], "output", "system", _output_faults)
    yield from _source_faults(data.get("sources", []))
    yield from _concept_faults(data.get("concepts", []))


def _entry_faults(
    entries: Any, kind: str, name: str, faults: Callable[[Any, str], Faults]
) -> Faults:
    """Faults of a list of references or outputs; there is one at least, and names differ."""
    if not isinstance(entries, list) or not entries:
        yield f"no {kind} given"
        return
    for number, entry in enumerate(entries, start=1):
        yield from faults(entry, f"{kind} {number}")
    names = [entry.get(name) for entry in entries if isinstance(entry, dict)]
    times = Counter(each for each in names if isinstance(each, str))
    for each in [each for each, count in times.items() if count > 1]:
        yield f"two {kind}s have the {name} {quote_text(each)}"


def _reference_faults(data: Any, where: str) -> Faults:
    if wrong := _field_fault(data, ("id", "text")):
        yield f"{where} {wrong}"
        return
    yield from _name_faults(data["id"], f"id of {where}")
    yield from _text_faults(data["text"], where)


def _output_faults(data: Any, where: str) -> Faults:
    if wrong := _field_fault(data, ("system", "text"), ("human",)):
        yield f"{where} {wrong}"
        return
    yield from _name_faults(data["system"], f"system of {where}")
    yield from _text_faults(data["text"], where, may_be_empty=True)
    yield from _human_faults(data.get("human", {}), where)


def _human_faults(data: Any, where: str) -> Faults:
    if not isinstance(data, dict):
        yield f"expected an object of numbers for human of {where}"
        return
    for criterion, score in data.items():
        yield from _name_faults(criterion, f"criterion of {where}")
        if not _is_finite(score):
            yield (
                f"expected a finite number for the human score {quote_text(criterion)} of {where}"
                " (leave it out where there is none)"
            )


def _source_faults(data: Any) -> Faults:
    if not isinstance(data, list):
        yield "expected a list of texts for sources"
        return
    for number, text in enumerate(data, start=1):
        yield from _text_faults(text, f"source {number}")


def _concept_faults(data: Any) -> Faults:
    if not isinstance(data, list):
        yield "expected a list of texts for concepts"
        return
    for number, concept in enumerate(data, start=1):
        yield from _name_faults(concept, f"concept {number}")


def _text_faults(text: Any, where: str, *, may_be_empty: bool = False) -> Faults:
    sentences = text if isinstance(text, list) else [text]
    if not all(isinstance(sentence, str) for sentence in sentences):
        yield f"the text of {where} is neither text nor a list of sentences"
    elif not may_be_empty and not any(map(str.strip, sentences)):
        yield f"the text of {where} is empty"
    elif any(map(_HALF.search, sentences)):
        yield f"the text of {where} holds half a character"


def _name_faults(name: Any, where: str) -> Faults:
    """A name is one line that can be seen and is not empty."""
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or not name.strip():
        yield f"expected 1 to {_LONGEST_NAME:,} characters for the {where}"
    elif any(category(each) in _UNSEEN or each in _TURNING for each in name):
        yield f"the {where} has characters that cannot be printed"


def _field_fault(data: Any, needed: Sequence[str], optional: Sequence[str] = ()) -> str:
    """What is missing or too much; empty if nothing is."""
    if not isinstance(data, dict):
        return "is not an object"
    missing = [field for field in needed if field not in data]
    unknown = [field for field in data if field not in (*needed, *optional)]
    if missing:
        return f"lacks {join_items(map(quote_text, missing))}"
    return f"has unknown fields {join_items(map(quote_text, unknown))}" if unknown else ""


def _is_finite(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max


KIND = "weps testbed"
FORMAT = 1
"""Version of the file format; a reader refuses every other."""

Text = str | tuple[str, ...]
"""A text whose sentences are still to be found, or its sentences as given."""


def whole_text(text: Text) -> str:
    """The text in one piece: sentences that were given apart stand on lines of their own."""
    return text if isinstance(text, str) else "\n".join(text)


@dataclass(frozen=True, slots=True)
class Reference:
    """A text by which outputs are judged (a model); it is not empty."""

    id: str
    text: Text


@dataclass(frozen=True, slots=True)
class Output:
    """What a system made of a topic (a peer).

    It may be empty, as a system may fail: it then has nothing in common with any reference.
    """

    system: str
    text: Text
    human: Mapping[str, float] = field(default_factory=dict)
    """Criterion → finite score; criteria without a score are left out."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A task, with one reference and one output at least.

    Raises:
        ValuesError: if there is none, two references or two outputs have the same name, a
            reference, a source or a concept is empty, or a human score is NaN or infinite.
    """

    topic: str
    references: tuple[Reference, ...]
    outputs: tuple[Output, ...]
    sources: tuple[Text, ...] = ()
    """The documents that were summed up or translated, if given."""
    concepts: tuple[str, ...] = ()
    """The key concepts that people found in it, of one or more words each, if given."""

    def __post_init__(self) -> None:
        _refuse(topic_faults(self.as_data()), f"topic {quote_text(str(self.topic))}")

    def as_data(self) -> dict[str, Any]:
        """The topic in JSON form; sources, concepts and human scores only if there are any."""
        optional = {"sources": list(map(_plain, self.sources)), "concepts": list(self.concepts)}
        return {
            "topic": self.topic,
            "references": [{"id": each.id, "text": _plain(each.text)} for each in self.references],
            "outputs": list(map(_output_data, self.outputs)),
            **{field: texts for field, texts in optional.items() if texts},
        }

    @classmethod
    def from_data(cls, data: Any) -> Topic:
        """The topic that JSON holds.

        Raises:
            ValuesError: if it holds none, or a faulty one; one message lists all faults.
        """
        _refuse(topic_faults(data))
        return cls(
            data["topic"],
            tuple(Reference(each["id"], _text(each["text"])) for each in data["references"]),
            tuple(
                Output(each["system"], _text(each["text"]), each.get("human", {}))
                for each in data["outputs"]
            ),
            tuple(map(_text, data.get("sources", []))),
            tuple(data.get("concepts", [])),
        )


@dataclass(frozen=True, slots=True)
class Testbed:
    """Topics of one collection.

    Raises:
        ValuesError: if there is no topic, two have the same name, or the collection has no name.
    """

    __test__ = False  # not a test, whatever pytest thinks of the name

    name: str
    language: str
    """Of references and outputs, as ``en``."""
    source: str
    """Where the texts come from."""
    topics: tuple[Topic, ...]

    def __post_init__(self) -> None:
        _refuse(header_faults(self.header()), "testbed")
        if not self.topics:
            raise ValuesError("the testbed has no topics")
        times = Counter(each.topic for each in self.topics)
        twice = [quote_text(topic) for topic, count in times.items() if count > 1]
        if twice:
            raise ValuesError(
                f"topics occur twice: {join_items(twice)}", remedy="rename one of each"
            )

    def header(self) -> dict[str, Any]:
        """The first line of a file, in JSON form."""
        about = {"name": self.name, "language": self.language, "source": self.source}
        return {"kind": KIND, "format": FORMAT, **about}

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in order of first appearance; not each needs to answer every topic."""
        return tuple(dict.fromkeys(each.system for each in self._outputs))

    @property
    def criteria(self) -> tuple[str, ...]:
        """All criteria by which people judged, in alphabetical order."""
        return tuple(sorted({criterion for each in self._outputs for criterion in each.human}))

    @property
    def empty_outputs(self) -> tuple[tuple[str, str], ...]:
        """Topic and system of every output without text."""
        return tuple(
            (topic.topic, each.system)
            for topic in self.topics
            for each in topic.outputs
            if not whole_text(each.text).strip()
        )

    @property
    def _outputs(self) -> Iterable[Output]:
        return (each for topic in self.topics for each in topic.outputs)


def _output_data(output: Output) -> dict[str, Any]:
    data: dict[str, Any] = {"system": output.system, "text": _plain(output.text)}
    return {**data, "human": dict(sorted(output.human.items()))} if output.human else data


def _plain(text: Text) -> str | list[str]:
    return text if isinstance(text, str) else list(text)


def _text(data: str | list[str]) -> Text:
    return data if isinstance(data, str) else tuple(data)


def _refuse(faults: Iterable[str], where: str | None = None) -> None:
    if message := "; ".join(faults):
        raise ValuesError(message, where=where)


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
    if not path.is_file():  # devices and pipes may never end
        raise SourceError("file not found", where=path, remedy="check its name")
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
            return _testbed(_lines(file, path), path)
    except (OSError, EOFError, zlib.error) as error:
        why = error_reason(error) if isinstance(error, OSError) else str(error)
        remedy = "check that it is there, whole, and that you may read it"
        raise SourceError(f"cannot be read ({why})", where=path, remedy=remedy) from None


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
        more = len(faults) - _MOST_LISTED
        what = "; ".join(faults[:_MOST_LISTED]) + (f"; and {more:,} more lines" if more > 0 else "")
        raise ValuesError(what, where=path, remedy="correct the lines")
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


def write_testbed(testbed: Testbed, path: Path | str) -> None:
    """Write a testbed; the same testbed gives the same bytes, and reads back equal.

    Args:
        testbed: what to write.
        path: a file, compressed if its name ends in ``.gz``; replaced if it is there.

    Raises:
        OutputError: if it cannot be written.
    """
    path = Path(path)
    lines = (testbed.header(), *(topic.as_data() for topic in testbed.topics))
    content = "".join(
        f"{json.dumps(line, ensure_ascii=False, allow_nan=False)}\n" for line in lines
    )
    raw = content.encode()
    if path.suffix.lower() == ".gz":
        raw = gzip.compress(raw, compresslevel=6, mtime=0)
    atomic_write({path: raw})
