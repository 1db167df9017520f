"""Time and memory of MaxPWA, PWA and redundancy, next to comparing all with all.

Needs no data. From the project's root: ``python -m docs.benchmarks.ordering [--quick]
[TABLE.npz]``; a table of ``weps study features … --instances TABLE.npz`` adds searches on it.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from scipy.stats import kendalltau

from docs.benchmarks.ordering_cases import (
    Cost,
    MadeUp,
    Values,
    alone,
    brute_max_pwa,
    brute_redundancy,
    of_table,
    two_measures,
)
from weps._version import VERSION
from weps_eval.ranking.pwa import (
    auc,
    auc_counts,
    max_pwa,
    max_pwa_counts,
    pwa,
    pwa_counts,
    redundancy,
    redundancy_counts,
)
from weps_eval.ranking.subsets import Step, Subset, best_subset, gain_counts, greedy_subsets

GOALS = {
    "goal 5 s": MadeUp(95_732, 89_007, 12),
    "goal 40 s, 2 GB": MadeUp(115_931, 177_983, 69),
}
KINDS: dict[str, dict[str, Any]] = {
    "correlated": {},
    "independent": {"correlation": 0.0},
    "all sparse": {"sparse_every": 1},
}
FEW = 4_000
GROUPS = 50
RATIOS = "ratio of wall, of CPU"


def main() -> None:
    """Print every table."""
    options = _options()
    scale = 10 if options.quick else 1
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}  Python {platform.python_version()}  numpy {np.__version__}  "
        f"scipy {scipy.__version__}  weps {VERSION}"
    )
    print("Each case in a process of its own; memory is the most that it held, libraries included.")
    print("Made-up float32 values: measures correlated by 0.7, positives 0.8 deviations higher,")
    print("a third of the measures sparse (84 % of negatives are 0), unless a row says otherwise.")
    print("10⁹/s: comparisons × measures in a second.")
    if options.quick:
        print("QUICK: every size is a tenth of the real one, so that no goal can be missed.")
    for title, goal in GOALS.items():
        exact(title, goal.scaled(scale))
    against_brute_force(scale)
    growth(scale)
    single_measures(scale)
    pairs_of_measures(scale)
    searches(scale)
    if options.table:
        on_table(options.table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("table", nargs="?", type=Path, help="instances to search, if any")
    parser.add_argument("--quick", action="store_true", help="a tenth of every size")
    return parser.parse_args()


def exact(goal: str, size: MadeUp) -> None:
    """MaxPWA of one size and several kinds of measures."""
    sizes = f"{size.positives:,} × {size.negatives:,} × {size.measures} measures"
    heading(f"MaxPWA, {sizes} ({goal}); median of 3", "10⁹/s; MaxPWA")
    for title, kind in KINDS.items():
        made = replace(size, **kind)
        cost = alone(max_pwa, made.sides, rounds=3)
        row(title, cost, f"{made.compared / cost.wall / 1e9:,.1f}; {cost.result:.4f}")


def against_brute_force(scale: int) -> None:
    """The same figure by comparing all with all, at a size that this can bear."""
    heading(f"MaxPWA, {FEW // scale:,} of each side, next to NumPy on one core", RATIOS)
    for large in (size.scaled(scale) for size in GOALS.values()):
        size = MadeUp(FEW, FEW, large.measures).scaled(scale)
        title, more = f"{size.measures} measures", large.compared / size.compared
        here, brute = alone(max_pwa, size.sides, rounds=3), alone(brute_max_pwa, size.sides)
        whole = alone(max_pwa, large.sides)
        row(f"{title}, here", here)
        row(f"{title}, brute force", brute, ratios(brute, here) + same(brute, here))
        row(f"{title}, here, full size", whole, f"{ratios(brute, whole, more)} per comparison")


def growth(scale: int) -> None:
    """MaxPWA with more instances and with more measures."""
    by_size = [MadeUp(n, n, 12) for n in (10_000, 20_000, 40_000, 80_000)]
    by_measures = [MadeUp(40_000, 40_000, measures) for measures in (3, 6, 12, 24, 48, 69)]
    for what, cases in (("instances", by_size), ("measures", by_measures)):
        heading(f"MaxPWA with more {what}; median of 3", f"{RATIOS}, to the row before")
        before: Cost | None = None
        for size in (case.scaled(scale) for case in cases):
            cost = alone(max_pwa, size.sides, rounds=3)
            title = f"{size.positives:,} × {size.negatives:,} × {size.measures}"
            row(title, cost, ratios(cost, before) if before else "")
            before = cost


def single_measures(scale: int) -> None:
    """PWA and AUC, and what groups cost."""
    size = MadeUp(120_000, 180_000, 1).scaled(scale)
    heading(f"PWA of a sparse measure, {size.positives:,} × {size.negatives:,}; median of 9")
    for title, work in {"PWA": pwa, "AUC": auc}.items():
        row(title, alone(work, size.first, rounds=9))
    for title, work in {"PWA": pwa_counts, "AUC": auc_counts}.items():
        row(f"{title}, {GROUPS} groups", alone(work, partial(size.first, GROUPS), rounds=9))
    for whole in (goal.scaled(scale) for goal in GOALS.values()):
        cost = alone(max_pwa_counts, partial(whole.grouped, GROUPS))
        row(f"MaxPWA of {whole.measures}, {GROUPS} groups", cost)


def pairs_of_measures(scale: int) -> None:
    """Redundancy, next to Kendall's tau of scipy and to comparing all with all."""
    size, few = 300_000 // scale, 3_000 // scale
    heading(f"Redundancy, {size:,} instances (goal 2 s); median of 5", RATIOS)
    for ties, title in ((False, "no ties"), (True, "many ties")):
        data = partial(two_measures, size, ties)
        here, other = (alone(work, data, rounds=5) for work in (redundancy, kendalltau))
        row(f"{title}, here", here)
        row(f"{title}, kendalltau of scipy", other, ratios(other, here))
        row(f"{title}, {GROUPS} groups", alone(redundancy_counts, partial(data, GROUPS)))
        data = partial(two_measures, few, ties)
        here, brute = (alone(work, data, rounds=5) for work in (redundancy, brute_redundancy))
        row(f"{title}, {few:,}, here", here)
        row(f"{title}, {few:,}, brute force", brute, ratios(brute, here) + same(brute, here))


