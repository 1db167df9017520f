"""What all forms share: the contents of one input, limits, and pages among HTTP responses."""

from __future__ import annotations

import html
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from email.message import Message

from weps._formatting import count_of, join_items
from weps.html.decoding import decode_page
from weps.records import Page, UnreadInput

MAX_PAGES = 10_000
"""Pages of one input."""
MAX_BYTES = 512 * 1024 * 1024
"""Bytes of all pages of one input, inflated."""
MAX_PAGE_BYTES = 8 * 1024 * 1024
"""Bytes kept of one page of an archive; cleaning uses far fewer."""

MAX_PDF_BYTES = 64 * 1024 * 1024
"""Bytes of a PDF file, of which no part can be read alone."""

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml", "text/plain"))
"""Media types of pages, besides PDF."""
PDF_TYPES = frozenset(("application/pdf", "application/x-pdf"))
DAMAGED = (
    EOFError,
    LookupError,
    MemoryError,
    OverflowError,
    RuntimeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a damaged file may raise besides OSError."""
FRAMES = frozenset(("iframe", "frame", "fencedframe", "embed", "object"))
"""What browsers ask for that is shown within a page, as ``Sec-Fetch-Dest`` says."""
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


def media_type_of(stated: str) -> tuple[str, str]:
    """Media type and charset of a ``Content-Type``, in lower case; empty where it states none."""
    header = Message()
    header["Content-Type"] = stated[:500].replace("\r", " ").replace("\n", " ")
    charset = header.get_param("charset")
    kind = stated.partition(";")[0].strip().lower()
    return kind, charset.strip().lower() if isinstance(charset, str) else ""


@dataclass(slots=True)
class Collector:
    """Collects the pages among the parts of one archive, and counts what is none by its reason."""

    name: str
    """The archive as it is named in messages."""
    file: str
    """Its path."""
    noun: str = "record"
    """What it consists of."""
    pages: list[Page] = field(default_factory=list)
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Reason → details with their numbers."""
    unread: list[UnreadInput] = field(default_factory=list)
    """What else could not be read."""
    known: set[str] = field(default_factory=set)
    """Addresses of pages."""
    room: int = MAX_BYTES

    def skip(self, reason: str, detail: str = "") -> None:
        """Count a part that is no page."""
        self.counts[reason][detail[:60]] += 1

    def fail(self, reason: str) -> None:
        """Note what is the matter with the archive as a whole."""
        self.unread.append(UnreadInput(self.name, reason))

    def may_add(self, status: int, media_type: str, url: str, destination: str = "") -> bool:
        """Whether a response may be a page, else it is counted.

        Args:
            status: of HTTP.
            media_type: of its ``Content-Type``, without parameters.
            url: its address, empty if it is none of the web.
            destination: what the browser wanted it for (``Sec-Fetch-Dest``), if known.
        """
        if 300 <= status < 400:
            self.skip("redirects")
        elif not 200 <= status < 300:
            self.skip("unsuccessful responses", str(status))
        elif media_type not in PAGE_TYPES | PDF_TYPES or url.endswith("/robots.txt"):
            self.skip("not pages", media_type or "no type")
        elif destination in FRAMES:
            self.skip("frames of pages")
        elif not url or destination not in {"", "document"}:
            self.skip("not pages", destination or "not of the web")
        elif url in self.known:
            self.skip("pages that are already present")
        else:
            return True
        return False

    def add(self, page: Page) -> None:
        """Add a page, within the limits."""
        content = page.read_content() or b""
        if len(self.pages) >= MAX_PAGES or self.room < len(content):
            self.skip(f"beyond the first {MAX_PAGES:,} pages or {MAX_BYTES >> 20} MB")
        elif content.strip():
            self.room -= len(content)
            self.known.add(page.url)
            self.pages.append(page)
        else:
            self.skip("empty pages")

    def contents(self) -> Contents:
        """All pages, and one line for each reason why parts are none."""
        for reason, details in self.counts.items():
            number = details.total()
            kinds = [f"{kind} {count:,}" for kind, count in details.most_common() if kind]
            which = f" ({join_items(kinds, most=_MOST_KINDS)})" if kinds else ""
            self.fail(f"{count_of(number, self.noun)}: {reason}{which}")
        return Contents(tuple(self.pages), tuple(self.unread))
