"""The phrases of documents, spelled as their authors do.

A finite automaton over parts of speech finds them, as in terminology browsing (Peñas, Verdejo and
Gonzalo 2002): nouns with the adjectives and nouns before them, joined by *of*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.features import Bags
from weps.features.runs import Sequences
from weps.features.vocabulary import is_content, stop_words
from weps.language import Analysis, Layer

__all__ = ["Phrases"]

_LONGEST = 6
"""Words of a phrase, those that join it among them."""
_JOINING = frozenset("of de del della di da du des".split())
_ARTICLES = frozenset("the el la los las le les".split())
"""What may stand after a joining word."""
_OPENING, _CLOSING = ["n", "a"], ["n"]
_CLASSES = {"NOUN": "n", "PROPN": "n", "ADJ": "a"}
_INITIAL = re.compile(r"[^\W\d_]\.?")
_RUN = re.compile(r"(?:[ANan][ani]*n|[Nn])(?:pd?(?:[an][ani]*)?n)*")
"""Over the class letters of the tokens; a capital letter is the first token of a sentence."""

Numbers: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """The phrases of a name's or topic's documents, of two words or more."""

    bags: Bags
    """Spellings that differ in case only are one string, the most frequent of them."""
    spelled: Mapping[str, str]
    """Lower-case word → its most frequent spelling."""

    @classmethod
    def of(cls, analysis: Analysis) -> Phrases:
        """Noun phrases, if parts of speech are known, else runs of content words.

        Without the layer of tags every content word passes for a noun; runs that recur on several
        pages are seldom silly. Every part of a phrase that could stand alone is a phrase too:
        *York school board* holds *York school* and *school board*. Words of the person's name
        belong to no phrase.
        """
        tokens = _tokens(analysis)
        letters = np.array(tokens.letters, dtype="U1")[tokens.entry]
        run = _runs(letters, tokens.sentence)
        inside = run >= 0
        sequences = Sequences(
            tokens.texts,
            tokens.entry[inside].astype(np.int64),
            run[inside],
            analysis.tokens.document[tokens.sentence[inside]],
            len(analysis.documents),
        )
        parts = _parts(sequences, letters[inside])
        return cls(_folded(parts), _spellings(tokens))


@dataclass(frozen=True, slots=True, eq=False)
class _Tokens:
    """All tokens of the documents in reading order: t tokens, d distinct."""

    texts: Sequence[str]
    """d texts as written."""
    letters: Sequence[str]
    """d class letters: n noun, a adjective, i initial, p joining word, d article, a point for
    what belongs to no phrase."""
    entry: Numbers
    """Shape (t,): index into ``texts`` and ``letters``."""
    sentence: Numbers
    """Shape (t,), never decreasing."""


def _tokens(analysis: Analysis) -> _Tokens:
    """The tagged tokens if there are any, else those of the token table."""
    name, table = analysis.name.tokens, analysis.tokens
    if Layer.TAGS not in analysis.marks:
        letters = [_letter(text, "", name) for text in table.surface]
        return _Tokens(table.surface, letters, table.token, table.sentence)
    marks = analysis.layer(Layer.TAGS)
    told = zip(marks.texts, marks.kinds, strict=True)
    letters = [_letter(text, tag, name) for text, tag in told]
    return _Tokens(marks.texts, letters, marks.entry, marks.sentence)


def _letter(text: str, tag: str, name: Collection[str]) -> str:
    """The class letter of a word; without a tag it is whatever it can be."""
    word = text.lower()
    if word in _JOINING and tag in {"ADP", ""}:
        return "p"
    if word in _ARTICLES and tag in {"DET", ""}:
        return "d"
    if _INITIAL.fullmatch(word):
        return "i"
    if not is_content(word, name) or not any(map(str.isalpha, word)):
        return "."
    if word in stop_words():
        return "a" if tag in {"ADJ", "PROPN"} and text[0].isupper() else "."  # New York
    return _CLASSES.get(tag, ".") if tag else "n"


def _runs(letters: NDArray[np.str_], sentence: Numbers) -> NDArray[np.int64]:
    """Shape (t,): the number of the run that a token stands in, -1 outside."""
    first = np.diff(sentence, prepend=-1) != 0
    text = "".join(np.where(first, np.char.upper(letters), letters).tolist())
    run = np.full(len(letters), -1, dtype=np.int64)
    for number, found in enumerate(_RUN.finditer(text)):
        run[found.start() : found.end()] = number
    return run


def _parts(sequences: Sequences, letters: NDArray[np.str_]) -> list[Bags]:
    """For each length the parts of the runs that could stand alone."""
    opening, closing = np.isin(letters, _OPENING), np.isin(letters, _CLOSING)
    parts = []
    for length in range(2, _LONGEST + 1):
        starts = sequences.starts(length)
        kept = opening[starts] & closing[starts + length - 1]
        parts.append(sequences.bags(starts[kept], length))
    return parts


def _folded(parts: Sequence[Bags]) -> Bags:
    """All bags in one; of spellings that differ in case only, the most frequent stands for all."""
    counts = sparse.hstack([bags.counts for bags in parts]).tocoo()
    strings = [string for bags in parts for string in bags.strings]
    row, column = counts.coords
    spelled = _most_frequent(strings, np.bincount(column, counts.data, minlength=len(strings)))
    place = {lower: number for number, lower in enumerate(spelled)}
    folded = np.array([place[string.lower()] for string in strings], dtype=np.int64)
    shape = counts.shape[0], len(spelled)
    summed = sparse.coo_array((counts.data, (row, folded[column])), shape=shape).tocsr()
    return Bags(summed, tuple(spelled.values()))


def _spellings(tokens: _Tokens) -> dict[str, str]:
    """Lower-case token → its most frequent spelling."""
    return _most_frequent(tokens.texts, np.bincount(tokens.entry, minlength=len(tokens.texts)))


def _most_frequent(strings: Sequence[str], times: NDArray[np.number]) -> dict[str, str]:
    """Lower-case string → the spelling that occurs most often, of several the first by code.

    Args:
        strings: which may repeat.
        times: shape (strings,), how often each occurs.
    """
    frequency: Counter[str] = Counter()
    for string, count in zip(strings, times.tolist(), strict=True):
        frequency[string] += count
    spelled: dict[str, str] = {}
    for string in sorted(frequency, key=lambda each: (-frequency[each], each)):
        spelled.setdefault(string.lower(), string)
    return spelled
