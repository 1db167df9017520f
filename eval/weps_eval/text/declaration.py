"""Measures: functions that compare two texts, declared under a name, with parameters, and in sets.

The function is given what ``read`` makes of each text, the text in one piece by default, and
returns a number or an :class:`Overlap`::

    @measure("style", "equally long", formula="1 if both have as many characters", source="our own")
    def same_length(output, reference):
        return float(len(output) == len(reference))

From then on ``same_length`` is a family of measures. So is what a list of measures names as
``mine.py:same_length``, or by the entry point of a package; names in data load nothing. A measure
prints and parses as ``rouge(n=2, part=recall, stem=true)``.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TypeAlias, TypeVar

import numpy as np

from weps._expressions import Expression, Value, parse_expression, split_items
from weps._formatting import quote_text
from weps.errors import FeatureError, InputTypeError, own_code
from weps_eval.stats import Floats
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
        return _weighted_mean(self.precision, self.recall, beta)

    def as_printed(self, part: str, beta: float = 1.0) -> float:
        """Precision, recall or F as ROUGE-1.5.5 prints them, F being computed of printed ones."""
        precision, recall = (round(each, _PRINTED) for each in (self.precision, self.recall))
        parts = {"precision": precision, "recall": recall}
        return parts.get(part, round(_weighted_mean(precision, recall, beta), _PRINTED))

    @property
    def jaccard(self) -> float:
        """The shared units relative to those of either text, each once, in [0, 1]."""
        either = self.output + self.reference - self.matches
        return self.matches / either if either else 1.0


_PRINTED = 5
"""Digits of ROUGE-1.5.5."""


def _weighted_mean(precision: float, recall: float, beta: float) -> float:
    alpha = 1 / (1 + beta**2)
    weighted = alpha * recall + (1 - alpha) * precision
    return precision * recall / weighted if weighted else 0.0


def clipped_matches(output: Counter[Hashable], reference: Counter[Hashable]) -> Overlap:
    """The overlap of two multisets: every unit matches as often as it is on both sides."""
    return Overlap((output & reference).total(), output.total(), reference.total())


def or_wholes(
    overlap: Overlap, output: Tokens, reference: Tokens, *, official: bool = False
) -> Overlap:
    """The overlap; where neither text has a unit, each text is one, shared if they are the same.

    Two words have no trigram, whether or not they are the same two. If ``official``, as in
    ROUGE-1.5.5, they share nothing.
    """
    if overlap.output or overlap.reference:
        return overlap
    return Overlap(float(not official and words_of(output) == words_of(reference)), 1.0, 1.0)


def pooled_overlap(overlaps: Sequence[Overlap]) -> Overlap:
    """The references of one output as one: all matches over all totals, as in ROUGE-1.5.5."""
    power = max(each.power for each in overlaps)
    parts = zip(*((each.matches, each.output, each.reference) for each in overlaps), strict=True)
    return Overlap(*(sum(x**power for x in part) ** (1 / power) for part in parts))


@dataclass(frozen=True, slots=True)
class Parameter:
    """The allowed values of a parameter: words, numbers within bounds, or both."""

    about: str
    default: Value | None
    """None where it has no default."""
    words: tuple[str | bool, ...] = ()
    number: type[int] | type[float] | None = None
    """The type of numbers, None if only words are allowed."""
    low: int = 0
    high: int = 0

    @property
    def allowed(self) -> str:
        """The bounds and the words, for messages."""
        words = (word if isinstance(word, str) else str(word).lower() for word in self.words)
        return ", ".join([*([f"{self.low} to {self.high}"] if self.number else []), *words])

    def read(self, value: Value) -> Value | None:
        """The value in its stored form, None if it is not allowed."""
        if isinstance(value, str | bool):
            return value if value in self.words else None
        if self.number is None or not isinstance(value, int | self.number):
            return None
        return self.number(value) if self.low <= value <= self.high else None


def one_of(words: tuple[str, ...], about: str) -> Parameter:
    """One of some words, the first by default."""
    return Parameter(about, words[0], words)


def true_or_false(about: str, *, default: bool = False) -> Parameter:
    """True or false."""
    return Parameter(about, default, (True, False))


def real_number(default: Value | None, low: int, high: int, about: str) -> Parameter:
    """A number within bounds."""
    return Parameter(about, default, (), float, low, high)


def whole_number(default: Value | None, low: int, high: int, about: str, *words: str) -> Parameter:
    """A whole number within bounds, or a word that stands for one."""
    return Parameter(about, default, words, int, low, high)


REFERENCES = "references"
"""The parameter that every measure has: how several references are combined."""
PART = one_of(("f", "recall", "precision"), "which of the three is computed")
BETA = real_number(1.0, 0, 100, "weight of recall relative to precision in f")


class Need(StrEnum):
    """A resource that a measure needs besides an output and a reference."""

    TAGS = "tags"
    """A language pipeline that tags and lemmatises."""
    PARSES = "parses"
    """A language pipeline that tags, parses, and finds noun phrases and named entities."""
    WORDNET = "WordNet"
    VECTORS = "vectors"
    """A file of vectors of words."""
    SOURCES = "sources"
    """The source documents of the topic."""
    CONCEPTS = "concepts"
    """The key concepts of the topic."""
    NLTK = "nltk"
    SACREBLEU = "sacrebleu"


Texts: TypeAlias = Sequence[Text]
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
    function: Callable[..., Any]
    """It compares two texts as they are read, or makes a whole table, see ``read``."""
    read: Callable[..., Any] | None = None
    """``read(topic_texts, text)``; None for a function that is a :data:`Compare`."""
    joined: str = ""
    """Meaning of ``references=together``, empty where that is not defined."""
    usually: str = "mean"
    """Default way of combining several references."""
    own: Mapping[str, Parameter] = field(default_factory=dict)
    """The parameters of the function in the order in which they are printed."""
    needs: frozenset[Need] = frozenset()
    needs_when: Mapping[tuple[str, Value], Need] = field(default_factory=dict)
    """Further needs by the value of a parameter: ``{("stem", True): Need.NLTK}``."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other name → the parameters that it stands for: ``{"rouge{}": "n={}"}``."""
    origin: str = ""
    """Text that loads the family in any process; empty for those that modules declare."""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of the function, and how several references are combined."""
        ways = (self.usually, "mean", "maximum", "jackknife", *(["together"] * bool(self.joined)))
        combined = one_of(tuple(dict.fromkeys(ways)), "how several references are combined")
        return {**self.own, REFERENCES: combined}

    def compare(
        self,
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        *,
        together: bool = False,
        **values: Value,
    ) -> Floats:
        """Every output with every reference alone, or ``together`` with all at once.

        Returns:
            Shape (outputs, references); (outputs, 1) if ``together``.
        """
        if self.read is None:
            how = {"together": True} if together else {}
            with own_code(self.function):
                table = self.function(topic_texts, outputs, references, **how, **values)
                expected = len(outputs), 1 if together else len(references)
                if (found := np.shape(table)) != expected:
                    raise ValueError(f"returned values of shape {found}, expected {expected}")
            return np.asarray(table)
        arguments = inspect.signature(self.function).parameters.values()
        at_once = together and any(each.kind is each.VAR_POSITIONAL for each in arguments)
        groups = [tuple(references)] if at_once else [(each,) for each in references]
        results = self._results(topic_texts, outputs, groups, values)
        if together and not at_once:
            results = [[pooled_overlap(row)] for row in results]
        return _numbers(results, **values)

    def _results(
        self,
        topic_texts: TopicTexts,
        outputs: Texts,
        groups: Sequence[tuple[Text, ...]],
        values: Mapping[str, Value],
    ) -> list[list[Any]]:
        """What the function returns for each output and each group of references."""
        assert self.read  # noqa: S101 - others make tables themselves
        read, inverted = self.read, values.get("inverted", False)
        reading, comparing = (
            {name: values[name] for name in inspect.signature(each).parameters if name in values}
            for each in (read, self.function)
        )
        key = (self, inverted, *reading.items(), *comparing.items())

        def read_text(text: Text) -> Any:
            question = (read, *reading.items(), text)
            with topic_texts.locating(text), own_code(read):
                return topic_texts.cached(question, lambda: read(topic_texts, text, **reading))

        def compare(*texts: Text) -> Any:
            compared = list(map(read_text, texts))
            with topic_texts.locating(*texts), own_code(self.function):
                found = self.function(*(compared[::-1] if inverted else compared), **comparing)
                found = found if isinstance(found, Overlap) else float(found)
            if inverted and isinstance(found, Overlap):
                return replace(found, output=found.reference, reference=found.output)
            return found

        return [
            [
                topic_texts.cached((*key, output, *group), partial(compare, output, *group))
                for group in groups
            ]
            for output in outputs
        ]


def _numbers(
    results: Sequence[Sequence[Any]],
    part: Value = "f",
    beta: Value = 1.0,
    official: Value = False,
    **_: Value,
) -> Floats:
    """The results, or the parts of overlaps."""

    def number_of(result: Any) -> float:
        if not isinstance(result, Overlap):
            return float(result)
        if official:
            return result.as_printed(str(part), float(beta))
        return result.f(float(beta)) if part == "f" else float(getattr(result, str(part)))

    return np.array([[number_of(result) for result in row] for row in results], np.float64)


FAMILIES: dict[str, Family] = {}
"""The families declared so far, by name."""
_PACKAGE = f"{__package__}.measures."
_FIRST = ("rouge", "kernels", "synthesis", "senses", "linguistic", "translation")
"""Modules that come first, since most ask for them and they load fastest; then the others."""
_FOUND = sorted(each.name for each in iter_modules([str(Path(__file__).with_name("measures"))]))
MODULES = tuple(f"{_PACKAGE}{name}" for name in dict.fromkeys((*_FIRST, *_FOUND)))
"""The modules that declare the measures of weps: all of the package, and no other."""
_GROUPS = (
    *("word overlap", "ROUGE", "kernel", "information synthesis", "style"),
    *("linguistic", "word senses", "translation"),
)


def measure_families() -> dict[str, Family]:
    """All families by name, in the order in which they are listed, whatever was imported first."""
    for module in MODULES:
        import_module(module)
    groups = (*_GROUPS, *(family.group for family in FAMILIES.values()))
    return dict(sorted(FAMILIES.items(), key=lambda item: groups.index(item[1].group)))


def measure(  # noqa: PLR0913 - a declaration states every fact about a family
    group: str,
    description: str,
    *,
    formula: str,
    source: str,
    name: str = "",
    read: Callable[..., Any] | None = lambda _, text: whole_text(text),
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
            if known and known.function.__module__.startswith(_PACKAGE):
                raise FeatureError(f"weps has a measure {called!r}", remedy="rename yours")
        FAMILIES[called] = Family(
            name=called,
            group=group,
            description=description,
            formula=formula,
            source=source,
            function=function,
            read=read,
            joined=joined,
            usually=usually,
            own=own,
            needs=frozenset(needs),
            needs_when=needs_when or {},
            aliases=aliases or {},
        )
        return function

    return declare


_WRITTEN = re.compile(r"\s*([^(]*?)\s*(?:\((.*)\))?\s*", re.DOTALL)
"""Name and parameters of a measure."""


def _folded(name: str) -> str:
    """The name without what does not matter in it: case, hyphens, underscores."""
    return re.sub("[-_ ]", "", name).lower()


def _find_family(name: str) -> tuple[Family, str] | None:
    """The family of a name or an alias, and the parameters that an alias stands for.

    Modules of measures are imported until one declares it.
    """
    for module in (__name__, *MODULES):
        import_module(module)
        if name in FAMILIES:
            return FAMILIES[name], ""
        for family in FAMILIES.values():
            for alias, parameters in {family.name: "", **family.aliases}.items():
                pattern = re.escape(_folded(alias)).replace(r"\{\}", r"(\d+(?:\.\d+)?)")
                if match := re.fullmatch(pattern, _folded(name)):
                    return family, parameters.format(*match.groups())
    return None


def _load_family(text: str) -> str:
    """Load what ``FILE.py:FUNCTION`` or an entry point has, and declare it unless it is.

    Returns:
        The name of the family; any other text as it is.
    """
    from weps.features.registry import (  # noqa: PLC0415 - loads all features; few are plug-ins
        load_object,
        plugin_origin,
        plugins_installed,
    )

    if ".py:" not in text and text not in {each.name for each in plugins_installed()}:
        return text
    origin, name = plugin_origin(text)
    function = load_object(origin)
    if not any(each.function is function for each in FAMILIES.values()):
        measure(
            "own",
            (inspect.getdoc(function) or name.replace("_", " ")).splitlines()[0],
            formula="see its source",
            source=Path(origin).name,
            name=name,
        )(function)
    family = next(each for each in FAMILIES.values() if each.function is function)
    FAMILIES[family.name] = replace(family, origin=origin)
    return family.name


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """A family with a value for each of its parameters.

    Example:
        >>> Measure.parse("ROUGE-2")
        rouge(n=2)
    """

    family: Family
    values: tuple[tuple[str, Value], ...]
    """In the order of the family's parameters."""

    @classmethod
    def parse(cls, text: str, origin: str = "") -> Measure:
        """The measure of a name or an alias (``ROUGE-2``), with parameters in any order.

        Args:
            text: the measure as it is written.
            origin: of its family, which is loaded, see :attr:`Family.origin`.

        Raises:
            FeatureError: if there is none, a parameter is missing, unknown or out of bounds.
        """
        if origin:
            _load_family(origin)
        if not (written := _WRITTEN.fullmatch(text)) or not (found := _find_family(written[1])):
            name = written[1] if written else _parse(text).name
            known = dict.fromkeys([*MEASURE_SETS, *measure_families()])
            near = get_close_matches(name.lower(), known, n=4, cutoff=0.4)
            raise FeatureError(
                f"there is neither a measure nor a set {quote_text(name)}",
                remedy=f"did you mean {' or '.join(near)}?"
                if near
                else f"sets are: {', '.join(MEASURE_SETS)}",
            )
        family, implied = found
        given = ", ".join(filter(None, (implied, (written[2] or "").strip())))
        expression = _parse(f"{family.name}({given})" if given else family.name)
        named = {*map(str, expression.arguments), *dict(expression.parameters)}
        if unknown := named - family.parameters.keys():
            raise FeatureError(
                f"{family.name} has no parameter {min(unknown)!r}",
                remedy=f"it has {', '.join(family.parameters)}",
            )
        values: dict[str, Value] = {}
        for name, parameter in family.parameters.items():
            asked = dict(expression.parameters).get(name, parameter.default)
            value = None if asked is None else parameter.read(asked)
            if value is None:
                raise FeatureError(
                    f"{family.name} needs {name}" if asked is None else f"{name} cannot be {asked}",
                    where=family.name,
                    remedy=f"{name}: {parameter.about} ({parameter.allowed})",
                )
            values[name] = value
        return cls(family, tuple(values.items()))

    @property
    def needs(self) -> frozenset[Need]:
        """The needs of the family whatever its parameters are, and those of these values."""
        when = self.family.needs_when
        needed = self.family.needs | {when[value] for value in self.values if value in when}
        return needed - {Need.NLTK} if ("official", True) in self.values else needed

    def __str__(self) -> str:
        """The name: parameters without a default, and those that are not as usual."""
        parameters = self.family.parameters
        kept = ((name, value) for name, value in self.values if value != parameters[name].default)
        return str(Expression(self.family.name, (), tuple(kept)))

    __repr__ = __str__

    def __reduce__(self) -> tuple[Callable[[str, str], Measure], tuple[str, str]]:
        """Measures travel between processes by name: functions of families need not."""
        return Measure.parse, (str(self), self.family.origin)


