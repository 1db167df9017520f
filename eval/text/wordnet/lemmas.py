"""From the words of a text to the synsets that they may stand for.

The rules are those of morphy(7WN) for single words: a form is looked up as it stands, then as its
irregular base forms, or, if it has none, without a regular ending. Words joined by underscores
are looked up as they stand; their parts are not reduced.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from eval.text.wordnet.reading import PARTS, WordNet

__all__ = ["base_forms", "senses_of"]

_ENDINGS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}


def senses_of(word: str, wordnet: WordNet, part: str = "") -> tuple[int, ...]:
    """The synsets that a word may stand for, each once.

    Args:
        word: in any form and case.
        wordnet: the synsets.
        part: ``n``, ``v``, ``a`` or ``r``; empty for all four in this order.

    Returns:
        Numbers of synsets, the most frequent sense of the form itself first; empty if WordNet
        does not have the word.
    """
    parts = (part,) if part else tuple(PARTS)
    found = (
        wordnet.senses[form, each] for each in parts for form in base_forms(word, wordnet, each)
    )
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def base_forms(word: str, wordnet: WordNet, part: str) -> tuple[str, ...]:
    """The lemmas of a part of speech that a word may be a form of, the word itself first."""
    form = word.lower().replace(" ", "_")
    irregular = wordnet.exceptions.get((form, part))
    others = _detached(form, wordnet, part) if irregular is None else irregular
    candidates = dict.fromkeys((form, *others))
    return tuple(lemma for lemma in candidates if (lemma, part) in wordnet.senses)


def _detached(form: str, wordnet: WordNet, part: str) -> tuple[str, ...]:
    """The first lemma that is left when a regular ending is taken off, if there is one."""
    rest, full = (form[:-3], "ful") if part == "n" and form.endswith("ful") else (form, "")
    found = (base + full for base in _bases(rest, part) if (base + full, part) in wordnet.senses)
    return tuple(found)[:1]


def _bases(form: str, part: str) -> Iterator[str]:
    if part == "n" and form.endswith("ss"):
        return  # no plural: Morphy leaves these alone, though its manual does not say so
    for ending, instead in _ENDINGS.get(part, ()):
        if form.endswith(ending):
            yield form[: -len(ending)] + instead
