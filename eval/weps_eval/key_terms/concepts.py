"""Key concepts of topics: where their words stand, which weightings find them, and the means.

How many words of key concepts there are at each place of a sentence (COLING 2004, section 4), and
recall and noise of ranked lists of terms (section 5.1). All weightings rank the candidate words of
a set of documents, best first: by frequency, against other documents, and by position (section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import isnan, nan
from statistics import median
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from weps._formatting import format_count, format_number, format_signed
from weps._parallel import Progress, log_progress, report_work
from weps._text import singular_form, split_words
from weps.features.bags import Bags, is_content_word, safe_divide, stop_words
from weps.key_terms.labels import (
    Counts,
    Reference,
    content_word_counts,
    likelihood_ratio,
)
from weps.language.analysis import Analysis
from weps_eval.key_terms.syntax import Positions, word_positions
from weps_eval.report.tables import SampleSize
from weps_eval.stats import Estimate, Floats, Ints, instance_share


class Position(StrEnum):
    """Where in a sentence a word stands (section 4)."""

    ANYWHERE = "anywhere"
    VERB = "verb"
    """Immediately before a verb, words without content not counted."""
    SUBJECT = "subject"
    HEAD = "head"
    """The noun phrase that a subject begins with."""
    MODIFIER = "modifier"
    """Words that follow the head of a subject."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Counts of the w distinct content words of documents."""

    words: Sequence[str]
    """w words in lower case, sorted."""
    counts: Mapping[Position, sparse.csr_array]
    """Position → shape (documents, w), int32: how often the word occurs there. Where documents were
    read without tags, only anywhere is known."""

    @classmethod
    def of(cls, positions: Positions, documents: int) -> Occurrences:
        """Count content words by where they stand.

        Args:
            positions: those of all words of the documents.
            documents: number of documents, those without a word among them.
        """
        content = positions.content
        words = sorted({positions.forms[form] for form in np.unique(positions.form[content])})
        place = {word: number for number, word in enumerate(words)}
        column = np.array([place.get(form, -1) for form in positions.forms], dtype=np.int64)
        standing = {
            Position.ANYWHERE: content,
            Position.VERB: content & (positions.distance == -1),
            Position.SUBJECT: content & positions.subject,
            Position.HEAD: content & positions.head,
            Position.MODIFIER: content & positions.modifier,
        }
        counts, shape = {}, (documents, len(words))
        for position, where in standing.items():
            places = positions.document[where], column[positions.form[where]]
            ones = np.ones(len(places[0]), np.int32)
            counts[position] = sparse.coo_array((ones, places), shape=shape).tocsr()
        return cls(words, counts)


_SATURATION = 1.2
"""k1: saturation of the term frequency."""
_NORMALISATION = 0.75
"""b: normalisation by the length of the set, from 0 to 1."""


def _term_frequency(counts: Counts) -> Floats:
    """Number of occurrences of the word in the set: 0 or more."""
    return counts.inside


def _okapi_weight(counts: Counts) -> Floats:
    """Okapi's weight with the set taken as one document (section 5.1).

    For a word that occurs a times in the set of c words, and in n of the N documents of the
    reference collection, whose documents have d/N words each:

        a (k1 + 1) / (a + k1 (1 - b + b·cN/d)) · ln((N - n + 1/2) / (n + 1/2))

    with k1 = 1.2 and b = 0.75 (Robertson et al. 1994; the paper names Robertson et al. 1992 and
    gives no formula). Negative for words of more than half of the documents, 0 for a word that
    the set does not have. It grows with a to at most k1 + 1 times the logarithm. Without a
    reference collection it is 0.
    """
    a, n, total = counts.inside, counts.frequency, counts.documents
    length = safe_divide(np.multiply(counts.size, total), counts.reference_size, empty=1)
    saturation = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * length)
    rarity = np.log(np.divide(total - n + 0.5, n + 0.5))
    return np.asarray(a * (_SATURATION + 1) / (a + saturation) * rarity)


class Weighting(NamedTuple):
    """A statistic of the words of a set of documents, and which words are considered at all."""

    description: str
    statistic: Callable[[Counts], Floats]
    counted: Position = Position.ANYWHERE
    """Place of the occurrences that count; a word that has none there is no candidate.

    The reference collection knows no positions, so only tf is fit for any but anywhere.
    """
    among: Position = Position.ANYWHERE
    """Where a word must stand at least once in the set to be a candidate."""
    spread: bool = False
    """Whether to multiply by the share of the documents of the set that have the word."""


