"""Parallel maps over names or topics, which are independent, with progress callbacks.

Work that raises an exception, or whose process is killed, costs its item and no other.
"""

from __future__ import annotations

import logging
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sized
from concurrent.futures import BrokenExecutor, Future
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice, pairwise
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from threadpoolctl import ThreadpoolController

from weps._lazy import import_library
from weps.errors import InputTypeError, InputValueError, OutputError, WorkerError, told_as

LOGGER = logging.getLogger("weps")
"""What programs that use weps may want to know: its progress, and cautions about answers."""
LOGGER.addHandler(logging.NullHandler())
Item = TypeVar("Item")
Result = TypeVar("Result")

_PATIENCE = 3
"""Seconds in which a scheduler answers: it is said within 5 s if none does."""


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[Result]):
    """Outcome of the work on an item."""

    number: int
    """Place of the item, from 0."""
    results: tuple[Result, ...] = ()
    """One, or none after an error."""
    error: Exception | None = None


def parallel_map(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int = 1,
    on_error: Callable[[Item, Exception], Result] | None = None,
    scheduler: str = "",
) -> Iterator[Result]:
    """The results of ``work(item)`` in the order of the items, each as soon as it is available.

    Items are taken as they are needed, so that there may be any number of them. With several
    processes, each item travels with a copy of the work: both should be small.

    Args:
        work: what to do for one item; for several processes it must be picklable.
        items: names, topics or the like; for several processes picklable too.
        jobs: number of processes, -1 for one per core.
        on_error: makes the result of an item whose work raised an exception; by default the
            exception is raised in place of the result.
        scheduler: address of a Dask scheduler, such as ``tcp://node1:8786``, whose workers do the
            work in place of processes of this machine.

    Raises:
        InputValueError: there is no such number of processes.
        WorkerError: the process that worked on an item, and on no other, was killed.
        OutputError: Dask is not installed, or the scheduler does not answer.
    """
    require_jobs(jobs)
    if scheduler:
        outcomes = _on_cluster(work, items, scheduler)
    elif jobs == 1 or (isinstance(items, Sized) and len(items) < 2):
        outcomes = _in_turn(work, items)
    else:
        outcomes = _in_pools(items, partial(_run_pool, work, jobs))
    early, due = dict[int, tuple[Item, _Outcome[Result]]](), 0
    with closing(outcomes):  # else an error that is raised would keep the processes for a while
        for found in outcomes:
            early[found[1].number] = found
            while due in early:
                item, outcome = early.pop(due)
                due += 1
                if outcome.error is None:
                    yield from outcome.results
                elif on_error is None:
                    raise outcome.error
                else:
                    yield on_error(item, outcome.error)


def require_jobs(jobs: int) -> None:
    """Check a number of processes, -1 for one per core.

    Raises:
        InputValueError: it is none.
    """
    if not isinstance(jobs, int) or (jobs != -1 and jobs < 1):
        raise InputValueError(
            f"expected a number of processes (1, 2, … or -1), got {jobs!r}", where="jobs"
        )


_Outcomes = Generator[tuple[Item, _Outcome[Result]], None, None]
"""Items and what the work on them came to."""


def _in_turn(work: Callable[[Item], Result], items: Iterable[Item]) -> _Outcomes[Item, Result]:
    for number, item in enumerate(items):
        # As in the processes of joblib.
        with one_blas_thread():
            outcome = _try(work, number, item)
        yield item, outcome


def one_blas_thread() -> AbstractContextManager[object]:
    """A context in which matrices are multiplied by one thread.

    Where threads multiply small ones, those that wait take a fifth of the processor time, and save
    none.
    """
    limited: AbstractContextManager[object] = _blas_libraries(len(sys.modules)).limit(
        limits=1, user_api="blas"
    )
    return limited


@lru_cache(maxsize=1)
def _blas_libraries(modules: int) -> ThreadpoolController:  # noqa: ARG001 - imports may load more
    """The libraries of this process, which takes a millisecond to look through."""
    return ThreadpoolController()


