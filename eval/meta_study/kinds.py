"""Kinds of measures that papers compare: those of words alone, and those that know language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import Drawn
from eval.meta_study.judged import COMBINED
from eval.meta_study.several import chosen, middle, together
from eval.ordering import Estimate
from eval.text.measures import Measure, Need
from weps.errors import FeatureError

__all__ = ["NO_KINDS", "Kind", "kind_of", "linguistic_ahead", "of_kind"]

Floats: TypeAlias = NDArray[np.float64]

_FEWEST = 3
"""Fewer measures of a kind say nothing of it."""
NO_KINDS = f"fewer than {_FEWEST} measures need parts of speech or WordNet, or fewer do not"
_ROUGE = re.compile(r"R(\d|L|W|SU?)\d*_(recall|precision|f)")
"""As tables of DUC call it."""
_LINGUISTIC = frozenset({Need.TAGS, Need.WORDNET})


class Kind(StrEnum):
    """What measures look at; stands in for the paper's n-gram and linguistic metrics (2009)."""

    WORDS = "words"
    LINGUISTIC = "language"
    """Parts of speech or WordNet."""
    COMBINED = "all"
    """ULC."""
    UNKNOWN = "unknown"
    """A column of a table whose name is no measure of weps."""


@lru_cache(1024)
def kind_of(name: str) -> Kind:
    """The kind of a measure, by what it needs; tags that are for lemmas only do not count."""
    if name == COMBINED:
        return Kind.COMBINED
    if _ROUGE.fullmatch(name):
        return Kind.WORDS
    try:
        measure = Measure.parse(name)
    except FeatureError:
        return Kind.UNKNOWN
    knows = not _LINGUISTIC.isdisjoint(measure.family.needs) or Need.WORDNET in measure.needs
    return Kind.LINGUISTIC if knows else Kind.WORDS


def of_kind(names: Sequence[str], kind: Kind) -> list[int]:
    """The numbers of the measures of a kind; none if they are fewer than three."""
    found = [number for number, name in enumerate(names) if kind_of(name) is kind]
    return found if len(found) >= _FEWEST else []


def linguistic_ahead(names: Sequence[str], drawn: Drawn) -> Estimate | None:
    """The middle figure of measures that know language less that of measures of words.

    Only measures that have the figure count; None if either are fewer than three.
    """
    kinds = [of_kind(names, kind) for kind in (Kind.LINGUISTIC, Kind.WORDS)]
    ours, theirs = ([each for each in kind if not np.isnan(drawn.value[each])] for kind in kinds)
    if min(len(ours), len(theirs)) < _FEWEST:
        return None
    size = len(ours)

    def ahead(values: Floats) -> Floats:
        return np.asarray(middle(values[:size]) - middle(values[size:]))

    return together(ahead, chosen(drawn, [*ours, *theirs]))
