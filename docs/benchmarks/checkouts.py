"""What two checkouts cost, side by side: the same commands and kernels, run in turns.

``python docs/benchmarks/checkouts.py OLD NEW [--rounds N] [--only PATTERN]``, from the root of a
checkout; of neither anything is imported here. Commands are processes of their own, with a cache
for each checkout. A ratio below 1 means that NEW is faster; on a machine with other work, CPU
seconds tell more than wall-clock seconds. With WEPS_DATA set, a name of 100 pages and a study of
a few names are included. A second table says which files and libraries a command imports.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from fnmatch import fnmatch
from pathlib import Path
from statistics import median
from typing import NamedTuple

from golden_cases import prepare

NAME = "cluster data/corpora/weps-1/training --name Thomas_Baker --out out"
STUDY = "study features in/small-1 --features non-linguistic --combinations 10 --out out"
COMMANDS = {
    "help": "--help",
    "demo, cold": "cluster resources/demo --out out",
    "demo, warm": "cluster resources/demo --out out",
    "text score, warm": "text score resources/testbed/news.jsonl",
    "meta hbr": "meta hbr in/matrix.csv",
}
DATA_COMMANDS = {"100 pages, cold": NAME, "100 pages, warm": NAME, "study features, warm": STUDY}

_FIND = """
import importlib, json, sys, time
import numpy as np
def find(name, *homes):
    for home in ("weps_eval", *homes):
        try:
            return getattr(importlib.import_module(home), name)
        except (ImportError, AttributeError):
            pass
    sys.exit("no " + name)
generator = np.random.default_rng(0)
"""
_TIME = """
work()
began = time.perf_counter(), time.process_time()
work()
print(json.dumps([time.perf_counter() - began[0], time.process_time() - began[1]]))
"""
KERNELS = {
    "B-Cubed, 100,000 items, 10,000 groups": """
bcubed = find("bcubed", "weps_eval.clustering", "eval")
answer, key = generator.integers(0, 10_000, (2, 100_000))
def work():
    for _ in range(10):
        bcubed(answer, key)
""",
    "MaxPWA, 30,000 x 30,000 x 12 measures": """
max_pwa = find("max_pwa", "weps_eval.ranking", "eval")
truth = generator.standard_normal((1, 30_000), dtype=np.float32)
sides = [truth + generator.standard_normal((12, 30_000), dtype=np.float32) + s for s in (.8, 0)]
def work():
    max_pwa(*sides)
""",
    "redundancy, 300,000 instances": """
redundancy = find("redundancy", "weps_eval.ranking", "eval")
base = generator.standard_normal(300_000)
other = 0.7 * base + generator.standard_normal(300_000)
def work():
    redundancy(base, other)
""",
}
"""Programs that define ``work``."""

IMPORTING = {
    "weps --help": "--help",
    "weps cluster resources/demo, warm": "cluster resources/demo --out out",
}
LIBRARIES = ("numpy", "scipy", "sklearn", "lxml", "spacy", "pydantic", "rich", "jinja2", "sqlite3")
_LIST_MODULES = """
import atexit, json, os, sys
def _write():
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    with open(os.environ["WEPS_MODULES"], "w") as out:
        json.dump([sorted(filter(None, files)), sorted(sys.modules)], out)
