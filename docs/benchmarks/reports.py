"""Size of reports, CPU time to make them, and how long a browser takes until they can be used.

From the project's root: ``python -m docs.benchmarks.reports CORPUS NAME [NAME]``; with two names
their pages together are one more report. ``--mixed 1000`` adds a name of so many pages of the
WePS-1 training names (WEPS_DATA), see :mod:`docs.benchmarks.many_pages`. Needs selenium, Debian's
chromium and chromium-driver. Baseline of the loading time is the same file without its scripts.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
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

from docs.benchmarks.many_pages import mixed_name
from weps._cache import Cache
from weps._files import resource_path
from weps._version import VERSION
from weps.cli.console import Console
from weps.model import pretrained
from weps.people.answer import Answer
from weps.pipeline import build_answer, prepare_search
from weps.reading import Reader
from weps.records import Search
from weps.report.html import as_html
from weps.report.view import Report
from weps.results.stored import as_json, result_file
from weps.sources.opening import open_source

ROUNDS = 7
SWITCHES = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
WHEN_READY = "return document.documentElement.dataset.ready ? performance.now() : null"
WHEN_LOADED = "return performance.timing.loadEventEnd - performance.timing.navigationStart"
STEP = """
const done = arguments[0];
document.getElementById("join").click();
requestAnimationFrame(() => requestAnimationFrame(done));
"""
SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)


def main() -> None:
    """Print a line for each report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--mixed", type=int, nargs="*", default=[])
    options = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  weps {VERSION}"
    )
    heading = ["", "pages", "kB", "JSON kB", "prepare", "answer", "HTML", "JSON"]
    rows = [[*heading, "ready", "CPU", "slider", "no scripts", "ratio"]]
    with tempfile.TemporaryDirectory() as folder, browser() as chrome:
        reader = Reader(embeddings="none", cache=Cache(Path(folder) / "cache"))
        for title, search in searches(options):
            answer, cost = answered(search, reader)
            rows.append([title, str(len(search.pages)), *figures(answer, cost, chrome, folder)])
    print(
        "s CPU; ms until the page can be used, s CPU of its thread until then and for the second "
        f"step of the slider, median of {ROUNDS}"
    )
    Console().write_table(rows)


def searches(options: argparse.Namespace) -> Iterator[tuple[str, Search]]:
    """The demo, the names asked for, their pages as if they were of one name, mixed names."""
    demo = open_source(resource_path("demo"))
    yield "demo", demo.search(demo.names[0])
    corpus = open_source(options.corpus)
    found = [corpus.search(name) for name in options.names]
    yield from zip(options.names, found, strict=True)
    if len(found) > 1:
        pages = [page for search in found for page in search.pages]
        numbered = (replace(page, rank=rank) for rank, page in enumerate(pages))
        yield "together", Search(found[0].name, tuple(numbered))
    for pages_wanted in options.mixed:
        yield "mixed", mixed_name(pages_wanted, 0)[0]


def answered(search: Search, reader: Reader) -> tuple[Answer, tuple[str, str]]:
    """The answer, and what preparing and answering cost with pages in the cache."""
    models = pretrained(embeddings="none")
    prepare_search(search, models, reader)
    began = time.process_time()
    prepared = prepare_search(search, models, reader)
    known = time.process_time()
    answer = build_answer(prepared)
    return answer, (f"{known - began:.2f}", f"{time.process_time() - known:.2f}")


def figures(answer: Answer, cost: tuple[str, str], chrome: Chrome, folder: str) -> list[str]:
    """Size, what each step costs, and how soon it can be used."""
    began = time.process_time()
    text = as_html(Report(answer))
    written = time.process_time()
    data = as_json(result_file(Report(answer)))
    told = time.process_time()
    file, plain = Path(folder) / "report.html", Path(folder) / "plain.html"
    file.write_text(text, "utf-8")
    plain.write_text(SCRIPTS.sub("", text), "utf-8")
    ready, opening, step = map(
        median, zip(*(used(chrome, file) for _ in range(ROUNDS)), strict=True)
    )
    baseline = median(loaded(chrome, plain, WHEN_LOADED) for _ in range(ROUNDS))
    return [
        f"{len(text.encode()) / 1000:.0f}",
        f"{len(data.encode()) / 1000:.0f}",
        *cost,
        f"{written - began:.2f}",
        f"{told - written:.2f}",
        f"{ready:.0f}",
        f"{opening:.2f}",
        f"{step:.2f}",
        f"{baseline:.0f}",
        f"{ready / baseline:.1f}",
    ]


def used(chrome: Chrome, file: Path) -> tuple[float, float, float]:
    """Milliseconds until a page can be used, and CPU seconds of its thread.

    These are until then and for a step of the slider, for which the pairs are unpacked already.
    """

    def spent() -> float:
        metrics = chrome.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    chrome.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    chrome.get("about:blank")
    before = spent()
    ready = loaded(chrome, file, WHEN_READY)
    after = spent()
    chrome.execute_async_script(STEP)
    first = spent()
    chrome.execute_async_script(STEP)
    # A page in another process begins to count from nought.
    return ready, after - before if after > before else after, spent() - first


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
