"""The shallow parser of the 2004 paper, section 3.4: a sentence divided into chunks by automata.

The paper tells what its chunks are, and shows one sentence; its automata are not published. These
here are regular expressions over one letter a word (:mod:`weps.syntax.letters`). Nothing in them is
read twice but for a bounded number of times, so the time is linear in the length of the sentence.

What English does otherwise than Spanish finds its place among the paper's kinds: a compound (*the
Haiti talks*) is one noun phrase, also with a possessor (*Haiti 's president*). An adverb before a
verb belongs to the verb, as *no* does in the paper's sentence. Of conjunctions the paper says
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from weps.syntax.letters import letter

__all__ = ["Chunk", "ChunkKind", "chunks", "spans"]


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


class Chunk(NamedTuple):
    """Words ``start`` to ``end``, the latter excluded, of a sentence."""

    kind: ChunkKind
    start: int
    end: int


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
_NAMED = f"(?>{_DETERMINED}|{_CORE})"
_PHRASE = f"(?>d*+[ow](?:g{_CORE}?+)?+|{_NAMED})"
"""any noun phrase, pronouns included"""
_BEFORE = "[irt]*+"
"""what stands before a verb and belongs to it: adverbs, negations, *to*"""
_VERB_AHEAD = f"(?={_BEFORE}[vxz])"
_GROUP = f"(?:{_BEFORE}[xz])*+(?:{_BEFORE}v)?+"
"""has not yet been said"""
_VERBS = f"{_VERB_AHEAD}{_GROUP}(?:r*+(?=i){_VERB_AHEAD}{_GROUP})*+t*+"
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
        f"(?P<VERB>{_VERBS})"
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
_KEEPING = frozenset({ChunkKind.NOUN, ChunkKind.MODIFIER})


def chunks(words: Sequence[str], tags: Sequence[str]) -> list[Chunk]:
    """The chunks of a sentence, in order; every word belongs to exactly one.

    Args:
        words: as written, punctuation marks included.
        tags: the universal part of speech of each.

    Raises:
        ValueError: if there are more of one than of the other.
    """
    letters = "".join(letter(word, tag) for word, tag in zip(words, tags, strict=True))
    return [Chunk(kind, start, end) for kind, start, end in spans(letters) if kind]


def spans(letters: str) -> Iterator[tuple[ChunkKind | None, int, int]]:
    """Kind, start and end of each chunk of any number of sentences.

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
        elif kind not in _KEEPING:
            automaton = _BEFORE_VERB
