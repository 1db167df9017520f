"""Where the words of a sentence stand: chunks, clauses and subjects (COLING 2004).

Section 3.4 divides sentences into chunks by automata, section 4 asks how far words stand from a
verb, and whether in heads or modifiers of subjects. The paper shows one sentence; its automata are
not published. These are regular expressions over one letter per word: its part of speech, or a
class of its own where tags are not enough. Backtracking is bounded, so the time is linear in the
length of the sentence.

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
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from weps._text import split_words
from weps.features.bags import is_content_word, number_forms, stop_words
from weps.language.analysis import Analysis, Layer

Indices = NDArray[np.intp]
Integers = NDArray[np.int32]
Flags = NDArray[np.bool_]

_HEAD = re.compile("(?:n|m(?:h?m)*+)(?=[^nmk]*(?:k|$))")


def _noun_heads(letters: str, phrases: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Shape (letters,): whether the word is the head of one of the phrases.

    Of several nouns the last is the head (*the Haiti talks*), in each conjunct (*Haiti 's president
    and his men*); a name is one head (*President Bill Clinton*). Without a noun all of it is head.

    Args:
        letters: as for :func:`_chunk_spans`.
        phrases: start and end of [N] chunks.
    """
    head = np.zeros(len(letters), dtype=bool)
    for start, end in phrases:
        spans = [match.span() for match in _HEAD.finditer(letters, start, end)]
        for first, last in spans or [(start, end)]:
            head[first:last] = True
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


def _class_letter(word: str, tag: str) -> str:
    """The letter of a word.

    Args:
        word: as written.
        tag: its universal part of speech; a word with an unknown one is taken for a noun.
    """
    plain = word.lower().replace("’", "'")
    if known := _BY_WORD.get((tag, plain)):
        return known
    if not any(map(str.isalnum, plain)):
        other = "k" if tag == "CCONJ" else ","
        return "." if plain[:1] in _DIVIDING else _BY_SIGN.get(plain, other)
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
    """Words that open a subordinate clause: *that*, *which*, *when*, *in which*, …"""
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
    verbal = f"{_BEFORE}(?:v|z{_GROUP}){_PHRASE}?+"
    introduced = f"(?>{verbal}|{_PHRASE}|r++{_PHRASE}?+)"
    return re.compile(
        f"(?P<VERB>{_VERB_PHRASE})"
        "|(?P<SUBORDINATOR>p*+s|(?<=[acdgmno])w)"
        f"|(?P<MODIFIER>p++{introduced}?+(?>kp*+{_PHRASE}{guard})*+)"
        f"|(?P<NOUN>{_PHRASE}(?>k{_PHRASE}{guard})*+)"
        "|(?P<ADVERBS>[irt]++)"
        "|(?P<BREAK>\n)"
        "|(?P<PUNCTUATION>.)"
    )


_KINDS = {kind.name: kind for kind in ChunkKind} | {"ADVERBS": ChunkKind.MODIFIER}
_NOMINAL = re.compile("[cdgmnow]")
_BEFORE_VERB, _AFTER_VERB = _automaton(verb_seen=False), _automaton(verb_seen=True)
_KINDS_AFTER_VERB = frozenset({ChunkKind.NOUN, ChunkKind.MODIFIER})


def _chunk_spans(letters: str) -> Iterator[tuple[ChunkKind | None, int, int]]:
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


_BREAK_KIND = ""
_NOT_FINITE = re.compile("[rt]*+[iz]")


@dataclass(frozen=True, slots=True, eq=False)
class Clauses:
    """K chunks of any number of sentences, in reading order; a break between two sentences is one.

    The paper divides sentences at [Sub] chunks. A comma may stand between subject and verb, so it
    divides only where it ends a subordinate clause. Hence a clause begins

    - with the sentence,
    - with a [Sub] chunk: it is a subordinate clause,
    - after the next punctuation mark that follows a [Sub] chunk,
    - after a mark that always divides (``.``, ``?``, ``!``, ``;``, ``:``, …).
    """

    kind: NDArray[np.str_]
    """Shape (K,): the labels; empty for breaks."""
    bounds: Indices
    """Shape (K, 2): position of the first letter, and after the last."""
    clause: Indices
    """Shape (K,): number of the clause, never decreasing."""
    subordinate: Flags
    """Shape (K,): whether the chunk stands in a subordinate clause."""
    finite: Flags
    """Shape (K,): the verbs, but for those that begin with *to* or with an English gerund."""

    @classmethod
    def of(cls, letters: str) -> Clauses:
        """Divide sentences.

        Args:
            letters: as for :func:`_chunk_spans`.
        """
        found = list(_chunk_spans(letters))
        kind = np.array([each or _BREAK_KIND for each, _, _ in found], dtype="U3")
        bounds = np.array([span for _, *span in found], dtype=np.intp).reshape(-1, 2)
        first = np.frombuffer(letters.encode("ascii"), dtype="S1")[bounds[:, 0]]
        between, opening = kind == _BREAK_KIND, kind == ChunkKind.SUBORDINATOR
        mark = between | (kind == ChunkKind.PUNCTUATION) & (first != b"k")
        subordinate = _last_flagged(opening) > _last_flagged(mark)
        # The mark that ends a clause belongs to it.
        ends = between | (first == b".") | mark & np.r_[False, subordinate[:-1]]
        finite = [
            each is ChunkKind.VERB and not _NOT_FINITE.match(letters, at) for each, at, _ in found
        ]
        clause = np.cumsum(opening | np.r_[False, ends[:-1]])
        return cls(kind, bounds, clause, subordinate, np.array(finite, dtype=bool))

    def subjects(self) -> tuple[Flags, Flags]:
        """Shape (K,) each: the heads and the modifiers of subjects.

        A subject is a sequence [N][Mod]* immediately before a verb. Those of subordinate clauses
        are not taken, as in the paper; nor what stands before *to do* or *doing*, mostly the
        object of another verb. (The paper's language has such forms in [Mod] chunks.)
        """
        modifier = self.kind == ChunkKind.MODIFIER
        anchor = _last_flagged(~modifier)  # what a row of modifiers follows
        before = np.r_[-1, anchor[:-1]][self.finite & ~self.subordinate]
        head = np.isin(np.arange(len(self.kind)), before) & (self.kind == ChunkKind.NOUN)
        return head, modifier & (anchor >= 0) & head[anchor]


