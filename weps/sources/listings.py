"""Lists of search results as the WePS organisers saved them, and the ``tokens`` files of WePS-2."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from weps._files import read_bytes
from weps.errors import SourceError
from weps.records import Page
from weps.sources.base import as_name
from weps.sources.xml import parse_rank, read_xml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weps.sources.xml import Element

__all__ = ["ResultList", "read_result_list", "read_tokens", "with_title_and_snippet_swapped"]

_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_HIGHLIGHT = re.compile(r"</?(?:b|em|i|strong)>", re.IGNORECASE)
_BREAK = re.compile(r"</?(?:br|h[1-6]|p)\s*/?>", re.IGNORECASE)


@dataclass(frozen=True)
class ResultList:
    """One file of search results."""

    name: str
    """The name as searched for, without quotes; empty where the file does not say."""
    pages: tuple[Page, ...]
    """What the search engine showed, one page per rank, ascending; contents not read yet."""
    repeated: tuple[int, ...]
    """Ranks given to several results, of which the first counts."""


def read_result_list(path: Path) -> ResultList:
    """Read a description file (WePS-1, WePS-3) or a metadata file (WePS-2).

    Results marked ``inWepsCorpus="no"`` are left out. Titles and snippets are freed of the second
    escaping and of the search engine's highlighting; of URLs only ``&amp;`` is undone, since
    ``&copy=1`` is a query there.

    Raises:
        SourceError: not readable, not a list of results, or a rank that is none.

    """
    root = read_xml(path, "corpus", SourceError)
    first: dict[int, Page] = {}
    repeated: list[int] = []
    for doc in root.descendants("doc"):
        if doc.attributes.get("inWepsCorpus", "yes").lower() == "yes":
            page = _result_page(path, doc)
            if first.setdefault(page.rank, page) is not page:
                repeated.append(page.rank)
    name = as_name(root.get("search_string") or root.get("searchString"))
    return ResultList(name, tuple(first[rank] for rank in sorted(first)), tuple(repeated))


def with_title_and_snippet_swapped(page: Page) -> Page:
    """Undo the exchange of title and snippet in the description files of WePS-1."""
    return replace(page, title=page.snippet, snippet=page.title)


def _result_page(path: Path, doc: Element) -> Page:
    rank = parse_rank(doc.get("rank"))
    if rank is None:
        raise SourceError(
            f"{doc.get('rank')[:40]!r} is not a rank",
            where=f"{path}, line {doc.line}",
            remedy='every result reads <doc rank="N" …> with a whole number N from 0',
        )
    return Page(
        rank,
        url=doc.get("url").strip().replace("&amp;", "&"),
        title=_plain_text(doc.get("title")),
        snippet=_plain_text(" ".join(_snippets(doc))),
    )


def _snippets(doc: Element) -> Iterator[str]:
    return (snippet.text for snippet in doc.descendants("snippet"))


def _plain_text(text: str) -> str:
    """Undo the second escaping, drop highlighting tags and fold white space."""
    unescaped = _REFERENCE.sub(lambda match: html.unescape(match[0]), text)
    return " ".join(_BREAK.sub(" ", _HIGHLIGHT.sub("", unescaped)).split())


MAX_TOKENS_BYTES = 256 * 1024 * 1024
"""An official file holds 1 to 3 MB."""


def read_tokens(path: Path) -> dict[int, str]:
    """Read ``rank TAB flag TAB tokens`` from each line: the text of each rank.

    Raises:
        SourceError: not readable, a line of another form, or two lines for one rank.

    """
    texts: dict[int, str] = {}
    for number, line in enumerate(_token_lines(path), start=1):
        rank, text = _rank_and_text(path, number, line)
        if rank in texts:
            raise _bad_line(path, number, f"rank {rank} for the second time")
        texts[rank] = text
    return texts


def _token_lines(path: Path) -> list[str]:
    """Split at line feeds alone: text from the web holds other separators of Unicode."""
    data = read_bytes(path, MAX_TOKENS_BYTES, SourceError)
    text = data.decode("utf-8-sig", errors="replace").rstrip("\r\n")
    return text.split("\n") if text else []


def _rank_and_text(path: Path, number: int, line: str) -> tuple[int, str]:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != 3:
        raise _bad_line(path, number, f"has {len(fields)} of 3 columns")
    rank = parse_rank(fields[0])
    if rank is None:
        raise _bad_line(path, number, f"{fields[0][:40]!r} is not a rank")
    return rank, fields[2]


def _bad_line(path: Path, number: int, what: str) -> SourceError:
    return SourceError(
        what, where=f"{path}, line {number}", remedy="each line reads rank TAB flag TAB tokens"
    )
