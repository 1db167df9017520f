"""What many names cost: memory of the command, size of a task, and results after being killed.

From the root of a checkout, one command each::

    python -m docs.benchmarks.many_names memory 100 1000 --jobs 2
    python -m docs.benchmarks.many_names parent 100 1000 10000
    python -m docs.benchmarks.many_names task 100000
    python -m docs.benchmarks.many_names kills 20
    python -m docs.benchmarks.many_names parts 193 8
    python -m docs.benchmarks.many_names tiny 500

The names are invented, with three short pages each, those of ``tiny`` with two; those of ``parts``,
so many with so many pages each, are mixed from the WePS-1 training names (WEPS_DATA), under 100
different names at most.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import count, islice
from pathlib import Path

from docs.benchmarks.many_pages import mixed_name, seconds
from weps._cache import Cache
from weps._parallel import parallel_map
from weps.cli.cluster import tell_results
from weps.cli.console import Console
from weps.model import ModelChoice
from weps.reading import Reader
from weps.records import Search
from weps.results.files import WRITERS, write_index
from weps.results.result import ClusterResult, ResultMaker, ResultOptions
from weps.results.stored import result_folder, result_paths
from weps.sources.base import Source, as_identifier
from weps.sources.opening import open_source
from weps_eval.clustering.measures import scorer_for

_TRADES = ("baker", "sailor", "printer", "surgeon", "weaver")
_PLACES = ("Port Merrow", "Farrow", "Old Tideway", "Kittiwake Bay")
_INTERVAL = 0.5
_ROUNDS = 50


def make_names(folder: Path, number: int, pages: int = 3, *, alike: bool = False) -> None:
    """Write the pages of so many names; if they are alike, the cache soon has all of them."""
    for at in range(number):
        name = f"Robin_A{at:05}"
        place = folder / name
        place.mkdir(parents=True)
        for rank in range(1, pages + 1):
            words = "Robin Averdale" if alike else name.replace("_", " ")
            trade, town = _TRADES[(at + rank // 2) % 5], _PLACES[at % 4]
            (place / f"{rank:03}.html").write_text(
                f"<title>{words}</title><p>{words} is a {trade} of {town}, and {trade}s know why."
            )


def _command(pages: Path, out: Path, *words: str) -> subprocess.Popen[bytes]:
    line = [sys.executable, "run_weps.py", "cluster", str(pages), "--out", str(out), "--quiet"]
    return subprocess.Popen([*line, *words], stdout=subprocess.DEVNULL, start_new_session=True)  # noqa: S603


def _resident(process: int) -> float:
    """Megabytes that a process occupies; 0 if it has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    return int(sizes[0]) / 1024 if sizes else 0.0


