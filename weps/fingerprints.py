"""Fingerprints: what a page holds, in a few digits, so that it is known again at another rank."""

from __future__ import annotations

from weps.cache import digest
from weps.records import Page

__all__ = ["FINGERPRINT", "fingerprint"]

FINGERPRINT = r"[0-9a-f]{12}"
"""What a fingerprint looks like, as a regular expression."""


def fingerprint(page: Page) -> str:
    """12 hex digits of the page's content, text, address, title and snippet, not of its rank.

    Two different pages of one name share them by chance about once in 10¹⁴ pairs.
    """
    kind, body = ("html", page.content) if page.content is not None else ("text", page.text or "")
    return digest(page.url, page.title, page.snippet, kind, body)[:12]
