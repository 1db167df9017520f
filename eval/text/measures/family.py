"""What is declared of a family of measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.measures.parameters import Choice, Parameter
from weps.expressions import Value

__all__ = ["REFERENCES", "Compare", "Family", "Need"]

Floats: TypeAlias = NDArray[np.float64]

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
"""``compare(desk, outputs, references, **values)``: texts none of which is empty, and a value for
each parameter of the family. More is better; shapes see :class:`Family`."""


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
    """Every output with all references at once, shape (outputs,), where the source says how."""
    joined: str = ""
    """What ``references=together`` means."""
    usually: str = "mean"
    """What becomes of several references unless told otherwise."""
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
