"""WordNet in the shape in which nltk's METEOR looks synonyms up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from eval.text.wordnet import WordNet, senses_of

__all__ = ["Lemma", "Synonyms", "Synset"]


@dataclass(frozen=True, slots=True)
class Lemma:
    """A word of a synset."""

    word: str

    def name(self) -> str:
        """The word as WordNet's index has it, in lower case; nltk's own reader keeps capitals."""
        return self.word


@dataclass(frozen=True, slots=True)
class Synset:
    """Words that mean the same."""

    words: tuple[Lemma, ...]

    def lemmas(self) -> tuple[Lemma, ...]:
        """The words, compounds with underscores among them."""
        return self.words


@dataclass(frozen=True, slots=True)
class Synonyms:
    """The synsets of words; none of any word without WordNet."""

    wordnet: WordNet | None = None

    def synsets(self, word: str) -> tuple[Synset, ...]:
        """What a word in any form may stand for, in any part of speech."""
        return _synsets(word, self.wordnet) if self.wordnet is not None else ()


@lru_cache(1 << 14)
def _synsets(word: str, wordnet: WordNet) -> tuple[Synset, ...]:
    known = _known(wordnet)
    return tuple(known[synset] for synset in senses_of(word, wordnet))


@lru_cache(1)
def _known(wordnet: WordNet) -> tuple[Synset, ...]:
    """The synsets in the order of their numbers."""
    words: list[list[Lemma]] = [[] for _ in wordnet.synsets]
    for (lemma, _), synsets in wordnet.senses.items():
        for synset in synsets:
            words[synset].append(Lemma(lemma))
    return tuple(Synset(tuple(each)) for each in words)