def _in_pools(
    items: Iterable[Item],
    run: Callable[[Iterator[tuple[int, Item]]], Generator[_Outcome[Result], None, None]],
) -> _Outcomes[Item, Result]:
    """The outcomes as they come.

    When a process is killed, its pool is lost with all that was under way. Each of these items is
    then worked on alone, which tells the one that kills from the others.

    Args:
        items: of any number.
        run: processes that take two items each at a time, and give the outcomes as they come;
            raises a ``BrokenExecutor`` if a process is killed.
    """
    waiting, suspects, under_way = enumerate(items), list[tuple[int, Item]](), dict[int, Item]()

    def noted(numbered: Iterable[tuple[int, Item]]) -> Iterator[tuple[int, Item]]:
        for number, item in numbered:
            under_way[number] = item
            yield number, item

    while True:
        alone = [suspects.pop(0)] if suspects else []
        try:
            with closing(run(noted(alone or waiting))) as outcomes:
                for outcome in outcomes:
                    yield under_way.pop(outcome.number), outcome
        except BrokenExecutor:
            if not alone:
                suspects = sorted(under_way.items(), key=lambda each: each[0])
                continue
            [(number, lost)] = alone
            error = WorkerError(
                "the process that worked on it was killed, perhaps for lack of memory",
                where=lost if isinstance(lost, str) else f"item {number + 1}",
                remedy="free memory and try again",
            )
            yield under_way.pop(number), _Outcome(number, error=error)
        if not alone:
            return


def _run_pool(
    work: Callable[[Item], Result], jobs: int, items: Iterator[tuple[int, Item]]
) -> Generator[_Outcome[Result], None, None]:
    """The outcomes that processes of this machine give, see :func:`_in_pools`."""
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes a quarter second, not for one job

    outcomes = Parallel(
        jobs,
        return_as="generator_unordered",
        pre_dispatch="2 * n_jobs",
        batch_size=1,
        initializer=_end_with,
        initargs=(os.getpid(),),
    )(delayed(_try)(work, number, item, apart=True) for number, item in items)
    try:
        for outcome in outcomes:  # noqa: UP028 - `yield from` would close them before `finally`
            yield outcome
    except GeneratorExit:
        # The thread that manages joblib's processes crashes if it is stopped before it has handed
        # on what was submitted last (joblib/loky#663).
        time.sleep(0.1)
        raise
    finally:
        with warnings.catch_warnings():  # the caller stopped the work itself
            warnings.simplefilter("ignore", UserWarning)
            outcomes.close()


