"""Time and memory of B-Cubed, next to the definition run pair by pair.

Needs no data. From the project's root: ``python -m docs.benchmarks.scoring``.
"""

import platform
import resource
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import scipy
from scipy import sparse

from weps._version import VERSION
from weps.records import Clustering
from weps_eval.clustering.bcubed import BCubed, bcubed
from weps_eval.clustering.scorers import get_scoring_rule

ITEMS = 100_000
NAIVE_ITEMS = 1_000  # seconds for these, hours for all
SHAPES = {
    "10 % in two of 1,000 groups": (1_000, (0.9, 0.1)),
    "half in two of 1,000 groups": (1_000, (0.5, 0.5)),
    "1 to 3 of 1,000 groups": (1_000, (1 / 3, 1 / 3, 1 / 3)),
    "1 to 3 of 20,000 groups": (20_000, (1 / 3, 1 / 3, 1 / 3)),
    "1 to 3 of 100 groups": (100, (1 / 3, 1 / 3, 1 / 3)),
    "1 to 5 of 20,000 groups": (20_000, (1 / 5,) * 5),
}
"""Title → number of groups, shares of items in one group, two groups, …; answer and key alike."""


def main() -> None:
    """Print every table."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}  Python {platform.python_version()}  "
        f"numpy {np.__version__}  scipy {scipy.__version__}  weps {VERSION}"
    )
    print("Medians. Memory: at most allocated by the work itself; at most held by the process.")
    disjoint()
    overlapping()
    all_measures()
    against_naive()


def disjoint() -> None:
    """B-Cubed of label vectors."""
    heading(f"B-Cubed, {ITEMS:,} items in disjoint groups, given as labels")
    generator = np.random.default_rng(0)
    for groups in (100, 1_000, 10_000, 50_000):
        answer, key = generator.integers(0, groups, (2, ITEMS))
        report(f"{groups:,} groups, unrelated", partial(bcubed, answer, key), rounds=25)
        right = np.where(generator.random(ITEMS) < 0.8, key, answer)
        report(f"{groups:,} groups, 80 % right", partial(bcubed, right, key), rounds=25)


def overlapping() -> None:
    """B-Cubed of sparse matrices."""
    heading(f"B-Cubed, {ITEMS:,} items in overlapping groups, given as matrices")
    generator = np.random.default_rng(0)
    for title, (groups, shares) in SHAPES.items():
        answer, key = (draw(generator, ITEMS, groups, shares) for _ in range(2))
        report(title, partial(bcubed, answer, key), rounds=5)


def all_measures() -> None:
    """All eleven measures, from sets of ranks."""
    heading(f"All measures, {ITEMS:,} items, given as sets of ranks")
    generator, (title, (groups, shares)) = np.random.default_rng(0), next(iter(SHAPES.items()))
    answer, key = (clustering(draw(generator, ITEMS, groups, shares)) for _ in range(2))
    for name in ("weps1", "weps2"):
        work = partial(get_scoring_rule(name).scores, answer, key, range(ITEMS))
        report(f"{name}, {title}", work, rounds=5)


def against_naive() -> None:
    """The same figures from the definition, at a size that it can bear."""
    print(f"\nB-Cubed, {NAIVE_ITEMS:,} items, half in two of 10 groups, next to the definition")
    generator = np.random.default_rng(0)
    answer, key = (draw(generator, NAIVE_ITEMS, 10, (0.5, 0.5)) for _ in range(2))
    _, fast, ours = timed(partial(bcubed, answer, key), rounds=9)
    _, slow, reference = timed(partial(naive, answer, key), rounds=1)
    same = np.allclose(ours, reference, rtol=0, atol=1e-12)
    print(f"  naive {1000 * slow:.0f} ms CPU, here {1000 * fast:.1f}: ratio {slow / fast:,.0f}")
    print(f"  same values to 1e-12: {'yes' if same else f'NO: {ours} and {reference}'}")


def draw(
    generator: np.random.Generator, items: int, groups: int, shares: tuple[float, ...]
) -> sparse.csr_array:
    """Random groups for every item, shape (items, groups)."""
    rows = np.repeat(np.arange(items), generator.choice(len(shares), items, p=shares) + 1)
    columns = generator.integers(0, groups, len(rows))
    return sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(items, groups)).tocsr()


def clustering(members: sparse.csr_array) -> Clustering:
    """The same as sets of ranks."""
    return Clustering(tuple(map(frozenset, filter(None, rows_of(members.T.tocsr())))))


def rows_of(members: sparse.csr_array) -> list[set[int]]:
    """The column numbers of every row."""
    return [set(row.tolist()) for row in np.split(members.indices, members.indptr[1:-1])]


def naive(answer: sparse.csr_array, key: sparse.csr_array) -> BCubed:
    """B-Cubed by its definition, in plain Python."""
    items = list(zip(rows_of(answer), rows_of(key), strict=True))
    precision = recall = 0.0
    for clusters, persons in items:
        common = [(len(clusters & others), len(persons & their)) for others, their in items]
        correct = [min(c, k) / c for c, k in common if c]
        found = [min(c, k) / k for c, k in common if k]
        precision += sum(correct) / len(correct)
        recall += sum(found) / len(found)
    return BCubed(precision / len(items), recall / len(items))


def heading(title: str) -> None:
    """Print the head of a table."""
    print(f"\n{title}\n{'':<40}{'wall':>10}{'CPU':>10}{'work':>10}{'process':>10}")


def report(title: str, work: Callable[[], object], *, rounds: int) -> None:
    """Print one line of a table."""
    wall, cpu, _ = timed(work, rounds=rounds)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    held *= 1 if sys.platform == "darwin" else 1024  # Linux counts in KiB
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    times = f"{1000 * wall:>7.1f} ms{1000 * cpu:>7.1f} ms"
    print(f"  {title:<38}{times}{peak / 1e6:>7.1f} MB{held / 1e6:>7.1f} MB")


def timed(work: Callable[[], Any], *, rounds: int) -> tuple[float, float, Any]:
    """The median wall and CPU seconds of some rounds, and the result."""
    walls, cpus = [], []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return median(walls), median(cpus), result


if __name__ == "__main__":
    main()
