"""How to download: limits of requests, politeness, what may be asked and what is kept."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp.abc import AbstractResolver

SUFFIXES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/xml": ".html",
    "text/xml": ".html",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
}
"""Media types of pages, and how the files are called."""
UNSTATED_TYPES: Final = frozenset(("", "application/octet-stream", "binary/octet-stream"))
"""Media types that servers state for want of a better one."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits of one request, in seconds and bytes."""

    total: float = 30.0
    """From asking to the last byte."""
    connect: float = 10.0
    read: float = 10.0
    """Between two bytes."""
    page_bytes: int = 8 * 1024 * 1024
    """Of a page, on the wire as well as inflated; what is longer is cut."""
    pdf_bytes: int = 32 * 1024 * 1024

    def bytes_of(self, media_type: str) -> int:
        """Bytes read of an answer of this type: none of what is no page."""
        if media_type == "application/pdf":
            return self.pdf_bytes
        return self.page_bytes if media_type in SUFFIXES.keys() | UNSTATED_TYPES else 0


@dataclass(frozen=True, slots=True)
class DownloadOptions:
    """How to download; the defaults are polite and safe."""

    refresh: bool = False
    """Whether pages that are there are asked for again; unchanged ones are not sent again."""
    keep_results: bool = True
    """Whether addresses, titles and snippets of results are written; terms of search engines may
    forbid it. Without them, the folder holds what was fetched from the sites alone."""
    allow_private: bool = False
    """Whether addresses of private networks and of this machine may be asked, at any port."""
    delay: float = 1.0
    """Seconds between two requests to a host, if its ``robots.txt`` does not ask for more."""
    hosts_at_once: int = 16
    limits: FetchLimits = FetchLimits()
    allowed: Callable[[str], bool] | None = None
    """Which IP addresses may be connected to; None for public ones (``weps.web.guard``)."""
    resolver: AbstractResolver | None = None
    """What resolves names; None for that of the system."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
