"""The reference parser: BeautifulSoup's tree, changed until its text is what a reader sees.

It implements the rules of :mod:`weps.html.parsing` independently, so that each checks the other. It
reads the pages on which the fast parser fails, and every page where it is asked for: see
:mod:`weps.html.cleaning`, which bounds what it is given.
"""

from __future__ import annotations

import warnings

from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning
from bs4.element import PageElement, PreformattedString, Tag

from weps.html.parsing import (
    CLOSING,
    DESCRIPTIONS,
    INVISIBLE,
    LINKING,
    OPENING,
    PICTURES,
    Outline,
    image_mark,
    is_hidden,
    is_mail,
    mail_mark,
)


def read_soup(markup: str, builder: str = "lxml") -> Outline:
    """Read mark-up by way of BeautifulSoup, some ten times slower than the fast parser.

    Over lxml time grows with the number of tags (4 s for 100,000) and the square of the depth; over
    Python's ``html.parser`` with the square of the number of tags that are not closed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(markup, builder, multi_valued_attributes=None)
    titles = (tag.get_text() for tag in soup.find_all("title"))
    outline = Outline(title=next(filter(None, titles), ""))
    for tag in soup.find_all(lambda tag: tag.name in INVISIBLE or is_hidden(_attributes(tag))):
        tag.replace_with(OPENING.get(tag.name, "") + CLOSING.get(tag.name, ""))
    outline.description = _description(soup)
    outline.base = next((_attribute(tag, "href") for tag in soup.find_all("base", href=True)), "")
    canonical = (
        _attribute(tag, "href")
        for tag in soup.find_all("link", href=True)
        if "canonical" in _attribute(tag, "rel").lower().split()
    )
    outline.canonical = next(canonical, "")
    hrefs = (_attribute(tag, LINKING[tag.name]) for tag in soup.find_all(LINKING))
    outline.hrefs = [href for href in hrefs if href and not is_mail(href)]
    outline.text = _marked_text(soup)
    return outline


def _attribute(tag: Tag, attribute: str) -> str:
    return str(tag.get(attribute) or "")


def _attributes(tag: Tag) -> dict[str, str]:
    return {name: str(value) for name, value in tag.attrs.items()}


def _description(soup: BeautifulSoup) -> str:
    for tag in soup.find_all("meta", content=True):
        name = _attribute(tag, "name") or _attribute(tag, "property")
        if name.lower() in DESCRIPTIONS and tag["content"]:
            return _attribute(tag, "content")
    return ""


def _marked_text(root: Tag) -> str:
    """The text of a tree, with the structure marks of its elements."""
    parts: list[str] = []
    pending: list[PageElement | str] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Tag):
            pending.append(CLOSING.get(node.name, ""))
            pending.extend(reversed(node.contents))
            parts.append(OPENING.get(node.name, "") + _attribute_marks(node))
        elif not isinstance(node, PreformattedString):
            parts.append(str(node))
    return "".join(parts)


def _attribute_marks(tag: Tag) -> str:
    href = _attribute(tag, LINKING[tag.name]) if tag.name in LINKING else ""
    mail = mail_mark(href) if is_mail(href) else ""
    return mail + (image_mark(_attributes(tag)) if tag.name in PICTURES else "")
