"""HTML for a figure, a table and a quote."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from eval.document.model import Figure, Picture, Quote, Table
from eval.document.text import marked_up, plain
from eval.document.wording import NOT_DRAWN

__all__ = ["figure_card", "quote_card", "table_card"]

_LONG = 16
"""Rows of a table beyond which it scrolls in its box."""


def figure_card(figure: Figure) -> str:
    """The picture, the note below; its title is seen in it, or above the note if it is missing."""
    drawn = ' class="drawn"' if figure.picture else ""
    picture = _image(figure.picture) if figure.picture else f'<p class="note">{NOT_DRAWN}</p>'
    return (
        f'<figure id="figure-{figure.key}" class="figure">\n'
        f"<figcaption{drawn}>{marked_up(figure.title)}</figcaption>\n{picture}{_note(figure.note)}\n"
        "</figure>"
    )


def table_card(table: Table) -> str:
    """The table in a box in which it scrolls if it is too wide, the note below."""
    heading, *rows = table.rows
    caption = f"caption-{table.key}"
    box = "scroll long" if len(rows) > _LONG else "scroll"
    return (
        f'<div id="table-{table.key}" class="table">\n'
        f'<div class="{box}" role="group" aria-labelledby="{caption}" tabindex="0">\n<table>\n'
        f'<caption><span id="{caption}">{marked_up(table.title)}</span></caption>\n'
        f"<thead>\n{_heading(heading, table)}\n</thead>\n<tbody>\n"
        + "\n".join(_row(row, table) for row in rows)
        + f"\n</tbody>\n</table>\n</div>{_note(table.note)}\n</div>"
    )


def quote_card(quote: Quote) -> str:
    """What the other work has, and where it has it."""
    return (
        f'<figure class="quote">\n<blockquote><p>{marked_up(quote.text)}</p></blockquote>\n'
        f"<figcaption>{marked_up(quote.source)}</figcaption>\n</figure>"
    )


def _image(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode("utf-8", "replace")).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{marked_up(picture.alt)}">'


def _note(note: str) -> str:
    return f'\n<p class="note">{marked_up(note)}</p>' if note else ""


def _heading(cells: Sequence[str], table: Table) -> str:
    parts = (
        f'<th scope="col"{_side(number, table)}>{marked_up(cell)}</th>'
        for number, cell in enumerate(cells)
    )
    return f"<tr>{''.join(parts)}</tr>"


def _row(cells: Sequence[str], table: Table) -> str:
    first, *others = (_cell(cell, table) for cell in cells)
    parts = (
        f"<td{_side(number, table)}>{content}</td>" for number, content in enumerate(others, 1)
    )
    return f'<tr><th scope="row"{_side(0, table)}>{first}</th>{"".join(parts)}</tr>'


def _side(number: int, table: Table) -> str:
    return ' class="left"' if number < table.left else ""


def _cell(cell: str, table: Table) -> str:
    tone = table.marks.get(plain(cell))
    return f'<b class="mark {tone}">{marked_up(cell)}</b>' if tone else marked_up(cell)
