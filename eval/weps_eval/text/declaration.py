"""Measures declared: a function that compares two texts, under a name, with parameters.

The function is given what ``read`` makes of each text, the text in one piece by default, and
returns a number or an :class:`Overlap`::

    @measure("style", "equally long", formula="1 if both have as many characters", source="our own")
    def same_length(output, reference):
        return float(len(output) == len(reference))

From then on it is a measure by its name, here ``same_length``; see :mod:`weps_eval.text.registry`.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from importlib import import_module
from itertools import chain
from operator import add
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np

from weps._expressions import Value
from weps.errors import FeatureError
from weps_eval.stats.arrays import Floats
from weps_eval.text.testbed import Text, whole_text
from weps_eval.text.topic import Tokens, TopicTexts, words_of


@dataclass(frozen=True, slots=True)
class Overlap:
    """Units (n-grams, tokens, skip-bigrams) shared by two texts, with the totals of both.

    Nothing is divided by zero: a text without units scores 0 against one that has some, and 1
    against another without any, as two empty texts are the same. Measures that look at units longer
    than a word fall back on :func:`or_wholes`, so that two different short texts do not score 1.
    """

    matches: float
    """Numerator of precision and recall."""
    output: float
    """Denominator of precision."""
    reference: float
    """Denominator of recall."""
    power: float = 1.0
    """Power to which they are raised where several are added, the sum being its root."""

    @property
    def precision(self) -> float:
        """The share of the output that is in the reference, in [0, 1]."""
        return self.matches / self.output if self.output else float(not self.reference)

    @property
    def recall(self) -> float:
        """The share of the reference that is in the output, in [0, 1]."""
        return self.matches / self.reference if self.reference else float(not self.output)

    def f(self, beta: float = 1.0) -> float:
        """F_β: recall counts β times as much as precision (van Rijsbergen 1979, chapter 7).

        0 is precision and infinity recall, except that F is 0 wherever nothing is shared. What
        ROUGE-1.5.5 calls α is 1 / (1 + β²).
        """
        precision, recall = self.precision, self.recall
        alpha = 1 / (1 + beta**2)
        weighted = alpha * recall + (1 - alpha) * precision
        return precision * recall / weighted if weighted else 0.0

    @property
    def jaccard(self) -> float:
        """The shared units relative to those of either text, each once, in [0, 1]."""
        either = self.output + self.reference - self.matches
        return self.matches / either if either else 1.0

    def swapped(self) -> Overlap:
        """The overlap of the reference with the output."""
        return Overlap(self.matches, self.reference, self.output, self.power)

    def __add__(self, other: Overlap) -> Overlap:
        totals = self.output + other.output, self.reference + other.reference
        return Overlap(self.matches + other.matches, *totals)


def clipped_matches(output: Counter[Hashable], reference: Counter[Hashable]) -> Overlap:
    """The overlap of two multisets: every unit matches as often as it is on both sides."""
    matches = sum(min(output[unit], reference[unit]) for unit in output.keys() & reference.keys())
    return Overlap(matches, output.total(), reference.total())


def or_wholes(
    overlap: Overlap, output: Tokens, reference: Tokens, *, official: bool = False
) -> Overlap:
    """The overlap; where neither text has a unit, each text is one, shared if they are the same.

    Two words have no trigram, whether or not they are the same two. If ``official``, as in
    ROUGE-1.5.5, they share nothing.
    """
    if overlap.output or overlap.reference:
        return overlap
    same = not official and words_of(output) == words_of(reference)
    return Overlap(float(same), 1.0, 1.0)


def pooled_overlap(overlaps: Sequence[Overlap]) -> Overlap:
    """The references of one output as one: all matches over all totals, as in ROUGE-1.5.5."""
    power = max(each.power for each in overlaps)
    if power == 1:
        return reduce(add, overlaps)
    parts = zip(*((each.matches, each.output, each.reference) for each in overlaps), strict=True)
    return Overlap(*(sum(x**power for x in part) ** (1 / power) for part in parts))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words, the first by default."""

    words: tuple[str, ...]
    about: str

    @property
    def default(self) -> Value:
        """The first word."""
        return self.words[0]

    @property
    def allowed(self) -> str:
        """The words, for messages."""
        return ", ".join(self.words)

    def read(self, value: Value) -> Value | None:
        """The value in its stored form, None if it is not allowed."""
        return value if value in self.words else None


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    about: str
    default: Value = False
    allowed: str = "true, false"

    def read(self, value: Value) -> Value | None:
        """The value in its stored form, None if it is not allowed."""
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
        """The bounds and the word, for messages."""
        return f"{self.low} to {self.high}" + (f", {self.word}" if self.word else "")

    def read(self, value: Value) -> Value | None:
        """The value in its stored form, None if it is not allowed."""
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
PART = Choice(("f", "recall", "precision"), "which of the three is computed")
BETA = Number(1.0, 0, 100, "weight of recall relative to precision in f")


