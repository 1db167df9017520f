"""The records that the steps of the pipeline exchange, and the provenance of results."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from annotated_types import Ge, Gt, Le, MinLen

from weps._cache import content_digest
from weps.errors import InputTypeError, InputValueError

MAX_NUMBER = 10**9
"""Largest rank of a page and id of a person."""


class _Unchecked:
    """Mark of a field that has its schema, and any value when it is read."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic import SkipValidation  # noqa: PLC0415 - only where results are read

        skip: Any = SkipValidation
        return skip.__get_pydantic_core_schema__(source, handler)


Type = TypeVar("Type")
Unchecked = Annotated[Type, _Unchecked()]
"""A value that is not checked when the JSON of a result is read, see :mod:`weps.results.stored`."""
Rank = Annotated[int, Ge(0), Le(MAX_NUMBER)]
PersonId = Annotated[int, Ge(1), Le(MAX_NUMBER)]
NonEmpty = Annotated[str, MinLen(1)]
Probability = Annotated[float, Ge(0), Le(1)]
Share = Annotated[float, Gt(0), Le(1)]
Count = Annotated[int, Ge(0)]


def field_values(record: Any) -> dict[str, Any]:
    """The values of a dataclass, by field."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


ALWAYS = {"always": True}
"""Metadata of a field that is written to JSON though it is at its default."""


RESULT_SUFFIXES = {
    "facts": ".facts.csv",
    "xlsx": ".xlsx",
    "jsonld": ".jsonld",
    "gedcom": ".ged",
    "graphml": ".graphml",
    "brief": ".md",
    "csv": ".csv",
    "xml": ".clust.xml",
    "html": ".html",
    "json": ".json",
}
"""Kind of a file of a result → how its name ends; the last four are written by default."""
UNWRITTEN = {"unwritten": True}
"""Metadata of a field that is not part of the JSON."""
FIRST_FAULT = {"fail_fast": True}
"""Metadata of a list of which one fault is told."""


def in_schema(**keywords: Any) -> dict[str, Any]:
    """Metadata of a field with further keywords in its schema, which reading does not check."""
    return {"json_schema_extra": keywords}


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One page as a search engine, or a list of results, describes it."""

    url: str = ""
    title: str = ""
    snippet: str = ""
    engines: tuple[str, ...] = ()
    """The search engines that returned it."""


@dataclass(frozen=True, slots=True)
class UnreadInput:
    """Something found with the pages that could not be read."""

    name: str
    """The file, with its path within the source, or the address."""
    reason: NonEmpty
    """Why it could not be read."""


@dataclass(frozen=True, slots=True)
class Page:
    """One search result, as found.

    Exactly one of ``content`` and ``text`` is set where the page itself was saved; both are None
    where only the search result is available.

    Example:
        >>> Page(1, "https://example.org/ann", text="Ann Lee paints tides.")
        Page(rank=1, url='https://example.org/ann', ...)
    """

    rank: int
    url: str = ""
    title: str = ""
    snippet: str = ""
    content: bytes | Callable[[], bytes] | None = field(default=None, repr=False)
    """The page as downloaded: HTML or plain text in any charset; or what reads it from its file,
    so that the pages of a name need not be in memory at once. See :meth:`read_content`."""
    text: str | None = field(default=None, repr=False)
    """Text that was extracted by others (the WePS-2 ``tokens`` files)."""
    problem: str = ""
    """Why the page could not be read, empty if it could; never used as evidence."""
    charset: str = ""
    """The charset that the server declared in its ``Content-Type``; empty if it did not."""
    file: str = ""
    """The saved copy, a path on this machine; empty if there is none. Never used as evidence."""
    fetched: str = ""
    """When the copy was made, as an ISO 8601 date or time; empty if unknown. Never evidence."""

    def __post_init__(self) -> None:
        if not (isinstance(self.rank, int) and 0 <= self.rank <= MAX_NUMBER):
            raise InputValueError(
                f"expected the rank of a page, a whole number from 0 to {MAX_NUMBER:,}",
                where=self.url or None,
            )

    def read_content(self) -> bytes | None:
        """The page as downloaded; None where it was not saved.

        Raises:
            OSError: its file cannot be read any more.
        """
        return self.content() if callable(self.content) else self.content


@dataclass(frozen=True, slots=True)
class Search:
    """The pages that a search for one person's name returned, in order of rank.

    Example:
        >>> Search("Ann Lee", (Page(1, text="Ann Lee paints tides."),)).pages[0].rank
        1
    """

    name: str
    """The name as searched for, e.g. ``Thomas Baker``."""
    pages: tuple[Page, ...] = field(repr=False)
    unread: tuple[UnreadInput, ...] = ()
    """Inputs that were found with the pages and are not among them."""
    also: tuple[str, ...] = ()
    """Other spellings of the name, and other names of the person."""
    of_folder: bool = False
    """Whether the name is that of a folder or file, which may say more than the person's name."""


class StatedFact(NamedTuple):
    """What a page states of a person in structured data, see :mod:`weps.html.structured`."""

    subject: str
    """Whom it is about, by name; of the infobox of a page, the page's title."""
    attribute: str
    """One of :data:`weps.people.facts.ATTRIBUTES`."""
    value: str
    """As stated; dates in any form."""
    property: str
    """The property by schema.org's name: *jobTitle*."""


