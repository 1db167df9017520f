"""The registry of measures, which print and parse: ``rouge(n=2, part=recall, stem=true)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from eval.text.declarations import content, kernels, rouge, translation, words
from eval.text.declarations import kernels as senses
from eval.text.declarations import words as style
from eval.text.declarations.base import Family, Need
from weps import _expressions
from weps._expressions import Expression, Value
from weps.errors import FeatureError

__all__ = ["MEASURE_FAMILIES", "Measure", "get_family"]

_DECLARED = (
    words.WORD_FAMILIES,
    rouge.ROUGE_FAMILIES,
    kernels.KERNEL_FAMILIES,
    content.SYNTHESIS_FAMILIES,
    style.STYLE_FAMILIES,
    senses.SENSE_FAMILIES,
    translation.TRANSLATION_FAMILIES,
)

MEASURE_FAMILIES: Mapping[str, Family] = MappingProxyType(
    {each.name: each for declared in _DECLARED for each in declared}
)
"""By name, in the order in which they are listed."""


def get_family(name: str) -> Family:
    """The family of that name.

    Raises:
        FeatureError: if there is none.
    """
    if name in MEASURE_FAMILIES:
        return MEASURE_FAMILIES[name]
    near = get_close_matches(name.lower(), MEASURE_FAMILIES, n=3, cutoff=0.4)
    hint = (
        f"did you mean {' or '.join(near)}?"
        if near
        else f"there are: {', '.join(MEASURE_FAMILIES)}"
    )
    raise FeatureError(f"unknown measure {name!r}", remedy=hint)


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
        expression = _expression(text) if isinstance(text, str) else text
        kind = get_family(expression.name)
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
        return self.family.needs | {when[each] for each in self.values if each in when}

    def __str__(self) -> str:
        """The name: parameters without a default, and those that are not as usual."""
        kept = (
            (name, value)
            for name, value in self.values
            if value != self.family.parameters[name].default
        )
        return str(Expression(self.family.name, (), tuple(kept)))

    __repr__ = __str__

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __reduce__(self) -> tuple[Callable[[str], Measure], tuple[str]]:
        """Measures travel between processes by name: functions of families need not."""
        return Measure.parse, (str(self),)


def _expression(text: str) -> Expression:
    try:
        return _expressions.parse_expression(text)
    except FeatureError as error:
        remedy = "write it like rouge(n=2, part=recall)"
        raise FeatureError(error.what, remedy=remedy) from None


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
