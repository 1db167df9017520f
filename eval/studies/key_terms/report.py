"""The tables of the study.

The figures of the study; no pictures without matplotlib.

The study as a document.

The study as JSON knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from statistics import median
from typing import Any

import numpy as np

from eval.report.claims import VERDICT, JudgedClaim, claims_table
from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import Picture, available
from eval.report.figures.intervals import IntervalPair, plot_paired_intervals
from eval.report.figures.lines import GuideLine, Series, plot_trends
from eval.report.tables import Column, Table
from eval.stats.estimate import Estimate
from eval.studies.key_terms import claims
from eval.studies.key_terms.claims import CLAIMS, PAPER_WEIGHTINGS
from eval.studies.key_terms.findings import LENGTH, LENGTHS, Findings
from eval.studies.key_terms.topics import DISTANCES, PLACE_PAIRS, Places, Topic, place_at
from weps._formatting import format_count, format_interval, format_number, format_percentage
from weps.key_terms.weighting import WEIGHTINGS as WEIGHTINGS_WEIGHTINGS

__all__ = [
    "AssessedClaims",
    "Study",
    "build_document",
    "by_topic_figure",
    "curve_figures",
    "data_table",
    "distance_figure",
    "distance_table",
    "overview_table",
    "pair_figure",
    "pairs_table",
    "recall_figure",
    "recall_table",
    "study_data",
    "topics_table",
]

_FEW = 12
"""Topics that a figure can show one by one."""
_BASE = "tf"


def distance_figure(findings: Findings, key: str) -> Figure:
    """Figure 1: the mean over topics with its intervals, single topics if they are few."""
    title = "Key concepts by distance from the verb"
    return _make_figure(key, title, lambda: _distances(findings, title))


def pair_figure(findings: Findings, key: str, which: str) -> Figure:
    """Figures 2 and 3: two places, topic by topic if they are few, and on average.

    Args:
        findings: of the study.
        key: of the figure.
        which: key of :data:`~eval.studies.key_terms.topics.PLACE_PAIRS`.
    """
    first, second = PLACE_PAIRS[which]
    title = f"Key concepts: {first} against {second}"
    rows = [
        IntervalPair(
            topic.title, _topic_interval(topic.places, first), _topic_interval(topic.places, second)
        )
        for topic in _few_topics(findings)
        if topic.places[first].total and topic.places[second].total
    ]
    mean = [findings.probability(each) for each in (first, second)]
    rows.append(IntervalPair(f"mean of {len(findings.topics)} topics", *mean))
    return _make_figure(
        key, title, lambda: plot_paired_intervals(rows, title, (first, second), "probability")
    )


def curve_figures(findings: Findings, key: str) -> Iterator[Figure]:
    """Figure 4: the weightings of the paper, then all others beside the frequency."""
    theirs = [name for name in PAPER_WEIGHTINGS if name in findings.weightings]
    ours = [name for name in findings.weightings if name not in theirs]
    yield _curves(findings, key, "Recall and noise of the paper's weightings", theirs)
    yield _curves(findings, f"{key}b", "Recall and noise of further weightings", [_BASE, *ours])


def recall_figure(findings: Findings, key: str) -> Figure:
    """Mean recall of every weighting at the two lengths."""
    short, long = LENGTHS
    title = f"Recall with {short} and with {long} terms"
    rows = [
        IntervalPair(name, *(findings.recall(name, length) for length in LENGTHS))
        for name in findings.weightings
    ]
    names = (f"{short} terms", f"{long} terms")
    return _make_figure(key, title, lambda: plot_paired_intervals(rows, title, names, "recall"))


def by_topic_figure(findings: Findings, key: str) -> tuple[Figure, ...]:
    """Figure 5: recall of frequency and TFSYNTAX, topic by topic; none if there are too many."""
    topics, length = _few_topics(findings), LENGTHS[-1]
    if not topics or "tfsyntax" not in findings.weightings:
        return ()
    title = f"Recall with {length} terms, by topic"
    names = (_BASE, "tfsyntax")
    rows = [
        IntervalPair(
            topic.title, *(_single(topic.curves[name].recall_at(length)) for name in names)
        )
        for topic in topics
    ]
    return (_make_figure(key, title, lambda: plot_paired_intervals(rows, title, names, "recall")),)


def _distances(findings: Findings, title: str) -> Picture:
    places = [place_at(distance) for distance in DISTANCES]
    x = np.array(DISTANCES, dtype=np.float64)
    found = [findings.probability(place) for place in places]
    value, low, high = np.array(found, dtype=np.float64).T
    lines = [
        Series("", x, np.array([topic.places[place].value for place in places]))
        for topic in _few_topics(findings)
        if all(topic.places[place].total for place in places)
    ]
    band = None if np.isnan(low).any() else (low, high)
    lines.append(Series("mean of topics", x, value, band, reference=True))
    guides = [
        GuideLine("any distance", findings.probability("any distance").value),
        GuideLine("verb", 0, vertical=True),
    ]
    axes = "distance from the verb, content words", "probability of a key concept"
    return plot_trends(lines, title, x=axes[0], y=axes[1], guides=guides)


def _curves(findings: Findings, key: str, title: str, names: Sequence[str]) -> Figure:
    def draw() -> Picture:
        lines = [Series(name, *findings.curve(name), reference=name == _BASE) for name in names]
        return plot_trends(lines, title, x="noise (terms of no key concept)", y="recall")

    return _make_figure(
        key, title, draw, "Each point is the mean over topics of lists of one length."
    )


def _make_figure(key: str, title: str, draw: Callable[[], Picture], note: str = "") -> Figure:
    return Figure(key, title, draw() if available() else None, note)


def _few_topics(findings: Findings) -> Sequence[Topic]:
    return findings.topics if len(findings.topics) <= _FEW else ()


def _topic_interval(places: Places, place: str) -> Estimate:
    return _single(places[place].value)


def _single(value: float) -> Estimate:
    return Estimate(value, nan, nan)


AssessedClaims = Sequence[JudgedClaim]
_MOST_TOPICS = 60
"""Of which a table tells one by one."""


def overview_table(claims: Sequence[tuple[str, AssessedClaims]]) -> Table:
    """Claims and verdicts, a column for each collection."""
    columns: list[Column[int]] = [Column("the paper concludes", lambda at: CLAIMS[at].text)]
    for title, verdicts in claims:
        words = [verdict.word for _, verdict in verdicts]
        columns.append(Column(title, words.__getitem__, VERDICT))
    return Table(
        "overview",
        "The paper's conclusions",
        columns,
        range(len(CLAIMS)),
        "By 95 % intervals, bootstrapped over topics. Undecided: the interval leaves it open.",
    )


def data_table(collections: Sequence[Findings]) -> Table:
    """What the topics are made of; the paper's own beside them."""
    rows = [
        [
            each.title,
            format_count(len(each.topics)),
            format_count(median(topic.documents for topic in each.topics)),
            format_count(median(topic.words for topic in each.topics)),
            format_count(median(topic.concepts for topic in each.topics)),
        ]
        for each in collections
    ]
    heading = ["", "topics", "documents", "distinct words", "key concepts"]
    theirs = ["the paper's (Spanish news)", "8", "100", "–", "at most 216"]
    return Table.of_text(
        "data",
        "The topics",
        [heading, *rows, theirs],
        "Documents, distinct content words and key concepts: of the middle topic. The paper: nine "
        "lists of up to 24 concepts for each topic.",
    )