@dataclass(frozen=True, slots=True)
class Document:
    """A cleaned page. Every string is Unicode text without mark-up, NULs or control characters."""

    rank: int
    url: str = ""
    """The result's URL, else the one that the page states (canonical, ``saved from url``)."""
    title: str = ""
    """The result's title, else the page's ``<title>``."""
    snippet: str = ""
    """The result's snippet, else the page's description."""
    blocks: tuple[str, ...] = field(default=(), repr=False)
    """The visible text, white space folded, one string per block (paragraph, cell, item, …)."""
    links: tuple[str, ...] = field(default=(), repr=False)
    """Outgoing links as absolute URLs (http and https), in order of appearance, without repeats."""
    emails: tuple[str, ...] = ()
    """E-mail addresses in lower case, in order of appearance, without repeats."""
    stated: tuple[StatedFact, ...] = field(default=(), repr=False)
    """What structured data states of people."""
    note: str = ""
    """Why the document is empty or cut short, or not read like others; else empty."""
    dated: str = ""
    """When the page was published, as its mark-up or its address declares: an ISO 8601 day, month
    or year; empty where they do not."""
    language: str = ""
    """Code of the language of title, snippet and blocks, ``und`` where it cannot be told; empty
    where it has not been asked for."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """Pages grouped by person: a key (gold standard) or a system's answer.

    Groups may overlap, since a page may mention several namesakes.

    Example:
        >>> Clustering.of([[1, 2], [3]]).groups
        (frozenset({1, 2}), frozenset({3}))
    """

    groups: tuple[frozenset[int], ...]
    """Sets of ranks, none empty."""
    discarded: frozenset[int] = frozenset()
    """Ranks that the annotators (or the system) set aside as useless."""
    labels: tuple[str, ...] = field(default=(), compare=False)
    """One description per group, e.g. the annotators' (WePS-2); empty where there is none."""

    @classmethod
    def of(cls, given: Any) -> Clustering:
        """A clustering as it is, that of an answer, or groups of ranks such as ``[[1, 2], [3]]``.

        Raises:
            InputTypeError: if it is none of these.
        """
        found = getattr(given, "clustering", given)
        if isinstance(found, Clustering):
            return found
        try:
            return cls(tuple(frozenset(map(index, group)) for group in found if len(group)))
        except TypeError:
            raise InputTypeError(
                f"expected groups of ranks, got {type(given).__name__}",
                remedy="give an answer, a key, or lists of whole numbers",
            ) from None

    @property
    def labelled_groups(self) -> tuple[tuple[frozenset[int], str], ...]:
        """Each group with its label, empty if there is none."""
        return tuple(zip(self.groups, self.labels or ("",) * len(self.groups), strict=True))

    @property
    def ranks(self) -> frozenset[int]:
        """Every rank in a group."""
        return frozenset().union(*self.groups)


FINGERPRINT_PATTERN = r"[0-9a-f]{12}"
"""The pattern of a fingerprint, a regular expression."""


def page_fingerprint(page: Page) -> str:
    """12 hex digits of the page's content, text, address, title and snippet, not of its rank.

    A page is recognised by it at another rank. Two different pages of one name share one by chance
    about once in 10¹⁴ pairs.
    """
    content = None
    with suppress(OSError):  # its file is gone
        content = page.read_content()
    kind, body = ("html", content) if content is not None else ("text", page.text or "")
    return content_digest(page.url, page.title, page.snippet, kind, body)[:12]


@dataclass(frozen=True, slots=True)
class Collection:
    """A source of pages."""

    path: NonEmpty
    """The source, relative to the folder of the result where both can be moved together."""
    name: NonEmpty
    """The identifier of the name within the source."""
    ranks: tuple[tuple[Rank, Rank], ...] | None = field(default=None, metadata=FIRST_FAULT)
    """Rank in the source and rank in the result; absent where they are the same."""

    def within(self, folder: Path) -> Path:
        """Where the source is, given the folder of the result."""
        return Path(os.path.normpath(folder.absolute() / self.path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings, so that pages can be added in the same way."""

    system: str = field(default="", metadata=ALWAYS)
    """The value of --system; empty where it was not given."""
    model: str = field(default="", metadata=ALWAYS)
    """The file of the model; empty for the pretrained one."""
    threshold: Probability | None = field(default=None, metadata=ALWAYS)
    """The value of --threshold; null where the model chose."""
    language: str = field(default="", metadata=ALWAYS)
    """The value of --language; empty where it was not given."""
    embeddings: str = ""
    """The value of --embeddings, where it was given."""
    keep_all: bool = False
    """Whether --keep-all was given: no page is set aside."""
    last_id: PersonId = 0
    """The greatest id that a person has ever had, where that is not a current one."""


@dataclass(frozen=True, slots=True)
class Provenance(Settings):
    """Sources and settings of a result."""

    collections: tuple[Collection, ...] = ()
    """Sources of the pages, in the order in which they were added."""
    digest: str = field(default="", kw_only=True)
    """32 hex digits of all that the result depends on, see :mod:`weps.results.result`; empty if
    it was not made by ``weps cluster``, or was changed since."""


def source_collection(pages: Path, name: str, folder: Path) -> Collection:
    """The source of ``pages``, whose ranks are those of the result in ``folder``."""
    return Collection(portable_path(folder, pages), name)


def portable_path(folder: Path, path: Path) -> str:
    """The path of the pages as written in a result.

    Relative if both lie below one folder besides the root, so that they can be moved together.
    """
    start, end = folder.absolute(), path.absolute()
    is_apart = start.parts[:2] != end.parts[:2]  # the drive, and the folder below the root
    return end.as_posix() if is_apart else os.path.relpath(end, start).replace(os.sep, "/")
