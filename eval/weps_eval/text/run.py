"""Measures of every output of a testbed, topic by topic, in any number of processes.

Values are saved topic by topic as JSON lines, so that a run continues after a stop or a correction
of the testbed. The first line states what the values depend on besides the texts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from weps._cache import content_digest
from weps._files import atomic_write, first_existing, read_bytes
from weps._formatting import error_reason, join_items
from weps._parallel import Progress, no_progress, parallel_map
from weps.errors import OutputError
from weps_eval.text.matrix import MeasureMatrix
from weps_eval.text.registry import Measure
from weps_eval.text.scoring import Fault, Values, check_needs, score_topic, undefined_error
from weps_eval.text.testbed import Testbed, Topic
from weps_eval.text.topic import TextTools

_IDENTITY = {"kind": "weps values of measures", "format": 1}
"""The beginning of the first line."""
_REMEDY = "remove it, or give --out another name"
_MAX_BYTES = 2 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The values of topics, in memory and in a file."""

    path: Path
    measures: int
    """How many values an output has."""
    _known: dict[str, Values] = field(default_factory=dict)
    """By digest of the topic."""

    def values(self, topic: Topic) -> Values | None:
        """The values of a topic; None if they are not kept, or its texts have changed."""
        values = self._known.get(topic_digest(topic))
        fits = values is not None and all(len(row) == len(topic.outputs) for row in values)
        return values if fits else None

    def add(self, topic: Topic, values: Values) -> None:
        """Keep the values of a topic; an OutputError if they cannot be written."""
        key = topic_digest(topic)
        self._known[key] = values
        try:
            with self.path.open("ab") as file:
                file.write(_line({"digest": key, "topic": topic.topic, "values": values}))
        except OSError as error:
            what = f"cannot be written ({error_reason(error)})"
            remedy = "make room, or give --out another place"
            raise OutputError(what, where=self.path, remedy=remedy) from None

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def open_checkpoint(
    path: Path, measures: Sequence[str], made_with: Mapping[str, str]
) -> Checkpoint:
    """The values of these measures that a file holds; it is begun if it is not there.

    A line that cannot be read, as one is that was not finished, is left out: its topic is scored
    again. ``made_with`` is what values depend on besides the texts.

    Raises:
        OutputError: if the file cannot be read or written, or holds something else.
    """
    header = {**_IDENTITY, "measures": list(measures), "with": dict(made_with)}
    first, *others = _lines(path) or [b""]
    if not _line(header).startswith(first):  # a header that was not finished is begun again
        _refuse_other(_parsed(first), header, path)
    known: dict[str, Values] = {}
    complete: list[bytes] = []
    for line in others:
        if entry := _entry(line, len(measures)):
            known.update([entry])
            complete.append(line)
    atomic_write({path: b"".join([_line(header), *complete])})
    return Checkpoint(path, len(measures), known)


def topic_digest(topic: Topic) -> str:
    """The SHA-256 of all that values depend on: what people thought of outputs is left out."""
    data = topic.as_data()
    outputs = [{"system": each.system, "text": each.text} for each in topic.outputs]
    return content_digest(json.dumps({**data, "outputs": outputs}, sort_keys=True))


def digest_of(testbed: Testbed) -> str:
    """The SHA-256 of what values on all topics depend on."""
    return content_digest(*map(topic_digest, testbed.topics))


def _lines(path: Path) -> list[bytes]:
    """The lines with their ends; none if there is no file."""
    if first_existing([path]) is None:
        return []
    return read_bytes(path, _MAX_BYTES, OutputError, _REMEDY).splitlines(keepends=True)


