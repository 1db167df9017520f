"""The shallow parser of the 2004 paper, section 3.4: a sentence divided into chunks by automata.

The paper defines its chunks and shows one sentence; its automata are not published. These are
regular expressions over one letter per word: its part of speech, or a class of its own where tags
are not enough. Backtracking is bounded, so the time is linear in the length of the sentence.

Where English differs from Spanish, it is mapped to the paper's kinds: a compound (*the Haiti
talks*) is one noun phrase, also with a possessor (*Haiti 's president*). An adverb before a verb
belongs to the verb, as *no* does in the paper's sentence. The paper does not mention conjunctions.
The head of a noun phrase is its last noun, or its last name.

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
``, .``  punctuation; punctuation that divides clauses
``h``    hyphens
=======  ======================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

_HEAD = re.compile("(?:n|m(?:h?m)*+)(?=[^nmk]*(?:k|$))")
_NOUN = re.compile("[nm]")


def noun_heads(letters: str, phrases: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Shape (letters,): whether the word is the head of one of the phrases.

    Of several nouns the last is the head (*the Haiti talks*), in each conjunct (*Haiti 's president
    and his men*); a name is one head (*President Bill Clinton*). Without a noun all of it is head.

    Args:
        letters: as for :func:`chunk_spans`.
        phrases: start and end of [N] chunks.
    """
    head = np.zeros(len(letters), dtype=bool)
    for start, end in phrases:
        if _NOUN.search(letters, start, end):
            for match in _HEAD.finditer(letters, start, end):
                head[match.start() : match.end()] = True
        else:
            head[start:end] = True
    return head


BREAK = "\n"
"""Stands between sentences."""

_BY_TAG = dict(
    pair.split("/")
    for pair in "ADJ/a ADP/p ADV/r AUX/x CCONJ/k DET/d INTJ/r NOUN/n NUM/c PART/t PRON/o PROPN/m"
    " PUNCT/, SCONJ/s VERB/v".split()
)
_WORD_CLASSES = (
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
    for letter, tags, words in _WORD_CLASSES
    for tag in tags.split()
    for word in words.split()
}
_VERB_TAGS = frozenset({"AUX", "VERB"})
_GERUND = re.compile("[aeiouy][b-df-hj-np-tv-xz]*+ing$")
_BY_SIGN = dict.fromkeys("$£€¥%°§#", "c") | dict.fromkeys("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}", "h")
_DIVIDING = frozenset(".?!;:…|•·")


def class_letter(word: str, tag: str) -> str:
    """The letter of a word.

    Args:
        word: as written.
        tag: its universal part of speech; a word with an unknown one is taken for a noun.
    """
    plain = word.lower().replace("’", "'")
    if known := _BY_WORD.get((tag, plain)):
        return known
    if not any(map(str.isalnum, plain)):
        by_sign = "." if plain[:1] in _DIVIDING else _BY_SIGN.get(plain)
        return by_sign or ("k" if tag == "CCONJ" else ",")
    if tag in _VERB_TAGS and _GERUND.search(plain):
        return "z"
    return _BY_TAG.get(tag, "n")


class ChunkKind(StrEnum):
    """The labels of section 3.4."""

    NOUN = "N"
    """A noun phrase: names, or adjectives with a determiner."""
    VERB = "V"
    """Auxiliaries, particles, adverbs before them, and the main verb."""
    MODIFIER = "Mod"
    """An adverb or adjective by itself; an adposition and the phrase that it introduces."""
    SUBORDINATOR = "Sub"
    """What opens a subordinate clause: *that*, *which*, *when*, *in which*, …"""
    PUNCTUATION = "P"
    """A punctuation mark; a conjunction that joins anything but two noun phrases."""


