"""The document as one self-contained HTML page.

The page's security policy allows the one style sheet it carries, by its hash, and the pictures in
it, and nothing from any network; there is no script.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from string import Template

from eval.document.model import Document, Section
from eval.document.parts import figure_card, quote_card, table_card
from eval.document.text import marked_up
from eval.document.wording import HERE, MADE, SIGNATURE, THERE

__all__ = ["as_html"]


def as_html(document: Document) -> str:
    """A page to read: summary, contents, sections, and how it was made."""
    style = _asset("document.css")
    return Template(_asset("document.html")).substitute(
        policy=_policy(style),
        style=style,
        title=marked_up(document.title),
        summary=_paragraphs(document.summary),
        contents=_contents(document.sections),
        sections="\n".join(map(_section, range(len(document.sections)), document.sections)),
        origin="\n".join(_origin(document)),
    )


@cache
def _asset(name: str) -> str:
    return files("eval.document").joinpath(name).read_text("utf-8")


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = (
        "default-src 'none'",
        "img-src data:",
        f"style-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def _paragraphs(texts: Sequence[str]) -> str:
    return "\n".join(f"<p>{marked_up(text)}</p>" for text in texts)


def _contents(sections: Sequence[Section]) -> str:
    items = "\n".join(
        f'<li><a href="#section-{number}">{marked_up(section.title)}</a></li>'
        for number, section in enumerate(sections, 1)
    )
    heading = '<h2 id="contents">Contents</h2>'
    return f'<nav aria-labelledby="contents">{heading}<ol>\n{items}\n</ol></nav>' if items else ""


def _section(before: int, section: Section) -> str:
    return (
        f'<section id="section-{before + 1}">\n<h2>{marked_up(section.title)}</h2>\n'
        f"{_paragraphs(section.paragraphs)}\n{_sides(section)}\n</section>"
    )


def _sides(section: Section) -> str:
    """Our figures and tables and, if there are quotes, the quotes beside them."""
    cards = [*map(figure_card, section.figures), *map(table_card, section.tables)]
    if not section.quotes:
        return "\n".join(cards)
    here = "\n".join([f"<h3>{HERE}</h3>", *cards])
    there = "\n".join([f"<h3>{THERE}</h3>", *map(quote_card, section.quotes)])
    return (
        f'<div class="sides">\n<div class="here">\n{here}\n</div>\n'
        f'<aside class="there">\n{there}\n</aside>\n</div>'
    )


def _origin(document: Document) -> Iterator[str]:
    for words, text in ((MADE, document.made), (SIGNATURE, document.signature)):
        if text:
            yield f"<div><dt>{words}</dt><dd><code>{marked_up(text)}</code></dd></div>"
