"""Measures, which print and parse as ``rouge(n=2, part=recall, stem=true)``, and sets of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, product, zip_longest
from types import MappingProxyType

from weps._expressions import Expression, Value, parse_expression, split_items
from weps._formatting import quote_text
from weps.errors import FeatureError
from weps_eval.text.declarations import content, kernels, rouge, translation, words
from weps_eval.text.declarations.base import Family, Need

_DECLARED = (
    words.WORD_FAMILIES,
    rouge.ROUGE_FAMILIES,
    kernels.KERNEL_FAMILIES,
    content.SYNTHESIS_FAMILIES,
    words.STYLE_FAMILIES,
    words.LINGUISTIC_FAMILIES,
    kernels.SENSE_FAMILIES,
    translation.TRANSLATION_FAMILIES,
)

MEASURE_FAMILIES: Mapping[str, Family] = MappingProxyType(
    {each.name: each for declared in _DECLARED for each in declared}
)
"""By name, in the order in which they are listed."""


def _family(name: str) -> Family:
    if name in MEASURE_FAMILIES:
        return MEASURE_FAMILIES[name]
    near = get_close_matches(name.lower(), MEASURE_FAMILIES, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?"
    others = f"there are: {', '.join(MEASURE_FAMILIES)}"
    raise FeatureError(f"unknown measure {name!r}", remedy=hint if near else others)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Measure:
    """A family with a value for each of its parameters."""

    family: Family
    values: tuple[tuple[str, Value], ...]
    """In the order of the family's parameters."""

    @classmethod
    def parse(cls, text: str | Expression) -> Measure:
        """The measure of that name; parameters may stand in any order, defaults may be given.

        Raises:
            FeatureError: if there is none, a parameter is missing, unknown or out of bounds.
        """
        try:
            expression = parse_expression(text) if isinstance(text, str) else text
        except FeatureError as error:
            remedy = "write it like rouge(n=2, part=recall)"
            raise FeatureError(error.what, remedy=remedy) from None
        kind = _family(expression.name)
        given = dict(expression.parameters)
        if expression.arguments or given.keys() - kind.parameters.keys():
            unknown = [*map(str, expression.arguments), *(given.keys() - kind.parameters.keys())]
            what = f"{kind.name} has no parameter {sorted(unknown)[0]!r}"
            raise FeatureError(what, remedy=f"it has {', '.join(kind.parameters)}")
        return cls(kind, tuple(_values(kind, given)))

    @property
    def needs(self) -> frozenset[Need]:
        """What the family needs whatever its parameters are, and what these values need."""
        when = self.family.needs_when
        needed = self.family.needs | {when[each] for each in self.values if each in when}
        return needed - {Need.NLTK} if ("official", True) in self.values else needed

    def __str__(self) -> str:
        """The name: parameters without a default, and those that are not as usual."""
        parameters = self.family.parameters
        kept = ((name, value) for name, value in self.values if value != parameters[name].default)
        return str(Expression(self.family.name, (), tuple(kept)))

    __repr__ = __str__

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __reduce__(self) -> tuple[Callable[[str], Measure], tuple[str]]:
        """Measures travel between processes by name: functions of families need not."""
        return Measure.parse, (str(self),)


def _values(kind: Family, given: Mapping[str, Value]) -> Iterable[tuple[str, Value]]:
    for name, parameter in kind.parameters.items():
        text = given.get(name, parameter.default)
        value = None if text is None else parameter.read(text)
        if value is None:
            what = f"{kind.name} needs {name}" if text is None else f"{name} cannot be {text}"
            raise FeatureError(
                what, where=kind.name, remedy=f"{name}: {parameter.about} ({parameter.allowed})"
            )
        yield name, value


_ROUGE = (
    *(f"rouge(n={n}, official=true)" for n in (1, 2, 3, 4)),
    *("rouge_l(official=true)", "rouge_w(official=true)"),
)
_SKIPPING = ("rouge_s(official=true)", "rouge_su(official=true)")
_PARTS = ("recall", "precision", "f")
_OPTIONS = ((), ("stop=true",), ("stop=true", "stem=true"))
"""The options a, b and c of the DUC 2004 paper."""
_ROUGE_SIM = "rouge(n=1, official=true, part=recall, stop=true, stem=true)"


@dataclass(frozen=True, slots=True)
class MeasureSet:
    """Measures under one name."""

    name: str
    description: str
    measures: tuple[Measure, ...]


def measures_of(text: str) -> tuple[Measure, ...]:
    """The measures of a comma-separated list of measures and names of sets, each once.

    A parameter may have several values, ``esk(length=2|3, decay=0.3|0.5)``, which is all measures
    that have one of each.

    Raises:
        FeatureError: if there is none, or no measure or set of a name.
    """
    named = (measure for item in split_items(text) for measure in _named_measures(item))
    measures = tuple(dict.fromkeys(named))
    if not measures:
        remedy = f"name measures, or a set: {', '.join(MEASURE_SETS)}"
        raise FeatureError("no measure is named", remedy=remedy)
    return measures


