"""The dendrogram of a report, and the data from which its script computes other thresholds."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from weps._formatting import round_probability
from weps.people.answer import Alternatives, Answer, RelatedPage
from weps.report.safe_text import domain_of
from weps.report.view import Group, pages_by_rank
from weps.report.wording import CERTAINTIES

REACH = 12.0
"""Log odds of pairs are written from minus this to this."""
_MAX_CODE = 65535
"""Codes 0 and this one stand for certainty; what is between is log odds in equal steps."""

_ROW, _TOP, _BOTTOM = 16, 30, 6
_LEFT, _RIGHT = 190, 700
"""Where pages are that are certainly one person, and certainly not."""
_LEVELS = (1, 0.75, 0.5, 0.25, 0)


@dataclass(frozen=True, slots=True)
class DendrogramView:
    """A picture of the merges: a line for each page, a bracket for each merge; in SVG units."""

    width: int
    height: int
    axis_top: int
    ticks: list[tuple[int, int]]
    """x and probability in per cent."""
    leaf_x: int
    leaves: list[tuple[int, str, int]]
    """Rank, domain and y of each page, from top to bottom."""
    brackets: list[tuple[str, str]]
    """CSS class and path of each merge."""
    threshold_x: int
    """Between the last merge of the answer and the first that it leaves out."""


def dendrogram_view(answer: Answer, groups: Sequence[Group]) -> DendrogramView | None:
    """The picture; None for an answer without alternatives, or of one page."""
    alternatives = answer.alternatives
    if alternatives is None or not alternatives.nodes:
        return None
    pages = list(pages_by_rank(answer).values())
    order = _crossing_free_order(alternatives)
    levels = (1.0, *alternatives.levels, 0.0)
    return DendrogramView(
        width=_RIGHT + 20,
        height=_TOP + _ROW * len(order) + _BOTTOM,
        axis_top=_TOP - 8,
        ticks=[(_x(level), round(100 * level)) for level in _LEVELS],
        leaf_x=_LEFT - 6,
        leaves=[
            (pages[row].rank, domain_of(pages[row].url), _y(place) + 4)
            for place, row in enumerate(order)
        ],
        brackets=_brackets(alternatives, order, _tones(alternatives, groups)),
        threshold_x=_x(
            (levels[alternatives.kept_merges] + levels[alternatives.kept_merges + 1]) / 2
        ),
    )


def _crossing_free_order(alternatives: Alternatives) -> list[int]:
    """The rows such that no two brackets cross, earlier pages first."""
    rows = [[row] for row in range(len(alternatives.ranks))]
    for first, second in alternatives.nodes:
        rows.append(min(rows[first], rows[second]) + max(rows[first], rows[second]))
    return rows[-1]


def _tones(alternatives: Alternatives, groups: Sequence[Group]) -> list[str]:
    """For each merge the colour of its person; empty where the answer leaves it out."""
    leaves = len(alternatives.ranks)
    tone_of = {each.node: each.tone for each in groups if each.person}
    tones = [""] * (leaves - 1)
    for merge in reversed(range(alternatives.kept_merges)):
        tones[merge] = tone_of[leaves + merge]
        tone_of.update(dict.fromkeys(alternatives.nodes[merge], tones[merge]))
    return tones


def _x(level: float) -> int:
    return round(_RIGHT - (_RIGHT - _LEFT) * level)


def _y(place: int) -> int:
    return _TOP + _ROW * place + _ROW // 2


def _brackets(
    alternatives: Alternatives, order: Sequence[int], tones: Sequence[str]
) -> list[tuple[str, str]]:
    """One path for each merge, from its two parts to its level."""
    at = {row: (_LEFT, float(_y(place))) for place, row in enumerate(order)}
    brackets = []
    merges = zip(alternatives.nodes, alternatives.levels, tones, strict=True)
    for merge, ((first, second), level, tone) in enumerate(merges, start=len(order)):
        (x_first, y_first), (x_second, y_second) = at[first], at[second]
        x = _x(level)
        brackets.append((tone, f"M{x_first} {y_first:g}H{x}V{y_second:g}H{x_second}"))
        at[merge] = (x, round((y_first + y_second) / 2, 1))
    return brackets


def script_data(answer: Answer, groups: Sequence[Group]) -> str:
    """JSON without any text from the web; pages are identified by row, people by node.

    ``own``: the node of each row's person; ``told``: for each row score, nearest person, closest
    page and its probability, rival and its probability, -1 where there is none, and whether it is
    confirmed; ``people``: their nodes in order. The rest is what other cuts are worked out from.
    """
    return json.dumps(
        {
            "certainties": CERTAINTIES,
            **_answer_data(answer, groups),
            **_alternatives_data(answer.alternatives, answer),
            **_constraints_data(answer),
        },
        separators=(",", ":"),
    )


def _answer_data(answer: Answer, groups: Sequence[Group]) -> dict[str, Any]:
    """The answer as it is."""
    pages = pages_by_rank(answer)
    row_of = {rank: row for row, rank in enumerate(pages)}
    people = [(each.node, each.person) for each in groups if each.person]
    node_of = {person.id: node for node, person in people}
    own = {page.rank: node for node, person in people for page in person.pages}

    def near(each: RelatedPage | None) -> tuple[int, float]:
        return (row_of[each.rank], each.probability) if each else (-1, 0)

    return {
        "own": [own[rank] for rank in pages],
        "told": [
            [
                page.score,
                node_of.get(page.nearest or 0, -1),
                *near(page.closest),
                *near(page.rival),
                int(page.confirmed),
            ]
            for page in pages.values()
        ],
        "people": [node for node, _ in people],
    }


def _alternatives_data(alternatives: Alternatives | None, answer: Answer) -> dict[str, Any]:
    if alternatives is None:
        return {}
    page_confidence = alternatives.page_confidence
    return {
        "nodes": alternatives.nodes,
        "levels": [round_probability(level) for level in alternatives.levels],
        "merges": [merge.pages for merge in answer.merges],
        "held": alternatives.kept_merges,
        "least": alternatives.min_merges,
        "most": alternatives.max_merges,
        "reach": REACH,
        "pairs": _packed(alternatives.probability),
        "calibration": [alternatives.calibration.slope, alternatives.calibration.shift],
        **page_confidence.to_data(),
        "unfamiliar": [
            row for row, page in enumerate(pages_by_rank(answer).values()) if page.caution
        ],
    }


def _constraints_data(answer: Answer) -> dict[str, Any]:
    """The constraints that follow from corrections; empty without corrections."""
    if not answer.corrections:
        return {}
    constraints = answer.corrections.constraints(list(pages_by_rank(answer)))
    return {
        "component": constraints.components.tolist(),
        "apart": np.argwhere(np.triu(constraints.conflicts)).tolist(),
        "right": np.flatnonzero(constraints.confirmed_pages).tolist(),
    }


def _packed(probability: NDArray[np.float64]) -> str:
    """Shape (pairs,) as base64 of 16-bit codes, lower byte first."""
    with np.errstate(divide="ignore"):
        odds = np.clip(logit(probability), -REACH, REACH)
    codes = np.rint((odds + REACH) / (2 * REACH) * (_MAX_CODE - 2)) + 1
    codes = np.where(probability <= 0, 0, np.where(probability >= 1, _MAX_CODE, codes))
    return base64.b64encode(codes.astype("<u2").tobytes()).decode()
