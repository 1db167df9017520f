"""What both readers of mark-up produce, and the rules that both obey.

Visible is what a reader of the page could see: the text of every element except scripts, styles,
templates and elements hidden by attribute or inline style. Alternative texts of images count, for
on old pages the heading with the person's name is often a picture; those without a letter or
digit are decoration. Options of a list, text areas and buttons count. ``noscript`` does not,
unless the page has nothing else. ``aria-hidden`` elements are visible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Outline", "hides", "image_mark", "is_mail", "mail_mark"]

# Control characters mark the structure in the running text; none of them survives cleaning.
# They are none that str.split takes for white space.
BREAK: Final = "\x01"
PRE_OPEN: Final = "\x02"
PRE_CLOSE: Final = "\x03"
MAIL_OPEN: Final = "\x04"
MAIL_CLOSE: Final = "\x05"

BREAKING: Final = frozenset(
    "address article aside blockquote body br button caption center dd details dialog dir div dl "
    "dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr "
    "html input isindex legend li main menu nav ol optgroup option p search section select "
    "summary table tbody td tfoot th thead tr ul".split()
)
"""Elements before and after which a new block starts."""

PREFORMATTED: Final = frozenset(("listing", "plaintext", "pre", "textarea", "xmp"))
"""Elements whose line breaks are visible."""

UNSEEN: Final = frozenset(
    ("iframe", "noembed", "noframes", "noscript", "script", "style", "template", "title")
)
"""Elements whose content no reader of the page's body sees."""

OPENING: Final = (
    dict.fromkeys(BREAKING, BREAK) | dict.fromkeys(PREFORMATTED, PRE_OPEN) | {"sup": " "}
)
CLOSING: Final = (
    dict.fromkeys(BREAKING, BREAK) | dict.fromkeys(PREFORMATTED, PRE_CLOSE) | {"sup": " "}
)

LINKING: Final = {"a": "href", "area": "href", "frame": "src"}
"""Elements that lead to another page, and the attribute that says where."""

PICTURES: Final = frozenset(("area", "img", "input"))
INFORMATIVE: Final = PICTURES.union(LINKING, ("base", "link", "meta"))
"""Elements whose attributes are read."""

DESCRIPTIONS: Final = frozenset(("description", "og:description"))

_HIDING_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_WORD_CHARACTER = re.compile(r"[^\W_]")


@dataclass(slots=True)
class Outline:
    """A page as its mark-up says it, before white space is folded and links are resolved."""

    text: str = ""
    """Visible text with structure marks."""
    title: str = ""
    description: str = ""
    canonical: str = ""
    base: str = ""
    hrefs: list[str] = field(default_factory=list)
    note: str = ""


def hides(attributes: Mapping[str, str]) -> bool:
    """Whether an element with these attributes is invisible, with all that it holds."""
    if "hidden" in attributes:
        return True
    return "style" in attributes and _HIDING_STYLE.search(attributes["style"]) is not None


def image_mark(attributes: Mapping[str, str]) -> str:
    """A picture's alternative text as a block of its own, empty where it is mere decoration."""
    text = attributes.get("alt")
    return f"{BREAK}{text}{BREAK}" if text and _WORD_CHARACTER.search(text) else ""


def is_mail(href: str) -> bool:
    """Whether a link opens a mail program."""
    return href[:7].lower() == "mailto:"


def mail_mark(href: str) -> str:
    """The addresses of a ``mailto:`` link, marked so that they are found but not shown."""
    addresses = href[7:].partition("?")[0]
    return f"{MAIL_OPEN}{unquote(addresses)}{MAIL_CLOSE}"
