"""Size of reports, CPU time to make them, and how long a browser takes until they can be used.

From the project's root: ``python -m docs.benchmarks.reports CORPUS NAME [NAME]``; with two names
their pages together are one more report. ``--mixed 1000`` adds a name of so many pages that are of
all names of the corpus under one invented name, ``--enlarged 10000`` the last answer with its pages
repeated under new ranks. Needs selenium, Debian's chromium and chromium-driver. Baseline of the
loading time is the same file without its scripts.
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

import numpy as np
from scipy import sparse
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from weps._cache import Cache
from weps._files import resource_path
from weps._version import VERSION
from weps.cli.console import Console
from weps.model import pretrained
from weps.people.answer import Alternatives, Answer, Person, PersonDescription, RelatedPage
from weps.pipeline import build_answer, prepare_search
from weps.reading import Reader
from weps.records import Search
from weps.report.html import as_html
from weps.report.json import as_json
from weps.report.view import Report
from weps.sources.mixed import MixedSource, mix_names
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
NEIGHBOURS = 50
SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)


def main() -> None:
    """Print a line for each report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--mixed", type=int, nargs="*", default=[])
    parser.add_argument("--enlarged", type=int, nargs="*", default=[])
    options = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  weps {VERSION}"
    )
    heading = ["", "pages", "kB", "JSON kB", "prepare", "answer", "HTML", "JSON"]
    rows = [[*heading, "ready", "CPU", "slider", "no scripts", "ratio"]]
    with tempfile.TemporaryDirectory() as folder, browser() as chrome:
        reader = Reader(cache=Cache(Path(folder) / "cache"))
        for title, search in searches(options):
            answer, cost = answered(search, reader)
            rows.append([title, str(len(search.pages)), *figures(answer, cost, chrome, folder)])
        for pages in options.enlarged:
            larger = enlarged(answer, pages)
            found = sum(map(len, (_alternatives(larger).ranks, larger.set_aside)))
            rows.append(["enlarged", str(found), *figures(larger, ("", ""), chrome, folder)])
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
        mixed = mix_names(corpus, corpus.names, pages_wanted, 0)
        yield "mixed", MixedSource.of(corpus, [mixed]).search(mixed.identifier)


def answered(search: Search, reader: Reader) -> tuple[Answer, tuple[str, str]]:
    """The answer, and what preparing and answering cost with pages in the cache."""
    models = pretrained()
    prepare_search(search, models, reader)
    began = time.process_time()
    prepared = prepare_search(search, models, reader)
    known = time.process_time()
    answer = build_answer(prepared)
    return answer, (f"{known - began:.2f}", f"{time.process_time() - known:.2f}")


