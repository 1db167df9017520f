"""Time and memory of the arithmetic behind scores, studies and links, next to a baseline.

Needs no data. From the project's root: ``python -m docs.benchmarks.kernels [--only PATTERN]``. Each
case is measured in a process of its own; its baseline does the same work by another program, or a
part of it, for which the ratio is scaled. Tests compare results with naive code.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from fnmatch import fnmatch
from multiprocessing import get_context
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.stats import kendalltau

from weps._version import VERSION
from weps.clustering.dendrogram import ExpectedF, average_linkage
from weps_eval.clustering.measures import bcubed
from weps_eval.meta.heterogeneity import PairwisePreferences, hbr
from weps_eval.meta.orange import Similarities
from weps_eval.meta.qarla import Conditions, king_by_measure
from weps_eval.meta.regression import vrm
from weps_eval.ranking.pwa import greedy_subsets, max_pwa, redundancy

Values = NDArray[np.floating[Any]]
SETTINGS = [ExpectedF(slope, shift) for slope in np.linspace(0.5, 2, 6) for shift in range(-2, 3)]
"""As many as are tried on each name when the stopping decision is learnt."""
_MB_PER_UNIT = 1e-6 if sys.platform == "darwin" else 1.024e-3  # Linux counts in KiB
_ROWS = 64
"""Rows that the brute force compares at once: their truth values stay in the cache."""


class Case(NamedTuple):
    """A kernel, its data, and what it is compared with."""

    data: Callable[[], tuple[Any, ...]]
    work: Callable[..., Any]
    baseline: Callable[..., Any] | None = None
    """Another program for the same data; None if the case is only timed."""
    baseline_data: Callable[[], tuple[Any, ...]] | None = None
    """Less data for a slow baseline; None for the same."""
    scale: float = 1
    """Amount of work in the data over that in the data of the baseline."""
    rounds: int = 3


class Cost(NamedTuple):
    """Seconds of wall clock and processor, medians, and the most MB held by the process."""

    wall: float
    cpu: float
    peak: float


def instances(positives: int, negatives: int, measures: int, sparse: int = 3) -> tuple[Values, ...]:
    """Shapes (measures, positives) and (measures, negatives): values correlated by 0.7.

    Positives are 0.8 standard deviations higher. Every ``sparse``-th measure is 0 below one
    deviation above the mean of the negatives, which ties 84 % of these.
    """
    generator = np.random.default_rng(0)
    sides = []
    for size, shift in ((positives, 0.8), (negatives, 0.0)):
        truth = generator.standard_normal(size, dtype=np.float32)
        values = generator.standard_normal((measures, size), dtype=np.float32)
        values *= np.float32(np.sqrt(0.3))  # in place: data hold no peak
        values += np.float32(np.sqrt(0.7)) * truth + np.float32(shift)
        cut = values[::sparse]
        cut -= 1
        np.maximum(cut, 0, out=cut)
        sides.append(values)
    return tuple(sides)


def brute_max_pwa(positives: Values, negatives: Values) -> None:
    """Compare all positives with all negatives, some at a time."""
    for start in range(0, positives.shape[1], _ROWS):
        rows = positives[:, start : start + _ROWS, np.newaxis]
        np.count_nonzero((rows <= negatives[:, np.newaxis]).all(axis=0))


def measure_pair() -> tuple[Values, Values]:
    """Two measures of 300,000 instances, correlated by 0.7, with ties."""
    generator = np.random.default_rng(2)
    base = generator.standard_normal(300_000)
    other = 0.7 * base + np.sqrt(0.51) * generator.standard_normal(300_000)
    return np.maximum(base.round(2), 0), np.maximum(other.round(2), 0)


def similarities() -> tuple[list[Similarities]]:
    """Similarities of 35 outputs and 11 references with the references of 100 topics."""
    drawn = np.random.default_rng(0)
    shapes = (59, 35, 11), (59, 11, 11)
    return ([Similarities(*map(drawn.random, shapes)) for _ in range(100)],)


def judged(measures: int, size: int) -> tuple[Values, Values]:
    """Values that share a hidden truth, and scores that depend on them."""
    drawn = np.random.default_rng(0)
    table = drawn.normal(size=size) + drawn.normal(size=(measures, size))
    return table, table.mean(axis=0) + drawn.normal(size=size)


def page_pairs() -> tuple[Values, int]:
    """Probabilities of all pairs of 1,000 pages, ten a person."""
    generator = np.random.default_rng(0)
    first, second = np.triu_indices(1_000, k=1)
    person = generator.integers(0, 100, 1_000)
    noise = generator.random(len(first))
    return (2 * (person[first] == person[second]) + noise) / 3, 1_000


CASES = {
    "B-Cubed, 100,000 items, 10,000 groups": Case(
        lambda: tuple(np.random.default_rng(0).integers(0, 10_000, (2, 100_000))), bcubed, rounds=25
    ),
    "MaxPWA, 95,732 x 89,007 x 12 measures (goal 5 s)": Case(
        lambda: instances(95_732, 89_007, 12),
        max_pwa,
        brute_max_pwa,
        lambda: instances(4_000, 4_000, 12),
        95_732 * 89_007 / 4_000**2,
    ),
    "MaxPWA, 115,931 x 177,983 x 69 measures (goal 40 s)": Case(
        lambda: instances(115_931, 177_983, 69), max_pwa
    ),
    "the same, all measures sparse": Case(
        lambda: instances(115_931, 177_983, 69, sparse=1), max_pwa
    ),
    "redundancy, 300,000 instances (goal 2 s)": Case(measure_pair, redundancy, kendalltau),
    "greedy search for 10 of 51 measures": Case(
        lambda: instances(35_000, 24_000, 51), lambda *sides: greedy_subsets(*sides, size=10)
    ),
    "KING of 59 measures, 35 outputs, 11 references, 100 topics": Case(
        similarities, lambda topics: king_by_measure(Conditions.of(topics))
    ),
    "HBR, 64 measures, 1,000 instances (goal 20 s)": Case(
        lambda: judged(64, 1_000)[:1],
        lambda table: hbr(table, PairwisePreferences.sampled(table, 1_000)),
    ),
    "VRM, 1,600 instances, 1,048,576 subsets": Case(lambda: judged(20, 1_600), vrm),
    "average linkage, 1,000 pages": Case(
        page_pairs, average_linkage, lambda probability, _: linkage(1 - probability, "average")
    ),
    f"expected F along its merges, {len(SETTINGS)} settings": Case(
        lambda: (average_linkage(*page_pairs()),),
        lambda tree: [each.curve(tree) for each in SETTINGS],
    ),
}


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="*", help="pattern of the titles of cases")
    only = parser.parse_args().only
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}  Python {platform.python_version()}  numpy {np.__version__}  "
        f"scipy {scipy.__version__}  weps {VERSION}"
    )
    print(f"{'':<56}{'wall, ms':>10}{'CPU, ms':>10}{'MB':>7}  CPU of the baseline over it")
    for title, case in CASES.items():
        if not fnmatch(title, only):
            continue
        cost, ratio = alone(title), ""
        if case.baseline:
            ratio = f"{case.scale * alone(title, baseline=True).cpu / cost.cpu:.2f}"
        line = f"{title:<56}{1000 * cost.wall:>10,.1f}{1000 * cost.cpu:>10,.1f}{cost.peak:>7,.0f}"
        print(f"{line}  {ratio}".rstrip(), flush=True)


def alone(title: str, *, baseline: bool = False) -> Cost:
    """Cost of a case, or of its baseline, in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measured, title, baseline=baseline).result()


def measured(title: str, *, baseline: bool) -> Cost:
    """Cost of a case in this process; making its data takes none of the time."""
    case = CASES[title]
    data = (case.baseline_data if baseline and case.baseline_data else case.data)()
    work = case.baseline if baseline and case.baseline else case.work
    walls, cpus = [], []
    for _ in range(case.rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        work(*data)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MB_PER_UNIT
    return Cost(median(walls), median(cpus), held)


if __name__ == "__main__":
    main()
