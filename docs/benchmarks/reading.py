"""Time and memory of reading hostile and many pages: ``python -m docs.benchmarks.reading``.

``pages`` cleans pages of 2 MB, of each kind that is hard to read, in a process for each, and names
those that take most time and most memory. ``memory`` reads folders of large, sparse and ordinary
pages, and says how much memory this takes. ``process`` compares reading in a process of its own
with reading within the same process, the best of several runs in turn (WEPS_DATA).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from tests.adversaries import PREFIXES, PROSE, UNITS
from weps._isolation import IsolatedWork
from weps.html.cleaning import clean_page
from weps.reading import PageForm, Reader
from weps.records import Page, Search
from weps.sources.opening import open_source

SIZE = 2_000_000
ROUNDS = 6
LISTED = 5


def measure_pages() -> None:
    """Clean hard pages and print the worst."""
    kinds = [
        (f"{prefix[:5]!r} {unit!r}", at, unit)
        for at, prefix in enumerate(PREFIXES)
        for unit in UNITS
    ]
    kinds += [(f"text {kind!r}", 0, kind) for kind in PROSE]
    found = []
    for name, at, unit in kinds:
        code = f"from docs.benchmarks.reading import clean_one; clean_one({at}, {unit!r})"
        run = subprocess.run(  # noqa: S603 - this very interpreter
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        seconds, megabytes = map(float, run.stdout.split())
        found.append((seconds, megabytes, name))
    print(f"{len(found)} pages of 2 MB, each cleaned by a process of its own")
    for place, what in ((0, "time"), (1, "memory")):
        print(f"most {what}:")
        for seconds, megabytes, name in sorted(found, key=lambda each: -each[place])[:LISTED]:
            print(f"  {seconds:6.2f} s {megabytes:6.0f} MB  {name}")


def clean_one(prefix: int, unit: str) -> None:
    """Clean a page, and print the processor time and how much memory the process took for it."""
    text = PROSE[unit](SIZE) if unit in PROSE else PREFIXES[prefix] + unit * (SIZE // len(unit))
    content = text.encode("utf-8", "replace")[:SIZE]
    del text
    clean_page(Page(1, content=b"<p>a"))
    before, began = held_memory(), time.process_time()
    clean_page(Page(1, content=content))
    print(time.process_time() - began, max(held_memory() - before, 0))


def held_memory() -> float:
    """The most memory that this process held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_memory() -> None:
    """Read folders of pages, each in a process of its own, and print what this takes."""
    with tempfile.TemporaryDirectory() as made:
        for kind, number in (("sparse 60 MB", 40), ("2 MB", 40), ("20 kB", 3_000)):
            folder = Path(made) / kind / "Thomas_Baker"
            folder.mkdir(parents=True)
            for at in range(number):
                start = f"<p>Thomas Baker {at} paints tides"
                with (folder / f"{at + 1:04}.html").open("w") as file:
                    words = {"sparse 60 MB": 1, "2 MB": 400_000, "20 kB": 4_000}[kind]
                    file.write(start + " tide" * words)
                    if kind.startswith("sparse"):
                        file.truncate(60_000_000)
            code = f"from docs.benchmarks.reading import read_one; read_one({str(folder)!r})"
            run = subprocess.run(  # noqa: S603 - this very interpreter
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            )
            print(f"{number:5,} pages of {kind:12} {run.stdout.strip()}")


def read_one(folder: str) -> None:
    """Read a folder without a cache, and print the memory that this takes."""
    source = open_source(folder)
    before, began = held_memory(), time.perf_counter()
    Reader().read(source.search(source.names[0]), PageForm.PAGES)
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    seconds = time.perf_counter() - began
    print(f"{held_memory() - before:5.0f} MB more, {child:4.0f} MB by the process, {seconds:.0f} s")


def compare_process() -> None:
    """Print processor time with and without a process, and their ratio."""
    corpus = Path(os.environ["WEPS_DATA"]) / "corpora/weps-1/training"
    for path, name in ((Path("resources/demo"), ""), (corpus, "Thomas_Baker")):
        source = open_source(path)
        search = source.search(name or source.names[0])
        apart, within = [], []
        for _ in range(ROUNDS):
            apart.append(read_seconds(search))
            with patch.object(IsolatedWork, "__call__", side_effect=OSError):
                within.append(read_seconds(search))
        ratio = min(apart) / min(within)
        print(
            f"{search.name}, {len(search.pages)} pages: {min(apart):.2f} s in a process of its "
            f"own, {min(within):.2f} s within, ratio {ratio:.2f}"
        )


def read_seconds(search: Search) -> float:
    """Processor time of reading pages without a cache, in this process and those it starts."""
    before = os.times()
    Reader().read(search, PageForm.PAGES)
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


WORK = {"pages": measure_pages, "memory": measure_memory, "process": compare_process}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or WORK:
        WORK[chosen]()
