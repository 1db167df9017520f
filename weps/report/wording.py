"""Figures and names of features in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from weps._formatting import format_probability
from weps.errors import FeatureError
from weps.features.registry import NEARBY, feature_by_name

CERTAINTIES = ((0.95, "almost certain"), (0.8, "likely"), (0.5, "plausible"), (0.0, "uncertain"))

_NUMBERS = ((2.25, "two"), (3.5, "two or three"))
"""Below which expected number of people they are called so."""

_MEASURES = {
    "bcubed_precision": "B-Cubed precision",
    "bcubed_recall": "B-Cubed recall",
    "bcubed_f05": "B-Cubed F, α 0.5",
    "bcubed_f02": "B-Cubed F, α 0.2",
    "purity": "Purity",
    "inverse_purity": "Inverse purity",
    "purity_f05": "Purity F, α 0.5",
    "purity_f02": "Purity F, α 0.2",
    "rand": "Rand",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes–Mallows",
}


@lru_cache(maxsize=1024)
def feature_words(name: str) -> str:
    """``ngram(n=4, local=true)`` → ``phrases of 4 words near the name``."""
    try:
        return feature_by_name(name).wording
    except FeatureError:  # an answer of another version
        return name


def feature_list(names: Iterable[str]) -> str:
    """Features in plain words; one near the name is left out where the whole page has it too."""
    words = dict.fromkeys(map(feature_words, names))
    return ", ".join(
        each for each in words if not (each.endswith(NEARBY) and each.removesuffix(NEARBY) in words)
    )


def measure_words(name: str) -> str:
    """``bcubed_f05`` → ``B-Cubed F, α 0.5``."""
    return _MEASURES.get(name, name.replace("_", " "))


def people_words(one_person: float, expected: float) -> str:
    """Whether pages are one person: ``one person: likely, 85%``, ``may be two people (one: 35%)``.

    Args:
        one_person: probability that they are.
        expected: expected number of people.
    """
    sure = format_probability(one_person)
    if one_person >= CERTAINTIES[-2][0]:
        return f"one person: {certainty(one_person)}, {sure}"
    number = next((words for most, words in _NUMBERS if expected < most), f"{expected:.0f}")
    return f"may be {number} people (one: {sure})"


def certainty(probability: float) -> str:
    """A probability in words."""
    return next((words for least, words in CERTAINTIES if probability >= least), "uncertain")