def _end_with(parent: int) -> None:
    """End this process soon after its parent, which may be killed before it can do so."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    if os.name == "posix":  # Windows keeps the number of a parent that has ended
        Thread(target=watch, daemon=True).start()


def _on_cluster(
    work: Callable[[Item], Result], items: Iterable[Item], scheduler: str
) -> _Outcomes[Item, Result]:
    """The outcomes as they come from the workers of a Dask cluster."""
    library = import_library("distributed", "dask", where="--dask")
    with told_as(
        OutputError,
        "no Dask scheduler answers",
        scheduler,
        "start one with `dask scheduler`",
        Exception,  # what answers in its place may be anything
    ):
        client = library.Client(scheduler, set_as_default=False, timeout=_PATIENCE)
    with client:
        yield from _in_pools(items, partial(_run_cluster, work, client))


def _run_cluster(
    work: Callable[[Item], Result], client: Any, items: Iterator[tuple[int, Item]]
) -> Generator[_Outcome[Result], None, None]:
    """The outcomes that workers of a Dask cluster give, which may come and go.

    Not by joblib's backend, which lets the work be done here if there is one worker.
    """
    from distributed import KilledWorker, as_completed  # noqa: PLC0415 - an extra

    running, under_way = as_completed(loop=client.loop), 0
    while True:
        room = max(2 * sum(client.nthreads().values()), 1) - under_way
        for number, item in islice(items, max(room, 0)):
            running.add(client.submit(_try, work, number, item, apart=True, pure=False))
            under_way += 1
        if not under_way:
            return
        done = next(running)
        under_way -= 1
        try:
            outcome: _Outcome[Result] = done.result()
        except KilledWorker as error:
            raise BrokenExecutor from error
        yield outcome


def _try(
    work: Callable[[Item], Result], number: int, item: Item, *, apart: bool = False
) -> _Outcome[Result]:
    try:
        return _Outcome(number, (work(item),))
    except Exception as error:  # noqa: BLE001 - it is raised where the result is due
        if apart:  # tracebacks do not travel between processes
            with suppress(MemoryError, RecursionError):
                error.add_note(traceback.format_exc())
        return _Outcome(number, error=error)


class Progress(Protocol):
    """A callback for the progress of long work, which waits for it, and stops if it raises."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Report the progress.

        Args:
            what: the work in plain words, e.g. ``reading pages``.
            done: how much of it is done, from 0 to ``total``.
            total: how much there is; 0 where it is unknown; then the end is not reported.
        """


def in_background(work: Callable[[], Result]) -> Callable[[], Result]:
    """Begin work in a thread of its own, which does not keep the program from ending.

    Returns:
        Waits for the result, and raises what the work raised.
    """
    outcome = Future[Result]()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:  # noqa: BLE001 - for whoever waits
            outcome.set_exception(error)

    Thread(target=run, daemon=True).start()
    return outcome.result


def log_progress(what: str, done: int, total: int) -> None:
    """The usual progress callback, which logs for those who debug."""
    LOGGER.debug("%s: %d of %d", what, done, total)


def checked_progress(progress: Progress | None) -> Progress:
    """The callback; the usual one for None.

    Raises:
        InputTypeError: it is no function, or a class, such as that of a bar.
    """
    if isinstance(progress, type) or not (progress is None or callable(progress)):
        given = getattr(progress, "__name__", type(progress).__name__)
        raise InputTypeError(
            f"expected a function of (what, done, total), got {given}",
            where="progress",
            remedy="docs/api.md has one that moves a bar of tqdm",
        )
    return progress or log_progress


def phase_times(progress: Progress, first: str) -> tuple[Progress, Callable[[], dict[str, float]]]:
    """The progress of work, and how many seconds each phase, by its words, has taken so far."""
    began = {first: time.perf_counter()}

    def note(what: str, done: int, total: int) -> None:
        began.setdefault(what, time.perf_counter())
        progress(what, done, total)

    def spent() -> dict[str, float]:
        parts = pairwise([*began.values(), time.perf_counter()])
        return {what: end - start for what, (start, end) in zip(began, parts, strict=True)}

    return note, spent


def report_progress(
    results: Iterable[Result], progress: Progress, what: str, total: int
) -> Iterator[Result]:
    """The results, each after the number of those that have been worked on."""
    progress(what, 0, total)
    for number, result in enumerate(results, start=1):
        yield result
        progress(what, number, total)


def report_work(items: Collection[Result], progress: Progress, what: str) -> Iterator[Result]:
    """As :func:`report_progress`, of so many items as there are."""
    return report_progress(items, progress, what, len(items))


def report_map(
    work: Callable[[Item], Result],
    items: Collection[Item],
    jobs: int,
    progress: Progress,
    what: str,
) -> Iterator[Result]:
    """As :func:`parallel_map`, with the number of items that are done."""
    return report_progress(parallel_map(work, items, jobs), progress, what, len(items))


def partial_progress(progress: Progress, whole: str, part: int, parts: int) -> Progress:
    """The progress of one of several parts, equally long, reported as that of the whole work.

    Args:
        progress: called with the progress of the whole work.
        whole: the whole work in plain words; the name of the part is ignored.
        part: which part it is, from 0.
        parts: how many there are.
    """

    def report(what: str, done: int, total: int) -> None:  # noqa: ARG001 - the whole has a name
        progress(whole, part * total + done, parts * total)

    return report
