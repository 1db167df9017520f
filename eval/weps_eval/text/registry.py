"""Measures, which print and parse as ``rouge(n=2, part=recall, stem=true)``, and sets of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from itertools import chain, product, zip_longest

from weps._expressions import Expression, Value, parse_expression, split_items
from weps._formatting import quote_text
from weps.errors import FeatureError
from weps_eval.text.declaration import FAMILIES, MODULES, Family, Need, measure_families

_WRITTEN = re.compile(r"\s*([^(]*?)\s*(?:\((.*)\))?\s*", re.DOTALL)
"""Name and parameters of a measure."""


def _folded(name: str) -> str:
    """The name without what does not matter in it: case, hyphens, underscores."""
    return re.sub("[-_ ]", "", name).lower()


def _find_family(name: str) -> tuple[Family, str] | None:
    """The family of a name or an alias, and the parameters that an alias stands for.

    Modules of measures are imported until one declares it.
    """
    folded = _folded(name)
    for module in (None, *MODULES):
        if module:
            import_module(module)
        if name in FAMILIES:
            return FAMILIES[name], ""
        for family in FAMILIES.values():
            for alias, parameters in {family.name: "", **family.aliases}.items():
                pattern = re.escape(_folded(alias)).replace(r"\{\}", r"(\d+(?:\.\d+)?)")
                if match := re.fullmatch(pattern, folded):
                    return family, parameters.format(*match.groups())
    return None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Measure:
    """A family with a value for each of its parameters."""

    family: Family
    values: tuple[tuple[str, Value], ...]
    """In the order of the family's parameters."""

    @classmethod
    def parse(cls, text: str) -> Measure:
        """The measure of a name or an alias (``ROUGE-2``), with parameters in any order.

        Raises:
            FeatureError: if there is none, a parameter is missing, unknown or out of bounds.
        """
        if not (written := _WRITTEN.fullmatch(text)) or not (found := _find_family(written[1])):
            expression = _parse(text)
            near = get_close_matches(expression.name.lower(), measure_families(), n=3, cutoff=0.4)
            hint = f"did you mean {' or '.join(near)}?"
            others = f"there are: {', '.join(measure_families())}"
            what = f"unknown measure {expression.name!r}"
            raise FeatureError(what, remedy=hint if near else others)
        family, implied = found
        given = ", ".join(filter(None, (implied, (written[2] or "").strip())))
        expression = _parse(f"{family.name}({given})" if given else family.name)
        parameters = dict(expression.parameters)
        if expression.arguments or parameters.keys() - family.parameters.keys():
            unknown = {*map(str, expression.arguments), *parameters} - family.parameters.keys()
            what = f"{family.name} has no parameter {min(unknown)!r}"
            raise FeatureError(what, remedy=f"it has {', '.join(family.parameters)}")
        return cls(family, tuple(_values(family, parameters)))

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

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __reduce__(self) -> tuple[Callable[[str], Measure], tuple[str]]:
        """Measures travel between processes by name: functions of families need not."""
        return Measure.parse, (str(self),)


def _parse(text: str) -> Expression:
    try:
        return parse_expression(text)
    except FeatureError as error:
        remedy = "write it like rouge(n=2, part=recall)"
        raise FeatureError(error.what, remedy=remedy) from None


def _values(family: Family, given: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    for name, parameter in family.parameters.items():
        written = given.get(name, parameter.default)
        value = None if written is None else parameter.read(written)
        if value is None:
            missing = written is None
            what = f"{family.name} needs {name}" if missing else f"{name} cannot be {written}"
            raise FeatureError(
                what, where=family.name, remedy=f"{name}: {parameter.about} ({parameter.allowed})"
            )
        yield name, value


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


_SEVERAL_VALUES = re.compile(r"[^=|,()]*(?:\|[^=|,()]*)+")


def _named_measures(item: str) -> Iterable[Measure]:
    name, parenthesis, _ = item.partition("(")
    chosen = MEASURE_SETS.get(_folded(name))
    if chosen and not parenthesis:
        return chosen.measures
    if not _find_family(name):
        if chosen:
            what = f"the set {chosen.name} has no parameters"
            raise FeatureError(what, remedy=f"write {chosen.name} alone")
        if not parenthesis:
            names = [*MEASURE_SETS, *measure_families()]
            near = dict.fromkeys(get_close_matches(name.lower(), names, n=4, cutoff=0.4))
            what = f"there is neither a measure nor a set {quote_text(name)}"
            others = f"sets are: {', '.join(MEASURE_SETS)}"
            raise FeatureError(
                what, remedy=f"did you mean {' or '.join(near)}?" if near else others
            )
    between = _SEVERAL_VALUES.split(item)
    values = (written.split("|") for written in _SEVERAL_VALUES.findall(item))
    return [
        Measure.parse("".join(chain.from_iterable(zip_longest(between, single, fillvalue=""))))
        for single in product(*values)
    ]


_SIMILAR = "rouge(n=1, official=true, part=recall, stop=true, stem=true)"
_DUC2004 = (
    *(f"rouge(n={n}, official=true, part={{part}}{{options}})" for n in (1, 2, 3, 4)),
    "rouge_l(official=true, part={part}{inverted}{options})",
    "rouge_w(official=true, part={part}{inverted}{options})",
    "rouge_s(official=true, part={part}{options})",
    "rouge_su(official=true, part={part}{options})",
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
        "wsk, esk, rouge(n=1|2), rouge_l, rouge_s, rouge_su",
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
        "grouge(n=1), grouge(n=2), grouge(n=2, skip=4), "
        "rouge(n=1|2, official=true, part=recall, references=together, stem=true), "
        "rouge_su(skip=4, official=true, part=recall, references=together, stem=true)",
    ),
    (
        "linguistic",
        "syntax and named entities, as the linguistic measures of The contribution of linguistic "
        "features to automatic machine translation evaluation (ACL 2009), section 3.1",
        "hwcm(of=form|tag|relation), dp_o(by=relation|head|level), sp_o(by=chunk|tag), "
        "ne_o, ne_o(by=all)",
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