def _named_measures(item: str) -> Iterable[Measure]:
    if item in MEASURE_SETS:
        return MEASURE_SETS[item].measures
    name, parenthesis, _ = item.partition("(")
    if name in MEASURE_SETS and name not in MEASURE_FAMILIES:
        raise FeatureError(f"the set {name} has no parameters", remedy=f"write {name} alone")
    if not parenthesis and name not in MEASURE_FAMILIES:
        near = dict.fromkeys(
            get_close_matches(name.lower(), [*MEASURE_SETS, *MEASURE_FAMILIES], n=4, cutoff=0.4)
        )
        what = f"there is neither a measure nor a set {quote_text(name)}"
        others = f"sets are: {', '.join(MEASURE_SETS)}"
        raise FeatureError(what, remedy=f"did you mean {' or '.join(near)}?" if near else others)
    return map(Measure.parse, _with_single_values(item))


_SEVERAL_VALUES = re.compile(r"[^=|,()]*(?:\|[^=|,()]*)+")


def _with_single_values(item: str) -> Iterator[str]:
    """The texts of the measures in one whose parameters have several values."""
    between = _SEVERAL_VALUES.split(item)
    values = (found.split("|") for found in _SEVERAL_VALUES.findall(item))
    for chosen in product(*values):
        yield "".join(chain.from_iterable(zip_longest(between, chosen, fillvalue="")))


def _measure_set(name: str, description: str, *measures: str) -> MeasureSet:
    return MeasureSet(name, description, tuple(map(Measure.parse, measures)))


def _with_parameters(measure: str, *parameters: str) -> str:
    """The measure with further parameters."""
    name, _, inside = measure.removesuffix(")").partition("(")
    arguments = ", ".join([*filter(None, [inside]), *parameters])
    return f"{name}({arguments})" if arguments else name


def _duc2004() -> Iterator[str]:
    for measure, options in product((*_ROUGE, *_SKIPPING), _OPTIONS):
        yield _with_parameters(measure, "part=recall", *options)
    for measure, options in product((*_ROUGE, *_SKIPPING), _OPTIONS):
        inverted = ["inverted=true"] * measure.startswith(("rouge_l", "rouge_w"))
        yield _with_parameters(measure, *inverted, "part=precision", *options)
    yield from (f"tvm(n={terms})" for terms in (1, 4, 8, 16, 32, 64, 128, 256, 512))
    yield from ("avls", "gramsim")


_SETS = (
    _measure_set(
        "usual",
        "measures that need only weps and texts in Latin letters",
        *("rouge(n=1)", "rouge(n=2)", "rouge_l", "rouge_su(skip=4)", "wsk", "overlap"),
    ),
    _measure_set(
        "rouge",
        "ROUGE-1 to -4, -L, -W, -S and -SU with skips of 4, 9 and any number, as by ROUGE-1.5.5",
        *_ROUGE,
        *(_with_parameters(each, f"skip={skip}") for each in _SKIPPING for skip in (4, 9, "any")),
    ),
    _measure_set(
        "iscorpus",
        "the metrics of An empirical study of information synthesis tasks (2004), section 3.2",
        *("docsim", "sentencesim(part=recall)", "sentencesim(part=precision)", "perplexity"),
        *(_ROUGE_SIM, "nicos"),
    ),
    _measure_set(
        "qarla",
        "the metrics of QARLA (ACL 2005), section 4, that need neither sources nor key concepts",
        *(_ROUGE_SIM, "sentencesim(part=recall)", "sentencesim(part=precision)", "vectmodel"),
        *(f"tvm(n={terms})" for terms in (1, 8, 64, 512)),
    ),
    _measure_set(
        "duc2004",
        "the 59 metrics of Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1, "
        "but with terms of the reference in tvm, since few testbeds have the documents",
        *_duc2004(),
    ),
    _measure_set(
        "kernels",
        "ESK and measures compared with it (Hirao, Okumura and Isozaki 2005, section 4)",
        *("wsk", "esk", "rouge(n=1)", "rouge(n=2)", "rouge_l", "rouge_s", "rouge_su"),
    ),
    _measure_set(
        "summaries",
        "the 21 measures of Corroborating text evaluation results (2011), section 4.2",
        *(
            _with_parameters(each, f"part={part}")
            for part in _PARTS
            for each in (*_ROUGE, _SKIPPING[1])
        ),
    ),
    _measure_set(
        "senses",
        "GROUGE and the ROUGE that it extends (ShafieiBavani et al. 2017)",
        *("grouge(n=1)", "grouge(n=2)", "grouge(n=2, skip=4)"),
        *(
            _with_parameters(each, "official=true, part=recall, references=together, stem=true")
            for each in ("rouge(n=1)", "rouge(n=2)", "rouge_su(skip=4)")
        ),
    ),
    _measure_set(
        "linguistic",
        "syntax and named entities, as the linguistic measures of The contribution of linguistic "
        "features to automatic machine translation evaluation (ACL 2009), section 3.1",
        *(f"hwcm(of={of})" for of in ("form", "tag", "relation")),
        *(f"dp_o(by={by})" for by in ("relation", "head", "level")),
        *("sp_o(by=chunk)", "sp_o(by=tag)", "ne_o", "ne_o(by=all)"),
    ),
    _measure_set(
        "translation",
        "measures of machine translation, most of them by sacrebleu and nltk; ter takes .2 s for "
        "two texts of 60 words",
        *("bleu", "nist", "ter", "wer", "per", "gtm(exponent=1)", "gtm", "chrf", "chrf(words=2)"),
        *("meteor", "overlap", "rouge_l"),
    ),
)
MEASURE_SETS: Mapping[str, MeasureSet] = MappingProxyType({each.name: each for each in _SETS})
"""By name, in the order in which they are listed."""
