"""What came instead of a page: a challenge, a wall of consent, a page of error sent as a success.

Such pages look alike whoever is meant, and would be taken for pages of one person.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from weps.html.cleaning import clean_page
from weps.records import Page

_SHORT: Final = 200
"""Characters of visible text below which a page that asks for scripts tells nothing else."""
_CHALLENGES = re.compile(r"just a moment|attention required|checking your browser", re.IGNORECASE)
_SCRIPTS = re.compile(r"enable\s+javascript|javascript\s+(?:is\s+)?(?:required|disabled)", re.I)


@dataclass(frozen=True, slots=True)
class PageView:
    """What a visitor would see."""

    digest: str
    """16 hexadecimal digits of the visible text."""
    blocked: str = ""
    """Why this is not the page that was asked for; empty if it is."""


def inspect_page(body: bytes, charset: str, media_type: str) -> PageView:
    """Look at the answer to a request; never fails."""
    if media_type == "application/pdf":
        return PageView(hashlib.sha256(body).hexdigest()[:16])
    document = clean_page(Page(0, content=body, charset=charset))
    text = " ".join(document.blocks)
    digest = hashlib.sha256(f"{document.title}\n{text}".encode()).hexdigest()[:16]
    if _CHALLENGES.search(document.title):
        return PageView(digest, "a challenge to visitors")
    if len(text) < _SHORT and _SCRIPTS.search(text):
        return PageView(digest, "asks for JavaScript")
    return PageView(digest)
