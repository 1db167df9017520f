"""Testbeds scored: the values of measures on all outputs, and what measures need for that.

Resources are looked up before long work, and recorded with the values. Values are saved topic by
topic as JSON lines, so that a run continues after a stop or a correction of the testbed. The first
line states what the values depend on besides the texts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weps._cache import content_digest, source_digest
from weps._expressions import Value
from weps._files import atomic_write, first_existing, read_bytes
from weps._formatting import error_reason, join_items, quote_text
from weps._parallel import Progress, no_progress, parallel_map
from weps._version import VERSION
from weps.errors import LanguageError, OutputError, ValuesError
from weps.language.spacy_pipeline import pipeline_version as language_version
from weps_eval.stats.arrays import Flags, Floats
from weps_eval.text.declaration import REFERENCES, Need
from weps_eval.text.matrix import MeasureMatrix
from weps_eval.text.registry import Measure
from weps_eval.text.testbed import Testbed, Text, Topic, whole_text
from weps_eval.text.topic import TextTools, TopicTexts, tagged_words


def jackknife_over_references(scores: Floats) -> Floats:
    """The mean of the maxima over all references but one, each being left out in turn.

    Lin 2004, section 2.1, and the Perl package ROUGE up to version 1.3. Outputs that have one
    reference fewer, such as references among themselves, so compare with those that have all of
    them. Of a single reference, its score.

    Args:
        scores: shape (outputs, references); higher is better.

    Returns:
        Shape (outputs,).
    """
    ordered = np.sort(scores, axis=1)
    references = ordered.shape[1]
    if references == 1:
        return ordered[:, 0]
    return np.asarray((ordered[:, -1] * (references - 1) + ordered[:, -2]) / references)


_COMBINED: dict[str, Callable[[Floats], Any]] = {
    "mean": partial(np.mean, axis=1),
    "maximum": partial(np.max, axis=1),
    "jackknife": jackknife_over_references,
}


def measure_similarities(
    measure: Measure, topic_texts: TopicTexts, outputs: Sequence[Text], references: Sequence[Text]
) -> Floats:
    """Every output compared with every reference alone, whatever becomes of several references.

    An empty text, of white space at most, is like another one (1), and like nothing else (0).

    Returns:
        Shape (outputs, references); more is better.

    Raises:
        ValuesError: if the measure is not defined for one of the texts.
    """
    table = np.equal.outer(_empty(outputs), _empty(references)).astype(np.float64)
    rows, columns = (np.flatnonzero(~_empty(texts)).tolist() for texts in (outputs, references))
    if len(rows) and len(columns):
        pairs = [outputs[row] for row in rows], [references[column] for column in columns]
        values = measure.family.compare(topic_texts, *pairs, **_own_values(measure))
        table[np.ix_(rows, columns)] = values
    return _finite(table, measure, topic_texts, outputs)


def measure_scores(measure: Measure, topic_texts: TopicTexts) -> Floats:
    """The outputs of the topic, each judged by all its references.

    Returns:
        Shape (outputs,); more is better. An empty output has 0.

    Raises:
        ValuesError: if the measure is not defined for one of the texts.
    """
    outputs = [each.text for each in topic_texts.topic.outputs]
    references = [each.text for each in topic_texts.topic.references]
    how = dict(measure.values)[REFERENCES]
    if how in _COMBINED:
        table = measure_similarities(measure, topic_texts, outputs, references)
        return np.asarray(_COMBINED[str(how)](table))
    values = np.zeros(len(outputs))
    rows = np.flatnonzero(~_empty(outputs)).tolist()
    if len(rows) and measure.family.together:
        filled = [outputs[row] for row in rows]
        own = _own_values(measure)
        values[rows] = measure.family.together(topic_texts, filled, references, **own)
    return _finite(values, measure, topic_texts, outputs)


def _own_values(measure: Measure) -> dict[str, Value]:
    """The parameters that the family's function takes."""
    return {name: value for name, value in measure.values if name != REFERENCES}


def _empty(texts: Sequence[Text]) -> Flags:
    return np.array([not whole_text(text).strip() for text in texts], dtype=np.bool_)


def _finite(
    table: Floats, measure: Measure, topic_texts: TopicTexts, outputs: Sequence[Text]
) -> Floats:
    wrong = np.isnan(table.reshape(len(outputs), -1)).any(axis=1)
    if wrong.any():
        what, where = f"{measure} gives no number", topic_texts.name(outputs[int(wrong.argmax())])
        raise ValuesError(what, where=where, remedy="choose another measure")
    return table


_MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """A measure that is not defined for a text."""

    measure: str
    topic: str
    where: str
    """Whose text it is."""
    what: str
    remedy: str