_STATISTICS = {
    "tf": ("occurrences", _term_frequency),
    "likelihood_ratio": ("log-likelihood ratio against the reference collection", likelihood_ratio),
    "okapi": ("Okapi's weight, the set taken as one document", _okapi_weight),
}
WEIGHTINGS = {
    **{name: Weighting(*row) for name, row in _STATISTICS.items()},
    "tfsyntax": Weighting(
        "occurrences immediately before a verb", _term_frequency, counted=Position.VERB
    ),
    "subject": Weighting("occurrences in subjects", _term_frequency, counted=Position.SUBJECT),
    "modifier": Weighting(
        "occurrences in modifiers of subjects, their heads left out",
        _term_frequency,
        counted=Position.MODIFIER,
    ),
    **{
        f"{name}+verb": Weighting(
            f"{words}, of words that precede a verb in some sentence",
            statistic,
            among=Position.VERB,
        )
        for name, (words, statistic) in _STATISTICS.items()
    },
    **{
        f"{name}+spread": Weighting(
            f"{words}, times the share of the documents that have the word", statistic, spread=True
        )
        for name, (words, statistic) in _STATISTICS.items()
    },
}
"""Name → weighting: those of the paper (section 5.1), those that its conclusion suggests (with
positions), our own (with the spread)."""


def _rank_terms(
    occurrences: Occurrences,
    rows: Sequence[int],
    weighting: Weighting,
    reference: Reference,
    *,
    apart: bool = False,
) -> list[str]:
    """The candidate words of a set of documents, best first; equals in alphabetical order.

    Args:
        occurrences: the words of all documents that were read together.
        rows: the documents of the set.
        weighting: how words are weighed, and which are candidates.
        reference: what their frequency is compared with.
        apart: whether the set is part of the reference collection, and is left out of it.
    """
    parts = {place: counts[list(rows)] for place, counts in occurrences.counts.items()}
    times: dict[Position, Ints] = {place: part.sum(axis=0) for place, part in parts.items()}
    anywhere = parts[Position.ANYWHERE]
    candidates = np.flatnonzero((times[weighting.counted] > 0) & (times[weighting.among] > 0))
    words = [occurrences.words[column] for column in candidates.tolist()]
    outside, frequency = reference.counts_of(words)
    holders = np.bincount(anywhere.indices, minlength=len(occurrences.words))[candidates]
    size, documents = float(anywhere.sum()), float(len(rows))
    counts = Counts(
        inside=times[weighting.counted][candidates].astype(np.float64),
        size=size,
        outside=outside - times[Position.ANYWHERE][candidates] * apart,
        reference_size=reference.size - size * apart,
        frequency=frequency - holders * apart,
        documents=reference.documents - documents * apart,
        share=holders / documents,
    )
    weights = weighting.statistic(counts) * (counts.share if weighting.spread else 1)
    return [words[place] for place in np.argsort(-weights, kind="stable").tolist()]


Concept: TypeAlias = frozenset[str]
"""The words of a concept in lower case, plurals undone; other inflection distinguishes words."""
_REACH = 6
DISTANCES = {f"{each:+d}": each for each in (*range(-_REACH, 0), *range(1, _REACH + 1))}
"""Place, ``-1`` or ``+1`` → distance from the verb; 1 is immediately after."""
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


