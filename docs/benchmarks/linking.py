"""Time of the links and of the expected F along their merges, next to scipy's linkage.

Needs no data. From the project's root: ``python -m docs.benchmarks.linking``.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage

from docs.benchmarks.scoring import timed
from weps._version import VERSION
from weps.clustering.linkage import LINKAGES, average_linkage
from weps.clustering.stopping import ExpectedF, expected_f_curves

SIZES = (100, 200, 400, 1000)
ROUNDS = 7
SETTINGS = [ExpectedF(slope, shift) for slope in np.linspace(0.5, 2, 6) for shift in range(-2, 3)]
"""As many as are tried on each name when the stopping decision is learnt."""


def main() -> None:
    """Print every table."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  "
        f"numpy {np.__version__}  scipy {scipy.__version__}  weps {VERSION}"
    )
    print("Median CPU time. Ratio: to scipy's average linkage of the same pages.")
    for size in SIZES:
        print(f"\n{size:,} pages\n{'':<34}{'CPU':>12}{'ratio':>9}")
        for title, probability in cases(size):
            against_scipy(title, probability, size)


def cases(size: int) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Probabilities of all pairs, by what they are like."""
    generator = np.random.default_rng(0)
    first, second = np.triu_indices(size, k=1)
    person = generator.integers(0, size // 10, size)
    noise = generator.random(len(first))
    yield "ten pages a person", (2 * (person[first] == person[second]) + noise) / 3
    yield "nine probabilities", generator.integers(1, 10, len(first)) / 10
    yield "one page like all", np.where(first == 0, 1 - noise / 2, noise / 1000)


def against_scipy(title: str, probability: NDArray[np.float64], size: int) -> None:
    """Print the lines of one case."""
    reference = cpu(lambda: linkage(1 - probability, "average"))
    row(f"{title}: scipy", reference, reference)
    for name, link in LINKAGES.items():
        row(f"{title}: {name} link", cpu(partial(link, probability, size)), reference)
    tree = average_linkage(probability, size)
    row(f"{title}: expected F", cpu(partial(expected_f_curves, tree, SETTINGS[:1])), reference)
    row(
        f"{title}: {len(SETTINGS)} of them",
        cpu(partial(expected_f_curves, tree, SETTINGS)),
        reference,
    )


def cpu(work: Callable[[], object]) -> float:
    """Median CPU seconds."""
    return timed(work, rounds=ROUNDS)[1]


def row(title: str, seconds: float, reference: float) -> None:
    """Print one line of a table."""
    print(f"  {title:<32}{1000 * seconds:>9.1f} ms{seconds / reference:>9.1f}")


if __name__ == "__main__":
    main()
