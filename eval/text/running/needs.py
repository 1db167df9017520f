"""What measures need besides texts: looked for before long work, and named in what is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from types import MappingProxyType

from eval.instances.wording import quoted
from eval.text.desk import Tools
from eval.text.desk.reading import tagged_words
from eval.text.measures import Measure, Need
from eval.text.testbed import Testbed
from weps.cache import source_digest
from weps.errors import LanguageError, ValuesError
from weps.language.pipeline import version as language_version
from weps.sources.messages import listed
from weps.version import VERSION

__all__ = ["check_needs", "dependencies"]

_CODE = ("eval.text", "weps.features", "weps.key_terms", "weps.language", "weps.words")
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