def distance_table(findings: Findings, key: str) -> Table:
    """Figure 1 in figures."""
    places = [*map(place_at, DISTANCES), "any distance", "any word"]
    rows = [
        [
            place.replace("-", "−"),
            format_interval(findings.probability(place)),
            format_interval(findings.ahead(place, "any distance"), signed=True),
        ]
        for place in places
    ]
    heading = ["distance", "probability", "− any distance"]
    return Table.of_text(
        key,
        "Key concepts by distance from the verb",
        [heading, *rows],
        "Content words only, those of verbs and of clauses without a verb in the last row alone.",
    )


def pairs_table(findings: Findings, key: str) -> Table:
    """Figures 2 and 3 in figures."""
    rows = []
    for first, second in PLACE_PAIRS.values():
        rows.append(
            [
                f"{first} against {second}",
                format_interval(findings.probability(first)),
                format_interval(findings.probability(second)),
                format_interval(findings.ahead(first, second), signed=True),
                findings.count_higher(first, second),
            ]
        )
    heading = ["", "the former", "the latter", "difference", "higher in topics"]
    return Table.of_text(
        key,
        "Subjects, heads and modifiers",
        [heading, *rows],
        "Last nouns: or names, the heads of English subjects; other words: all else in subjects.",
    )


def recall_table(findings: Findings, key: str) -> Table:
    """Recall and noise of every weighting."""
    heading = ["", *(f"R, {each} terms" for each in LENGTHS), f"noise, {LENGTH} terms"]
    rows = [
        [
            name,
            *(format_interval(findings.recall(name, each)) for each in LENGTHS),
            f"{findings.noise(name).value:.1f}",
            format_interval(findings.recall_ahead(name, "tf"), signed=True),
            format_count(findings.median_candidates(name)),
            format_percentage(findings.considered(name).value),
        ]
        for name in findings.weightings
    ]
    heading += ["R − tf", "candidates", "of the words"]
    told = "; ".join(
        f"{each}: {WEIGHTINGS_WEIGHTINGS[each].description}" for each in findings.weightings
    )
    return Table.of_text(
        key,
        "Recall and noise of every weighting",
        [heading, *rows],
        f"R − tf with {LENGTH} terms. Candidates: of the middle topic; a shorter list is taken "
        f"whole. {told}.",
    )


