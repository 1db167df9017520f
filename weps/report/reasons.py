"""Why two pages are, or are not, together, in plain words."""

from __future__ import annotations

import numpy as np

from weps.coreference.reasons import Effect, Step
from weps.errors import FeatureError
from weps.report.wording import KINDS, feature_words
from weps.similarity import Similarity, similarity

__all__ = ["effect_words", "kind_words", "rarity_words", "step_words"]

_KINDS = KINDS | {"profile": "resembling the same other pages"}
"""What effects are called."""
_DEGREES = ((2.0, "much "), (0.5, ""), (0.0, "a little "))
"""On the log odds: what is even becomes 88 % probable by the first, 62 % by the second."""
_SHARED = {
    "dice": "{} shared",
    "cosine": "{} shared, by weight",
    "overlap": "number of shared {}",
    "agree": "same {}",
    "contradict": "different {}",
    "": "{}",
}
"""Measure → what is asked; flags have none."""
_YES_OR_NO = ("agree", "contradict", "")
_MOST_DIGITS = 9


def kind_words(kind: str) -> str:
    """``content`` → ``key words``."""
    return _KINDS.get(kind, kind.replace("_", " "))


def effect_words(effect: Effect) -> str:
    """How much it speaks for one person, or against: ``much for it``, ``a little against it``."""
    degree = next(words for least, words in _DEGREES if abs(effect.effect) >= least)
    return f"{degree}{'for' if effect.effect >= 0 else 'against'} it"


def rarity_words(pages: int, total: int) -> str:
    """How rare a string is that two pages share, e.g. ``on 3 of 100 pages``.

    Args:
        pages: how many of the name's pages have it, the two among them.
        total: how many pages the name has.
    """
    return "on no other page" if pages <= 2 else f"on {pages} of {total} pages"


def step_words(step: Step, column: str) -> str:
    """What a tree asks and finds: ``key words shared 0.31, more than 0.12``; ``same web site: no``.

    Args:
        step: of a pair's path.
        column: the similarity that the tree looks at, as a model writes it, ``dice(content(n=1))``.
    """
    try:
        asked = similarity(column)
    except FeatureError:  # an answer of another version
        return f"{column} {_compared(step)}"
    if asked.measure in _YES_OR_NO and asked.order == 1:
        return f"{_question(asked)}: {'yes' if step.value > step.threshold else 'no'}"
    return f"{_question(asked)} {_compared(step)}"


def _question(asked: Similarity) -> str:
    """What a similarity compares; at second hand, what makes pages resemble the same others."""
    feature = asked.feature
    plain = kind_words(feature.name) if not feature.parameters else feature_words(feature.name)
    words = _SHARED[asked.measure].format(plain)
    return words if asked.order == 1 else f"{_KINDS['profile']} ({words})"


def _compared(step: Step) -> str:
    """Value and threshold, with as many digits as tell them apart."""
    for digits in range(2, _MOST_DIGITS):
        value, threshold = (_figure(each, digits) for each in (step.value, step.threshold))
        if value != threshold or step.value == step.threshold:
            break
    return f"{value}, {'more' if step.value > step.threshold else 'no more'} than {threshold}"


def _figure(number: float, digits: int) -> str:
    """With so many significant digits, but whole numbers whole; never as a power of ten."""
    if number.is_integer():
        return f"{number:.0f}"
    return np.format_float_positional(number, digits, fractional=False, trim="-")