def undefined_error(faults: Sequence[Fault], testbed: str, checkpoint: Path | None) -> ValuesError:
    """One error that lists all faults of a testbed; one of a text is given once for all measures.

    The values of the other topics are in the checkpoint, if any.
    """
    measures: dict[str, list[str]] = {}
    for fault in faults:
        listed = "; ".join(filter(None, (fault.what, fault.remedy)))
        text_fault = f"topic {quote_text(fault.topic)}, {fault.where}: {listed}"
        measures.setdefault(text_fault, []).append(fault.measure)
    lines = [f"{fault} ({join_items(names)})" for fault, names in measures.items()]
    more = len(lines) - _MOST_LISTED
    what = f"measures are not defined for all texts: {'; '.join(lines[:_MOST_LISTED])}"
    kept = f"; the values of all other topics are kept in {checkpoint}" if checkpoint else ""
    return ValuesError(
        what + (f"; and {more:,} more" if more > 0 else ""),
        where=testbed,
        remedy=f"correct these texts, or leave out measures{kept}",
    )


_DECIDING = (
    *("weps_eval.text", "weps._text", "weps.features.bags", "weps.language"),
    "weps.key_terms.weighting",
)
"""Modules that decide the values of measures."""
_VERSIONS: dict[Need, Callable[[TextTools], str]] = {
    Need.TAGS: lambda tools: language_version(tools.language),
    Need.PARSES: lambda tools: language_version(tools.language),
    Need.WORDNET: lambda tools: f"sha256-{tools.words().digest[:16]}",
    Need.NLTK: lambda _: version("nltk"),
    Need.SACREBLEU: lambda _: version("sacrebleu"),
}


def check_needs(testbed: Testbed, measures: Sequence[Measure], tools: TextTools) -> None:
    """Check in advance that nothing is missing.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing or does not work.
        SourceError: if a WordNet of the user's is missing or malformed.
        ValuesError: if topics have no sources or key concepts.
    """
    for need, needing in _measures_by_need(measures).items():
        if need is Need.TAGS:
            tagged_words([], tools.language)
        elif need is Need.PARSES:
            from weps_eval.text.measures.linguistic import parse_texts  # noqa: PLC0415 - its alone

            parse_texts([], tools.language)
        elif need is Need.WORDNET:
            tools.words()
        elif need in (Need.SOURCES, Need.CONCEPTS):  # fields of topics are called like them
            if missing := [topic.topic for topic in testbed.topics if not getattr(topic, need)]:
                what = f"topics have no {need}: {join_items(map(quote_text, missing))}"
                remedy = f"add them, or leave out {join_items(needing)}"
                raise ValuesError(what, where=testbed.name, remedy=remedy)
        elif find_spec(need) is None:
            verb = "needs" if len(needing) < 2 else "need"
            what = f"{need} is not installed, which {join_items(needing)} {verb}"
            raise LanguageError(what, remedy="pip install 'weps[text]'")


def measure_dependencies(measures: Sequence[Measure], tools: TextTools) -> dict[str, str]:
    """All that the measures' values depend on besides the texts, in words and digests.

    Call :func:`check_needs` before.
    """
    needed = _measures_by_need(measures)
    versions = {str(need): of(tools) for need, of in _VERSIONS.items() if need in needed}
    return {"weps": VERSION, "code": source_digest(*_DECIDING), **versions}


def _measures_by_need(measures: Sequence[Measure]) -> dict[Need, list[str]]:
    """Need → the measures that have it."""
    needed = {need: [str(each) for each in measures if need in each.needs] for need in Need}
    return {need: needing for need, needing in needed.items() if needing}


_measure_called = lru_cache(1024)(Measure.parse)

Values: TypeAlias = tuple[tuple[float, ...], ...]
"""For each measure a value of each output."""


def score_topic(
    topic: Topic, measures: Sequence[str], tools: TextTools
) -> tuple[Values, list[Fault]]:
    """The values of the measures that are defined for all texts, and the faults of the others.

    Measures are given as they print, which all processes understand.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing.
        SourceError: if a WordNet of the user's is missing or malformed.
    """
    topic_texts = TopicTexts(topic, tools)
    values: list[tuple[float, ...]] = []
    faults: list[Fault] = []
    for measure in map(_measure_called, measures):
        try:
            values.append(tuple(measure_scores(measure, topic_texts).tolist()))
        except ValuesError as error:
            whose = str(error.where or "its texts")
            faults.append(Fault(str(measure), topic.topic, whose, error.what, error.remedy))
    return tuple(values), faults


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
    """Scores by digest of the topic."""

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
    progress("scoring topics", done := len(values) - len(wanted), len(values))
    for topic, scored in zip(wanted, parallel_map(work, wanted, jobs), strict=True):
        values[topic.topic], undefined = scored
        faults += undefined
        if checkpoint and not undefined:
            checkpoint.add(topic, scored[0])
        progress("scoring topics", done := done + 1, len(values))
    if faults:
        raise undefined_error(faults, testbed.name, checkpoint.path if checkpoint else None)
    instances = [(topic.topic, output) for topic in topics for output in topic.outputs]
    human = [[output.human.get(each, np.nan) for _, output in instances] for each in criteria]
    parts = [np.array(each, np.float64) for each in values.values()]
    return MeasureMatrix(
        tuple(topic for topic, _ in instances),
        tuple(output.system for _, output in instances),
        names,
        np.concatenate(parts, axis=1),
        criteria,
        np.array(human, np.float64).reshape(len(criteria), len(instances)),
    )
