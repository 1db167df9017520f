"""Key concepts of topics: where their words stand, which weightings find them, and the means.

How many words of key concepts there are at each place of a sentence (COLING 2004, section 4), and
recall and noise of ranked lists of terms (section 5.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import NamedTuple, TypeAlias

import numpy as np

from weps._parallel import Progress, no_progress
from weps._text import singular_form, split_words
from weps.features.bags import Bags, is_content_word, stop_words
from weps.key_terms.weighting import Reference, content_word_counts
from weps.language.analysis import Analysis
from weps_eval.key_terms.phrases import PhraseLists
from weps_eval.key_terms.syntax import Positions, word_positions
from weps_eval.key_terms.weighting import WEIGHTINGS, Occurrences, Position, rank_terms
from weps_eval.stats.arrays import Floats, Ints

Concept: TypeAlias = frozenset[str]
"""The words of a concept in lower case, plurals undone; other inflection distinguishes words."""
_REACH = 6
DISTANCES = (*range(-_REACH, 0), *range(1, _REACH + 1))
"""Distances from the verb that are distinguished; 1 is immediately after."""
PLACE_PAIRS = {
    "subjects": ("subjects", "other phrases"),
    "heads": ("modifiers", "heads"),
    "noun heads": ("other words", "last nouns"),
}
"""Comparison → its two places. *heads* of subjects as the paper has them, *noun heads* as
English has."""
ENGLISH = " (English)"
"""Ends the names of weightings against the reference collection that comes with weps."""
STUDIED = WEIGHTINGS | {
    f"{name}{ENGLISH}": WEIGHTINGS[name]._replace(
        description=f"{WEIGHTINGS[name].description}, here the English Web pages of weps"
    )
    for name in ("likelihood_ratio", "okapi", "okapi+spread")
}
LONGEST = 200
"""Terms of a list that are looked at."""


def concepts_of(phrases: Iterable[str], name: Collection[str] = ()) -> frozenset[Concept]:
    """The key concepts that phrases stand for, as people have written them down.

    Stop words do not count (*restore the democracy* is not reached by *the*), nor does what holds
    no letter, nor words of the person's name, in lower case. Phrases of the same words are one
    concept, phrases without any are none.
    """
    dropped = stop_words().union(name)
    concepts = (
        frozenset(
            singular_form(word)
            for word in split_words(phrase)
            if is_content_word(word, dropped) and any(map(str.isalpha, word))
        )
        for phrase in phrases
    )
    return frozenset(filter(None, concepts))


class WordShare(NamedTuple):
    """Number of content words at a place, and of words of key concepts among them."""

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
    positions: Positions, compounds: Positions, rows: Sequence[int], key_words: Collection[str]
) -> Places:
    """Count the content words of the documents in ``rows`` at each place, and the key ones.

    ``compounds`` are the same positions with heads as English has them; plurals of key words are
    undone.
    """
    counted = positions.content & np.isin(positions.document, list(rows))
    key = np.array([singular_form(form) in key_words for form in positions.forms], dtype=bool)
    hits = key[positions.form] & counted
    at_place = {
        "any word": np.ones(len(positions), dtype=bool),
        "any distance": positions.distance != 0,
        **{place_at(distance): positions.distance == distance for distance in DISTANCES},
        "subjects": positions.subject,
        "other phrases": positions.noun_phrase & ~positions.subject,
        "heads": positions.head,
        "modifiers": positions.modifier,
        "last nouns": compounds.head,
        "other words": compounds.modifier,
    }
    return {
        place: WordShare(int((hits & here).sum()), int((counted & here).sum()))
        for place, here in at_place.items()
    }


@dataclass(frozen=True, slots=True, eq=False)
class RecallNoiseCurve:
    """Concepts reached by the first 0, 1, … n terms of a list; of a shorter list all count."""

    covered: Ints
    """Shape (n + 1,): |C_l|, the concepts of which at least one term is a word."""
    noise: Ints
    """Shape (n + 1,): |L_n|, the terms that are a word of no concept."""
    concepts: int
    """|C|."""

    @property
    def length(self) -> int:
        """Terms of the list."""
        return len(self.noise) - 1

    def recall_at(self, length: int) -> float:
        """R = |C_l| / |C| of the first terms; nan without concepts."""
        reached = int(self.covered[min(length, self.length)])
        return reached / self.concepts if self.concepts else nan

    def noise_at(self, length: int) -> int:
        """Noise of the first terms."""
        return int(self.noise[min(length, self.length)])

    def points(self, lengths: int) -> tuple[Floats, Floats]:
        """Shapes (lengths + 1,): noise and recall of the first 0, 1, … terms."""
        at = np.arange(lengths + 1).clip(max=self.length)
        return self.noise[at].astype(np.float64), self.covered[at] / (self.concepts or nan)


def recall_noise_curve(terms: Sequence[str], concepts: Collection[Concept]) -> RecallNoiseCurve:
    """Follow a list of terms in lower case, the best first, and the concepts that it reaches."""
    entry: dict[str, int] = {}
    for place, term in enumerate(terms, start=1):
        entry.setdefault(singular_form(term), place)
    known = frozenset().union(*concepts)
    reached = [
        min(entry[word] for word in concept if word in entry)
        for concept in concepts
        if not concept.isdisjoint(entry)
    ]
    astray = [singular_form(term) not in known for term in terms]
    covered = np.bincount(reached, minlength=len(terms) + 1).cumsum()
    return RecallNoiseCurve(covered, np.cumsum([0, *astray]), len(concepts))


@dataclass(frozen=True, slots=True)
class GivenTopic:
    """A topic as it is given."""

    kind: str
    """Origin of its concepts, or kind of its documents: ``attributes``, ``sections``."""
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
    """Places of each topic; empty if the documents have no tags."""
    phrases: tuple[PhraseLists, ...] = ()
    """Phrases of each document with key phrases."""


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A topic with all that the study finds of it."""

    kind: str
    title: str
    documents: int
    concepts: int
    words: int
    """Distinct content words of its documents."""
    places: Places
    curves: Mapping[str, RecallNoiseCurve]
    """Weighting → recall and noise of its list, cut at 200 terms."""
    candidates: Mapping[str, int]
    """Weighting → length of its whole list."""

    def probability(self, place: str) -> float:
        """That a word there is one of a key concept; nan if no word stands there."""
        return self.places[place].value if place in self.places else nan


