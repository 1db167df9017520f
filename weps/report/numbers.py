"""The numbers that the report's script works with: the tree, the pairs, how to judge a cut."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from weps.people import Alternatives, Answer, Near
from weps.report.groups import Group, rows_of
from weps.report.wording import CERTAINTIES

__all__ = ["REACH", "numbers"]

REACH = 12.0
"""Log odds of pairs are written from minus this to this."""
_LARGEST = 65535
"""Codes 0 and this one stand for certainty; what is between is log odds in equal steps."""


def numbers(answer: Answer, groups: Sequence[Group]) -> str:
    """JSON without any text from the web; pages are told by row, people by node.

    ``own``: the node of each row's person; ``told``: for each row score, nearest person, closest
    page and its probability, rival and its probability, -1 where there is none, and whether it is
    confirmed; ``people``: node and confidence. The rest is what other cuts are worked out from.
    """
    return json.dumps(
        {
            "certainties": CERTAINTIES,
            **_told(answer, groups),
            **_alternatives(answer.alternatives, answer),
            **_settled(answer),
        },
        separators=(",", ":"),
    )


def _told(answer: Answer, groups: Sequence[Group]) -> dict[str, Any]:
    """The answer as it is."""
    pages = rows_of(answer)
    row_of = {page.rank: row for row, page in enumerate(pages)}
    people = [(each.node, each.person) for each in groups if each.person]
    node_of = {person.id: node for node, person in people}
    own = {page.rank: node for node, person in people for page in person.pages}

    def near(each: Near | None) -> tuple[int, float]:
        return (row_of[each.rank], each.probability) if each else (-1, 0)

    return {
        "own": [own[page.rank] for page in pages],
        "told": [
            [
                page.score,
                node_of.get(page.nearest or 0, -1),
                *near(page.closest),
                *near(page.rival),
                int(page.confirmed),
            ]
            for page in pages
        ],
        "people": [[node, person.confidence] for node, person in people],
    }


def _alternatives(alternatives: Alternatives | None, answer: Answer) -> dict[str, Any]:
    if alternatives is None:
        return {}
    beliefs = alternatives.beliefs
    return {
        "nodes": alternatives.nodes,
        "levels": [round(level, 4) for level in alternatives.levels],
        "merges": [merge.pages for merge in answer.merges],
        "held": alternatives.held,
        "least": alternatives.least,
        "most": alternatives.most,
        "reach": REACH,
        "pairs": _packed(alternatives.probability),
        "calibration": [alternatives.calibration.slope, alternatives.calibration.shift],
        "together": beliefs.together,
        "alone": beliefs.alone,
    }


def _settled(answer: Answer) -> dict[str, Any]:
    """What users have settled, as :class:`weps.clustering.Ruling` has it; nothing without."""
    if not answer.corrections:
        return {}
    ruling = answer.corrections.ruling([page.rank for page in rows_of(answer)])
    return {
        "component": ruling.component.tolist(),
        "apart": np.argwhere(np.triu(ruling.apart)).tolist(),
        "right": np.flatnonzero(ruling.right).tolist(),
    }


def _packed(probability: NDArray[np.float64]) -> str:
    """Shape (pairs,) as base64 of 16-bit codes, lower byte first."""
    with np.errstate(divide="ignore"):
        odds = np.clip(logit(probability), -REACH, REACH)
    codes = np.rint((odds + REACH) / (2 * REACH) * (_LARGEST - 2)) + 1
    codes = np.where(probability <= 0, 0, np.where(probability >= 1, _LARGEST, codes))
    return base64.b64encode(codes.astype("<u2").tobytes()).decode()
