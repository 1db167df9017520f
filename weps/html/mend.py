"""Mending mark-up: damage that would cost every parser the rest of the page."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["has_noscript", "is_markup", "mend", "saved_from", "show_noscript"]

_LOOK_FOR_TAGS_WITHIN: Final = 200_000
_ELEMENTS = frozenset(
    "a abbr acronym address article b base big blockquote body br button center code dd del "
    "div dl dt em fieldset figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header "
    "hr html i iframe img input ins label li link main map meta nav noframes noscript object ol "
    "option p pre s script section select small span strike strong style sub sup svg table tbody "
    "td template textarea tfoot th thead title tr tt u ul".split()
)
_TAG = re.compile(r"<(?:!(?:--|doctype\b)|/?([a-z][a-z0-9]{0,9})[\s/>])", re.IGNORECASE)
_NOFRAMES = re.compile(r"</?noframes\b[^<>]*>", re.IGNORECASE)
_NOSCRIPT = re.compile(r"</?noscript\b[^<>]*>", re.IGNORECASE)
_LINKS_TOUCHING = re.compile(r"</a><a(?=\s)", re.IGNORECASE)
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{1,6}\)(https?://[^\s<>]{1,2000})")


def is_markup(text: str) -> bool:
    """Whether the text holds at least one tag of HTML; ``<john@host.org>`` is none."""
    tags = _TAG.finditer(text, 0, _LOOK_FOR_TAGS_WITHIN)
    return any(tag[1] is None or tag[1].lower() in _ELEMENTS for tag in tags)


def mend(markup: str) -> str:
    """Undo comments that never close, show what is for frameless browsers, part menu entries."""
    markup = _close_comments(markup)
    lower = markup.lower()
    if "<noframes" in lower:  # parsers drop it or take its tags for text; framesets hold no other
        markup = _NOFRAMES.sub(" ", markup)
    if "</a><a" in lower:  # menus part their entries by style alone; HomeContact is no word
        markup = _LINKS_TOUCHING.sub("</a> <a", markup)
    return markup


def has_noscript(markup: str) -> bool:
    """Whether some of the page is for browsers without scripts only."""
    return _NOSCRIPT.search(markup) is not None


def show_noscript(markup: str) -> str:
    """The page as a browser without scripts shows it."""
    return _NOSCRIPT.sub(" ", markup)


def saved_from(markup: str) -> str:
    """The address in the comment that browsers write into the pages they save, if any."""
    found = _SAVED_FROM.search(markup, 0, 10_000)
    return found[1] if found else ""


def _close_comments(markup: str) -> str:
    end = max(markup.rfind("-->"), 0)
    if "<!--" not in markup[end:]:
        return markup
    return markup[:end] + markup[end:].replace("<!--", "")
