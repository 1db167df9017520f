"""Parallel maps over names or topics, which are independent, with progress callbacks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def parallel_map(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int = 1
) -> Iterator[Result]:
    """The results of ``work(item)`` in the order of the items, each as soon as it is available.

    Args:
        work: what to do for one item; for several jobs it must be picklable.
        items: names, topics or the like; for several jobs picklable too.
        jobs: number of processes, -1 for one per core.
    """
    return map(work, items) if jobs == 1 or len(items) < 2 else _map_in_processes(work, items, jobs)


def _map_in_processes(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Result]:
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes a quarter second, not needed for one job

    pool = Parallel(n_jobs=jobs, return_as="generator")
    results: Generator[Result, None, None] = pool(delayed(work)(item) for item in items)
    try:
        for result in results:  # noqa: UP028 - `yield from` would close them before `finally`
            yield result
    finally:
        with warnings.catch_warnings():  # the caller stopped the work itself
            warnings.simplefilter("ignore", UserWarning)
            results.close()


class Progress(Protocol):
    """A callback for the progress of long work, which waits for it, and stops if it raises."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Report the progress.

        Args:
            what: the work in plain words, e.g. ``reading pages``.
            done: how much of it is done, from 0 to ``total``.
            total: how much there is; 0 where it is unknown; then the end is not reported.
        """


def no_progress(what: str, done: int, total: int) -> None:
    """A progress callback that does nothing."""


def partial_progress(progress: Progress, what: str, part: int, parts: int) -> Progress:
    """The progress of one of several parts, equally long, reported as that of the whole work.

    Args:
        progress: called with the progress of the whole work.
        what: the whole work in plain words; the name of the part is ignored.
        part: which part it is, from 0.
        parts: how many there are.
    """
    whole = what

    def report(what: str, done: int, total: int) -> None:  # noqa: ARG001 - the whole has a name
        progress(whole, part * total + done, parts * total)

    return report
