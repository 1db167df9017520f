"""The values of measures on one topic, and for which of its texts there are none.

Measures that are not defined for texts, told in one message.

What measures need besides texts: looked for before long work, and named in what is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from eval import text
from eval.tables.instances import quoted
from eval.text.declarations.base import Need
from eval.text.measures.topic import Desk, Tools, tagged_words
from eval.text.registry import Measure
from eval.text.scoring import scores
from eval.text.testbed.records import Testbed, Topic
from weps import _text, features, key_terms, language
from weps._cache import source_digest
from weps._formatting import listed
from weps._version import VERSION
from weps.errors import LanguageError, ValuesError
from weps.language.spacy_pipeline import version as language_version

__all__ = ["Fault", "Scored", "Values", "check_needs", "dependencies", "score_topic", "undefined"]

_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """A measure that is not defined for a text."""

    measure: str
    topic: str
    where: str
    """Whose text it is."""
    what: str
    remedy: str

    @property
    def of_text(self) -> tuple[str, str, str, str]:
        """What it has in common with the same fault of another measure."""
        return self.topic, self.where, self.what, self.remedy


def undefined(faults: Sequence[Fault], testbed: str, kept: Path | None) -> ValuesError:
    """One error that tells of all; what is wrong with a text is told once for all measures.

    Args:
        faults: at least one.
        testbed: its name.
        kept: where the values of the other topics are.
    """
    measures: dict[tuple[str, str, str, str], list[str]] = {}
    for fault in faults:
        measures.setdefault(fault.of_text, []).append(fault.measure)
    told = [_told(*of_text, listed(names)) for of_text, names in measures.items()]
    more = len(told) - _MOST_TOLD
    what = f"measures are not defined for all texts: {'; '.join(told[:_MOST_TOLD])}"
    remedy = "mend these texts, or leave out measures"
    return ValuesError(
        what + (f"; and {more:,} more" if more > 0 else ""),
        where=testbed,
        remedy=f"{remedy}; the values of all other topics are kept in {kept}" if kept else remedy,
    )


def _told(topic: str, where: str, what: str, remedy: str, measures: str) -> str:
    return f"topic {quoted(topic)}, {where}: {'; '.join(filter(None, (what, remedy)))} ({measures})"


_CODE = (text, features, key_terms, language, _text)
"""Modules whose change may change values."""
_DIGITS = 16
_OF_TOPICS: Mapping[Need, str] = MappingProxyType(
    {Need.SOURCES: "sources", Need.CONCEPTS: "concepts"}
)
"""Need → the field of a topic that meets it."""
_VERSIONS: Mapping[Need, Callable[[Tools], str]] = MappingProxyType(
    {
        Need.TAGS: lambda tools: language_version(tools.language),
        Need.WORDNET: lambda tools: f"sha256-{tools.words().digest[:_DIGITS]}",
        Need.NLTK: lambda _: version("nltk"),
        Need.SACREBLEU: lambda _: version("sacrebleu"),
    }
)


def check_needs(testbed: Testbed, measures: Sequence[Measure], tools: Tools) -> None:
    """Find out before long work, not in the midst of it, that something is missing.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing or does not work.
        SourceError: if WordNet is missing or malformed.
        ValuesError: if topics have no sources or key concepts.
    """
    for need, needing in _needed(measures).items():
        if need is Need.TAGS:
            tagged_words([], tools.language)
        elif need is Need.WORDNET:
            tools.words()
        elif need in _OF_TOPICS:
            _check_topics(testbed, _OF_TOPICS[need], needing)
        else:
            _check_library(need, needing)


def dependencies(measures: Sequence[Measure], tools: Tools) -> dict[str, str]:
    """All that the measures' values depend on besides the texts, in words and digests.

    Call :func:`check_needs` before.
    """
    needed = _needed(measures)
    versions = {str(need): of(tools) for need, of in _VERSIONS.items() if need in needed}
    return {"weps": VERSION, "code": source_digest(*_CODE), **versions}


def _needed(measures: Sequence[Measure]) -> dict[Need, list[str]]:
    """Need → the measures that have it."""
    needed = {need: [str(each) for each in measures if need in each.needs] for need in Need}
    return {need: needing for need, needing in needed.items() if needing}


def _check_topics(testbed: Testbed, field: str, needing: Sequence[str]) -> None:
    lacking = [topic.topic for topic in testbed.topics if not getattr(topic, field, ())]
    if lacking:
        what = f"topics have no {field}: {listed(map(quoted, lacking))}"
        remedy = f"add them, or leave out {listed(needing)}"
        raise ValuesError(what, where=testbed.name, remedy=remedy)


def _check_library(library: str, needing: Sequence[str]) -> None:
    try:
        import_module(library)
    except ImportError as error:
        what = f"{library} is not installed, which {listed(needing)} need{'s' * (len(needing) < 2)}"
        raise LanguageError(what, remedy="pip install 'weps[text]'") from error


Values: TypeAlias = tuple[tuple[float, ...], ...]
"""For each measure a value of each output."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What measures said of a topic."""

    values: Values
    """Of the measures that are defined for all its texts."""
    faults: tuple[Fault, ...]
    """Of the others."""


def score_topic(topic: Topic, measures: Sequence[str], tools: Tools) -> Scored:
    """The values of all measures; one that is not defined for a text does not stop the others.

    Args:
        topic: whose outputs are judged.
        measures: as they print, which all processes understand.
        tools: what measures need besides texts.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing.
        SourceError: if WordNet is missing.
    """
    desk = Desk(topic, tools)
    values: list[tuple[float, ...]] = []
    faults: list[Fault] = []
    for measure in map(_parsed, measures):
        try:
            values.append(tuple(scores(measure, desk).tolist()))
        except ValuesError as error:
            whose = str(error.where or "its texts")
            faults.append(Fault(str(measure), topic.topic, whose, error.what, error.remedy))
    return Scored(tuple(values), tuple(faults))


@lru_cache(1024)
def _parsed(measure: str) -> Measure:
    return Measure.parse(measure)