def _parse(text: str) -> Expression:
    try:
        return parse_expression(text)
    except FeatureError as error:
        raise FeatureError(error.what, remedy="write it like rouge(n=2, part=recall)") from None


@dataclass(frozen=True, slots=True)
class MeasureSet:
    """Measures under one name."""

    name: str
    description: str
    listed: str
    """The measures as they are written."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, each once."""
        return measures_of(self.listed)


_SEVERAL_VALUES = re.compile(r"[^=|,()]*(?:\|[^=|,()]*)+")


Measures: TypeAlias = str | Measure | Iterable[str | Measure]
"""Measures as they are written, one or several."""


def measures_of(written: Measures) -> tuple[Measure, ...]:
    """The measures of a comma-separated list of measures and names of sets, each once.

    A parameter may have several values, ``esk(length=2|3, decay=0.3|0.5)``, which is all measures
    that have one of each.

    Args:
        written: the list, a measure, or several of these.

    Raises:
        FeatureError: if there is none, or no measure or set of a name.
        InputTypeError: if they are something else.
    """
    named = dict[Measure, None]()
    is_alone = isinstance(written, str) or not isinstance(written, Iterable)
    given: Any = [written] if is_alone else written
    for each in given:
        if not isinstance(each, str | Measure):
            raise InputTypeError(
                f"expected measures as they are written, got {type(each).__name__}",
                remedy="write 'rouge1', or 'FILE.py:FUNCTION' for a function of your own",
            )
        named |= dict.fromkeys([each] if isinstance(each, Measure) else _listed(each))
    if not named:
        raise FeatureError(
            "no measure is named", remedy=f"name measures, or a set: {', '.join(MEASURE_SETS)}"
        )
    return tuple(named)


