"""The forms in which people keep pages, each declared in a module of this package.

All modules here are imported, so that a format that one of them registers is known to folders,
archives, uploads and ``weps doctor``. What a file is, its first bytes decide; its name decides only
between kinds of text.
"""

from __future__ import annotations

import html
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from mimetypes import MimeTypes
from pathlib import Path, PurePath
from pkgutil import iter_modules
from typing import IO

from weps._files import leads_out, open_file
from weps._formatting import count_of, error_reason, join_items
from weps.errors import SourceError
from weps.html.text import decode_page, foreign_kind, inflate_readable, repair_encoding
from weps.records import Page, UnreadInput

HEAD_BYTES = 8_192
"""Bytes that suffice for recognition."""
PLAIN_SUFFIXES = frozenset({".html", ".htm", ".txt"})
"""Suffixes of pages as they are; the content may still be an archive under a wrong name."""
MAX_PAGES = 10_000
"""Pages of one input."""
MAX_BYTES = 512 << 20
"""Bytes of all pages of one input, inflated."""
MAX_PAGE_BYTES = 8 << 20
"""Bytes kept of one page of an archive; cleaning uses far fewer."""
MAX_PDF_BYTES = 64 << 20
"""Bytes of a PDF file, of which no part can be read alone."""

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml", "text/plain"))
"""Media types of pages, besides PDF."""
PDF_TYPES = frozenset(("application/pdf", "application/x-pdf"))
HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf|\s|<\?xml[^>]*>|<!--(?s:.*?)-->)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta)\b",
    re.IGNORECASE,
)
FRAMES = frozenset(("iframe", "frame", "fencedframe", "embed", "object"))
"""Values of ``Sec-Fetch-Dest`` for what is shown within a page."""
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
"""Exceptions that reading a damaged file may raise besides OSError."""
IMAGE = "image"
"""The kind of a file that shows something, and may show text, which is not read."""
_IMAGE = re.compile(
    rb"\x89PNG|GIF8|\xff\xd8\xff|RIFF.{4}WEBP|II\*\0|MM\0\*|BM.{4}\0{4}"
    rb"|.{4}ftyp(?:avif|heic|heix|hevc|mif1)",
    re.DOTALL,
)
_KINDS = {
    **dict.fromkeys(
        (".doc", ".ppt", ".xls"), "of an old Office: save it in today's form, or as PDF"
    ),
    **dict.fromkeys((".desktop", ".lnk", ".url", ".webloc"), "a shortcut: save the page it opens"),
    ".ged": "a family tree: save the pages of its people as HTML or PDF",
    ".mbox": "a mailbox: save its e-mails one by one",
    ".msg": "an e-mail of Outlook: save it as .eml, or as PDF",
}
"""Suffix → what the file is, and what to do."""
_TITLE = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<(script|style)\b.*?(?:</\1|\Z)|<title\b[^<>]*>([^<]{1,1000})",
    re.IGNORECASE | re.DOTALL,
)
"""A title, or what may hold one that is none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to read; a member of an archive only while the archive is open."""

    name: str
    """Its path within the source, with slashes."""
    file: str
    """The absolute path of the file, or of the archive."""
    size: int
    """In bytes."""
    open: Callable[[], IO[bytes]] = field(compare=False)
    changed: int = 0
    """When the file or the archive was last modified, in nanoseconds."""
    lasting: bool = False
    """Whether it can be read later, as a file on disk."""
    beside: Callable[[str], Entry | None] = field(default=lambda _: None, compare=False)
    """The file of a name in the same folder, if there is one."""

    @classmethod
    def of_file(cls, path: Path, name: str = "") -> Entry:
        """A file on disk; one that is no file, such as a pipe, cannot be opened."""

        def beside(other: str) -> Entry | None:
            place = path.parent / other
            is_file = PurePath(other).name == other and place.is_file()
            return cls.of_file(place) if is_file and not leads_out(place, path.parent) else None

        return cls(
            name or path.name,
            str(path.absolute()),
            path.stat().st_size if path.is_file() else 0,
            partial(open_file, path),
            path.stat().st_mtime_ns if path.exists() else 0,
            lasting=True,
            beside=beside,
        )

    def read(self, most: int) -> bytes:
        """The first bytes."""
        with self.open() as opened:
            return opened.read(most)

    def form(self) -> Format | str:
        """The format by the content, else the kind of file, as far as its start and name tell."""
        head = self.read(HEAD_BYTES)
        for form in FORMATS:
            if form.recognises(head, self.name):
                return form
        named, _ = MimeTypes().guess_type(self.name)
        if _IMAGE.match(head) or (named or "").startswith("image/"):
            return IMAGE
        suffix = PurePath(self.name).suffix.lower() or "no suffix"
        return (_KINDS.get(suffix) or foreign_kind(head) or suffix) if head else "empty"


