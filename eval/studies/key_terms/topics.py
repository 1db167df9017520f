"""Topics: sets of documents with key concepts, and what every weighting makes of them.

Key concepts: what people name as the point of some documents, as sets of words.

How many words of key concepts there are at each place of a sentence (COLING 2004, section 4).

Recall and noise of ranked lists of terms (COLING 2004, section 5.1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps._text import singular_form, split_words
from weps.features.bags import is_content_word, stop_words
from weps.key_terms.clauses import Positions, word_positions
from weps.key_terms.extraction import key_terms
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.weighting import WEIGHTINGS, Reference
from weps.language.analysis import Analysis

__all__ = [
    "DISTANCES",
    "LONGEST",
    "PLACE_PAIRS",
    "Concept",
    "GivenTopic",
    "Places",
    "ReadDocuments",
    "RecallNoiseCurve",
    "Topic",
    "WordShare",
    "concept_noise",
    "concept_recall",
    "concept_words",
    "concepts_of",
    "normal_form",
    "place_at",
    "places_of",
    "read_topics",
    "recall_noise_curve",
    "study_topics",
]

Concept: TypeAlias = frozenset[str]
"""The words of a concept, plurals undone."""


def normal_form(word: str) -> str:
    """The form in which a term and a word of a concept are compared: lower case, plural undone.

    Other inflection tells them apart.
    """
    return singular_form(word)


def concepts_of(phrases: Iterable[str], name: Collection[str] = ()) -> frozenset[Concept]:
    """The key concepts that phrases stand for.

    Stop words do not count (*restore the democracy* is not reached by *the*), nor does what holds
    no letter, nor words of the person's name. Phrases of the same words are one concept, phrases
    without any are none.

    Args:
        phrases: as people have written them down.
        name: words in lower case that are no part of any concept.
    """
    dropped = stop_words().union(name)
    found = (frozenset(_content(phrase, dropped)) for phrase in phrases)
    return frozenset(filter(None, found))


def concept_words(concepts: Iterable[Concept]) -> frozenset[str]:
    """All words of several concepts."""
    return frozenset().union(*concepts)


def _content(phrase: str, dropped: Collection[str]) -> Iterable[str]:
    return (
        normal_form(word)
        for word in split_words(phrase)
        if is_content_word(word, dropped) and any(map(str.isalpha, word))
    )


_REACH = 6
DISTANCES = (*range(-_REACH, 0), *range(1, _REACH + 1))
"""Distances from the verb that are told apart; 1 is immediately after."""

PLACE_PAIRS = {
    "subjects": ("subjects", "other phrases"),
    "heads": ("modifiers", "heads"),
    "noun heads": ("other words", "last nouns"),
}
"""What is compared → its two places. *heads* of subjects as the paper has them, *noun heads* as
English has."""

Flags: TypeAlias = NDArray[np.bool_]


class WordShare(NamedTuple):
    """Of the content words at a place, how many are words of a key concept."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """The probability; nan if no word stands there."""
        return self.hits / self.total if self.total else nan


Places: TypeAlias = Mapping[str, WordShare]
"""Place → share."""


def place_at(distance: int) -> str:
    """The place at that signed distance from the verb: ``-1``, ``+1``."""
    return f"{distance:+d}"


def places_of(
    positions: Positions,
    compounds: Positions,
    rows: Sequence[int],
    key_words: Collection[str],
) -> Places:
    """Count the words of some documents.

    Args:
        positions: of all words of the name's or topic's documents.
        compounds: the same with heads as English has them.
        rows: the documents that count.
        key_words: the words of the key concepts, plurals undone.
    """
    counted = positions.content & np.isin(positions.document, list(rows))
    key = np.array([normal_form(form) in key_words for form in positions.forms], dtype=bool)
    held = key[positions.form] & counted
    return {
        place: WordShare(int((held & here).sum()), int((counted & here).sum()))
        for place, here in _places_of_words(positions, compounds)
    }


def _places_of_words(positions: Positions, compounds: Positions) -> Iterator[tuple[str, Flags]]:
    """Place → shape (T,), whether a word stands there."""
    yield "any word", np.ones(len(positions), dtype=bool)
    yield "any distance", positions.distance != 0
    for distance in DISTANCES:
        yield place_at(distance), positions.distance == distance
    yield "subjects", positions.subject
    yield "other phrases", positions.noun_phrase & ~positions.subject
    yield "heads", positions.head
    yield "modifiers", positions.modifier
    yield "last nouns", compounds.head
    yield "other words", compounds.modifier


@dataclass(frozen=True, slots=True, eq=False)
class RecallNoiseCurve:
    """What the first 0, 1, … n terms of a list reach."""

    covered: NDArray[np.int64]
    """Shape (n + 1,): |C_l|, the concepts of which at least one term is a word."""
    noise: NDArray[np.int64]
    """Shape (n + 1,): |L_n|, the terms that are a word of no concept."""
    concepts: int
    """|C|."""

    @property
    def length(self) -> int:
        """Terms of the list."""
        return len(self.noise) - 1

    def recall_at(self, length: int) -> float:
        """R of the first terms, of all if the list is shorter; nan without concepts."""
        reached = int(self.covered[min(length, self.length)])
        return reached / self.concepts if self.concepts else nan

    def noise_at(self, length: int) -> int:
        """Noise of the first terms, of all if the list is shorter."""
        return int(self.noise[min(length, self.length)])

    def recalls(self, lengths: int) -> NDArray[np.float64]:
        """Shape (lengths + 1,): R of the first 0, 1, … terms, the last where none are left."""
        held = _padded(self.covered, lengths)
        return held / self.concepts if self.concepts else np.full(lengths + 1, nan)

    def noises(self, lengths: int) -> NDArray[np.float64]:
        """Shape (lengths + 1,): noise of the first 0, 1, … terms."""
        return _padded(self.noise, lengths)


def recall_noise_curve(terms: Sequence[str], concepts: Collection[Concept]) -> RecallNoiseCurve:
    """Follow a list from its first term to its last.

    Args:
        terms: best first, in lower case.
        concepts: see :func:`~eval.studies.key_terms.topics.concepts_of`.
    """
    entry: dict[str, int] = {}
    for place, term in enumerate(terms, start=1):
        entry.setdefault(normal_form(term), place)
    known = frozenset().union(*concepts)
    reached = [
        min(entry[word] for word in concept if word in entry)
        for concept in concepts
        if not concept.isdisjoint(entry)
    ]
    astray = [normal_form(term) not in known for term in terms]
    covered = np.bincount(reached, minlength=len(terms) + 1).cumsum()
    return RecallNoiseCurve(covered, np.cumsum([0, *astray]), len(concepts))


def concept_recall(terms: Sequence[str], concepts: Collection[Concept]) -> float:
    """R = |C_l| / |C|: the share of concepts of which at least one term is a word."""
    return recall_noise_curve(terms, concepts).recall_at(len(terms))


def concept_noise(terms: Sequence[str], concepts: Collection[Concept]) -> int:
    """Noise = |L_n|: how many terms are a word of no concept."""
    return recall_noise_curve(terms, concepts).noise_at(len(terms))


def _padded(values: NDArray[np.int64], lengths: int) -> NDArray[np.float64]:
    """Shape (lengths + 1,): cut there, or its last value repeated."""
    held = values[np.arange(lengths + 1).clip(max=len(values) - 1)]
    return np.asarray(held, dtype=np.float64)


LONGEST = 200
"""Terms of a list that are looked at."""


@dataclass(frozen=True, slots=True)
class GivenTopic:
    """A topic as it is given."""

    kind: str
    """What its concepts come from, or what its documents are: ``attributes``, ``sections``."""
    title: str
    rows: tuple[int, ...]
    """Its documents."""
    concepts: frozenset[Concept]


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocuments:
    """Documents that were read together, with the topics among them."""

    occurrences: Occurrences
    topics: tuple[GivenTopic, ...]
    places: tuple[Places, ...]
    """Of each topic; empty if the documents have no tags."""


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A topic with all that the study tells of it."""

    kind: str
    title: str
    documents: int
    concepts: int
    words: int
    """Distinct content words of its documents."""
    places: Places
    curves: Mapping[str, RecallNoiseCurve]
    """Weighting → recall and noise of its list, cut at :data:`LONGEST` terms."""
    candidates: Mapping[str, int]
    """Weighting → length of its whole list."""


