"""What all forms share: the contents of one input, limits, and pages among HTTP responses."""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from weps._formatting import join_items
from weps.html.decoding import decode_page
from weps.records import Page, UnreadInput

MAX_PAGES = 10_000
"""Pages of one input."""
MAX_BYTES = 512 * 1024 * 1024
"""Bytes of all pages of one input, inflated."""
MAX_PAGE_BYTES = 8 * 1024 * 1024
"""Bytes kept of one page of an archive; cleaning uses far fewer."""

PAGE_TYPES = frozenset(
    ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")
)
"""Media types of pages, besides PDF; XML may be XHTML."""
PDF_TYPES = frozenset(("application/pdf", "application/x-pdf"))
_FRAMES = frozenset(("iframe", "frame", "fencedframe", "embed", "object"))
_TITLE = re.compile(r"<title\b[^<>]*>([^<]{1,1000})", re.IGNORECASE)
_TITLE_WITHIN = 65_536
_MOST_KINDS = 6


@dataclass(frozen=True, slots=True)
class Contents:
    """The pages of one or several inputs, and what could not be read.

    The content of a page may be a PDF file, which ``reading`` converts.
    """

    pages: tuple[Page, ...] = ()
    """In their order; ranks mean nothing unless stated."""
    unread: tuple[UnreadInput, ...] = ()


def refused(name: str, reason: str) -> Contents:
    """Contents of an input that could not be read."""
    return Contents(unread=(UnreadInput(name, reason),))


def web_url(text: str | None) -> str:
    """The address of a page on the web; empty for others, such as ``file:`` and ``about:``."""
    url = (text or "").strip()
    return url if url[:7].lower().startswith(("http://", "https:/")) else ""


def page_title(content: bytes, charset: str = "") -> str:
    """The ``<title>`` near the start of a page, empty if there is none."""
    found = _TITLE.search(decode_page(content[:_TITLE_WITHIN], charset))
    return " ".join(html.unescape(found[1]).split()) if found else ""


@dataclass(slots=True)
class Responses:
    """Collects the pages among the parts of one archive, and counts what is none by its reason."""

    name: str
    """The archive as it is named in messages."""
    file: str
    """Its path."""
    noun: str = "records"
    """What it consists of."""
    pages: list[Page] = field(default_factory=list)
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Reason → details with their numbers."""
    failures: list[UnreadInput] = field(default_factory=list)
    room: int = MAX_BYTES

    def skip(self, reason: str, detail: str = "") -> None:
        """Count a part that is no page."""
        self.counts[reason][detail[:60]] += 1

    def refusal(self, status: int, media_type: str, destination: str = "") -> str:
        """Why a response is no page, after counting it; empty if it may be one.

        Args:
            status: of HTTP.
            media_type: of its ``Content-Type``, without parameters.
            destination: what the browser wanted it for (``Sec-Fetch-Dest``), if known.
        """
        reason, detail = "", media_type
        if 300 <= status < 400:
            reason, detail = "redirects", ""
        elif not 200 <= status < 300:
            reason, detail = "responses without success", str(status)
        elif media_type not in PAGE_TYPES | PDF_TYPES:
            reason = "not pages"
        elif destination in _FRAMES:
            reason, detail = "frames within pages", ""
        elif destination not in {"", "document"}:
            reason = "not pages"
        if reason:
            self.skip(reason, detail or ("no type" if reason == "not pages" else ""))
        return reason

    def add(self, page: Page) -> None:
        """Add a page, within the limits."""
        content = page.content or b""
        self.room -= len(content)
        if len(self.pages) >= MAX_PAGES or self.room < 0:
            limit = f"{MAX_PAGES:,} pages or {MAX_BYTES >> 20} MB"
            self.skip(f"beyond the first {limit}")
        elif not content.strip():
            self.skip("empty pages")
        else:
            self.pages.append(page)

    def fail(self, reason: str) -> None:
        """Note what went wrong with the archive as a whole."""
        self.failures.append(UnreadInput(self.name, reason))

    def contents(self) -> Contents:
        """All pages, and one line for each reason why parts are none."""
        unread = [*self.failures]
        for reason, details in self.counts.items():
            number = details.total()
            noun = self.noun if number > 1 else self.noun.removesuffix("s")
            kinds = [f"{kind} {count:,}" for kind, count in details.most_common() if kind]
            which = f" ({join_items(kinds, most=_MOST_KINDS)})" if kinds else ""
            unread.append(UnreadInput(self.name, f"{number:,} {noun}: {reason}{which}"))
        return Contents(tuple(self.pages), tuple(unread))
