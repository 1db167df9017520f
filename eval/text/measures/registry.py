"""The registry of measures: all families, group by group."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from eval.text.measures.families import (
    kernels,
    rouge,
    senses,
    style,
    synthesis,
    translation,
    words,
)
from eval.text.measures.family import Family
from weps.errors import FeatureError

__all__ = ["FAMILIES", "family"]

_DECLARED = (
    words.FAMILIES,
    rouge.FAMILIES,
    kernels.FAMILIES,
    synthesis.FAMILIES,
    style.FAMILIES,
    senses.FAMILIES,
    translation.FAMILIES,
)

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {each.name: each for declared in _DECLARED for each in declared}
)
"""By name, in the order in which they are listed."""


def family(name: str) -> Family:
    """The family of that name.

    Raises:
        FeatureError: if there is none.
    """
    if name in FAMILIES:
        return FAMILIES[name]
    near = get_close_matches(name.lower(), FAMILIES, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(FAMILIES)}"
    raise FeatureError(f"there is no measure {name!r}", remedy=hint)
