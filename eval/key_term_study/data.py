"""The study as JSON knows it."""

from __future__ import annotations

from math import isnan
from typing import Any

from eval.key_term_study.document import Study
from eval.key_term_study.findings import LENGTHS, Findings
from eval.key_term_study.places import PAIRS
from eval.key_term_study.tables import Judged
from eval.key_term_study.topics import Topic
from eval.ordering import Estimate

__all__ = ["study_data"]


def study_data(study: Study) -> dict[str, Any]:
    """Signature, and of each collection the figures, the verdicts and every topic."""
    return {
        "signature": study.signature,
        "made": study.made,
        "remarks": list(study.remarks),
        "collections": [_collection(findings, judged) for findings, judged in study.collections],
    }


def _collection(findings: Findings, judged: Judged) -> dict[str, Any]:
    places = findings.topics[0].places if findings.tagged else {}
    return {
        "title": findings.title,
        "kind": findings.kind,
        "probability": {place: _figure(findings.probability(place)) for place in places},
        "differences": {
            which: _figure(findings.ahead(first, second))
            for which, (first, second) in PAIRS.items()
            if findings.tagged
        },
        "weightings": {name: _weighting(findings, name) for name in findings.weightings},
        "conclusions": [
            {"claim": each.claim, "verdict": verdict.word, "figures": verdict.figures}
            for each, verdict in judged
        ],
        "topics": [_topic(topic) for topic in findings.topics],
    }


def _weighting(findings: Findings, name: str) -> dict[str, Any]:
    noise, recall = findings.curve(name)
    return {
        **{f"recall_at_{length}": _figure(findings.recall(name, length)) for length in LENGTHS},
        **{f"noise_at_{length}": _figure(findings.noise(name, length)) for length in LENGTHS},
        "considered": _figure(findings.considered(name)),
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


def _figure(figure: Estimate) -> dict[str, float | None]:
    return {name: _known(value) for name, value in figure._asdict().items()}


def _known(value: float) -> float | None:
    """None for nan, which JSON does not have."""
    return None if isnan(value) else round(value, 6)