def _refuse_other(found: Any, wanted: Mapping[str, Any], path: Path) -> None:
    """Raise the error for a file that begins with another header."""
    ours = isinstance(found, dict) and {**found, **_IDENTITY} == found
    if not (
        ours and isinstance(found.get("measures"), list) and isinstance(found.get("with"), dict)
    ):
        what = "here the values of topics were to be kept, and there is another file"
        raise OutputError(what, where=path, remedy=_REMEDY)
    raise OutputError(f"it holds values {_difference(found, wanted)}", where=path, remedy=_REMEDY)


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """How the values that are kept differ from those that are wanted."""
    stored, requested = list(map(str, found["measures"])), wanted["measures"]
    if missing := [measure for measure in requested if measure not in stored]:
        return f"without {join_items(missing)}"
    if further := [measure for measure in stored if measure not in requested]:
        return f"of further measures: {join_items(further)}"
    ours, theirs = wanted["with"], found["with"]
    other = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    return f"made with another version of {join_items(other)}" if other else "in another order"


def _entry(line: bytes, measures: int) -> tuple[str, Values] | None:
    """Digest and values, None if the line holds none."""
    data = _parsed(line)
    try:
        key, values = data["digest"], tuple(map(tuple, data["values"]))
    except (TypeError, LookupError):
        return None
    whole = isinstance(key, str) and len(values) == measures and len(set(map(len, values))) == 1
    numbers = all(  # JSON takes NaN, too
        isinstance(value, float) and not math.isnan(value) for row in values for value in row
    )
    return (key, values) if whole and numbers else None


def _parsed(line: bytes) -> Any:
    """What a line holds, None if it is not finished."""
    try:
        return json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"


_WORK = "scoring topics"


def score_testbed(  # noqa: PLR0913 - what is scored, by what, and how
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: TextTools | None = None,
    *,
    jobs: int = 1,
    checkpoint: Checkpoint | None = None,
    progress: Progress = no_progress,
) -> MeasureMatrix:
    """The values of measures on all outputs, and their human scores.

    Args:
        testbed: topics with outputs and references.
        measures: all different.
        tools: what measures need besides texts.
        jobs: number of processes, -1 for one per core; the values do not depend on it.
        checkpoint: values of topics that were scored before; those of other topics are added.
        progress: called with the number of topics done.

    Returns:
        Instances in the order of the testbed, topic by topic.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is needed and not installed.
        SourceError: if a WordNet of the user's is needed and missing.
        ValuesError: if topics lack what measures need, or measures are not defined for texts: one
            message lists all, at most 20 in full, when everything else is scored.
        OutputError: if values cannot be kept.
    """
    tools = tools or TextTools()
    names, criteria = tuple(map(str, measures)), testbed.criteria
    nothing = (np.empty((len(each), 0)) for each in (names, criteria))
    MeasureMatrix((), (), names, next(nothing), criteria, next(nothing))  # refuses names at once
    check_needs(testbed, measures, tools)
    topics = testbed.topics
    values = {each.topic: checkpoint.values(each) if checkpoint else None for each in topics}
    wanted = [topic for topic in topics if values[topic.topic] is None]
    work = partial(score_topic, measures=names, tools=tools)
    faults: list[Fault] = []
    progress(_WORK, done := len(values) - len(wanted), len(values))
    for topic, scored in zip(wanted, parallel_map(work, wanted, jobs), strict=True):
        values[topic.topic] = scored.values
        faults += scored.faults
        if checkpoint and not scored.faults:
            checkpoint.add(topic, scored.values)
        progress(_WORK, done := done + 1, len(values))
    if faults:
        raise undefined_error(faults, testbed.name, checkpoint.path if checkpoint else None)
    return _matrix(testbed, names, [each for each in values.values() if each is not None])


def _matrix(testbed: Testbed, measures: tuple[str, ...], values: Sequence[Values]) -> MeasureMatrix:
    """The values of each topic, side by side."""
    instances = [(topic.topic, output) for topic in testbed.topics for output in topic.outputs]
    human = [
        [output.human.get(criterion, np.nan) for _, output in instances]
        for criterion in testbed.criteria
    ]
    return MeasureMatrix(
        tuple(topic for topic, _ in instances),
        tuple(output.system for _, output in instances),
        measures,
        np.concatenate([np.array(each, np.float64) for each in values], axis=1),
        testbed.criteria,
        np.array(human, np.float64).reshape(len(testbed.criteria), len(instances)),
    )
