"""The dendrogram in the HTML report: which pages come together at which probability.

The numbers that the report's script works with: the tree, the pairs, how to judge a cut.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from weps.people.answer import Alternatives, Answer, Near, PageScore
from weps.report.safe_text import domain_of, shown_end
from weps.report.view import Group, rows_of
from weps.report.wording import CERTAINTIES, percent

__all__ = ["REACH", "numbers", "tree", "tree_in_words"]

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
    """What users have settled, as a :class:`~weps.clustering.agglomeration.Ruling`; or nothing."""
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


_ROW, _TOP = 16, 30
_LEFT, _RIGHT = 190, 700
"""Where pages stand that are certainly one person, and certainly not."""
_SITE = 24
_UNDONE = ("", ' class="undone"')


def tree(answer: Answer, groups: Sequence[Group]) -> str:
    """SVG: a line for each page, a bracket for each merge, a line at the threshold."""
    alternatives = answer.alternatives
    if alternatives is None or not alternatives.nodes:
        return ""
    pages = rows_of(answer)
    order = _order(alternatives)
    height = _TOP + _ROW * len(order) + 6
    return (
        f'<svg id="tree" viewBox="0 0 {_RIGHT + 20} {height}" role="group"'
        f' aria-labelledby="tree-head" aria-describedby="tree-told">{_axis(height)}'
        f"{''.join(_leaf(pages[row], place) for place, row in enumerate(order))}"
        f"{_brackets(alternatives, order, _tones(alternatives, groups))}"
        f"{_threshold(alternatives, height)}</svg>"
    )


def tree_in_words(answer: Answer) -> str:
    """HTML: the merges one by one, the most probable first, as a list."""
    undone = ' class="undone"'
    return "".join(
        f"<li{'' if merge.held else undone}>{percent(merge.probability)}"
        f" pages {merge.pages[0]} and {merge.pages[1]}</li>"
        for merge in answer.merges
    )


def _order(alternatives: Alternatives) -> list[int]:
    """The rows such that no two brackets cross, earlier pages first."""
    leaves = len(alternatives.ranks)
    rows = [[row] for row in range(leaves)]
    for first, second in alternatives.nodes:
        rows.append(min(rows[first], rows[second]) + max(rows[first], rows[second]))
    return rows[-1]


def _tones(alternatives: Alternatives, groups: Sequence[Group]) -> list[str]:
    """For each merge the colour of its person; empty where the answer does not hold it."""
    leaves = len(alternatives.ranks)
    tone_of = {each.node: each.tone for each in groups if each.person}
    tones = [""] * (leaves - 1)
    for merge in reversed(range(alternatives.held)):
        tones[merge] = tone_of[leaves + merge]
        tone_of.update(dict.fromkeys(alternatives.nodes[merge], tones[merge]))
    return tones


def _axis(height: int) -> str:
    ticks = (
        f'<path d="M{_x(level)} {_TOP - 8}V{height}"/>'
        f'<text x="{_x(level)}" y="{_TOP - 14}">{round(100 * level)}%</text>'
        for level in (1, 0.75, 0.5, 0.25, 0)
    )
    return f'<g class="axis">{"".join(ticks)}</g>'


def _x(level: float) -> int:
    return round(_RIGHT - (_RIGHT - _LEFT) * level)


def _y(place: int) -> int:
    return _TOP + _ROW * place + _ROW // 2


def _leaf(page: PageScore, place: int) -> str:
    site = shown_end(domain_of(page.url), _SITE)
    text = f'<text x="{_LEFT - 6}" y="{_y(place) + 4}">{site} {page.rank}</text>'
    return f'<a class="leaf" href="#page-{page.rank}">{text}</a>'


def _brackets(alternatives: Alternatives, order: Sequence[int], tones: Sequence[str]) -> str:
    """One path for each merge, from its two parts to its level."""
    at = {row: (_LEFT, float(_y(place))) for place, row in enumerate(order)}
    parts: list[str] = []
    told = zip(alternatives.nodes, alternatives.levels, tones, strict=True)
    for merge, ((first, second), level, tone) in enumerate(told, start=len(order)):
        (x_first, y_first), (x_second, y_second) = at[first], at[second]
        x = _x(level)
        parts.append(
            f'<path class="{tone}" d="M{x_first} {y_first:g}H{x}V{y_second:g}H{x_second}"/>'
        )
        at[merge] = (x, round((y_first + y_second) / 2, 1))
    return f'<g class="merges">{"".join(parts)}</g>'


def _threshold(alternatives: Alternatives, height: int) -> str:
    """Between the last merge that is held and the first that is not."""
    levels = (1.0, *alternatives.levels, 0.0)
    level = (levels[alternatives.held] + levels[alternatives.held + 1]) / 2
    return f'<path id="threshold" d="M{_x(level)} {_TOP - 8}V{height}"/>'
