"""Combinations of measures whose upper bound and trees are compared (EMNLP 2009, figure 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Combination", "distinct", "nested", "random_combinations", "whole_families"]


@dataclass(frozen=True, slots=True)
class Combination:
    """Some measures, taken together."""

    name: str
    kind: str
    """How it came about: shown by colour."""
    measures: tuple[str, ...]
    """In the order of the study, none twice."""


def whole_families(families: Mapping[str, Sequence[str]], base: str) -> list[Combination]:
    """Each family by itself, and together with the base measure."""
    alone = [Combination(name, "family", tuple(members)) for name, members in families.items()]
    beside = [
        Combination(f"{base} + {name}", "family and base", (base, *_without(base, members)))
        for name, members in families.items()
    ]
    return [*alone, *beside]


def nested(measures: Sequence[str], sizes: Iterable[int]) -> list[Combination]:
    """The first so many of the measures, which greedy search has put in order."""
    return [
        Combination(f"best {size} by greedy search", "greedy", tuple(measures[:size]))
        for size in sizes
        if size <= len(measures)
    ]


def random_combinations(measures: Sequence[str], number: int, seed: int = 0) -> list[Combination]:
    """Random subsets of one to eight measures, or of all if these are fewer."""
    generator = np.random.default_rng(seed)
    most = min(8, len(measures))
    drawn = []
    for count in range(1, number + 1):
        size = int(generator.integers(1, most + 1))
        chosen = generator.choice(len(measures), size, replace=False)
        names = tuple(measures[place] for place in sorted(chosen.tolist()))
        drawn.append(Combination(f"random {count}", "random", names))
    return drawn


def distinct(combinations: Iterable[Combination], order: Sequence[str]) -> list[Combination]:
    """The combinations with their measures in that order, the first only of equal ones."""
    found: dict[frozenset[str], Combination] = {}
    for each in combinations:
        members = frozenset(each.measures)
        measures = tuple(measure for measure in order if measure in members)
        if measures:
            found.setdefault(members, Combination(each.name, each.kind, measures))
    return list(found.values())


def _without(base: str, members: Sequence[str]) -> list[str]:
    return [member for member in members if member != base]