def topics_table(findings: Findings, key: str) -> tuple[Table, ...]:
    """Figure 5 in figures: recall topic by topic; none if there are too many."""
    if len(findings.topics) > _MOST_TOPICS:
        return ()
    rows = [
        [
            topic.title,
            str(topic.documents),
            str(topic.concepts),
            *(format_number(topic.curves[name].recall_at(LENGTH)) for name in findings.weightings),
        ]
        for topic in findings.topics
    ]
    heading = ["", "documents", "concepts", *findings.weightings]
    return (Table.of_text(key, f"Recall with {LENGTH} terms, by topic", [heading, *rows]),)


@dataclass(frozen=True)
class Study:
    """What was studied, and what was found."""

    collections: Sequence[tuple[Findings, AssessedClaims]]
    """Topics of one kind each, with the verdicts on them."""
    remarks: Sequence[str]
    """What the reader must know of how the study was made."""
    signature: str
    made: str


def build_document(study: Study) -> Document:
    """The study as a document."""
    several = [findings for findings, _ in study.collections]
    verdicts = [(findings.title, judged) for findings, judged in study.collections]
    return Document(
        "Where key concepts stand, and what finds them",
        [
            "Amigó, Gonzalo, Peinado, Peñas and Verdejo, Using syntactic information to extract "
            "relevant terms for multi-document summarization (COLING 2004), on the documents at "
            "hand. A topic is a set of documents for which people have named key concepts; every "
            "figure is a mean over topics.",
            claims.MISSING,
            *study.remarks,
        ],
        [
            Section("What holds here", tables=(overview_table(verdicts),)),
            Section("The topics", tables=(data_table(several),)),
            *(
                section
                for number, (findings, judged) in enumerate(study.collections, start=1)
                for section in _sections(findings, judged, number)
            ),
        ],
        study.signature,
        study.made,
    )


