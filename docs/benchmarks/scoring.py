"""Time and memory of B-Cubed, against the definition run pair by pair.

Needs no data. From the project's root: ``python -m docs.benchmarks.scoring``.
"""

import platform
import resource
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from typing import Any, TypeAlias

import numpy as np
import scipy
from scipy import sparse

from eval.clustering import bcubed, scorer
from weps.records import Clustering
from weps.version import VERSION

Overlapping: TypeAlias = list[set[int]]
"""For each item, the groups that it stands in."""

ITEMS = 100_000
NAIVE_ITEMS = 1_000  # the naive way needs seconds for these, hours for all
SHAPES = (
    ("10 % overlap, 1,000 groups", 1_000, (0.9, 0.1)),
    ("half overlap, 1,000 groups", 1_000, (0.5, 0.5)),
    ("1-3 groups each, 1,000 groups", 1_000, (1 / 3, 1 / 3, 1 / 3)),
    ("1-3 groups each, 20,000 groups", 20_000, (1 / 3, 1 / 3, 1 / 3)),
    ("1-3 groups each, 100 groups", 100, (1 / 3, 1 / 3, 1 / 3)),
    ("1-5 groups each, 20,000 groups", 20_000, (1 / 5,) * 5),
)
"""Name, number of groups, share of items in one group, two groups, …; answer and key alike."""


def main() -> None:
    """Print every table."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}  Python {platform.python_version()}  "
        f"numpy {np.__version__}  scipy {scipy.__version__}  weps {VERSION}"
    )
    disjoint()
    overlapping()
    all_measures()
    against_naive()
    # Linux counts in KiB, macOS in bytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    unit = 2**20 if sys.platform == "darwin" else 2**10
    print(f"\npeak of the whole process, interpreter and libraries included: {peak // unit} MB")


def disjoint() -> None:
    """Label vectors."""
    print(f"\n{ITEMS:,} items in disjoint groups, given as labels")
    generator = np.random.default_rng(0)
    for groups in (100, 1_000, 10_000, 50_000):
        answer, key = generator.integers(0, groups, (2, ITEMS))
        report(f"{groups:,} groups, unrelated", lambda a=answer, k=key: bcubed(a, k), rounds=25)
        mended = np.where(generator.random(ITEMS) < 0.8, key, answer)
        report(f"{groups:,} groups, 80 % right", lambda a=mended, k=key: bcubed(a, k), rounds=25)


def overlapping() -> None:
    """Sparse matrices."""
    print(f"\n{ITEMS:,} items in overlapping groups, given as sparse matrices")
    generator = np.random.default_rng(0)
    for title, groups, shares in SHAPES:
        answer, key = (matrix(draw(generator, ITEMS, groups, shares), groups) for _ in range(2))
        report(title, lambda a=answer, k=key: bcubed(a, k), rounds=3)


def all_measures() -> None:
    """All eleven measures, from sets of ranks."""
    print(f"\n{ITEMS:,} items, all measures, from sets of ranks")
    generator, (title, groups, shares) = np.random.default_rng(0), SHAPES[0]
    answer, key = (clustering(draw(generator, ITEMS, groups, shares)) for _ in range(2))
    for name in ("weps1", "weps2"):
        judge = scorer(name)
        report(
            f"{name}, {title}", lambda judge=judge: judge.score(answer, key, range(ITEMS)), rounds=3
        )


def against_naive() -> None:
    """The same figures from the definition, at a size that it can bear."""
    print(f"\n{NAIVE_ITEMS:,} overlapping items, 10 groups, next to the definition pair by pair")
    generator = np.random.default_rng(0)
    answer, key = (draw(generator, NAIVE_ITEMS, 10, (0.5, 0.5)) for _ in range(2))
    matrices = matrix(answer, 10), matrix(key, 10)
    fast, ours = timed(lambda: bcubed(*matrices), rounds=9)
    slow, reference = timed(lambda: naive(answer, key), rounds=1)
    same = np.allclose(ours, reference, rtol=0, atol=1e-12)
    print(f"  naive {slow:.2f} s, here {1000 * fast:.1f} ms: {slow / fast:,.0f} times faster")
    print(f"  same values to 1e-12: {'yes' if same else f'NO: {ours} and {reference}'}")


def draw(
    generator: np.random.Generator, items: int, groups: int, shares: tuple[float, ...]
) -> Overlapping:
    """Random groups for every item."""
    sizes = generator.choice(len(shares), items, p=shares) + 1
    return [set(generator.integers(0, groups, size).tolist()) for size in sizes]


def matrix(of_items: Overlapping, groups: int) -> Any:
    """The sparse matrix (items, groups)."""
    rows = np.repeat(np.arange(len(of_items)), [len(item) for item in of_items])
    columns = np.array([group for item in of_items for group in item])
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(of_items), groups))


def clustering(of_items: Overlapping) -> Clustering:
    """The same as sets of ranks."""
    members: dict[int, set[int]] = {}
    for rank, item in enumerate(of_items):
        for group in item:
            members.setdefault(group, set()).add(rank)
    return Clustering(tuple(map(frozenset, members.values())))


def naive(answer: Overlapping, key: Overlapping) -> tuple[float, float]:
    """B-Cubed by its definition, in plain Python."""
    precision = recall = 0.0
    for a, k in zip(answer, key, strict=True):
        shared = [(len(a & b), len(k & m)) for b, m in zip(answer, key, strict=True)]
        correct = [min(c, found) / c for c, found in shared if c]
        found = [min(c, found) / found for c, found in shared if found]
        precision += sum(correct) / len(correct)
        recall += sum(found) / len(found)
    return precision / len(key), recall / len(key)


def report(title: str, work: Callable[[], object], *, rounds: int) -> None:
    """Print the median time and the peak of memory allocated by the work itself."""
    seconds, _ = timed(work, rounds=rounds)
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"  {title:<34} {1000 * seconds:>9.1f} ms {peak / 2**20:>7.1f} MB")


def timed(work: Callable[[], Any], *, rounds: int) -> tuple[float, Any]:
    """The median time of some rounds after one to warm up, and the result."""
    result = work() if rounds > 1 else None
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return median(times), result


if __name__ == "__main__":
    main()
