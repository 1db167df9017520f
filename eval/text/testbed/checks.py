"""What is wrong with the data of a testbed: it may come from a file that somebody else wrote.

Each function yields one phrase per fault; no phrase, no fault.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unicodedata import category

from eval.instances.wording import quoted
from weps.sources.messages import listed

__all__ = ["header_faults", "topic_faults"]

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
    for field in ("name", "language", "source"):
        yield from _name_faults(data[field], field)


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
        yield f"there is no {kind}"
        return
    for number, entry in enumerate(entries, start=1):
        yield from faults(entry, f"{kind} {number}")
    names = [entry.get(name) for entry in entries if isinstance(entry, dict)]
    times = Counter(each for each in names if isinstance(each, str))
    for each in [each for each, count in times.items() if count > 1]:
        yield f"two {kind}s have the {name} {quoted(each)}"


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
        yield f"human of {where} is no object of numbers"
        return
    for criterion, score in data.items():
        yield from _name_faults(criterion, f"criterion of {where}")
        if not _is_finite(score):
            yield (
                f"the human score {quoted(criterion)} of {where} is no finite number"
                " (leave it out where nobody judged)"
            )


def _source_faults(data: Any) -> Faults:
    if not isinstance(data, list):
        yield "sources is no list of texts"
        return
    for number, text in enumerate(data, start=1):
        yield from _text_faults(text, f"source {number}")


def _concept_faults(data: Any) -> Faults:
    if not isinstance(data, list):
        yield "concepts is no list of texts"
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
        yield f"the {where} is no text of 1 to {_LONGEST_NAME:,} characters"
    elif any(category(each) in _UNSEEN or each in _TURNING for each in name):
        yield f"the {where} has characters that cannot be printed"


def _field_fault(data: Any, needed: Sequence[str], optional: Sequence[str] = ()) -> str:
    """What is missing or too much; empty if nothing is."""
    if not isinstance(data, dict):
        return "is no object with fields"
    missing = [field for field in needed if field not in data]
    unknown = [field for field in data if field not in (*needed, *optional)]
    if missing:
        return f"lacks {listed(map(quoted, missing))}"
    return f"has unknown fields {listed(map(quoted, unknown))}" if unknown else ""


def _is_finite(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max