class Need(StrEnum):
    """A resource that a measure needs besides an output and a reference."""

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


Texts: TypeAlias = Sequence[Text]
Compare: TypeAlias = Callable[..., Floats]
"""``compare(topic_texts, outputs, references, **values)``: texts none of which is empty, and a
value for each parameter of the family. More is better; shapes see :class:`Family`."""
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Family:
    """Measures that differ in the values of their parameters."""

    name: str
    group: str
    """Heading under which it is listed."""
    description: str
    formula: str
    """Derivation of the value, in plain text."""
    source: str
    """Paper and section."""
    compare: Compare
    """Every output with every reference alone, shape (outputs, references)."""
    together: Compare | None = None
    """Every output with all references at once, shape (outputs,), where the source defines it."""
    joined: str = ""
    """Meaning of ``references=together``."""
    usually: str = "mean"
    """Default way of combining several references."""
    own: Mapping[str, Parameter] = field(default_factory=dict)
    """The parameters of ``compare`` in the order in which they are printed."""
    needs: frozenset[Need] = frozenset()
    needs_when: Mapping[tuple[str, Value], Need] = field(default_factory=dict)
    """Further needs by the value of a parameter: ``{("stem", True): Need.NLTK}``."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other name → the parameters that it stands for: ``{"rouge{}": "n={}"}``."""
    module: str = ""
    """The module that declares it."""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of ``compare``, and how several references are combined."""
        combined = ("mean", "maximum", "jackknife", *(("together",) if self.together else ()))
        ordered = tuple(dict.fromkeys((self.usually, *combined)))
        return {**self.own, REFERENCES: Choice(ordered, "how several references are combined")}


FAMILIES: dict[str, Family] = {}
"""The families declared so far, by name."""
_PACKAGE = f"{__package__}.measures."
MODULES = tuple(
    f"{_PACKAGE}{name}"
    for name in (
        *("words", "rouge", "kernels", "synthesis", "perplexity"),
        *("linguistic", "senses", "translation"),
    )
)
"""The modules that declare the measures of weps."""
_GROUPS = (
    *("word overlap", "ROUGE", "kernel", "information synthesis", "style"),
    *("linguistic", "word senses", "translation"),
)


def measure_families() -> dict[str, Family]:
    """All families by name, in the order in which they are listed, whatever was imported first."""
    for module in MODULES:
        import_module(module)
    groups = (*_GROUPS, *(family.group for family in FAMILIES.values()))
    ordered = sorted(FAMILIES.values(), key=lambda family: groups.index(family.group))
    return {family.name: family for family in ordered}


def measure(  # noqa: PLR0913 - a declaration states every fact about a family
    group: str,
    description: str,
    *,
    formula: str,
    source: str,
    name: str = "",
    read: Callable[..., Any] | None = lambda _, text: whole_text(text),
    together: Compare | None = None,
    joined: str = "",
    usually: str = "mean",
    needs: Iterable[Need] = (),
    needs_when: Mapping[tuple[str, Value], Need] | None = None,
    aliases: Mapping[str, str] | None = None,
    **own: Parameter,
) -> Callable[[Function], Function]:
    """Declare a family of measures by the function that computes it.

    The function is given an output and a reference, both as ``read`` makes them of a text, and the
    parameters that it names; so is ``read``. One with ``*references`` may be given several, which
    are then compared ``together``. One that returns an overlap has parameters ``part`` and
    ``beta`` without naming them, and its references are pooled ``together``. ``inverted`` swaps
    output and reference of those that do not name it.

    Args:
        group: heading under which it is listed.
        description: one line.
        formula: derivation of the value, in plain text.
        source: paper and section.
        name: its name, empty for that of the function.
        read: ``read(topic_texts, text)``, by default the text in one piece; None for a function
            that makes a whole table itself, see :data:`Compare`.
        together: for a function that makes a table, another one for ``references=together``.
        joined: meaning of ``references=together``, empty where that is not defined.
        usually: default way of combining several references.
        needs: resources that it needs besides an output and a reference.
        needs_when: further needs by the value of a parameter.
        aliases: other names, in which ``{}`` stands for a number, and their parameters.
        own: the parameters, in the order in which they are printed.

    Raises:
        FeatureError: if weps has a measure of this name.
    """

    def declare(function: Function) -> Function:
        called = name or function.__name__
        if not function.__module__.startswith(_PACKAGE):
            known = measure_families().get(called)
            if known and known.module.startswith(_PACKAGE):
                raise FeatureError(f"weps has a measure {called!r}", remedy="rename yours")
        compare: Compare = function
        joining = together
        if read is not None:
            tables = _Tables(function, read)
            compare, joining = tables.compare, tables.together
        FAMILIES[called] = Family(
            name=called,
            group=group,
            description=description,
            formula=formula,
            source=source,
            compare=compare,
            together=joining if joined else None,
            joined=joined,
            usually=usually,
            own=own,
            needs=frozenset(needs),
            needs_when=needs_when or {},
            aliases=aliases or {},
            module=function.__module__,
        )
        return function

    return declare


class _Tables:
    """The tables that a function makes which compares texts as they are read."""

    def __init__(self, function: Callable[..., Any], read: Callable[..., Any]) -> None:
        self._function, self._read = function, read
        self._reading = inspect.signature(read).parameters.keys()
        self._comparing = inspect.signature(function).parameters
        kinds = {argument.kind for argument in self._comparing.values()}
        self._several = inspect.Parameter.VAR_POSITIONAL in kinds

    def compare(
        self, topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
    ) -> Floats:
        """Every output with every reference alone, shape (outputs, references)."""
        return _numbers(self._pairs(topic_texts, outputs, references, values), **values)

    def together(
        self, topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
    ) -> Floats:
        """Every output with all references at once, shape (outputs,)."""
        if self._several:
            joined = self._results(topic_texts, outputs, [tuple(references)], values)
        else:
            pairs = self._pairs(topic_texts, outputs, references, values)
            joined = [[pooled_overlap(row)] for row in pairs]
        return _numbers(joined, **values)[:, 0]

    def _pairs(
        self,
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        values: Mapping[str, Value],
    ) -> list[list[Any]]:
        if not values.get("inverted"):
            return self._results(topic_texts, outputs, [(each,) for each in references], values)
        turned = self._results(topic_texts, references, [(each,) for each in outputs], values)
        return [
            [each.swapped() if isinstance(each, Overlap) else each for each in row]
            for row in zip(*turned, strict=True)
        ]

    def _results(
        self,
        topic_texts: TopicTexts,
        outputs: Texts,
        groups: Sequence[tuple[Text, ...]],
        values: Mapping[str, Value],
    ) -> list[list[Any]]:
        """What the function returns for each output and each group of references."""
        reading = {name: value for name, value in values.items() if name in self._reading}
        comparing = {name: value for name, value in values.items() if name in self._comparing}

        def compare_all() -> list[list[Any]]:
            read = dict[Text, Any]()
            for text in dict.fromkeys((*outputs, *chain.from_iterable(groups))):
                with topic_texts.locating(text):
                    read[text] = self._read(topic_texts, text, **reading)
            table: list[list[Any]] = []
            for output in outputs:
                table.append(row := [])
                for group in groups:
                    with topic_texts.locating(output, *group):
                        texts = (read[text] for text in (output, *group))
                        row.append(self._function(*texts, **comparing))
            return table

        key = (self, *reading.items(), *comparing.items(), tuple(outputs), tuple(groups))
        return topic_texts.cached(key, compare_all)


def _numbers(
    results: Sequence[Sequence[Any]], part: Value = "f", beta: Value = 1.0, **_: Value
) -> Floats:
    """The results, or the parts of overlaps."""

    def number(result: Any) -> float:
        if not isinstance(result, Overlap):
            return float(result)
        return result.f(float(beta)) if part == "f" else float(getattr(result, str(part)))

    return np.array([[number(result) for result in row] for row in results], np.float64)


def each_pair(
    compare: Callable[[Any, Any], float], outputs: Iterable[Any], references: Iterable[Any]
) -> Floats:
    """Every output compared with every reference, shape (outputs, references)."""
    others = list(references)
    return np.array([[compare(one, other) for other in others] for one in outputs], np.float64)
