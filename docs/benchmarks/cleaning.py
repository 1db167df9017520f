"""Cleaning, measured on WePS-1 and on pages of today: ``python docs/benchmarks/cleaning.py``.

Reads the research data from the folder that the environment variable WEPS_DATA names. Prints CPU
time per page of the WePS-1 training data for the fast reader and (on every tenth page) for
BeautifulSoup; a trivial baseline, decoding and a parse without any use of the result, shows what
the machine can do at the moment. With ``--words`` also on how many of all pages, and of those of
the article extraction benchmark, BeautifulSoup finds more words than the fast reader, or fewer.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import statistics
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from weps._text import split_words
from weps.html.cleaning import clean_page, read_soup
from weps.html.text import decode_page
from weps.records import Document, Page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMPARED = 10  # every tenth page: BeautifulSoup is slow
MANY = 10  # words
PASSES = 3


class _Nothing:
    """A parser target without any use for what it is told."""

    def close(self) -> None:
        """End of the page."""


def clean_by_soup(page: Page) -> Document:
    """Clean by way of BeautifulSoup over lxml."""
    return clean_page(page, read_soup)


def clean_by_python(page: Page) -> Document:
    """Clean by way of BeautifulSoup over Python's own parser."""
    return clean_page(page, partial(read_soup, builder="html.parser"))


READERS = {
    "fast": clean_page,
    "BeautifulSoup over lxml": clean_by_soup,
    "BeautifulSoup over html.parser": clean_by_python,
}


def parse_only(page: Page) -> None:
    """Decode and parse, nothing else."""
    parser = etree.HTMLParser(target=_Nothing(), encoding="utf-8", huge_tree=True)
    parser.feed(decode_page(page.read_content() or b" ").encode("utf-8", "replace") or b" ")
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


def bag(text: str) -> Counter[str]:
    """The words of a text with their numbers."""
    return Counter(split_words(text))


def report_words(title: str, pages: Sequence[Page], articles: Sequence[str] = ()) -> None:
    """On how many pages BeautifulSoup finds more words than the fast reader, or fewer.

    If the articles of the pages are known, only their words count.
    """
    wanted = [bag(article) for article in articles]
    found = {name: words_found(clean, pages, wanted) for name, clean in READERS.items()}
    fast = found.pop("fast")
    for name, words in found.items():
        more = [one - other for one, other in zip(words, fast, strict=True)]
        differing = [page.url for page, gain in zip(pages, more, strict=True) if abs(gain) >= MANY]
        print(
            f"{title}, {name}: more words on {sum(gain > 0 for gain in more)} of {len(pages)} "
            f"pages, {MANY} or more on {sum(gain >= MANY for gain in more)}; "
            f"fewer on {sum(gain < 0 for gain in more)}, {MANY} or more on "
            f"{sum(gain <= -MANY for gain in more)}: {' '.join(differing) or 'none'}"
        )
    if wanted:
        share = sum(fast) / sum(map(Counter.total, wanted))
        print(f"{title}: the fast reader finds {share:.1%} of the words of the articles")


def words_found(
    clean: Callable[[Page], Document], pages: Sequence[Page], wanted: Sequence[Counter[str]]
) -> list[int]:
    """Number of words that a reader finds on each page."""
    found = [bag("\n".join(clean(page).blocks)) for page in pages]
    pairs = zip(found, wanted or found, strict=True)
    return [(words & article).total() for words, article in pairs]


def modern_pages(folder: Path) -> tuple[list[Page], list[str]]:
    """The pages of the article extraction benchmark, and their articles."""
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    pages = [
        Page(rank, url=known["url"], content=gzip.decompress(file.read_bytes()))
        for rank, (name, known) in enumerate(truth.items())
        if (file := folder / "html" / f"{name}.html.gz").is_file()
    ]
    return pages, [known["articleBody"] for known in truth.values()]


def main() -> None:
    """Run everything."""
    data = Path(os.environ["WEPS_DATA"])
    corpus = data / "corpora/weps-1/training/web_pages"
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
    report_times("fast reader", milliseconds(clean_page, pages))
    report_times("BeautifulSoup, lxml", milliseconds(clean_by_soup, pages[::COMPARED]))
    report_times("BeautifulSoup, Python", milliseconds(clean_by_python, pages[::COMPARED]))
    if "--words" in sys.argv:
        report_words("WePS-1", pages)
        modern, articles = modern_pages(data / "html/article-extraction-benchmark")
        report_words("pages of today", modern, articles)


if __name__ == "__main__":
    main()
