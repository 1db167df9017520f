"""How rare English words are in general, on Zipf's scale.

The scale is the common logarithm of how often a word occurs among a billion words (van Heuven and
others 2014, *SUBTLEX-UK*, section "The Zipf scale"): 7.7 for *the*, 5.4 for *study*, 3.5 for
*ligament*. Rarity within the pages of one name, on which tf·idf rests, knows nothing of the
language: a word on few of these pages may be a common one.

The table (resources/README.md) holds words from 2.5 upwards, plurals counted with their singular.
What is rarer counts alike; a longer table ranks pairs of pages no better (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from weps._files import weighted_words
from weps._text import singular_form, split_words

_TABLE = "rarity/english.txt"
_MOST_COMMON = 7.5
_RAREST = 1.0
"""Both on Zipf's scale; words beyond weigh as much as words there."""


def zipf_frequency(word: str) -> float:
    """The frequency of a lower-case word on Zipf's scale; 0 where it is rarer than 2.5."""
    table = weighted_words(_TABLE)
    return table.get(word) or table.get(singular_form(word), 0.0)


def general_idf(texts: Iterable[str]) -> NDArray[np.float64]:
    """How much rarer than the most common words the words of each text are, added up.

    Returns:
        Shape (texts,): for each word ``7.5 − max(z, 1)``, at least 0, where z is its frequency on
        Zipf's scale. Numbers and foreign words are not in the table and weigh as much as the
        rarest words.
    """
    known = _known_weights()
    return np.array([known[each] if each in known else _sum_of_words(each) for each in texts])


def _sum_of_words(text: str) -> float:
    words = [text.lower()] if text.isalpha() else split_words(text)
    total = 0.0
    for word in words:
        total += max(0.0, _MOST_COMMON - max(zipf_frequency(word), _RAREST))
    return total


@cache
def _known_weights() -> dict[str, float]:
    """Word of the table → how much rarer it is than the most common words."""
    frequencies = weighted_words(_TABLE).items()
    return {word: max(0.0, _MOST_COMMON - frequency) for word, frequency in frequencies}
