"""CPU time of an answer by each packaged system, next to that of the paper's.

From the project's root: ``python -m docs.benchmarks.answering "$WEPS_DATA/corpora/weps-1/training"
NAME …``. No cache is used; what is imported only once is imported before.
"""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from weps._version import VERSION
from weps.model import ModelSet, pretrained
from weps.records import Search
from weps.results.result import cluster
from weps.sources.opening import open_source

BASELINE = "paper"
SYSTEMS = (BASELINE, "default")
ROUNDS = 5


def main() -> None:
    """Print a line for each name."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  "
        f"numpy {np.__version__}  weps {VERSION}"
    )
    print(f"s CPU, median of {ROUNDS}\n{'':<20}{'pages':>6}{'paper':>9}{'default':>9}{'ratio':>7}")
    source, models = open_source(Path(sys.argv[1])), {name: pretrained(name) for name in SYSTEMS}
    for name in sys.argv[2:]:
        search = source.search(name)
        paper, default = (seconds(search, models[system]) for system in SYSTEMS)
        pages = len(search.pages)
        print(f"{name:<20}{pages:>6}{paper:>9.2f}{default:>9.2f}{default / paper:>7.2f}")


def seconds(search: Search, model: ModelSet) -> float:
    """The median CPU time of an answer, report not included, after one that is not counted."""
    cluster(search, model)
    return median(once(search, model) for _ in range(ROUNDS))


def once(search: Search, model: ModelSet) -> float:
    """The CPU time of one answer."""
    began = process_time()
    cluster(search, model)
    return process_time() - began


if __name__ == "__main__":
    main()
