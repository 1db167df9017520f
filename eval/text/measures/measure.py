"""Measures, which print and parse: ``rouge(n=2, part=recall, stem=true)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from eval.text.measures.family import Family, Need
from eval.text.measures.registry import family
from weps import expressions
from weps.errors import FeatureError
from weps.expressions import Expression, Value

__all__ = ["Measure"]


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
        kind = family(expression.name)
        given = dict(expression.parameters)
        if expression.arguments or given.keys() - kind.parameters.keys():
            told = [*map(str, expression.arguments), *(given.keys() - kind.parameters.keys())]
            what = f"{kind.name} has no parameter {sorted(told)[0]!r}"
            raise FeatureError(what, remedy=f"it has {', '.join(kind.parameters)}")
        return cls(kind, tuple(_values(kind, given)))

    @property
    def needs(self) -> frozenset[Need]:
        """What the family needs whatever its parameters are, and what these values need."""
        when = self.family.needs_when
        return self.family.needs | {when[each] for each in self.values if each in when}

    def __str__(self) -> str:
        """The name: parameters that must be told, and those that are not as usual."""
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
        return expressions.parse(text)
    except FeatureError as error:
        told = "write it like rouge(n=2, part=recall)"
        raise FeatureError(error.what, remedy=told) from None


def _values(kind: Family, given: Mapping[str, Value]) -> Iterable[tuple[str, Value]]:
    for name, parameter in kind.parameters.items():
        told = given.get(name, parameter.default)
        value = None if told is None else parameter.read(told)
        if value is None:
            what = f"{kind.name} needs {name}" if told is None else f"{name} cannot be {told}"
            raise FeatureError(
                what, where=kind.name, remedy=f"{name}: {parameter.about} ({parameter.allowed})"
            )
        yield name, value
