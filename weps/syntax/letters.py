"""One letter for every word: its part of speech, or a class of its own where tags do not tell.

=======  ======================================================================
letter   words
=======  ======================================================================
``d``    determiners, possessive pronouns, *both* and *either*
``a c``  adjectives; numbers and the signs that go with them
``n m``  nouns, words of other languages; proper nouns
``g``    the ending of a possessor (*Haiti 's*)
``o w``  pronouns; the pronoun *that*, relative or not
``r t``  adverbs, interjections; particles (*not*)
``p``    adpositions, also those with another tag (*of doing*, *according to*)
``x v``  auxiliaries; other verbs
``i z``  the particle *to*; English gerunds and present participles
``s k``  words that open a subordinate clause; conjunctions that join
``, .``  punctuation; that which divides clauses
``h``    hyphens
=======  ======================================================================
"""

from __future__ import annotations

import re

__all__ = ["BREAK", "letter"]

BREAK = "\n"
"""Stands between sentences."""

_BY_TAG = dict(
    pair.split("/")
    for pair in "ADJ/a ADP/p ADV/r AUX/x CCONJ/k DET/d INTJ/r NOUN/n NUM/c PART/t PRON/o PROPN/m"
    " PUNCT/, SCONJ/s VERB/v".split()
)
_LISTS = (
    ("s", "ADV DET PRON SCONJ", "how what when where whereas whether which while who whom whose"),
    ("s", "ADV DET PRON SCONJ", "cual cuales cuando cuya cuyas cuyo cuyos donde mientras que"),
    ("s", "ADV PRON", "quien quienes why"),
    ("w", "PRON", "that"),
    ("p", "SCONJ", "about at besides by despite for from in into of on through upon with without"),
    ("p", "VERB", "according concerning following including regarding"),
    ("i", "PART", "to"),
    ("g", "PART", "' 's s'"),
    ("d", "PRON", "her his its my our their your"),
    ("d", "CCONJ", "both either neither"),
)
_BY_WORD = {
    (tag, word): letter
    for letter, tags, words in _LISTS
    for tag in tags.split()
    for word in words.split()
}
_VERBS = frozenset({"AUX", "VERB"})
_GERUND = re.compile("[aeiouy][a-z]*ing$")
_WITH_NUMBERS = frozenset("$ £ € ¥ % ° § #".split())
_HYPHENS = frozenset("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}")
_DIVIDING = frozenset(".?!;:…|•·")


def letter(word: str, tag: str) -> str:
    """The letter of a word.

    Args:
        word: as written.
        tag: its universal part of speech; a word with an unknown one is taken for a noun.
    """
    plain = word.lower().replace("’", "'")
    if known := _BY_WORD.get((tag, plain)):
        return known
    if not any(map(str.isalnum, plain)):
        return _of_sign(plain, tag)
    if tag in _VERBS and _GERUND.search(plain):
        return "z"
    return _BY_TAG.get(tag, "n")


def _of_sign(sign: str, tag: str) -> str:
    if sign in _HYPHENS:
        return "h"
    if sign[:1] in _DIVIDING:
        return "."
    if sign in _WITH_NUMBERS:
        return "c"
    return "k" if tag == "CCONJ" else ","
