"""Means over topics, as rows: probabilities at places, recall and noise of weightings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import isnan, nan
from statistics import median
from typing import Any, TypeAlias

import numpy as np

from weps._formatting import format_count, format_number, format_signed
from weps_eval.key_terms.concepts import (
    DISTANCES,
    LONGEST,
    PLACE_PAIRS,
    STUDIED,
    RecallNoiseCurve,
    Topic,
    place_at,
)
from weps_eval.key_terms.phrases import LENGTHS as PHRASE_LENGTHS
from weps_eval.report.claims import SampleSize
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import Estimate, estimate_instance_share

Row: TypeAlias = dict[str, Any]
LENGTHS = (10, 50)
LENGTH = LENGTHS[-1]
"""Terms of the lists that the paper compares."""
_FEW, _MOST = 12, 60
"""Topics that a figure, and that a table, can show one by one."""
BASE, TFSYNTAX = "tf", "tfsyntax"
_PLAIN = (BASE, "likelihood_ratio", "okapi")
THEIRS = (*_PLAIN, TFSYNTAX)
"""The weightings that the paper compares."""
ANYWHERE = "any distance"
_BEFORE, _AFTER = place_at(-1), place_at(1)


def collection_rows(
    kind: str, topics: Sequence[Topic], phrases: dict[str, Floats], seed: int
) -> dict[str, list[Row]]:
    """Frame → its rows, of the topics of one kind.

    All means are over topics, which are resampled for the intervals; without a word at a place a
    topic is left out.
    """
    mean = partial(_mean, seed=seed)
    tagged, few = any(topic.places for topic in topics), len(topics) <= _FEW
    probable = {
        place: [topic.probability(place) for topic in topics]
        for place in (topics[0].places if tagged else ())
    }

    def ahead(first: str, second: str) -> list[float]:
        return [a - b for a, b in zip(probable[first], probable[second], strict=True)]

    def difference(which: str, first: str, second: str, places: Sequence[str] = ()) -> Row:
        former, latter = mean(probable[first]), mean(probable[second])
        known = [each for each in ahead(first, second) if not isnan(each)]
        share = former.value / latter.value if latter.value else nan
        return {
            "which": which,
            "first": first,
            "second": second,
            "pair": f"{first} against {second}",
            "former": former,
            "latter": latter,
            "ahead": mean(ahead(first, second)),
            "higher": f"{sum(each > 0 for each in known)} of {len(known)}",
            "values": f"{format_number(former.value)} − {format_number(latter.value)}",
            "more": f"{format_signed(100 * (share - 1), 0)} %" if latter.value else "",
            "size": _words_size(topics, places or (first, second)),
            "single": [
                (topic.title, probable[first][at], probable[second][at])
                for at, topic in enumerate(topics if few else ())
            ],
        }

    at_distance = [place_at(distance) for distance in DISTANCES]
    pairs = [difference(which, *pair) for which, pair in PLACE_PAIRS.items() if tagged]
    differences = list(pairs)
    if tagged:
        others = [place for place in at_distance if place != _BEFORE]
        differences += [
            difference("before", _BEFORE, ANYWHERE),
            *(difference("peak", _BEFORE, place, at_distance) for place in others),
            difference("after", _BEFORE, _AFTER),
            difference("below", ANYWHERE, _AFTER),
        ]
    weightings = [name for name in STUDIED if all(name in topic.curves for topic in topics)]
    curves = {name: [topic.curves[name] for topic in topics] for name in weightings}

    def lead(first: str, second: str, length: int | None) -> Row:
        both = zip(curves[first], curves[second], strict=True)
        recalls = mean(_recall_ahead(one, other, length) for one, other in both)
        return {"weighting": first, "over": second, "length": length or 0, "ahead": recalls}

    rivals = [(TFSYNTAX, other, length) for length in (LENGTH, None) for other in _PLAIN]
    rivals += [(other, BASE, LENGTH) for other in _PLAIN[1:]]
    return {
        "collections": [
            {
                "kind": kind,
                "topics": format_count(len(topics)),
                **{
                    part: format_count(median(getattr(topic, part) for topic in topics))
                    for part in ("documents", "words", "concepts")
                },
            }
        ],
        "topics": [
            {
                "title": topic.title,
                "documents": topic.documents,
                "concepts": topic.concepts,
                "words": topic.words,
                "places": topic.places,
                "recall": {
                    name: {str(length): topic.curves[name].recall_at(length) for length in LENGTHS}
                    for name in weightings
                },
                "candidates": topic.candidates,
            }
            for topic in topics
        ],
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
            for place in (*at_distance, ANYWHERE, "any word")
            if tagged
        ],
        "differences": differences,
        "pairs": pairs,
        "weightings": [
            {
                "weighting": name,
                **{
                    f"recall_at_{length}": mean(curve.recall_at(length) for curve in own)
                    for length in LENGTHS
                },
                **{
                    f"noise_at_{length}": mean(curve.noise_at(length) for curve in own)
                    for length in LENGTHS
                },
                "ahead": lead(name, BASE, LENGTH)["ahead"],
                "candidates": float(np.median([topic.candidates[name] for topic in topics])),
                "considered": mean(topic.candidates[name] / topic.words for topic in topics),
                "curve": np.mean([curve.points(LONGEST) for curve in own], axis=0),
            }
            for name, own in curves.items()
        ],
        "leads": [lead(*rival) for rival in rivals if rival[0] in curves],
        "recalls": [
            {
                "title": topic.title,
                "documents": topic.documents,
                "concepts": topic.concepts,
                "weighting": name,
                "recall": topic.curves[name].recall_at(LENGTH),
                "few": few,
            }
            for topic in topics
            for name in weightings
            if len(topics) <= _MOST
        ],
        "phrases": [
            {
                "method": method,
                **{
                    f"f1_at_{length}": mean(scores[:, at].tolist())
                    for at, length in enumerate(PHRASE_LENGTHS)
                },
            }
            for method, scores in phrases.items()
        ],
    }


def _mean(values: Iterable[float], seed: int) -> Estimate:
    """Mean of what is known, with its interval."""
    found = np.array(list(values), dtype=np.float64)
    known = ~np.isnan(found)
    return estimate_instance_share(np.nan_to_num(found), known.astype(np.float64), seed=seed)


def _recall_ahead(one: RecallNoiseCurve, other: RecallNoiseCurve, length: int | None) -> float:
    """R of one list minus R of another; None is as many terms as both have, 50 at most."""
    terms = min(LENGTH, one.length, other.length) if length is None else length
    return one.recall_at(terms) - other.recall_at(terms)


def _words_size(topics: Sequence[Topic], places: Sequence[str]) -> SampleSize:
    """Topics with words at all places, and words at that with the fewest."""
    totals = [[each.places[place].total for place in places] for each in topics if each.places]
    known = [each for each in totals if all(each)]
    return SampleSize(len(known), min(map(sum, zip(*known, strict=True)), default=0), case="words")