@dataclass(slots=True)
class Collector:
    """Collects the pages of one input, and counts the parts that are none by their reasons."""

    name: str
    """The input as it is named in messages."""
    file: str
    """Its path."""
    noun: str = "record"
    """A part of it."""
    pages: list[Page] = field(default_factory=list)
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Reason → details with their numbers."""
    unread: list[UnreadInput] = field(default_factory=list)
    """Other faults."""
    known: set[str] = field(default_factory=set)
    """Addresses of pages."""
    attached: set[str] = field(default_factory=set)
    """Names of files that hold parts of the input."""
    room: int = MAX_BYTES

    def skip(self, reason: str, detail: str = "") -> None:
        """Count a part that is no page."""
        self.counts[reason][detail[:60]] += 1

    def fail(self, reason: str) -> None:
        """Note what is the matter with the input as a whole."""
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
        content = page.read_content() or (page.text or "").encode("utf-8", "surrogatepass")
        if len(self.pages) >= MAX_PAGES or self.room < len(content):
            self.skip(f"beyond the first {MAX_PAGES:,} pages or {MAX_BYTES >> 20} MB")
        elif content.strip():
            self.room -= len(content)
            self.known.add(page.url)
            self.pages.append(page)
        else:
            self.skip("empty pages")

    def add_page(self, url: str, content: bytes, charset: str, fetched: str = "") -> None:
        """Add a page with the title that it states."""
        title, state = page_title(content, charset), {"charset": charset, "fetched": fetched}
        self.add(Page(0, url, title, content=content, file=self.file, **state))

    def tell_counts(self) -> None:
        """Note, in one line for each reason, how many parts are no pages."""
        for reason, details in self.counts.items():
            kinds = [f"{kind} {count:,}" for kind, count in details.most_common() if kind]
            which = f" ({join_items(kinds, most=6)})" if kinds else ""
            self.fail(f"{count_of(details.total(), self.noun)}: {reason}{which}")


@dataclass(frozen=True, slots=True)
class Format:
    """A form of files with pages."""

    title: str
    """As ``docs/formats.md`` has it."""
    recognises: Callable[[bytes, str], object]
    """Whether a file is of the format, by its first :data:`HEAD_BYTES` bytes and its name."""
    read: Callable[[Entry, Collector], object]
    """Adds the pages of a file.

    May raise a SourceError that says why there are none, an OSError, and any of :data:`DAMAGED`.
    """
    noun: str = "record"
    """A part of such a file."""
    most: int | None = None
    """Maximum size in bytes; None for files of which few bytes are read at a time."""
    order: int = 0
    """Formats of a higher number are asked later: those that the first bytes alone do not tell."""
    is_own: bool = False
    """Whether weps writes such files, which are passed over in silence."""


FORMATS: list[Format] = []
"""All formats in the order in which they are asked."""


def register_format(form: Format) -> Format:
    """Make a format known; returns it."""
    FORMATS.append(form)
    FORMATS.sort(key=lambda each: each.order)
    return form


def read_input(entry: Entry, form: Format) -> Collector:
    """Read a file by its format; one that cannot be read says why, and has no pages.

    The content of a page may be a PDF file.
    """
    found = Collector(entry.name, entry.file, form.noun)
    reason = "holds no page"
    try:
        if form.most and entry.size > form.most:
            raise SourceError(f"larger than {form.most >> 20} MB")
        form.read(entry, found)
        found.tell_counts()
        if found.pages or found.unread:
            return found
    except SourceError as problem:
        reason = problem.what
    except OSError as problem:
        reason = f"cannot be read ({error_reason(problem)})"
    except DAMAGED as problem:
        reason = f"damaged ({type(problem).__name__})"
    return Collector(entry.name, entry.file, unread=[UnreadInput(entry.name, reason)])


def inflate_head(head: bytes) -> bytes:
    """The first bytes of a file, inflated if gzip has packed it."""
    if not head.startswith(b"\x1f\x8b"):
        return head
    return inflate_readable(zlib.decompressobj(wbits=31).decompress, head, HEAD_BYTES)


def web_url(text: str | None) -> str:
    """The address of a page on the web; empty for others, such as ``file:`` and ``about:``."""
    url = (text or "").strip()
    return url if url[:7].lower().startswith(("http://", "https:/")) else ""


def page_title(content: bytes, charset: str = "") -> str:
    """The ``<title>`` near the start of a page, empty if there is none."""
    found = _TITLE.finditer(repair_encoding(decode_page(content[:65_536], charset)))
    title = next((each[2] for each in found if each[2]), "")
    return " ".join(html.unescape(title).split())


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