def enlarged(answer: Answer, pages: int) -> Answer:
    """The answer of about so many pages: copies of its pages, set aside or not, and of its merges.

    A page is compared with its 50 most probable pages only, which is how names with so many pages
    are answered.
    """
    alternatives = _alternatives(answer)
    size = len(alternatives.ranks)
    copies = max(round(pages / (size + len(answer.set_aside))), 1)
    highest = 1 + max(*alternatives.ranks, *(page.rank for page in answer.set_aside), 0)
    shifted = [
        _shifted(answer, copy * highest, copy * len(answer.people)) for copy in range(copies)
    ]

    def node_of(node: int, copy: int) -> int:
        """Merges of all copies follow one another by turns."""
        return copy * size + node if node < size else copies * size + (node - size) * copies + copy

    nodes = [
        tuple(node_of(part, copy) for part in parts)
        for parts in alternatives.nodes
        for copy in range(copies)
    ]
    roots = [node_of(2 * size - 2, copy) for copy in range(copies)]
    for copy in range(1, copies):
        nodes.append((roots[copy], roots[0] if copy == 1 else copies * size + len(nodes) - 1))
    levels = [level for level in alternatives.levels for _ in range(copies)]
    levels += levels[-1:] * (copies - 1)
    merges = [
        merge for turn in zip(*(each.merges for each in shifted), strict=True) for merge in turn
    ]
    merges += merges[-1:] * (copies - 1)
    kept = alternatives.kept_merges * copies
    reach = (alternatives.max_merges - alternatives.min_merges) // 2
    known, missing = _nearest(alternatives)
    least, most = max(kept - reach, 0), min(kept + reach, len(nodes))
    joined_by = {part: merge for merge, parts in enumerate(nodes) for part in parts}
    descriptions = {
        node_of(node, copy): description
        for copy, each in enumerate(shifted)
        for node, description in _alternatives(each).descriptions.items()
    }
    shown = {
        node: description
        for node, description in sorted(descriptions.items())
        if node - copies * size < most and joined_by.get(node, most) >= least
    }
    return replace(
        answer,
        people=tuple(person for each in shifted for person in each.people),
        merges=tuple(merges),
        pairs={pair: explained for each in shifted for pair, explained in each.pairs.items()},
        set_aside=tuple(page for each in shifted for page in each.set_aside),
        alternatives=replace(
            alternatives,
            ranks=tuple(rank for each in shifted for rank in _alternatives(each).ranks),
            nodes=tuple(nodes),
            levels=tuple(levels),
            kept_merges=kept,
            min_merges=least,
            max_merges=most,
            descriptions=shown,
            probability=sparse.block_diag([known] * copies, "csr"),
            missing=missing,
        ),
    )


def _alternatives(answer: Answer) -> Alternatives:
    if answer.alternatives is None:
        raise ValueError("no answer that can be enlarged: ask for a name, or --mixed")
    return answer.alternatives


def _nearest(alternatives: Alternatives) -> tuple[sparse.csr_array, float]:
    """The 50 most probable pairs of each page, above the diagonal; the mean of all others."""
    size = len(alternatives.ranks)
    square = np.zeros((size, size))
    square[np.triu_indices(size, k=1)] = alternatives.probability
    square += square.T
    least = np.sort(square, axis=1)[:, -NEIGHBOURS, np.newaxis]
    known = (square >= least) | (square >= least.T)
    return sparse.csr_array(np.triu(np.where(known, square, 0), k=1)), float(square[~known].mean())


def _shifted(answer: Answer, ranks: int, people: int) -> Answer:
    """The same pages and people under other numbers."""

    def near(other: RelatedPage | None) -> RelatedPage | None:
        return replace(other, rank=other.rank + ranks) if other else None

    def person(each: Person) -> Person:
        pages = (
            replace(
                page,
                rank=page.rank + ranks,
                nearest=page.nearest and page.nearest + people,
                closest=near(page.closest),
                rival=near(page.rival),
            )
            for page in each.pages
        )
        return replace(
            each, id=each.id + people, pages=tuple(pages), description=described(each.description)
        )

    def described(each: PersonDescription) -> PersonDescription:
        names = (
            replace(name, ranks=tuple(rank + ranks for rank in name.ranks)) for name in each.names
        )
        return replace(each, names=tuple(names))

    def pair(both: tuple[int, int]) -> tuple[int, int]:
        return both[0] + ranks, both[1] + ranks

    alternatives = _alternatives(answer)
    return replace(
        answer,
        people=tuple(map(person, answer.people)),
        merges=tuple(replace(merge, pages=pair(merge.pages)) for merge in answer.merges),
        pairs={pair(both): replace(each, pages=pair(both)) for both, each in answer.pairs.items()},
        set_aside=tuple(replace(page, rank=page.rank + ranks) for page in answer.set_aside),
        alternatives=replace(
            alternatives,
            ranks=tuple(rank + ranks for rank in alternatives.ranks),
            descriptions={
                node: described(each) for node, each in alternatives.descriptions.items()
            },
        ),
    )


def figures(answer: Answer, cost: tuple[str, str], chrome: Chrome, folder: str) -> list[str]:
    """Size, what each step costs, and how soon it can be used."""
    began = time.process_time()
    text = as_html(Report(answer))
    written = time.process_time()
    data = as_json(Report(answer))
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
