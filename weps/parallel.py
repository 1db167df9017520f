"""Names are independent of one another, so work on many of them is a map over names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["over_names"]

Result = TypeVar("Result")


def over_names(
    work: Callable[[str], Result], names: Sequence[str], jobs: int = 1
) -> Iterator[Result]:
    """The results of ``work(name)`` in the order of the names, each as soon as it is there.

    Args:
        work: what to do for one name; for several jobs it must be picklable.
        names: the names.
        jobs: number of processes, -1 for one per core.
    """
    if jobs == 1 or len(names) < 2:
        return map(work, names)
    from joblib import Parallel, delayed  # noqa: PLC0415 - a quarter second that one job saves

    pool = Parallel(n_jobs=jobs, return_as="generator")
    results: Iterator[Result] = pool(delayed(work)(name) for name in names)
    return results