def read_topics(analysis: Analysis, topics: Sequence[GivenTopic], *, tagged: bool) -> ReadDocuments:
    """Count the words of all documents, and where those of each topic stand.

    A topic without concepts, or without a content word, is left out; without tags nothing is known
    of positions.
    """
    if tagged:
        plain, compounds = word_positions(analysis), word_positions(analysis, compounds=True)
        occurrences = Occurrences.of(plain, len(analysis.documents))
    else:
        words = content_word_counts(analysis)
        occurrences = Occurrences(words.strings, {Position.ANYWHERE: words.counts})
    sizes = occurrences.counts[Position.ANYWHERE].sum(axis=1)
    kept = tuple(each for each in topics if each.concepts and sizes[list(each.rows)].any())
    places: tuple[Places, ...] = tuple(
        places_of(plain, compounds, each.rows, frozenset().union(*each.concepts)) if tagged else {}
        for each in kept
    )
    return ReadDocuments(occurrences, kept, places)


def study_topics(
    batches: Sequence[ReadDocuments], progress: Progress = no_progress
) -> Iterator[Topic]:
    """Weigh the words of every topic; all documents but its own are the reference collection."""
    everything = Reference.combine(
        Reference.of(Bags(each.occurrences.counts[Position.ANYWHERE], each.occurrences.words))
        for each in batches
    )
    for number, batch in enumerate(batches, start=1):
        progress("weighing words", number, len(batches))
        for given, places in zip(batch.topics, batch.places, strict=True):
            own = batch.occurrences.counts[Position.ANYWHERE][list(given.rows)]
            lists = {}
            for name, weighting in STUDIED.items():
                if places or not weighting.needs_tags:
                    english = name.endswith(ENGLISH)
                    lists[name] = rank_terms(
                        batch.occurrences,
                        given.rows,
                        weighting,
                        Reference.builtin() if english else everything,
                        apart=not english,
                    )
            yield Topic(
                given.kind,
                given.title,
                len(given.rows),
                len(given.concepts),
                len(np.unique(own.indices)),
                places,
                {
                    name: recall_noise_curve(terms[:LONGEST], given.concepts)
                    for name, terms in lists.items()
                },
                {name: len(terms) for name, terms in lists.items()},
            )
