"""Key phrases compared with those that people named: ours, TF-IDF of n-grams, and PositionRank.

Phrases are the same if their words are, in lower case and after stemming. All baselines are
written after their papers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log
from typing import TypeAlias

import numpy as np
from scipy import sparse

from weps._text import split_words
from weps.features.bags import is_content_word, stop_words
from weps.language.analysis import Analysis, Layer
from weps_eval.stats.arrays import Floats
from weps_eval.text.phrases import key_phrases
from weps_eval.text.topic import porter_stem

LENGTHS = (5, 10, 15)
"""Phrases of a list that are judged."""
OURS, NGRAMS, POSITION_RANK = "key_phrases", "TF-IDF, 1 to 3 words", "PositionRank"
METHODS = (OURS, NGRAMS, POSITION_RANK)

Phrase: TypeAlias = tuple[str, ...]
"""Stems."""
_MAX_WORDS = 3
_WINDOW = 10
"""Words within which two are neighbours."""
_DAMPING, _ITERATIONS = 0.85, 100
_NOUN_PHRASE = re.compile("a*n+")
_LETTERS = {"NOUN": "n", "PROPN": "n", "ADJ": "a"}


@dataclass(frozen=True, slots=True)
class PhraseLists:
    """Phrases found in one document, and those that people named."""

    named: frozenset[Phrase]
    found: Mapping[str, Sequence[Phrase]]
    """Method → its phrases, best first; without that which needs all documents."""
    ngrams: Counter[Phrase]
    """How often runs of one to three words occur that begin and end with content words."""


def read_phrases(analysis: Analysis, row: int, named: Iterable[str]) -> PhraseLists:
    """The phrases of a document, read with its tags."""
    sentences = list(_tagged_sentences(analysis, row))
    ours = (stems(phrase) for phrase, _ in key_phrases(analysis, [row], most=2 * LENGTHS[-1]))
    found = {OURS: tuple(ours), POSITION_RANK: tuple(position_rank(sentences))}
    return PhraseLists(frozenset(map(stems, named)) - {()}, found, _count_ngrams(sentences))


def stems(phrase: str) -> Phrase:
    """The stems of the words of a phrase."""
    return tuple(map(porter_stem, split_words(phrase)))


Words: TypeAlias = list[tuple[str, str]]
"""Words and signs of a sentence in lower case, with their tags."""


def _tagged_sentences(analysis: Analysis, row: int) -> Iterator[Words]:
    marks = analysis.layer(Layer.TAGS)
    begin, end = np.searchsorted(analysis.tokens.document[marks.sentence], [row, row + 1])
    numbered = zip(marks.sentence[begin:end].tolist(), marks.entry[begin:end].tolist(), strict=True)
    for _, group in groupby(numbered, lambda pair: pair[0]):
        inside = ((marks.texts[entry].lower(), marks.kinds[entry]) for _, entry in group)
        yield [(text, tag) for text, tag in inside if text != "-"]


def _count_ngrams(sentences: Iterable[Words]) -> Counter[Phrase]:
    found: Counter[Phrase] = Counter()
    for sentence in sentences:
        words = [word for word, _ in sentence]
        content = [is_content_word(word, stop_words()) for word in words]
        for start in range(len(words)):
            for end in range(start + 1, min(start + _MAX_WORDS, len(words)) + 1):
                if not words[end - 1][0].isalnum():
                    break
                if content[start] and content[end - 1]:
                    found[tuple(map(porter_stem, words[start:end]))] += 1
    return found


def position_rank(sentences: Iterable[Words]) -> list[Phrase]:
    """Phrases by PositionRank, best first (Florescu and Caragea 2017, section 3).

    Stems of nouns and adjectives are ranked by a random walk over those within ten words of one
    another, which prefers stems that occur early and often: a word at position i adds 1/i. Phrases
    are adjectives and nouns of up to three words, scored by the sum of the ranks of their stems.
    """
    words = [pair for sentence in sentences for pair in (*sentence, ("", ""))]
    letters = "".join(
        _LETTERS.get(tag, ".") if is_content_word(word, stop_words()) else "."
        for word, tag in words
    )
    number: dict[str, int] = {}
    spoken = [at for at, (word, _) in enumerate(words) if any(map(str.isalnum, word))]
    place = {
        order: number.setdefault(porter_stem(words[at][0]), len(number))
        for order, at in enumerate(spoken)
        if letters[at] != "."
    }
    edges = [
        (place[one], place[other])
        for one in place
        for other in range(one + 1, one + _WINDOW)
        if other in place and place[one] != place[other]
    ]
    early = np.zeros(len(number))
    np.add.at(early, list(place.values()), [1 / (order + 1) for order in place])
    rank = _walk(edges, early)
    scores = {}
    for match in _NOUN_PHRASE.finditer(letters):
        phrase = tuple(porter_stem(word) for word, _ in words[match.start() : match.end()])
        if len(phrase) <= _MAX_WORDS:
            scores[phrase] = sum(rank[number[stem]] for stem in phrase)
    return sorted(scores, key=lambda phrase: (-scores[phrase], phrase))


def _walk(edges: Sequence[tuple[int, int]], restart: Floats) -> Floats:
    """Shape (n,): how often each of n nodes is visited, with restarts in these proportions."""
    one, other = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    both = np.concatenate([one, other]), np.concatenate([other, one])
    size = len(restart)
    graph = sparse.coo_array((np.ones(len(both[0])), both), shape=(size, size)).tocsr()
    graph = graph / graph.sum(axis=0).clip(min=1)
    restart = restart / (restart.sum() or 1)
    rank = restart
    for _ in range(_ITERATIONS):
        rank = _DAMPING * (graph @ rank) + (1 - _DAMPING) * restart
    return np.asarray(rank)


def judge_phrases(documents: Sequence[PhraseLists]) -> dict[str, Floats]:
    """Method → F1 of the first 5, 10 and 15 phrases, shape (documents, 3).

    Precision is over the phrases that there are, recall over all that were named, also those that
    the document does not have. TF-IDF takes these documents for its collection.
    """
    frequency = Counter(ngram for each in documents for ngram in each.ngrams)
    scores: dict[str, list[list[float]]] = {name: [] for name in METHODS}
    for each in documents:
        weight = {
            ngram: times * log(len(documents) / frequency[ngram])
            for ngram, times in each.ngrams.items()
        }
        by_weight = sorted(weight, key=lambda ngram: (-weight[ngram], ngram))
        for name, found in {**each.found, NGRAMS: by_weight}.items():
            scores[name].append([f1_at(found, each.named, length) for length in LENGTHS])
    return {name: np.array(values) for name, values in scores.items()}


def f1_at(found: Iterable[Phrase], named: frozenset[Phrase], length: int) -> float:
    """F1 of the first so many different phrases."""
    first = list(dict.fromkeys(filter(None, found)))[:length]
    return 2 * len(named.intersection(first)) / ((len(first) + len(named)) or 1)