def measure_memory(numbers: list[int], jobs: str) -> None:
    """Print the memory of the command itself while it waits for its processes."""
    print("| names | s | parent, first half, MB | parent, most, MB |\n|--:|--:|--:|--:|")
    for number in numbers:
        with tempfile.TemporaryDirectory() as place:
            pages, out = Path(place) / "pages", Path(place) / "out"
            make_names(pages, number, alike=True)
            began, sizes = time.monotonic(), []
            words = ("--jobs", jobs, "--keep-all", "--write", "json", "--cache", f"{place}/cache")
            process = _command(pages, out, *words)
            while process.poll() is None:
                sizes.append(_resident(process.pid))
                time.sleep(_INTERVAL)
            half = max(sizes[: len(sizes) // 2 + 1])
            lasted = time.monotonic() - began
            print(f"| {number:,} | {lasted:.0f} | {half:.0f} | {max(sizes):.0f} |", flush=True)


def measure_parent(numbers: list[int]) -> None:
    """Print the memory of the command's own part alone: each result is a copy of the first.

    Names are handed to two processes, their results are told, and the index is written.
    """
    print("| names | after the last name, MB | after the index, MB |\n|--:|--:|--:|")
    for number in numbers:
        with tempfile.TemporaryDirectory() as place:
            pages, out = Path(place) / "pages", Path(place) / "out"
            make_names(pages, 1)
            words = ("--write", "json", "--cache", f"{place}/cache")
            _command(pages, out, *words).wait()
            for at in range(number):
                (pages / f"Robin_A{at:05}").mkdir(exist_ok=True)
                (pages / f"Robin_A{at:05}" / "001.html").touch()
            line = [sys.executable, "-m", "docs.benchmarks.many_names", "told", place]
            subprocess.run(line, check=True)  # noqa: S603 - this very file


def tell_copies(place: Path) -> None:
    """Do the command's own part for the names of :func:`measure_parent`."""
    source, out = open_source(place / "pages"), place / "out"
    [known] = result_paths(out)
    with contextlib.redirect_stdout(io.StringIO()):
        work = partial(_copy_result, known, out)
        results = parallel_map(work, map(source.only, source.names), 2)
        tell_results(results, len(source.names), Console(quiet=True))
    answered = _resident(os.getpid())
    write_index(out)
    print(f"| {len(source.names):,} | {answered:.0f} | {_resident(os.getpid()):.0f} |", flush=True)


def _copy_result(known: Path, out: Path, source: Source) -> ClusterResult:
    """What a worker gives back, without its work."""
    [name] = source.names
    path = result_folder(out, name, divided=True) / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    if path.stem != known.stem:
        path.write_bytes(known.read_bytes())
    return ClusterResult(name, name, path, (3,))


def measure_task(number: int) -> None:
    """Print the pickled size of the work on one name, and how long the source took to open."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "pages"
        for at in range(number):
            (root / f"Robin_A{at:06}").mkdir(parents=True)
        make_names(root, 0)
        (root / "Robin_A000000" / "001.html").write_text("Robin Averdale")
        began = time.process_time()
        source = open_source(root)
        opened = time.process_time() - began
        choice = ModelChoice()
        work = ResultMaker(
            ResultOptions(
                replace(choice, digest=choice.load().digest),
                reader=Reader(cache=Cache(Path(place))),
            ),
            Path(place) / "out",
            scorer_for,
        )
        task = len(pickle.dumps((work, source.only(source.names[-1]))))
    print(f"{number:,} names: opened in {opened:.1f} CPU s, a task has {task / 1e3:.1f} kB")


def compare_kills(times: int, names: int = 6) -> None:
    """Kill a run at random moments until it is through, and compare its bytes with another's."""
    moments = random.Random(0)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        make_names(root / "pages", names)
        words = ("--jobs", "2", "--no-cache")
        began = time.monotonic()
        _command(root / "pages", root / "whole", *words).wait()
        lasts = time.monotonic() - began
        for _ in range(times):
            process = _command(root / "pages", root / "killed", *words)
            time.sleep(moments.uniform(0, lasts))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done = len(list((root / "killed").glob("*.json")))
            print(f"killed, {done} of {names} names finished", flush=True)
            if done == names:  # begin again, so that every moment is of work
                shutil.rmtree(root / "killed")
        status = _command(root / "pages", root / "killed", *words).wait()
        same = _digests(root / "whole") == _digests(root / "killed")
    print(
        f"killed {times} times, then exit status {status}: {'the same' if same else 'OTHER'} bytes"
    )


def measure_parts(pages: int, names: int) -> None:
    """Print what a name of so many pages costs: processor time, bytes on disk, and the index."""
    with tempfile.TemporaryDirectory() as place:
        root, out = Path(place), Path(place) / "out"
        mixed = (mixed_name(pages, seed)[0] for seed in count())
        for search in islice(_with_different_names(mixed), names):
            folder = root / "pages" / as_identifier(search.name)  # the pages mention it
            folder.mkdir(parents=True)
            for page in search.pages:
                (folder / f"{page.rank:05}.html").write_bytes(page.content or b"")
        _print_kinds(root / "pages", out, names, "--embeddings", "none")
        began = seconds()
        for _ in range(_ROUNDS):
            write_index(out)
        print(f"index: {(seconds() - began) / names / _ROUNDS * 1e3:.1f} CPU ms a name")
        results = [f"out/*_*{suffix}" for suffix in WRITERS]
        for what in ("pages/*/*.html", "out-cache/*", *results, "out/people.parquet"):
            size = sum(path.stat().st_size for path in root.glob(what))
            print(f"{what}: {size / names / 1e3:,.0f} kB a name")


def measure_tiny(names: int) -> None:
    """Print the processor time of names of two tiny pages, one process, beyond the start-up."""
    with tempfile.TemporaryDirectory() as place:
        make_names(Path(place) / "pages", names, 2)
        _print_kinds(Path(place) / "pages", Path(place) / "out", names)


def _print_kinds(pages: Path, out: Path, names: int, *options: str) -> None:
    """Cluster the names in turn without a cache, with an empty and a filled one, and once more."""
    start_up = 0.0
    for kind, more in (
        ("start-up", ("--shard", f"1/{10**8}")),
        ("without a cache", ("--no-cache",)),
        ("filling the cache", ("--again",)),
        ("warm", ("--again",)),
        ("finished before", ()),
    ):
        began = seconds()
        cache = () if "--no-cache" in more else ("--cache", f"{out}-cache")
        _command(pages, out, *options, *cache, *more).wait()
        spent = seconds() - began
        if not start_up:
            start_up = spent
            print(f"start-up: {start_up:.2f} CPU s", flush=True)
        else:
            print(f"{kind}: {(spent - start_up) / names:.4f} CPU s a name", flush=True)


def _with_different_names(searches: Iterable[Search]) -> Iterator[Search]:
    """The first search for each name."""
    known = set()
    for search in searches:
        if search.name not in known:
            known.add(search.name)
            yield search


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.name[0] != "."
    }


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    choices = ("memory", "parent", "task", "kills", "parts", "tiny", "told")
    parser.add_argument("what", choices=choices)
    parser.add_argument("numbers", nargs="+")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    if options.what == "told":
        tell_copies(Path(*options.numbers))
        return
    numbers = [int(each) for each in options.numbers]
    if options.what == "memory":
        measure_memory(numbers, options.jobs)
    elif options.what == "parent":
        measure_parent(numbers)
    elif options.what == "task":
        measure_task(*numbers)
    elif options.what == "parts":
        measure_parts(*numbers)
    elif options.what == "tiny":
        measure_tiny(*numbers)
    else:
        compare_kills(*numbers)


if __name__ == "__main__":
    main()
