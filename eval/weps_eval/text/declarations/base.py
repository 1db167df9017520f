"""The declaration of a family of measures, its parameters, and how families read and compare texts.

For texts without words see :class:`weps_eval.text.measures.overlap.Overlap`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from operator import attrgetter, methodcaller
from typing import ClassVar, TypeAlias, TypeVar

import numpy as np

from weps._expressions import Value
from weps_eval.stats.arrays import Floats
from weps_eval.text.measures.overlap import Overlap, Tokens
from weps_eval.text.measures.preprocessing import Preprocessing
from weps_eval.text.measures.topic import TopicTexts, Word
from weps_eval.text.testbed import Text


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words, the first by default."""

    words: tuple[str, ...]
    about: str

    @property
    def default(self) -> Value:
        """What it is by default."""
        return self.words[0]

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return ", ".join(self.words)

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        return value if value in self.words else None


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    about: str
    default: Value = False
    allowed: str = "true, false"

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        return value if isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds, or a word that stands for one."""

    _kind: ClassVar[type[int | float]] = float

    default: Value | None
    """None where it has no default."""
    low: int
    high: int
    about: str
    word: str = ""

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return f"{self.low} to {self.high}" + (f", {self.word}" if self.word else "")

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        if isinstance(value, str):
            return value if value and value == self.word else None
        if isinstance(value, bool) or not isinstance(value, int | self._kind):
            return None
        return self._kind(value) if self.low <= value <= self.high else None


class Whole(Number):
    """A whole number within bounds, or a word that stands for one."""

    __slots__ = ()
    _kind = int


Parameter = Choice | Switch | Number

REFERENCES = "references"
"""The parameter that every measure has: how several references are combined."""


class Need(StrEnum):
    """What a family needs besides an output and a reference."""

    TAGS = "tags"
    """A language pipeline that tags and lemmatises."""
    PARSES = "parses"
    """A language pipeline that tags, parses, and finds noun phrases and named entities."""
    WORDNET = "WordNet"
    SOURCES = "sources"
    """The source documents of the topic."""
    CONCEPTS = "concepts"
    """The key concepts of the topic."""
    NLTK = "nltk"
    SACREBLEU = "sacrebleu"


Compare: TypeAlias = Callable[..., Floats]
"""``compare(topic_texts, outputs, references, **values)``: texts none of which is empty, and a
value for each parameter of the family. More is better; shapes see :class:`Family`."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Family:
    """Measures that differ in the values of their parameters."""

    name: str
    group: str
    """What it is listed with."""
    description: str
    formula: str
    """How the value comes about, in plain text."""
    source: str
    """Paper and section."""
    compare: Compare
    """Every output with every reference alone, shape (outputs, references)."""
    together: Compare | None = None
    """Every output with all references at once, shape (outputs,), where the source defines it."""
    joined: str = ""
    """What ``references=together`` means."""
    usually: str = "mean"
    """How several references are combined by default."""
    own: Mapping[str, Parameter] = field(default_factory=dict)
    """The parameters of ``compare`` in the order in which they are printed."""
    needs: frozenset[Need] = frozenset()
    needs_when: Mapping[tuple[str, Value], Need] = field(default_factory=dict)
    """What it needs besides where a parameter has a value: ``{("stem", True): Need.NLTK}``."""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of ``compare``, and how several references are combined."""
        combined = ("mean", "maximum", "jackknife", *(("together",) if self.together else ()))
        ordered = tuple(dict.fromkeys((self.usually, *combined)))
        return {**self.own, REFERENCES: Choice(ordered, "how several references are combined")}


Texts: TypeAlias = Sequence[Text]
Made = TypeVar("Made")


def read_both(
    read: Callable[[Text], Made], outputs: Texts, references: Texts
) -> tuple[list[Made], list[Made]]:
    """Outputs and references, read alike."""
    return list(map(read, outputs)), list(map(read, references))


def each_pair(
    compare: Callable[[Made, Made], float],
    outputs: Sequence[Made],
    references: Sequence[Made],
    *,
    inverted: bool = False,
) -> Floats:
    """Every output with every reference, which change places if inverted.

    Returns:
        Shape (outputs, references).
    """
    if inverted:
        return np.transpose(each_pair(compare, references, outputs))
    return np.array([[compare(one, other) for other in references] for one in outputs], np.float64)


def compare_each(
    read: Callable[[TopicTexts, Text], Made], compare: Callable[[Made, Made], float]
) -> Compare:
    """The function of a family without parameters: texts are read, and compared two by two."""

    def compare_all(topic_texts: TopicTexts, outputs: Texts, references: Texts) -> Floats:
        return each_pair(compare, *read_both(partial(read, topic_texts), outputs, references))

    return compare_all


def plain_words(topic_texts: TopicTexts, text: Text, *, stop: bool = False) -> Tokens:
    """The words of each sentence in lower case, those of all scripts."""
    return topic_texts.tokens(text, Preprocessing(stop=stop, unicode=True))


def tagged_words(topic_texts: TopicTexts, text: Text) -> tuple[tuple[Word, ...], ...]:
    """The words of each sentence with tags and lemmas, without punctuation."""
    return tuple(tuple(word for word in each if word.lemma) for each in topic_texts.words(text))


PART_CHOICE = Choice(("f", "recall", "precision"), "which of the three is computed")
BETA_NUMBER = Number(1.0, 0, 100, "weight of recall relative to precision in f")


def overlap_parts(overlaps: Sequence[Sequence[Overlap]], part: Value, beta: Value) -> Floats:
    """Recall, precision or F of each overlap, shape (outputs, references)."""
    read = methodcaller("f", float(beta)) if part == "f" else attrgetter(str(part))
    return np.array([list(map(read, row)) for row in overlaps], dtype=np.float64)
