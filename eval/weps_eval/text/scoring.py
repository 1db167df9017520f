"""The values of measures on the outputs of one topic, and what measures need for that.

Resources are looked up before long work, and recorded with the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weps._cache import source_digest
from weps._expressions import Value
from weps._formatting import join_items, quote_text
from weps._version import VERSION
from weps.errors import LanguageError, ValuesError
from weps.language.spacy_pipeline import pipeline_version as language_version
from weps_eval.stats.arrays import Flags, Floats
from weps_eval.text.declaration import REFERENCES, Need
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
    *("weps.key_terms.phrases", "weps.key_terms.weighting"),
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
        elif need in (Need.SOURCES, Need.CONCEPTS):
            _check_topics(testbed, need, needing)
        else:
            _check_library(need, needing)


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


def _check_topics(testbed: Testbed, need: Need, needing: Sequence[str]) -> None:
    """A topic meets these needs by fields that are called like them."""
    if missing := [topic.topic for topic in testbed.topics if not getattr(topic, need)]:
        what = f"topics have no {need}: {join_items(map(quote_text, missing))}"
        remedy = f"add them, or leave out {join_items(needing)}"
        raise ValuesError(what, where=testbed.name, remedy=remedy)


def _check_library(library: str, needing: Sequence[str]) -> None:
    try:
        import_module(library)
    except ImportError as error:
        need = "needs" if len(needing) < 2 else "need"
        what = f"{library} is not installed, which {join_items(needing)} {need}"
        raise LanguageError(what, remedy="pip install 'weps[text]'") from error


_parsed = lru_cache(1024)(Measure.parse)

Values: TypeAlias = tuple[tuple[float, ...], ...]
"""For each measure a value of each output."""


@dataclass(frozen=True, slots=True)
class ScoredTopic:
    """The values of measures on a topic."""

    values: Values
    """Of the measures that are defined for all its texts."""
    faults: tuple[Fault, ...]
    """Of the others."""


def score_topic(topic: Topic, measures: Sequence[str], tools: TextTools) -> ScoredTopic:
    """The values of all measures; one that is not defined for a text does not stop the others.

    Measures are given as they print, which all processes understand.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing.
        SourceError: if a WordNet of the user's is missing or malformed.
    """
    topic_texts = TopicTexts(topic, tools)
    values: list[tuple[float, ...]] = []
    faults: list[Fault] = []
    for measure in map(_parsed, measures):
        try:
            values.append(tuple(measure_scores(measure, topic_texts).tolist()))
        except ValuesError as error:
            whose = str(error.where or "its texts")
            faults.append(Fault(str(measure), topic.topic, whose, error.what, error.remedy))
    return ScoredTopic(tuple(values), tuple(faults))