def _listed(text: str) -> Iterator[Measure]:
    """The measures of a list."""
    for item in split_items(text):
        name, parenthesis, rest = item.partition("(")
        chosen = MEASURE_SETS.get(_folded(name))
        if chosen and not parenthesis:
            yield from chosen.measures
            continue
        known = _find_family(name)
        if chosen and not known:
            raise FeatureError(
                f"the set {chosen.name} has no parameters", remedy=f"write {chosen.name} alone"
            )
        if not known:
            name = _load_family(name)
        template = name + _SEVERAL_VALUES.sub("{}", parenthesis + rest)
        values = (written.split("|") for written in _SEVERAL_VALUES.findall(rest))
        yield from (Measure.parse(template.format(*single)) for single in product(*values))


_SIMILAR = "rouge(n=1, official=true, part=recall, stop=true, stem=true)"
_DUC2004 = (
    *(f"rouge(n={n}, official=true, part={{part}}{{options}})" for n in (1, 2, 3, 4)),
    "rouge_l(official=true, part={part}{inverted}{options})",
    "rouge_w(official=true, part={part}{inverted}{options})",
    "rouge_s(official=true, part={part}{options})",
    "rouge_su(official=true, part={part}{options})",
)
_LEXICAL = (
    "bleu, nist, ter, wer, per, gtm(exponent=1), gtm, meteor, rouge(n=1|2|3|4, part=recall), "
    "rouge_l(part=recall)"
)
_LINGUISTIC = (
    "hwcm(of=form|tag|relation), dp_o(by=relation|head|level), sp_o(by=chunk|tag), cp_o, cp_stm, "
    "sr_o, sr_o(of=match), sr_o(of=roles, verb=true), ne_o, ne_o(by=all), ne_m, be"
)
_OPTIONS = ("", ", stop=true", ", stop=true, stem=true")
"""The options a, b and c of the DUC 2004 paper."""