atexit.register(_write)
"""
"""For ``sitecustomize.py``: at its end a process writes what it has imported."""


class Cost(NamedTuple):
    """What one run took, in seconds."""

    wall: float
    cpu: float


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=5, help="of each, medians are printed")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="cases, such as 'demo*'")
    options = parser.parse_args()
    sides = options.old.resolve(), options.new.resolve()
    data = os.environ.get("WEPS_DATA")
    if not data:
        print("without WEPS_DATA: 100 pages and the study are left out", file=sys.stderr)
    cases = COMMANDS | (DATA_COMMANDS if data else {}) | KERNELS
    units = "".join(f"{unit:>18}{'ratio':>8}" for unit in ("CPU, ms", "wall, ms"))
    print(f"{'old, new; median of ' + str(options.rounds):<40}{units}")
    with tempfile.TemporaryDirectory(prefix="weps-checkouts-") as folder:
        work = Path(folder).resolve()
        prepare(work, Path(data) if data else None)
        for title in (title for title in cases if fnmatch(title, options.only)):
            _row(title, *_alternating(title, cases[title], sides, work, options.rounds))
        print(f"\n{'imported':<40}{'old':>8}{'new':>8}   libraries, old; new")
        for title, line in IMPORTING.items():
            (old, old_names), (new, new_names) = (_imported(line, side, work) for side in sides)
            print(f"{title + ', files':<40}{old:>8}{new:>8}   {old_names}; {new_names}")


def _alternating(
    title: str, what: str, sides: tuple[Path, Path], work: Path, rounds: int
) -> tuple[list[Cost], list[Cost]]:
    """Costs of both; the first run of each, which fills caches, does not count."""
    costs: tuple[list[Cost], list[Cost]] = [], []
    for number in range(rounds + 1):
        for side in (0, 1) if number % 2 else (1, 0):
            cost = _cost(title, what, sides[side], work)
            if number:
                costs[side].append(cost)
    return costs


def _cost(title: str, what: str, checkout: Path, work: Path) -> Cost:
    if title in KERNELS:
        program = [sys.executable, "-c", _FIND + what + _TIME]
        return Cost(*json.loads(_run(program, checkout, work)))
    if title.endswith("cold"):
        shutil.rmtree(_cache(checkout, work), ignore_errors=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    _run(_command(what, checkout), checkout, work)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def _imported(line: str, checkout: Path, work: Path) -> tuple[int, str]:
    """How many files of the checkout a command imports, and which libraries."""
    hook = work / "hook"
    hook.mkdir(exist_ok=True)
    (hook / "sitecustomize.py").write_text(_LIST_MODULES)
    for _ in range(2):  # the first fills the cache
        _run(_command(line, checkout), checkout, work, hook)
    files, names = json.loads((work / "modules.json").read_text())
    own = [file for file in files if file.startswith((f"{checkout}/weps/", f"{checkout}/eval/"))]
    return len(own), " ".join(name for name in LIBRARIES if name in names) or "none"


def _command(line: str, checkout: Path) -> list[str]:
    return [sys.executable, str(checkout / "run_weps.py"), *shlex.split(line)]


def _run(program: list[str], checkout: Path, work: Path, hook: Path | None = None) -> str:
    """What it prints; a failure is one of the benchmark."""
    environment = os.environ | {
        "WEPS_CACHE": str(_cache(checkout, work)),
        "PYTHONPATH": os.pathsep.join(map(str, filter(None, (hook, checkout, checkout / "eval")))),
        "WEPS_MODULES": str(work / "modules.json"),
        "PYTHONDONTWRITEBYTECODE": "",  # the first run, which does not count, compiles
        "PYTHONPYCACHEPREFIX": str(work / "compiled"),
    }
    done = subprocess.run(  # noqa: S603 - the programs of this file
        program, cwd=work, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{checkout}: {shlex.join(program[1:])[-300:]}\n{done.stderr}")
    return done.stdout


def _cache(checkout: Path, work: Path) -> Path:
    return work / "caches" / "-".join(checkout.parts[1:])


def _row(title: str, old: list[Cost], new: list[Cost]) -> None:
    cells = "".join(
        _cells([cost[part] for cost in old], [cost[part] for cost in new]) for part in (1, 0)
    )
    print(f"{title:<40}{cells}", flush=True)


def _cells(old: list[float], new: list[float]) -> str:
    before, after = median(old), median(new)
    return f"{1000 * before:>9,.0f}{1000 * after:>9,.0f}{after / before:>8.2f}"


if __name__ == "__main__":
    main()