def read_topics(analysis: Analysis, topics: Sequence[GivenTopic], *, tagged: bool) -> ReadDocuments:
    """Count the words of all documents, and where those of each topic stand.

    Args:
        analysis: the documents.
        topics: those among them; one without concepts, or without a content word, is left out.
        tagged: whether the documents were read with their parts of speech.
    """
    if not tagged:
        occurrences = Occurrences.without_positions(analysis)
        kept = _topics_with_concepts(topics, occurrences)
        return ReadDocuments(occurrences, kept, tuple({} for _ in kept))
    plain, compounds = word_positions(analysis), word_positions(analysis, compounds=True)
    occurrences = Occurrences.of(plain, len(analysis.documents))
    kept = _topics_with_concepts(topics, occurrences)
    places = (places_of(plain, compounds, t.rows, concept_words(t.concepts)) for t in kept)
    return ReadDocuments(occurrences, kept, tuple(places))


def _topics_with_concepts(
    topics: Sequence[GivenTopic], occurrences: Occurrences
) -> tuple[GivenTopic, ...]:
    sizes = occurrences.at(Position.ANYWHERE).sum(axis=1)
    return tuple(topic for topic in topics if topic.concepts and sizes[list(topic.rows)].any())


def study_topics(
    batches: Sequence[ReadDocuments], progress: Callable[[str], None] = lambda _: None
) -> Iterator[Topic]:
    """Weigh the words of every topic; all documents but its own are the reference collection."""
    everything = Reference.combine(Reference.of(batch.occurrences) for batch in batches)
    for number, batch in enumerate(batches, start=1):
        progress(f"[{number}/{len(batches)}] {len(batch.topics)} topics weighed")
        for given, places in zip(batch.topics, batch.places, strict=True):
            yield _study_topic(given, places, _part(batch.occurrences, given.rows), everything)


def _study_topic(
    given: GivenTopic, places: Places, own: Occurrences, everything: Reference
) -> Topic:
    reference = everything - Reference.of(own)
    lists = {
        name: [term for term, _ in key_terms(own, range(own.documents), weighting, reference)]
        for name, weighting in WEIGHTINGS.items()
        if places or not weighting.needs_tags
    }
    return Topic(
        given.kind,
        given.title,
        own.documents,
        len(given.concepts),
        len(own.words),
        places,
        {
            name: recall_noise_curve(terms[:LONGEST], given.concepts)
            for name, terms in lists.items()
        },
        {name: len(terms) for name, terms in lists.items()},
    )


def _part(occurrences: Occurrences, rows: Sequence[int]) -> Occurrences:
    """Some of the documents by themselves, with the words that they have."""
    chosen = {place: counts[list(rows)] for place, counts in occurrences.counts.items()}
    used = np.unique(chosen[Position.ANYWHERE].indices)
    words = tuple(occurrences.words[column] for column in used.tolist())
    return Occurrences(words, {place: counts[:, used] for place, counts in chosen.items()})
