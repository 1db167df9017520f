"""The declaration of a family of measures, and the parameters of measures with their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from eval.stats.arrays import Floats
from weps._expressions import Value

__all__ = [
    "REFERENCES",
    "Choice",
    "Compare",
    "Family",
    "Need",
    "Number",
    "Parameter",
    "Switch",
    "Whole",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words, the first by default."""

    words: tuple[str, ...]
    about: str

    @property
    def default(self) -> Value | None:
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
    """True or false, false by default."""

    about: str

    @property
    def default(self) -> Value | None:
        """What it is by default."""
        return False

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return "true, false"

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        return value if isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds."""

    default: Value | None
    """None where it has no default."""
    low: float
    high: float
    about: str

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return f"{self.low:g} to {self.high:g}"

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if self.low <= value <= self.high else None


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds, or a word that stands for one."""

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
        if self.word and value == self.word:
            return value
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return value if self.low <= value <= self.high else None


Parameter = Choice | Switch | Number | Whole

REFERENCES = "references"
"""The parameter that every measure has: what becomes of several references."""


class Need(StrEnum):
    """What a family needs besides an output and a reference."""

    TAGS = "tags"
    """A language pipeline that tags and lemmatises."""
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
    """What becomes of several references by default."""
    own: Mapping[str, Parameter] = field(default_factory=dict)
    """The parameters of ``compare`` in the order in which they are printed."""
    needs: frozenset[Need] = frozenset()
    needs_when: Mapping[tuple[str, Value], Need] = field(default_factory=dict)
    """What it needs besides where a parameter has a value: ``{("stem", True): Need.NLTK}``."""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of ``compare``, and what becomes of several references."""
        combined = ("mean", "maximum", "jackknife", *(("together",) if self.together else ()))
        ordered = (self.usually, *(each for each in combined if each != self.usually))
        return {**self.own, REFERENCES: Choice(ordered, "what becomes of several references")}
