"""The figures of the study; no pictures without matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan

import numpy as np

from eval.document import Figure
from eval.figures import (
    Interval,
    Mark,
    Picture,
    Row,
    Trend,
    available,
    pairs_of_bars,
    trends,
)
from eval.key_term_study.findings import LENGTHS, Findings
from eval.key_term_study.paper import WEIGHTINGS
from eval.key_term_study.places import DISTANCES, PAIRS, Places, at
from eval.key_term_study.topics import Topic
from eval.ordering import Estimate

__all__ = ["by_topic_figure", "curve_figures", "distance_figure", "pair_figure", "recall_figure"]

_FEW = 12
"""Topics that a figure can show one by one."""
_BASE = "tf"


def distance_figure(findings: Findings, key: str) -> Figure:
    """Figure 1: the mean over topics with its intervals, single topics if they are few."""
    title = "Key concepts by distance from the verb"
    return _figure(key, title, lambda: _distances(findings, title))


def pair_figure(findings: Findings, key: str, which: str) -> Figure:
    """Figures 2 and 3: two places, topic by topic if they are few, and on average.

    Args:
        findings: of the study.
        key: of the figure.
        which: key of :data:`~eval.key_term_study.places.PAIRS`.
    """
    first, second = PAIRS[which]
    title = f"Key concepts: {first} against {second}"
    rows = [
        Row(topic.title, _alone(topic.places, first), _alone(topic.places, second))
        for topic in _few(findings)
        if topic.places[first].total and topic.places[second].total
    ]
    mean = [_interval(findings.probability(each)) for each in (first, second)]
    rows.append(Row(f"mean of {len(findings.topics)} topics", *mean))
    return _figure(key, title, lambda: pairs_of_bars(rows, title, (first, second), "probability"))


def curve_figures(findings: Findings, key: str) -> Iterator[Figure]:
    """Figure 4: the weightings of the paper, then all others beside the frequency."""
    theirs = [name for name in WEIGHTINGS if name in findings.weightings]
    ours = [name for name in findings.weightings if name not in theirs]
    yield _curves(findings, key, "Recall and noise of the paper's weightings", theirs)
    yield _curves(findings, f"{key}b", "Recall and noise of further weightings", [_BASE, *ours])


def recall_figure(findings: Findings, key: str) -> Figure:
    """Mean recall of every weighting at the two lengths."""
    short, long = LENGTHS
    title = f"Recall with {short} and with {long} terms"
    rows = [
        Row(name, *(_interval(findings.recall(name, length)) for length in LENGTHS))
        for name in findings.weightings
    ]
    names = (f"{short} terms", f"{long} terms")
    return _figure(key, title, lambda: pairs_of_bars(rows, title, names, "recall"))


def by_topic_figure(findings: Findings, key: str) -> tuple[Figure, ...]:
    """Figure 5: recall of frequency and TFSYNTAX, topic by topic; none if there are too many."""
    topics, length = _few(findings), LENGTHS[-1]
    if not topics or "tfsyntax" not in findings.weightings:
        return ()
    title = f"Recall with {length} terms, by topic"
    names = (_BASE, "tfsyntax")
    rows = [
        Row(topic.title, *(_single(topic.curves[name].recall_at(length)) for name in names))
        for topic in topics
    ]
    return (_figure(key, title, lambda: pairs_of_bars(rows, title, names, "recall")),)


def _distances(findings: Findings, title: str) -> Picture:
    places = [at(distance) for distance in DISTANCES]
    x = np.array(DISTANCES, dtype=np.float64)
    found = [findings.probability(place) for place in places]
    value, low, high = np.array(found, dtype=np.float64).T
    lines = [
        Trend("", x, np.array([topic.places[place].value for place in places]))
        for topic in _few(findings)
        if all(topic.places[place].total for place in places)
    ]
    band = None if np.isnan(low).any() else (low, high)
    lines.append(Trend("mean of topics", x, value, band, reference=True))
    marks = [
        Mark("any distance", findings.probability("any distance").value),
        Mark("verb", 0, upright=True),
    ]
    axes = "distance from the verb, content words", "probability of a key concept"
    return trends(lines, title, x=axes[0], y=axes[1], marks=marks)


def _curves(findings: Findings, key: str, title: str, names: Sequence[str]) -> Figure:
    def draw() -> Picture:
        lines = [Trend(name, *findings.curve(name), reference=name == _BASE) for name in names]
        return trends(lines, title, x="noise (terms of no key concept)", y="recall")

    return _figure(key, title, draw, "Each point is the mean over topics of lists of one length.")


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str = "") -> Figure:
    return Figure(key, title, draw() if available() else None, note)


def _few(findings: Findings) -> Sequence[Topic]:
    return findings.topics if len(findings.topics) <= _FEW else ()


def _alone(places: Places, place: str) -> Interval:
    return _single(places[place].value)


def _single(value: float) -> Interval:
    return Interval(value, nan, nan)


def _interval(figure: Estimate) -> Interval:
    return Interval(*figure)