_SETS = (
    (
        "usual",
        "measures that need only weps and texts in Latin letters",
        "rouge(n=1|2), rouge_l, rouge_su(skip=4), wsk, overlap",
    ),
    (
        "rouge",
        "ROUGE-1 to -4, -L, -W, -S and -SU with skips of 4, 9 and any number, as by ROUGE-1.5.5",
        "rouge(n=1|2|3|4, official=true), rouge_l(official=true), rouge_w(official=true), "
        "rouge_s(official=true, skip=4|9|any), rouge_su(official=true, skip=4|9|any)",
    ),
    (
        "iscorpus",
        "the metrics of An empirical study of information synthesis tasks (2004), section 3.2",
        f"docsim, sentencesim(part=recall|precision), perplexity, {_SIMILAR}, nicos",
    ),
    (
        "qarla",
        "the metrics of QARLA (ACL 2005), section 4, that need neither sources nor key concepts",
        f"{_SIMILAR}, sentencesim(part=recall|precision), vectmodel, tvm(n=1|8|64|512)",
    ),
    (
        "duc2004",
        "the 59 metrics of Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1, "
        "but with terms of the reference in tvm, since few testbeds have the documents",
        ", ".join(
            [
                measure.format(part=part, inverted=inverted, options=options)
                for part, inverted in (("recall", ""), ("precision", ", inverted=true"))
                for measure in _DUC2004
                for options in _OPTIONS
            ]
            + ["tvm(n=1|4|8|16|32|64|128|256|512)", "avls", "gramsim"]
        ),
    ),
    (
        "kernels",
        "ESK and measures compared with it (Hirao, Okumura and Isozaki 2005, section 4)",
        ", ".join(
            [
                *(f"{kernel}(length=2|3|4, beta=1|2|3|10)" for kernel in ("wsk", "esk")),
                *(f"{kernel}(length=2|3|4, part=recall)" for kernel in ("wsk", "esk")),
                "esk(decay=0.1|0.3|0.7|0.9|1, beta=1|2|3|10)",
                "rouge(n=1|2|3|4, stop=false|true), rouge_l(stop=false|true)",
                "rouge_w(stop=false|true), rouge_s(skip=4|9|any, stop=false|true)",
                "rouge_su(skip=4|9|any, stop=false|true)",
            ]
        ),
    ),
    (
        "summaries",
        "the 21 measures of Corroborating text evaluation results (2011), section 4.2",
        ", ".join(
            f"rouge(n=1|2|3|4, official=true, part={part}), rouge_l(official=true, part={part}), "
            f"rouge_w(official=true, part={part}), rouge_su(official=true, part={part})"
            for part in ("recall", "precision", "f")
        ),
    ),
    (
        "senses",
        "GROUGE and the ROUGE that it extends (ShafieiBavani et al. 2017)",
        "grouge(n=1|2, beta=0|0.25|0.5|0.75|1), grouge(n=2, skip=4, beta=0|0.25|0.5|0.75|1), "
        "rouge(n=1|2, official=true, part=recall, references=together, stem=true), "
        "rouge_su(skip=4, official=true, part=recall, references=together, stem=true)",
    ),
    (
        "linguistic",
        "syntax, roles and named entities; constituents are projected from heads, and roles read "
        "off relations to verbs; of the families of ACL 2009, discourse (DR) is missing",
        _LINGUISTIC,
    ),
    (
        "acl2009",
        "measures of words and linguistic ones, as in The contribution of linguistic features to "
        "automatic machine translation evaluation (ACL 2009), section 3.1, which does not list its "
        "64; projected and missing are what they are in linguistic",
        f"{_LEXICAL}, {_LINGUISTIC}",
    ),
    (
        "emnlp2011",
        "the same with overlap (Ol), as in Corroborating text evaluation results (2011), section "
        "4.2; of the measures named there, CP-STM is projected, SR-Or read off, and DR-Or missing",
        f"overlap, {_LEXICAL}, {_LINGUISTIC}",
    ),
    (
        "translation",
        "measures of machine translation, most of them by sacrebleu and nltk; ter takes .2 s for "
        "two texts of 60 words",
        "bleu, nist, ter, wer, per, gtm(exponent=1), gtm, chrf, chrf(words=2), meteor, overlap, "
        "rouge_l",
    ),
)
MEASURE_SETS: Mapping[str, MeasureSet] = {name: MeasureSet(name, *rest) for name, *rest in _SETS}
"""The sets by name, in the order in which they are listed."""