_ITEM = "(?:r*+(?:[ac]|(?<=r)h[acnmvz])|[nmg])"
"""very large; 20; well-known; president; Haiti's"""
_MORE = f"(?:h?+{_ITEM}|h[vz])"
"""vice-president; award-winning author"""
_CORE = f"(?:{_ITEM}{_MORE}*+)"
_PARTICIPLE = "[vz](?=[acnm])"
_DETERMINED = (
    f"(?:d++(?:(?:r*+{_PARTICIPLE}|r++(?=[nm])|{_ITEM})(?:{_MORE}|(?<=[ac]){_PARTICIPLE})*+)?+)"
)
"""the newly elected president; the then president; two armed men"""
_NOMINAL_PHRASE = f"(?>{_DETERMINED}|{_CORE})"
_PHRASE = f"(?>d*+[ow](?:g{_CORE}?+)?+|{_NOMINAL_PHRASE})"
"""any noun phrase, pronouns included"""
_BEFORE = "[irt]*+"
"""what stands before a verb and belongs to it: adverbs, negations, *to*"""
_VERB_AHEAD = f"(?={_BEFORE}[vxz])"
_GROUP = f"(?:{_BEFORE}[xz])*+(?:{_BEFORE}v)?+"
"""has not yet been said"""
_VERB_PHRASE = f"{_VERB_AHEAD}{_GROUP}(?:r*+(?=i){_VERB_AHEAD}{_GROUP})*+t*+"
"""did want to have gone"""
_CLAUSE_AHEAD = f"(?:p++{_PHRASE})*+{_BEFORE}[vxz]"


def _automaton(*, verb_seen: bool) -> re.Pattern[str]:
    """Reads the next chunk; the name of the group is its kind.

    Args:
        verb_seen: whether a verb stands before in the clause: then what a conjunction joins and a
            verb follows is a clause, no noun phrase (*he won and his men left*).
    """
    guard = f"(?!{_CLAUSE_AHEAD})" if verb_seen else ""
    joined = f"(?>k{_PHRASE}{guard})*+"
    joined_modifiers = f"(?>kp*+{_PHRASE}{guard})*+"
    verbal = f"{_BEFORE}(?:v|z{_GROUP}){_PHRASE}?+"
    introduced = f"(?>{verbal}|{_PHRASE}|r++{_PHRASE}?+)"
    return re.compile(
        f"(?P<VERB>{_VERB_PHRASE})"
        "|(?P<SUBORDINATOR>p*+s|(?<=[acdgmno])w)"
        f"|(?P<MODIFIER>p++{introduced}?+{joined_modifiers})"
        f"|(?P<NOUN>{_PHRASE}{joined})"
        "|(?P<ADVERBS>[irt]++)"
        "|(?P<BREAK>\n)"
        "|(?P<PUNCTUATION>.)"
    )


_KINDS = {kind.name: kind for kind in ChunkKind} | {"ADVERBS": ChunkKind.MODIFIER}
_NOMINAL = re.compile("[cdgmnow]")
_BEFORE_VERB, _AFTER_VERB = _automaton(verb_seen=False), _automaton(verb_seen=True)
_KINDS_AFTER_VERB = frozenset({ChunkKind.NOUN, ChunkKind.MODIFIER})


def chunk_spans(letters: str) -> Iterator[tuple[ChunkKind | None, int, int]]:
    """Kind, start and end of each chunk of any number of sentences; every word is in exactly one.

    Args:
        letters: one a word, ``BREAK`` between sentences; a break is given the kind None.
    """
    at, automaton = 0, _BEFORE_VERB
    while match := automaton.match(letters, at):
        kind = _KINDS.get(match.lastgroup or "")
        if kind is ChunkKind.NOUN and not _NOMINAL.search(letters, at, match.end()):
            kind = ChunkKind.MODIFIER  # adjectives by themselves
        yield kind, at, match.end()
        at = match.end()
        if kind is ChunkKind.VERB:
            automaton = _AFTER_VERB
        elif kind not in _KINDS_AFTER_VERB:
            automaton = _BEFORE_VERB