def _last_flagged(flags: Flags) -> Indices:
    """For each place the last one, itself included, that is flagged; −1 if there is none."""
    return np.maximum.accumulate(np.where(flags, np.arange(len(flags)), -1))


_MAX_DISTANCE = np.iinfo(np.int16).max


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The T words of a name's documents, in reading order, without punctuation.

    Words are those of :mod:`weps._text`, in lower case.
    """

    forms: tuple[str, ...]
    """Distinct words."""
    form: Integers
    """Shape (T,): index into ``forms``."""
    document: Integers
    """Shape (T,): row of the document."""
    content: Flags
    """Shape (T,): no stop word, two characters or more, no part of the person's name."""
    distance: NDArray[np.int16]
    """Shape (T,): from the nearest verb of the clause, in content words: −1 immediately before it,
    1 immediately after; of two equally near, the verb that follows counts. 0 for words of verbs,
    for words without content, and in a clause without a verb."""
    subject: Flags
    """Shape (T,): in a sequence [N][Mod]* immediately before the verb of a main clause."""
    head: Flags
    """Shape (T,): in the head of a subject."""
    modifier: Flags
    """Shape (T,): in a modifier of a subject; every word of a subject is in one or the other."""
    noun_phrase: Flags
    """Shape (T,): in any [N] or [Mod] chunk."""


def word_positions(analysis: Analysis, *, compounds: bool = False) -> Positions:
    """Where the words of a name's documents stand.

    Args:
        analysis: the documents, tagged.
        compounds: heads as English has them. The paper takes [N] for the head and [Mod]* for the
            modifiers of a subject, since Spanish modifiers follow their noun. English ones also
            stand before it (*the Haiti talks*): then only the last noun or name of an [N] is its
            head, and all else in it modifies.

    Raises:
        LanguageError: if the documents were read without tags.
    """
    marks = analysis.layer(Layer.TAGS)
    # A break, which is one entry more, stands between two sentences.
    ends = np.flatnonzero(np.diff(marks.sentence)) + 1
    entry = np.insert(marks.entry, ends, len(marks.texts))
    document = analysis.tokens.document[marks.sentence]
    document = np.insert(document, ends, document[ends])
    distinct = [_class_letter(*each) for each in zip(marks.texts, marks.kinds, strict=True)]
    letters = np.array([*distinct, BREAK], dtype="S1")[entry].tobytes().decode("ascii")
    clauses = Clauses.of(letters)
    # Each word has an index among the distinct ones, and the place of its mark.
    inside = [*map(split_words, marks.texts), []]  # a break has no words
    forms, flat = number_forms(chain.from_iterable(inside))
    sizes = np.array([len(words) for words in inside])
    place = np.repeat(np.arange(len(entry)), sizes[entry])
    starts = (np.cumsum(sizes) - sizes)[entry][place]
    form = flat[starts + np.arange(len(place)) - np.searchsorted(place, place)]
    chunk = np.searchsorted(clauses.bounds[:, 0], place, side="right") - 1
    dropped = stop_words().union(analysis.name.tokens)
    content = np.array([is_content_word(each, dropped) for each in forms], dtype=bool)[form]
    subject_heads, subject_modifiers = clauses.subjects()
    subject = (subject_heads | subject_modifiers)[chunk]
    head = subject_heads[chunk]
    if compounds:
        head &= _noun_heads(letters, clauses.bounds[subject_heads].tolist())[place]
    return Positions(
        forms=forms,
        form=form,
        document=document[place],
        content=content,
        distance=_verb_distances(clauses, chunk, content),
        subject=subject,
        head=head,
        modifier=subject & ~head,
        noun_phrase=np.isin(clauses.kind, [ChunkKind.NOUN, ChunkKind.MODIFIER])[chunk],
    )


def _verb_distances(clauses: Clauses, chunk: NDArray[np.intp], content: Flags) -> NDArray[np.int16]:
    verb = clauses.kind == ChunkKind.VERB
    counted = content & ~verb[chunk]
    inside = np.bincount(chunk[counted], minlength=len(verb))
    passed = np.cumsum(inside) - inside
    here = np.cumsum(counted) - counted
    # The nearest verb chunk before and after within the clause, or −1.
    last = _last_flagged(verb)
    following = len(verb) - 1 - _last_flagged(verb[::-1])[::-1]
    following[following == len(verb)] = -1
    earlier, later = (
        np.where((each >= 0) & (clauses.clause[each] == clauses.clause), each, -1)[chunk]
        for each in (last, following)
    )
    after = np.where(earlier >= 0, here - passed[earlier] + 1, _MAX_DISTANCE)
    before = np.where(later >= 0, passed[later] - here, _MAX_DISTANCE)
    after, before = (distance.clip(max=_MAX_DISTANCE) for distance in (after, before))
    known = counted & ((earlier >= 0) | (later >= 0))
    return np.where(known, np.where(before <= after, -before, after), 0).astype(np.int16)
