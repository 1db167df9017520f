"""Parallel maps over names or topics, which are independent, with progress callbacks.

Work that raises an exception, or whose process is killed, costs its item and no other.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from weps.errors import WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[Result]):
    """What the work on an item came to."""

    number: int
    """Place of the item, from 0."""
    results: tuple[Result, ...] = ()
    """One, or none after an error."""
    error: Exception | None = None


def parallel_map(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int = 1,
    on_error: Callable[[Item, Exception], Result] | None = None,
) -> Iterator[Result]:
    """The results of ``work(item)`` in the order of the items, each as soon as it is available.

    Args:
        work: what to do for one item; for several jobs it must be picklable.
        items: names, topics or the like; for several jobs picklable too.
        jobs: number of processes, -1 for one per core.
        on_error: makes the result of an item whose work raised an exception; by default the
            exception is raised in place of the result.

    Raises:
        WorkerError: the process that worked on an item, and on no other, was killed.
    """
    in_processes = jobs != 1 and len(items) > 1
    outcomes = (_in_processes if in_processes else _in_turn)(work, list(enumerate(items)), jobs)
    with closing(outcomes):  # else an error that is raised would keep the processes for a while
        for outcome in _in_order(outcomes):
            if outcome.error is None:
                yield from outcome.results
            elif on_error is None:
                raise outcome.error
            else:
                yield on_error(items[outcome.number], outcome.error)


_Numbered = tuple[int, Item]


_Outcomes = Generator[_Outcome[Result], None, None]


def _in_turn(
    work: Callable[[Item], Result],
    items: Iterable[_Numbered[Item]],
    jobs: int,  # noqa: ARG001 - as below
) -> _Outcomes[Result]:
    for item in items:
        yield _try(work, item)


def _in_processes(
    work: Callable[[Item], Result], items: Iterable[_Numbered[Item]], jobs: int
) -> _Outcomes[Result]:
    """The outcomes as they come.

    When a process is killed, its pool is lost with all that was under way. Each of these items is
    then worked on alone, which tells the one that kills from the others.
    """
    from joblib import effective_n_jobs  # noqa: PLC0415 - takes a quarter second, not needed for one job

    waiting, suspects = dict(items), list[int]()
    at_once = 2 * effective_n_jobs(jobs)
    while waiting:
        chosen = [suspects.pop(0)] if suspects else list(waiting)
        numbered = [(each, waiting[each]) for each in chosen]
        try:
            with closing(_run_pool(work, numbered, jobs, at_once)) as outcomes:
                for outcome in outcomes:
                    del waiting[outcome.number]
                    yield outcome
        except BrokenProcessPool:
            if len(chosen) > 1:
                suspects = list(waiting)[:at_once]
                continue
            lost = waiting.pop(chosen[0])
            where = lost if isinstance(lost, str) else f"item {chosen[0] + 1}"
            what = "the process that worked on it was killed, perhaps for lack of memory"
            error = WorkerError(what, where=where, remedy="free memory and try again")
            yield _Outcome(chosen[0], error=error)


def _run_pool(
    work: Callable[[Item], Result], items: Sequence[_Numbered[Item]], jobs: int, at_once: int
) -> _Outcomes[Result]:
    """The outcomes as they come; raises a BrokenProcessPool if a process is killed."""
    from joblib import Parallel, delayed  # noqa: PLC0415 - see above

    pool = Parallel(jobs, return_as="generator_unordered", pre_dispatch=at_once, batch_size=1)
    outcomes = pool(delayed(_try)(work, each, apart=True) for each in items)
    try:
        for outcome in outcomes:  # noqa: UP028 - `yield from` would close them before `finally`
            yield outcome
    finally:
        with warnings.catch_warnings():  # the caller stopped the work itself
            warnings.simplefilter("ignore", UserWarning)
            outcomes.close()


def _try(
    work: Callable[[Item], Result], numbered: _Numbered[Item], *, apart: bool = False
) -> _Outcome[Result]:
    number, item = numbered
    try:
        return _Outcome(number, (work(item),))
    except Exception as error:  # noqa: BLE001 - it is raised where the result is due
        if apart:  # tracebacks do not travel between processes
            with suppress(MemoryError, RecursionError):
                error.add_note(traceback.format_exc())
        return _Outcome(number, error=error)


def _in_order(outcomes: Iterable[_Outcome[Result]]) -> Iterator[_Outcome[Result]]:
    early, due = dict[int, _Outcome[Result]](), 0
    for outcome in outcomes:
        early[outcome.number] = outcome
        while due in early:
            yield early.pop(due)
            due += 1


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
