"""Reading pages with and without language layers and encoder, first and from the cache.

``python docs/benchmarks/language.py [--only TEXT] [NAME …]`` reads names of the WePS-1
training corpus from the folder that the environment variable WEPS_DATA names. Every line is
measured in a process of its own, with whatever must be loaded, and is the best of some passes;
rates stand as ratios to the plain reading with an empty cache of the same run.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from weps._cache import Cache
from weps.features.name import embedding
from weps.language.analysis import Layer
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.reading import Reader, richest_form
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source

NAMES = ("Abby Watkins", "Alice Gilbreath")
PASSES = 2
_UNIT = 1e-6 if sys.platform == "darwin" else 1.024e-3  # MB: Linux counts in KiB


@dataclass(frozen=True)
class Task:
    """What is read, and how."""

    names: tuple[str, ...]
    layers: tuple[Layer, ...]
    language: str
    folder: Path
    jobs: int = 1
    encoded: bool = False
    """Whether the installed sentence encoder encodes the pages."""


@dataclass(frozen=True)
class Cost:
    """What reading took."""

    pages: int
    wall: float
    """Seconds."""
    cpu: float
    """Seconds, those of processes that it started included."""
    peak: float
    """Most MB held by the process."""
    worker_peak: float
    """Most MB held by any one of the processes that it started."""
    cached: float
    """MB in the cache afterwards."""


def main() -> None:
    """Print the table."""
    options = _options()
    names = options.name or list(NAMES)
    plain = Task(tuple(select_names(_source(), names)), (), options.language, Path())
    layered = replace(plain, layers=tuple(Layer))
    titles = {
        "no layers": plain,
        "all layers": layered,
        "all layers, 2 processes": replace(layered, jobs=2),
        "sentence encoder": replace(plain, encoded=True),
    }
    titles = {
        title: task for title, task in titles.items() if options.only in title or task == plain
    }
    libraries = ", ".join(f"{name} {version(name)}" for name in ("spacy", "lxml"))
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {libraries},")
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{', '.join(names)}; pipeline {options.language}; best of {options.passes} passes\n")
    heads = f"{'pages':>7}{'s':>8}{'s CPU':>8}{'pages/s':>9}{'ratio':>8}"
    print(f"{'':37}{heads}{'MB':>7}{'worker':>8}{'cache':>7}")
    passes = [{title: _both(task) for title, task in titles.items()} for _ in range(options.passes)]
    base = min(each["no layers"][0].wall for each in passes)
    for title in titles:
        for row, state in enumerate(("empty cache", "filled cache")):
            best = min((each[title][row] for each in passes), key=lambda cost: cost.wall)
            _report(f"{title}, {state}", best, base)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("name", nargs="*", help=f"default: {', '.join(NAMES)}")
    parser.add_argument(
        "--language", default=BUILTIN_PIPELINE, help="default: the embedded pipeline"
    )
    parser.add_argument(
        "--only", default="", help="of the rows those with this text, and the first"
    )
    parser.add_argument("--passes", type=int, default=PASSES, help=f"default: {PASSES}")
    return parser.parse_args()


def _source() -> Source:
    return open_source(Path(os.environ["WEPS_DATA"]) / "corpora/weps-1/training")


def _both(task: Task) -> tuple[Cost, Cost]:
    """The cost with an empty cache, and with the cache that this fills."""
    with tempfile.TemporaryDirectory() as folder:
        placed = replace(task, folder=Path(folder))
        return _alone(placed), _alone(placed)


def _alone(task: Task) -> Cost:
    """The cost in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, task).result()


def measure(task: Task) -> Cost:
    """Read the pages of all names."""
    searches = [_source().search(name) for name in task.names]
    cache = Cache(task.folder)
    reader = Reader(task.language, cache, task.jobs)
    wall, cpu = time.perf_counter(), time.process_time()
    for search in searches:
        analysis = reader.read(search, richest_form(search), task.layers)
        if task.encoded:
            embedding(analysis)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if task.jobs > 1:
        _end_workers()
    pages = sum(len(search.pages) for search in searches)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    cpu += workers.ru_utime + workers.ru_stime
    held = own.ru_maxrss * _UNIT, workers.ru_maxrss * _UNIT
    return Cost(pages, wall, cpu, *held, cache.usage().bytes / 1e6)


def _end_workers() -> None:
    """Wait for the end of the worker processes: only then is their memory known."""
    from joblib.externals.loky import get_reusable_executor  # noqa: PLC0415 - only if there are any

    get_reusable_executor().shutdown(wait=True)


def _report(title: str, cost: Cost, base: float) -> None:
    """One row of the table."""
    print(
        f"{title:37}{cost.pages:>7}{cost.wall:>8.2f}{cost.cpu:>8.2f}{cost.pages / cost.wall:>9.1f}"
        f"{base / cost.wall:>8.3f}{cost.peak:>7.0f}{cost.worker_peak:>8.0f}{cost.cached:>7.1f}"
    )


if __name__ == "__main__":
    main()
