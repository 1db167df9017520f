"""Cleaning, measured on the WePS-1 training pages: ``python docs/benchmarks/cleaning.py``.

Reads the research data from the folder that the environment variable WEPS_DATA names. Prints CPU
time per page for the fast path and (on every tenth page) for the reference path, and on how many
of those pages both find the same words. A trivial baseline, decoding and a parse without any use
of the result, stands beside them to show what the machine can do at the moment.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from weps._text import split_words
from weps.html.beautifulsoup import read_soup
from weps.html.cleaning import clean_page
from weps.html.decoding import decode_page
from weps.records import Document, Page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMPARED = 10  # every tenth page: the reference path is slow
PASSES = 3


class _Nothing:
    """A parser target without any use for what it is told."""

    def close(self) -> None:
        """End of the page."""


def clean_reference(page: Page) -> Document:
    """Clean by way of BeautifulSoup."""
    return clean_page(page, read_soup)


def parse_only(page: Page) -> None:
    """Decode and parse, nothing else."""
    parser = etree.HTMLParser(target=_Nothing(), encoding="utf-8", huge_tree=True)
    parser.feed(decode_page(page.content or b" ").encode("utf-8", "replace") or b" ")
    parser.close()


def milliseconds(work: Callable[[Page], object], pages: Sequence[Page]) -> list[float]:
    """CPU time per page, ascending; the least of some passes, since noise only ever adds."""
    return sorted(
        min(times) for times in zip(*(one_pass(work, pages) for _ in range(PASSES)), strict=True)
    )


def one_pass(work: Callable[[Page], object], pages: Sequence[Page]) -> list[float]:
    """CPU time of each page in milliseconds."""
    times = []
    for page in pages:
        start = time.process_time()
        work(page)
        times.append((time.process_time() - start) * 1e3)
    return times


def report_times(label: str, times: Sequence[float]) -> None:
    """One row of the table."""
    late = times[int(0.95 * len(times))]
    print(
        f"{label:24}{len(times):>7}{statistics.median(times):>9.2f}"
        f"{statistics.fmean(times):>9.2f}{late:>9.2f}{times[-1]:>9.1f}"
    )


def bag(document: Document) -> Counter[str]:
    """The words of a document with their numbers."""
    return Counter(split_words("\n".join(document.blocks)))


def report_agreement(pages: Sequence[Page]) -> None:
    """How many pages hold the same words by either path, and which do not."""
    differing = [page.url for page in pages if bag(clean_page(page)) != bag(clean_reference(page))]
    equal = len(pages) - len(differing)
    print(
        f"\nsame words as the reference: {equal} of {len(pages)} pages ({equal / len(pages):.2%})"
    )
    for url in differing:
        print(f"  differs: {url}")


def main() -> None:
    """Run everything."""
    corpus = Path(os.environ["WEPS_DATA"]) / "corpora/weps-1/training/web_pages"
    files = sorted(corpus.glob("*/raw/*/index.html"))
    pages = [
        Page(
            rank, url=f"http://{file.parts[-4]}.example/{file.parts[-2]}", content=file.read_bytes()
        )
        for rank, file in enumerate(files)
    ]
    libraries = ", ".join(f"{name} {version(name)}" for name in ("lxml", "beautifulsoup4"))
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {libraries},")
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'ms CPU per page':24}{'pages':>7}{'median':>9}{'mean':>9}{'p95':>9}{'max':>9}")
    report_times("decode and parse only", milliseconds(parse_only, pages))
    report_times("clean", milliseconds(clean_page, pages))
    report_times("clean_reference", milliseconds(clean_reference, pages[::COMPARED]))
    report_agreement(pages[::COMPARED] if "--all" not in sys.argv else pages)


if __name__ == "__main__":
    main()
