"""Configurations: what a system compares pages by, what judges pairs, links pages, and stops.

A configuration is written as the name of one of :data:`CONFIGURATIONS`, or as a variant of it:
``paper:features=all,link=average``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from weps import expressions
from weps.clustering import LINKS
from weps.coreference import CLASSIFIERS
from weps.errors import FeatureError
from weps.feature_sets import similarities_of
from weps.rules import RULES

__all__ = ["CONFIGURATIONS", "STOPS", "Configuration", "configuration"]

STOPS = ("threshold", "threshold-by-origin", "expected-f")
"""Ways to come to a stopping decision, see :mod:`weps.training.stops`."""
_MOST_COPIES = 100


@dataclass(frozen=True, slots=True)
class Configuration:
    """A system, before it has learnt anything."""

    features: str
    """See :func:`weps.feature_sets.similarities_of`."""
    classifier: str
    """Key of :data:`weps.coreference.CLASSIFIERS`."""
    link: str
    """Key of :data:`weps.clustering.LINKS`."""
    stop: str
    """One of :data:`STOPS`."""
    copies: int
    """Thinned copies of each training name, see :mod:`weps.training.thinning`."""
    rules: str
    """Key of :data:`weps.rules.RULES`; their similarities are kept from the classifier."""

    def as_data(self) -> dict[str, str | int]:
        """Its choices by name."""
        return asdict(self)


CONFIGURATIONS = {
    "paper": Configuration("non-linguistic", "tree", "single", "threshold", copies=0, rules="none"),
    "default": Configuration(
        "content+profiles+identity", "boosted", "average", "expected-f", copies=2, rules="identity"
    ),
}
"""Name → configuration: the system of EMNLP 2009, section 4.3, and the best of ours."""


def configuration(text: str) -> Configuration:
    """The configuration that a text writes.

    Raises:
        FeatureError: if the name, a choice or its value is unknown.
    """
    name, _, variant = text.partition(":")
    if name not in CONFIGURATIONS:
        raise FeatureError(
            f"there is no system {name!r}",
            remedy=f"choose from {', '.join(CONFIGURATIONS)}, or write a variant of one: "
            "paper:link=average",
        )
    written = [_choice(each, text) for each in expressions.split(variant)]
    choices: dict[str, Any] = dict(written)
    if len(choices) < len(written):
        raise FeatureError(f"{text!r} makes a choice twice", remedy="give each key once")
    return replace(CONFIGURATIONS[name], **choices)


def _choice(written: str, text: str) -> tuple[str, str | int]:
    """One ``key=value``, checked."""
    key, equals, value = written.partition("=")
    if not equals or key not in _CHECKS:
        keys = ", ".join(_CHECKS)
        raise FeatureError(
            f"cannot read {written!r} in {text!r}", remedy=f"write key=value with a key of {keys}"
        )
    return key, _CHECKS[key](value)


def _features(value: str) -> str:
    similarities_of(value)
    return value


def _copies(value: str) -> int:
    if value not in map(str, range(_MOST_COPIES + 1)):
        raise FeatureError(
            f"{value!r} is no number of copies", remedy=f"give a number from 0 to {_MOST_COPIES}"
        )
    return int(value)


def _one_of(known: Collection[str], value: str) -> str:
    if value not in known:
        raise FeatureError(f"{value!r} is unknown", remedy=f"choose {' or '.join(known)}")
    return value


_CHECKS: dict[str, Callable[[str], str | int]] = {
    "features": _features,
    "classifier": partial(_one_of, CLASSIFIERS),
    "link": partial(_one_of, LINKS),
    "stop": partial(_one_of, STOPS),
    "copies": _copies,
    "rules": partial(_one_of, RULES),
}
"""Choice → what makes sure of its value."""
