"""Topics: sets of documents with key concepts, and what every weighting makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.key_term_study.concepts import Concept, concept_words
from eval.key_term_study.places import Places, places_of
from eval.key_term_study.recall_noise import Curve, curve
from weps.key_terms import WEIGHTINGS, Occurrences, Position, Reference, key_terms
from weps.language import Analysis
from weps.syntax import positions

__all__ = ["LONGEST", "Given", "Read", "Topic", "read_topics", "studied"]

LONGEST = 200
"""Terms of a list that are looked at."""


@dataclass(frozen=True, slots=True)
class Given:
    """A topic as it is given."""

    kind: str
    """What its concepts come from, or what its documents are: ``attributes``, ``sections``."""
    title: str
    rows: tuple[int, ...]
    """Its documents."""
    concepts: frozenset[Concept]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Documents that were read together, with the topics among them."""

    occurrences: Occurrences
    topics: tuple[Given, ...]
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
    curves: Mapping[str, Curve]
    """Weighting → recall and noise of its list, cut at :data:`LONGEST` terms."""
    candidates: Mapping[str, int]
    """Weighting → length of its whole list."""


def read_topics(analysis: Analysis, topics: Sequence[Given], *, tagged: bool) -> Read:
    """Count the words of all documents, and where those of each topic stand.

    Args:
        analysis: the documents.
        topics: those among them; one without concepts, or without a content word, is left out.
        tagged: whether the documents were read with their parts of speech.
    """
    if not tagged:
        occurrences = Occurrences.plain(analysis)
        kept = _kept(topics, occurrences)
        return Read(occurrences, kept, tuple({} for _ in kept))
    plain, compounds = positions(analysis), positions(analysis, compounds=True)
    occurrences = Occurrences.of(plain, len(analysis.documents))
    kept = _kept(topics, occurrences)
    places = (places_of(plain, compounds, t.rows, concept_words(t.concepts)) for t in kept)
    return Read(occurrences, kept, tuple(places))


def _kept(topics: Sequence[Given], occurrences: Occurrences) -> tuple[Given, ...]:
    sizes = occurrences.at(Position.ANYWHERE).sum(axis=1)
    return tuple(topic for topic in topics if topic.concepts and sizes[list(topic.rows)].any())


def studied(
    batches: Sequence[Read], progress: Callable[[str], None] = lambda _: None
) -> Iterator[Topic]:
    """Weigh the words of every topic; all documents but its own are the reference collection."""
    everything = Reference.joined(Reference.of(batch.occurrences) for batch in batches)
    for number, batch in enumerate(batches, start=1):
        progress(f"[{number}/{len(batches)}] {len(batch.topics)} topics weighed")
        for given, places in zip(batch.topics, batch.places, strict=True):
            yield _studied(given, places, _part(batch.occurrences, given.rows), everything)


def _studied(given: Given, places: Places, own: Occurrences, everything: Reference) -> Topic:
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
        {name: curve(terms[:LONGEST], given.concepts) for name, terms in lists.items()},
        {name: len(terms) for name, terms in lists.items()},
    )


def _part(occurrences: Occurrences, rows: Sequence[int]) -> Occurrences:
    """Some of the documents by themselves, with the words that they have."""
    chosen = {place: counts[list(rows)] for place, counts in occurrences.counts.items()}
    used = np.unique(chosen[Position.ANYWHERE].indices)
    words = tuple(occurrences.words[column] for column in used.tolist())
    return Occurrences(words, {place: counts[:, used] for place, counts in chosen.items()})
