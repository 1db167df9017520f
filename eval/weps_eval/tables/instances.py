"""Instances that measures rank, such as the pairs of pages of the names of a corpus.

Labels are the words that mark positive instances; names and cells from files are quoted in messages
on one line, of bounded length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weps._formatting import quote_text, suggest_names
from weps.errors import ValuesError
from weps_eval.stats.arrays import Ints

_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("1", "0"),
    ("1.0", "0.0"),
    ("positive", "negative"),
    ("+", "-"),
    ("coreferent", "other"),
)
_MEANING = {word: word == pair[0] for pair in _PAIRS for word in pair}

ACCEPTED = ", ".join("/".join(pair) for pair in _PAIRS)
"""The labels that are understood, for messages; upper case is as good."""


def is_positive(label: str) -> bool | None:
    """Whether the label says that an instance is positive; None if it is not a label."""
    return _MEANING.get(label.strip().casefold())


class Counts(NamedTuple):
    """How many instances there are of either label."""

    positive: int
    negative: int
    total: int


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """What measures rank: instances, each with a label and a group.

    A group is the unit of resampling, e.g. the person's name that was searched; one may be
    without instances.

    Raises:
        ValuesError: if the parts do not fit together, or a value is NaN.
    """

    measures: tuple[str, ...]
    """What the measures are called, no two alike."""
    values: NDArray[np.floating[Any]]
    """Shape (measures, instances), float32 or float64, in C order; infinite ones are allowed."""
    positive: NDArray[np.bool_]
    """Shape (instances,): whether the instance is labelled as positive."""
    group: NDArray[np.signedinteger[Any]]
    """Shape (instances,): index into ``groups``, kept as int32."""
    groups: tuple[str, ...]
    """What the groups are called, no two alike."""

    def __post_init__(self) -> None:
        for names, what in ((self.measures, "measures"), (self.groups, "groups")):
            for name in repeated_names(names):
                message = f"two {what} are called {quote_text(name)}"
                raise ValuesError(message, remedy="rename one of them")
        size = len(self.positive)
        for name, shape, kinds, kind in (
            ("values", (len(self.measures), size), "f", "float"),
            ("positive", (size,), "b", "bool"),
            ("group", (size,), "iu", "int"),
        ):
            array = getattr(self, name)
            if array.shape != shape or array.dtype.kind not in kinds:
                what = f"{name} has shape {array.shape} and type {array.dtype}"
                remedy = f"shape {shape} and type {kind} fit the measures and labels"
                raise ValuesError(what, remedy=remedy)
        dtype = self.values.dtype if self.values.dtype in (np.float32, np.float64) else np.float64
        object.__setattr__(self, "values", np.ascontiguousarray(self.values, dtype))
        object.__setattr__(self, "group", np.ascontiguousarray(self.group, np.int32))
        if size and not 0 <= self.group.min() <= self.group.max() < len(self.groups):
            what = "an instance is of a group that has no name"
            raise ValuesError(what, remedy=f"there are {len(self.groups)}")
        for measure, instance in np.argwhere(np.isnan(self.values))[:1].tolist():
            what = f"the value of {quote_text(self.measures[measure])} is NaN"
            remedy = "leave out the instance or the measure, or give it a value"
            raise ValuesError(what, where=f"instance {instance}, counted from 0", remedy=remedy)

    @property
    def counts(self) -> Counts:
        """How many there are of either label."""
        positive, total = int(self.positive.sum()), len(self.positive)
        return Counts(positive, total - positive, total)

    def column(self, name: str) -> NDArray[np.floating[Any]]:
        """Shape (instances,): the values of one measure.

        Raises:
            ValuesError: if there is no such measure.
        """
        return np.asarray(self.values[self._place(name)])

    def only(self, measures: Sequence[str]) -> Instances:
        """Instances with these measures, in this order.

        Raises:
            ValuesError: if there is no such measure, or one is named twice.
        """
        values = self.values[[self._place(name) for name in measures]]
        return Instances(tuple(measures), values, self.positive, self.group, self.groups)

    def of(self, chosen: NDArray[np.bool_]) -> Instances:
        """Some of the instances, shape (instances,); groups of which none is left are left out.

        Raises:
            ValuesError: if that is not one choice per instance.
        """
        if chosen.shape != self.positive.shape or chosen.dtype != np.bool_:
            what = f"expected a truth value per instance, got {chosen.dtype} of {chosen.shape}"
            raise ValuesError(what, remedy=f"give {len(self.positive):,} truth values")
        kept, group = np.unique(self.group[chosen], return_inverse=True)
        groups = tuple(self.groups[index] for index in kept)
        values, positive = self.values[:, chosen], self.positive[chosen]
        return Instances(self.measures, values, positive, group, groups)

    def without_empty_groups(self) -> Instances:
        """Instances without groups that have no instance."""
        return self.of(np.ones(len(self.positive), dtype=np.bool_))

    def _place(self, name: str) -> int:
        if name not in self.measures:
            what = f"unknown measure {quote_text(name)}"
            raise ValuesError(what, remedy=suggest_names(name, self.measures))
        return self.measures.index(name)


def join_instances(parts: Sequence[Instances]) -> Instances:
    """All the instances, one part after the other; groups of the same name become one.

    Raises:
        ValuesError: if there is no part, or their measures differ.
    """
    if len({part.measures for part in parts}) != 1:
        what = "instances with different measures cannot be joined" if parts else "nothing to join"
        raise ValuesError(what, remedy="choose the measures that all have")
    names = [part.groups[index] for part in parts for index in part.group.tolist()]
    group, groups = number_names(names)
    values = np.concatenate([part.values for part in parts], axis=1)
    positive = np.concatenate([part.positive for part in parts])
    return Instances(parts[0].measures, values, positive, group, groups)


def number_names(names: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """For each name its number, shape (names,), and the names in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64), tuple(numbers)


def repeated_names(names: Iterable[str]) -> list[str]:
    """The names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]
