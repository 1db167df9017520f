"""The dendrogram in the HTML report: which pages come together at which probability."""

from __future__ import annotations

from collections.abc import Sequence

from weps.people import Alternatives, Answer, PageScore
from weps.report.groups import Group, rows_of
from weps.report.shown import domain_of, shown_end
from weps.report.wording import percent

__all__ = ["tree", "tree_in_words"]

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
