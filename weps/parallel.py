"""Names, or topics, are independent of one another, so work on many of them is a map."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

__all__ = ["over"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def over(work: Callable[[Item], Result], items: Sequence[Item], jobs: int = 1) -> Iterator[Result]:
    """The results of ``work(item)`` in the order of the items, each as soon as it is there.

    Args:
        work: what to do for one item; for several jobs it must be picklable, and so must items.
            Short work is handed out several items at a time.
        items: names, topics or the like.
        jobs: number of processes, -1 for one per core.
    """
    return map(work, items) if jobs == 1 or len(items) < 2 else _shared(work, items, jobs)


def _shared(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    from joblib import Parallel, delayed  # noqa: PLC0415 - a quarter second that one job saves

    pool = Parallel(n_jobs=jobs, return_as="generator")
    results: Generator[Result, None, None] = pool(delayed(work)(item) for item in items)
    try:
        for result in results:  # noqa: UP028 - `yield from` would close them before `finally`
            yield result
    finally:
        with warnings.catch_warnings():  # whoever stops knows that work was given up
            warnings.simplefilter("ignore", UserWarning)
            results.close()