def _claims(claims: AssessedClaims, number: int) -> Table:
    return claims_table(claims, f"conclusions-{number}", "Conclusions with figures")


def _sections(findings: Findings, judged: AssessedClaims, number: int) -> Iterator[Section]:
    """Everything about one collection; the number tells its keys from those of the others."""
    title = findings.title
    yield Section(
        f"{title}: conclusions",
        tables=(_claims(judged, number),),
    )
    if findings.tagged:
        yield from _positions(findings, number)
    figures = (
        *curve_figures(findings, f"figure-4-{number}"),
        recall_figure(findings, f"recall-{number}"),
        *by_topic_figure(findings, f"figure-5-{number}"),
    )
    found = (
        recall_table(findings, f"weightings-{number}"),
        *topics_table(findings, f"topics-{number}"),
    )
    yield Section(f"{title}: weightings", (), figures, found, (claims.CURVES, claims.TOPICS))


def _positions(findings: Findings, number: int) -> Iterator[Section]:
    title = findings.title
    yield Section(
        f"{title}: distance from the verb",
        figures=(distance_figure(findings, f"figure-1-{number}"),),
        tables=(distance_table(findings, f"distances-{number}"),),
        quotes=(claims.VERBS,),
    )
    keys = {"subjects": "figure-2", "heads": "figure-3", "noun heads": "figure-3b"}
    yield Section(
        f"{title}: subjects, heads and modifiers",
        figures=[pair_figure(findings, f"{key}-{number}", which) for which, key in keys.items()],
        tables=(pairs_table(findings, f"pairs-{number}"),),
        quotes=(claims.SUBJECTS, claims.HEADS),
    )


def study_data(study: Study) -> dict[str, Any]:
    """Signature, and of each collection the figures, the verdicts and every topic."""
    return {
        "signature": study.signature,
        "made": study.made,
        "remarks": list(study.remarks),
        "collections": [_collection(findings, judged) for findings, judged in study.collections],
    }


def _collection(findings: Findings, claims: AssessedClaims) -> dict[str, Any]:
    places = findings.topics[0].places if findings.tagged else {}
    return {
        "title": findings.title,
        "kind": findings.kind,
        "probability": {place: _estimate_data(findings.probability(place)) for place in places},
        "differences": {
            which: _estimate_data(findings.ahead(first, second))
            for which, (first, second) in PLACE_PAIRS.items()
            if findings.tagged
        },
        "weightings": {name: _weighting(findings, name) for name in findings.weightings},
        "conclusions": [
            {"claim": each.text, "verdict": verdict.word, "figures": verdict.figures}
            for each, verdict in claims
        ],
        "topics": [_topic(topic) for topic in findings.topics],
    }


def _weighting(findings: Findings, name: str) -> dict[str, Any]:
    noise, recall = findings.curve(name)
    return {
        **{
            f"recall_at_{length}": _estimate_data(findings.recall(name, length))
            for length in LENGTHS
        },
        **{
            f"noise_at_{length}": _estimate_data(findings.noise(name, length)) for length in LENGTHS
        },
        "considered": _estimate_data(findings.considered(name)),
        "curve": {
            "noise": [round(each, 4) for each in noise.tolist()],
            "recall": [round(each, 4) for each in recall.tolist()],
        },
    }


def _topic(topic: Topic) -> dict[str, Any]:
    return {
        "title": topic.title,
        "documents": topic.documents,
        "concepts": topic.concepts,
        "words": topic.words,
        "places": {place: list(each) for place, each in topic.places.items()},
        "recall": {
            name: {str(length): _known(curve.recall_at(length)) for length in LENGTHS}
            for name, curve in topic.curves.items()
        },
        "candidates": dict(topic.candidates),
    }


def _estimate_data(figure: Estimate) -> dict[str, float | None]:
    return {name: _known(value) for name, value in figure._asdict().items()}


def _known(value: float) -> float | None:
    """None for nan, which JSON does not have."""
    return None if isnan(value) else round(value, 6)