def _places_of(
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
        "any word": np.ones(len(positions.form), dtype=bool),
        "any distance": positions.distance != 0,
        **{place: positions.distance == distance for place, distance in DISTANCES.items()},
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

    noise: Floats
    """Shape (n + 1,): |L_n|, the terms that are a word of no concept."""
    recall: Floats
    """Shape (n + 1,): |C_l| / |C|, the share of the concepts of which at least one term is a word;
    nan without concepts."""

    @property
    def length(self) -> int:
        """Terms of the list."""
        return len(self.noise) - 1

    def points(self, lengths: ArrayLike) -> tuple[Any, Any]:
        """Noise and recall of the first so many terms, shaped like ``lengths``."""
        at = np.minimum(lengths, self.length)
        return self.noise[at], self.recall[at]

    def recall_at(self, length: int) -> float:
        """Recall of the first terms."""
        return float(self.points(length)[1])


def _recall_noise_curve(terms: Sequence[str], concepts: Collection[Concept]) -> RecallNoiseCurve:
    """Follow a list of terms in lower case, the best first, and the concepts that it reaches."""
    entry: dict[str, int] = {}
    for place, term in enumerate(terms, start=1):
        entry.setdefault(singular_form(term), place)
    reached = [
        min(entry[word] for word in concept if word in entry)
        for concept in concepts
        if not concept.isdisjoint(entry)
    ]
    covered = np.bincount(reached, minlength=len(terms) + 1).cumsum()
    known = frozenset().union(*concepts)
    astray = np.cumsum([0.0, *(singular_form(term) not in known for term in terms)])
    return RecallNoiseCurve(astray, covered / (len(concepts) or nan))


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A topic as it is given, and all that the study finds of it."""

    kind: str
    """Origin of its concepts, or kind of its documents: ``attributes``, ``sections``."""
    title: str
    rows: tuple[int, ...]
    """Its documents."""
    concepts: frozenset[Concept]
    """Key concepts."""
    places: Places = field(default_factory=dict)
    """Empty where the documents have no tags."""
    words: int = 0
    """Distinct content words of its documents."""
    curves: Mapping[str, RecallNoiseCurve] = field(default_factory=dict)
    """Weighting → recall and noise of its list, cut at 200 terms."""
    candidates: Mapping[str, int] = field(default_factory=dict)
    """Weighting → length of its whole list."""


ReadDocuments: TypeAlias = tuple[Occurrences, Sequence[Topic]]
"""The words of documents that were read together, and the topics among them."""


def read_topics(analysis: Analysis, topics: Sequence[Topic], *, tagged: bool) -> ReadDocuments:
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
    kept = [each for each in topics if each.concepts and sizes[list(each.rows)].any()]
    for number, each in enumerate(kept if tagged else ()):
        places = _places_of(plain, compounds, each.rows, frozenset().union(*each.concepts))
        kept[number] = replace(each, places=places)
    return occurrences, kept


def study_topics(
    batches: Sequence[ReadDocuments], progress: Progress = log_progress
) -> Iterator[Topic]:
    """Weigh the words of every topic; all documents but its own are the reference collection."""
    everything = Reference.combine(
        Reference.of(Bags(occurrences.counts[Position.ANYWHERE], occurrences.words))
        for occurrences, _ in batches
    )
    for occurrences, topics in report_work(batches, progress, "weighing words"):
        for topic in topics:
            own = occurrences.counts[Position.ANYWHERE][list(topic.rows)]
            lists = {
                name: _rank_terms(
                    occurrences,
                    topic.rows,
                    each,
                    Reference.builtin() if name.endswith(ENGLISH) else everything,
                    apart=not name.endswith(ENGLISH),
                )
                for name, each in STUDIED.items()
                # Without parts of speech there are no places.
                if topic.places or {each.counted, each.among} == {Position.ANYWHERE}
            }
            yield replace(
                topic,
                words=len(np.unique(own.indices)),
                curves={
                    name: _recall_noise_curve(terms[:LONGEST], topic.concepts)
                    for name, terms in lists.items()
                },
                candidates={name: len(terms) for name, terms in lists.items()},
            )


Row: TypeAlias = dict[str, Any]
LENGTHS = (10, 50)
LENGTH = LENGTHS[-1]
"""Terms of the lists that the paper compares."""
_FEW = 12
"""Topics that a figure can show one by one."""
BASE, TFSYNTAX = "tf", "tfsyntax"
_PLAIN = (BASE, "likelihood_ratio", "okapi")
THEIRS = (*_PLAIN, TFSYNTAX)
"""The weightings that the paper compares."""
ANYWHERE = "any distance"


def collection_rows(kind: str, topics: Sequence[Topic], seed: int) -> dict[str, list[Row]]:
    """Frame → its rows, of the topics of one kind.

    All means are over topics, which are resampled for the intervals; without a word at a place a
    topic is left out.
    """

    def mean(values: Iterable[float]) -> Estimate:
        """The mean of what is known, with its interval."""
        found = np.array(list(values), dtype=np.float64)
        share = instance_share(np.nan_to_num(found), 1.0 * ~np.isnan(found), seed)
        return Estimate.from_row(share)

    tagged, few = any(topic.places for topic in topics), len(topics) <= _FEW
    probable = {
        place: [topic.places[place].value for topic in topics]
        for place in (topics[0].places if tagged else ())
    }

    def ahead(first: str, second: str) -> list[float]:
        return [a - b for a, b in zip(probable[first], probable[second], strict=True)]

    def difference(which: str, first: str, second: str, places: Sequence[str] = ()) -> Row:
        former, latter = mean(probable[first]), mean(probable[second])
        known = [each for each in ahead(first, second) if not isnan(each)]
        totals = [
            [topic.places[place].total for place in places or (first, second)]
            for topic in topics
            if topic.places
        ]
        filled = [each for each in totals if all(each)]  # topics with words at all of the places
        words = min(map(sum, zip(*filled, strict=True)), default=0)  # at that with the fewest
        share = former.value / latter.value if latter.value else nan
        return {
            "which": which,
            "first": first,
            "second": second.replace("-", "−"),
            "pair": f"{first} against {second}",
            "former": former,
            "latter": latter,
            "ahead": mean(ahead(first, second)),
            "higher": f"{sum(each > 0 for each in known)} of {len(known)}",
            "values": f"{format_number(former.value)} − {format_number(latter.value)}",
            "more": f"{format_signed(100 * (share - 1), 0)} %" if latter.value else "",
            "size": SampleSize(len(filled), words, case="words"),
        }

    pairs = [difference(which, *pair) for which, pair in PLACE_PAIRS.items() if tagged]
    differences = list(pairs)
    if tagged:
        differences += [
            difference("before", "-1", ANYWHERE),
            *(
                difference("peak", "-1", place, tuple(DISTANCES))
                for place in DISTANCES
                if place != "-1"
            ),
            difference("after", "-1", "+1"),
            difference("below", ANYWHERE, "+1"),
        ]
    weightings = [name for name in STUDIED if all(name in topic.curves for topic in topics)]
    curves = {name: [topic.curves[name] for topic in topics] for name in weightings}

    def lead(first: str, second: str, length: int | None) -> Row:
        gains = []
        for one, other in zip(curves[first], curves[second], strict=True):
            # Without a length it is as many terms as both have, 50 at most.
            terms = min(LENGTH, one.length, other.length) if length is None else length
            gains.append(one.recall_at(terms) - other.recall_at(terms))
        about = {"weighting": first, "over": second, "plain": first in _PLAIN}
        return {**about, "length": length or 0, "ahead": mean(gains)}

    by_topic: list[Row] = [
        {
            "title": topic.title,
            "documents": len(topic.rows),
            "concepts": len(topic.concepts),
            "words": topic.words,
            "places": topic.places,
            "recall": {
                name: {str(length): topic.curves[name].recall_at(length) for length in LENGTHS}
                for name in weightings
            },
            "candidates": topic.candidates,
        }
        for topic in topics
    ]
    rivals = [(TFSYNTAX, other, length) for length in (LENGTH, None) for other in _PLAIN]
    rivals += [(other, BASE, LENGTH) for other in _PLAIN[1:]]
    return {
        "collections": [
            {
                "kind": kind,
                "topics": format_count(len(topics)),
                **{
                    part: format_count(median(row[part] for row in by_topic))
                    for part in ("documents", "words", "concepts")
                },
            }
        ],
        "topics": by_topic,
        "places": [
            {
                "place": place,
                "probability": mean(values),
                "ahead": mean(ahead(place, ANYWHERE)),
                "single": values if few else [],
            }
            for place, values in probable.items()
        ],
        "distances": [
            {
                "place": place.replace("-", "−"),
                "probability": mean(probable[place]),
                "ahead": mean(ahead(place, ANYWHERE)),
            }
            for place in (*DISTANCES, ANYWHERE, "any word")
            if tagged
        ],
        "differences": differences,
        "pairs": pairs,
        **{
            each["which"]: [
                *(
                    {
                        "title": topic.title,
                        "former": Estimate(topic.places[each["first"]].value, nan, nan),
                        "latter": Estimate(topic.places[each["second"]].value, nan, nan),
                    }
                    for topic in (topics if few else ())
                ),
                {**each, "title": "mean of topics"},
            ]
            for each in pairs
        },
        "weightings": [
            {
                "weighting": name,
                **{
                    f"recall_at_{length}": mean(curve.recall_at(length) for curve in own)
                    for length in LENGTHS
                },
                **{
                    f"noise_at_{length}": mean(curve.points(length)[0] for curve in own)
                    for length in LENGTHS
                },
                "ahead": lead(name, BASE, LENGTH)["ahead"],
                "candidates": float(np.median([topic.candidates[name] for topic in topics])),
                "considered": mean(topic.candidates[name] / topic.words for topic in topics),
                "curve": np.mean([curve.points(range(LONGEST + 1)) for curve in own], axis=0),
            }
            for name, own in curves.items()
        ],
        "leads": [lead(*rival) for rival in rivals if rival[0] in curves],
        "recalls": [
            {
                "title": topic.title,
                "weighting": name,
                "recall": topic.curves[name].recall_at(LENGTH),
                "few": few,
            }
            for topic in topics
            for name in weightings
        ],
    }
