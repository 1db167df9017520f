"""Size of reports, CPU time to make them, and how long a browser takes until they can be used.

From the project's root: ``python -m docs.benchmarks.reports CORPUS NAME [NAME]``; with two names
their pages together are one more report. Needs selenium, Debian's chromium and chromium-driver.
Baseline of the loading time is the same file without its scripts.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from weps._cache import Cache
from weps._files import resource_path
from weps._version import VERSION
from weps.cli.console import Console
from weps.model import pretrained
from weps.pipeline import build_answer, prepare_search
from weps.reading import Reader
from weps.records import Search
from weps.report.html import as_html
from weps.report.view import Report
from weps.sources.opening import open_source

ROUNDS = 7
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
WHEN_READY = "return document.documentElement.dataset.ready ? performance.now() : null"
WHEN_LOADED = "return performance.timing.loadEventEnd - performance.timing.navigationStart"
SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)


def main() -> None:
    """Print a line for each report."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  weps {VERSION}"
    )
    heading = ["", "pages", "kB", "prepare", "answer", "write", "ready", "no scripts", "ratio"]
    rows = [heading]
    with tempfile.TemporaryDirectory() as folder, browser() as chrome:
        reader = Reader(cache=Cache(Path(folder) / "cache"))
        for title, search in searches():
            rows.append([title, str(len(search.pages)), *figures(search, reader, chrome, folder)])
    print(f"s CPU; ms until the page can be used, median of {ROUNDS}")
    Console().write_table(rows)


def searches() -> Iterator[tuple[str, Search]]:
    """The demo, the names asked for, and their pages as if they were of one name."""
    demo = open_source(resource_path("demo"))
    yield "demo", demo.search(demo.names[0])
    corpus = open_source(Path(sys.argv[1]))
    found = [corpus.search(name) for name in sys.argv[2:]]
    yield from zip(sys.argv[2:], found, strict=True)
    if len(found) > 1:
        pages = [page for search in found for page in search.pages]
        numbered = (replace(page, rank=rank) for rank, page in enumerate(pages))
        yield "together", Search(found[0].name, tuple(numbered))


def figures(search: Search, reader: Reader, chrome: Chrome, folder: str) -> list[str]:
    """Size, what each step costs with pages in the cache, and how soon it can be used."""
    models = pretrained()
    prepare_search(search, models, reader)
    began = time.process_time()
    prepared = prepare_search(search, models, reader)
    known = time.process_time()
    answered = build_answer(prepared)
    told = time.process_time()
    text = as_html(Report(answered))
    written = time.process_time()
    file, plain = Path(folder) / "report.html", Path(folder) / "plain.html"
    file.write_text(text, "utf-8")
    plain.write_text(SCRIPTS.sub("", text), "utf-8")
    ready = median(loaded(chrome, file, WHEN_READY) for _ in range(ROUNDS))
    baseline = median(loaded(chrome, plain, WHEN_LOADED) for _ in range(ROUNDS))
    steps = (known - began, told - known, written - told)
    return [
        f"{len(text.encode()) / 1000:.0f}",
        *(f"{step:.2f}" for step in steps),
        f"{ready:.0f}",
        f"{baseline:.0f}",
        f"{ready / baseline:.1f}",
    ]


def loaded(chrome: Chrome, file: Path, when: str) -> float:
    """Milliseconds from opening a file until a script's answer is there."""
    chrome.get("about:blank")
    chrome.get(file.as_uri())
    return float(WebDriverWait(chrome, 60, 0.01).until(lambda opened: opened.execute_script(when)))


def browser() -> Chrome:
    """A browser without a window."""
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in SWITCHES:
        options.add_argument(switch)
    return Chrome(options, Service(shutil.which("chromedriver")))


if __name__ == "__main__":
    main()
