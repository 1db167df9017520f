"""The dendrogram of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weps._formatting import cut_columns
from weps.people.answer import Alternatives, Answer
from weps.report.pages import shown_title
from weps.report.view import Group, pages_by_rank

_ROW, _TOP, _BOTTOM = 16, 30, 6
_LEFT, _RIGHT = 270, 780
"""Where pages are that are certainly one person, and certainly not."""
_LONGEST_TITLE = 38
"""Columns, of which wide characters take two."""
_LEVELS = (1, 0.75, 0.5, 0.25, 0)
_MAX_LEAVES = 200
"""Of a picture that does not have all pages."""


def dendrogram_view(
    answer: Answer, groups: Sequence[Group], *, reduced: bool
) -> dict[str, Any] | None:
    """The picture, as its template takes it; None for an answer without alternatives, or one page.

    There is a line for each page and a bracket for each merge, in SVG units: ``width``,
    ``height``, ``axis_top``; ``ticks``: x and probability in per cent; ``leaf_x`` and ``leaves``:
    rank, shortened title, title and y of each page, from top to bottom; ``brackets``: number, CSS
    class and path of each merge; ``threshold_x``: between the last merge of the answer and the
    first that it leaves out.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`~weps.report.view.groups_of`.
        reduced: leave out all but the pages that explain the merges nearest to the threshold, 200
            pages at most, and the merges that join none of them.
    """
    alternatives = answer.alternatives
    if alternatives is None or not alternatives.nodes:
        return None
    pages = list(pages_by_rank(answer).values())
    drawn = _rows_near_threshold(answer, alternatives) if reduced else set(range(len(pages)))
    order = [row for row in _crossing_free_order(alternatives) if row in drawn]
    levels = (1.0, *alternatives.levels, 0.0)
    last, next_one = levels[alternatives.kept_merges], levels[alternatives.kept_merges + 1]
    return {
        "width": _RIGHT + 20,
        "height": _TOP + _ROW * len(order) + _BOTTOM,
        "axis_top": _TOP - 8,
        "ticks": [(_x(level), round(100 * level)) for level in _LEVELS],
        "leaf_x": _LEFT - 6,
        "leaves": [
            (pages[row].rank, cut_columns(title, _LONGEST_TITLE), title, _y(place) + 4)
            for place, row in enumerate(order)
            for title in [shown_title(pages[row])]
        ],
        "brackets": _brackets(alternatives, order, _tones(alternatives, groups)),
        "threshold_x": _x((last + next_one) / 2),
    }


def _rows_near_threshold(answer: Answer, alternatives: Alternatives) -> set[int]:
    row_of = {rank: row for row, rank in enumerate(alternatives.ranks)}
    middle = alternatives.kept_merges - 0.5
    rows: set[int] = set()
    for merge in sorted(range(len(answer.merges)), key=lambda merge: abs(merge - middle)):
        rows.update(row_of[rank] for rank in answer.merges[merge].pages)
        if len(rows) >= _MAX_LEAVES:
            break
    return rows


def _crossing_free_order(alternatives: Alternatives) -> list[int]:
    """The rows such that no two brackets cross, earlier pages first."""
    leaves = len(alternatives.ranks)
    first_row = list(range(leaves))
    for parts in alternatives.nodes:
        first_row.append(min(first_row[part] for part in parts))
    order, waiting = [], [len(first_row) - 1]
    while waiting:
        node = waiting.pop()
        if node < leaves:
            order.append(node)
        else:
            waiting += sorted(alternatives.nodes[node - leaves], key=lambda part: -first_row[part])
    return order


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
) -> list[tuple[int, str, str]]:
    """One path for each merge of two parts that both have rows drawn, from these to its level."""
    at = {row: (_LEFT, float(_y(place))) for place, row in enumerate(order)}
    brackets = []
    leaves = len(alternatives.ranks)
    merges = zip(alternatives.nodes, alternatives.levels, tones, strict=True)
    for merge, (parts, level, tone) in enumerate(merges):
        drawn = [at[part] for part in parts if part in at]
        if len(drawn) == 2:
            (x_first, y_first), (x_second, y_second) = drawn
            x = _x(level)
            path = f"M{x_first} {y_first:g}H{x}V{y_second:g}H{x_second}"
            brackets.append((merge, tone, path))
            at[leaves + merge] = (x, round((y_first + y_second) / 2, 1))
        elif drawn:
            at[leaves + merge] = drawn[0]
    return brackets
