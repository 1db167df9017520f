"""A testbed: topics, each with references, the outputs of systems, and what people thought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from eval.instances.wording import quoted
from eval.text.testbed.checks import header_faults, topic_faults
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = ["FORMAT", "KIND", "Output", "Reference", "Testbed", "Text", "Topic", "whole"]

KIND = "weps testbed"
FORMAT = 1
"""Version of the file format; a reader refuses every other."""

Text = str | tuple[str, ...]
"""A text whose sentences are still to be found, or its sentences as somebody has split them."""


def whole(text: Text) -> str:
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
    """Criterion → finite score; a criterion by which nobody judged is not there."""


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
    """The documents that were summed up or translated, if they are told."""
    concepts: tuple[str, ...] = ()
    """The key concepts that people found in it, of one or more words each, if they are told."""

    def __post_init__(self) -> None:
        _refuse(topic_faults(self.as_data()), f"topic {quoted(str(self.topic))}")

    def as_data(self) -> dict[str, Any]:
        """The topic as JSON holds it; sources, concepts and human scores only if there are any."""
        told = {"sources": list(map(_plain, self.sources)), "concepts": list(self.concepts)}
        return {
            "topic": self.topic,
            "references": [{"id": each.id, "text": _plain(each.text)} for each in self.references],
            "outputs": list(map(_output_data, self.outputs)),
            **{field: texts for field, texts in told.items() if texts},
        }

    @classmethod
    def from_data(cls, data: Any) -> Topic:
        """The topic that JSON holds.

        Raises:
            ValuesError: if it holds none, or a faulty one; one message tells all faults.
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
        twice = [quoted(topic) for topic, count in times.items() if count > 1]
        if twice:
            raise ValuesError(f"topics occur twice: {listed(twice)}", remedy="rename one of each")

    def header(self) -> dict[str, Any]:
        """The first line of a file, as JSON holds it."""
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
            if not whole(each.text).strip()
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
    if told := "; ".join(faults):
        raise ValuesError(told, where=where)