def searches(scale: int) -> None:
    """Which measures together."""
    many = MadeUp(35_000, 24_000, 51).scaled(scale)
    few = MadeUp(35_000, 24_000, 12).scaled(scale)
    heading(f"Searches, {many.positives:,} × {many.negatives:,} made-up instances", "MaxPWA")
    for title, work, size in (
        ("greedy 10", partial(greedy_subsets, size=10), many),
        ("best 2", partial(best_subset, size=2), few),
        ("best 3", partial(best_subset, size=3), few),
    ):
        cost = alone(work, size.sides)
        row(f"{title} of {size.measures}", cost, f"{reached(cost.result):.4f}")


def on_table(path: Path) -> None:
    """Bounds and searches on instances that are not made up."""
    data = partial(of_table, path)
    positives, negatives, measures = alone(shape, data).result
    heading(f"{path.name}, {positives:,} × {negatives:,} × {measures} measures", "MaxPWA")
    for title, work in {
        "MaxPWA": max_pwa,
        "greedy 10": partial(greedy_subsets, size=10),
        "best 2": partial(best_subset, size=2),
    }.items():
        cost = alone(work, data)
        row(title, cost, f"{reached(cost.result):.4f}")
    row("what each one adds", alone(gain_counts, data))


def shape(positives: Values, negatives: Values) -> tuple[int, int, int]:
    """How many positives, negatives and measures there are."""
    return positives.shape[1], negatives.shape[1], len(positives)


def reached(found: float | Subset | Sequence[Step]) -> float:
    """MaxPWA of what was found."""
    if isinstance(found, float):
        return found
    return found.max_pwa if isinstance(found, Subset) else found[-1].max_pwa


def heading(title: str, note: str = "") -> None:
    """Print the head of a table."""
    print(f"\n{title}\n{'':<38}{'wall':>13}{'CPU':>13}{'memory':>10}  {note}".rstrip())


def row(title: str, cost: Cost, note: str = "") -> None:
    """Print one line of a table."""
    times = "".join(f"{1000 * each:>10,.1f} ms" for each in (cost.wall, cost.cpu))
    print(f"  {title:<36}{times}{cost.peak:>7,.0f} MB  {note}".rstrip(), flush=True)


def ratios(slow: Cost, fast: Cost, more: float = 1) -> str:
    """How many times as long the slow one takes, the fast one having so many times more to do."""
    return f"{more * slow.wall / fast.wall:,.2f}, {more * slow.cpu / fast.cpu:,.2f}"


def same(brute: Cost, here: Cost) -> str:
    """Whether both count the same, to the last comparison."""
    agree = brute.result == here.result
    return f"; same count: {'yes' if agree else f'NO: {brute.result} and {here.result}'}"


if __name__ == "__main__":
    main()
