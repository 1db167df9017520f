"""Jobs: work in two queues, one for reading and one for downloading, watched from any thread.

Downloading waits for other machines most of the time, so that it has a thread of its own and
holds nobody up who opens a report meanwhile.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from queue import SimpleQueue

from weps.errors import describe_error, is_foreseen

_MAX_FINISHED = 1_000
"""Jobs remembered after their end."""
_PATIENCE = 5.0
"""Seconds to wait for the jobs that run at the end."""
_log = logging.getLogger(__name__)


class JobState(StrEnum):
    """The states of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class _JobStopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised within the work of a job that is to stop."""


@dataclass(frozen=True, slots=True)
class JobPage:
    """A search result that a job downloads, and its outcome."""

    title: str
    url: str
    status: str
    note: str
    """Why there is no page, or what is the matter with it."""


@dataclass(slots=True)
class Job:
    """A piece of work; written by the thread that does it, read by any."""

    subject: str
    """The identifier of the name that the work is about."""
    work: JobFunction = field(repr=False)
    download: JobFunction | None = field(default=None, repr=False)
    """Work that comes before, None once it is done."""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: JobState = JobState.WAITING
    what: str = ""
    done: int = 0
    total: int = 0
    pages: list[JobPage] = field(default_factory=list)
    """Pages downloaded so far, in the order in which they came."""
    message: str = ""
    """Outcome in one sentence; empty where the report says it."""
    error: str = ""
    """Fault, place and remedy, in one line; empty unless it failed."""
    _stop: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def finished(self) -> bool:
        """Whether it is done, has failed or was stopped."""
        return self.state not in {JobState.WAITING, JobState.RUNNING}

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop, and has not yet."""
        return self._stop.is_set() and not self.finished

    def stop(self) -> None:
        """Ask it to stop; it does so at once if it waits, else when it next reports."""
        self._stop.set()
        if self.state is JobState.WAITING:
            self.state = JobState.STOPPED

    def check(self) -> None:
        """Raise an exception if the job is to stop."""
        if self._stop.is_set():
            raise _JobStopped

    def progress(self, what: str, done: int, total: int) -> None:
        """Record the progress of the work; raises an exception if the job is to stop."""
        self.check()
        self.what, self.done, self.total = what, done, total

    def run(self) -> None:
        """Do the next part of the work; the outcome is in ``state`` and ``error``."""
        try:
            self.progress("", 0, 0)
            self.state = JobState.RUNNING
            if self.download:
                self.download(self)
                self.download, self.state = None, JobState.WAITING
            else:
                self.work(self)
                self.state = JobState.DONE
        except _JobStopped:
            self.state = JobState.STOPPED
        except Exception as error:  # noqa: BLE001 - the thread must survive for the next job
            self.error, self.state = self._describe_failure(error), JobState.FAILED

    def _describe_failure(self, error: Exception) -> str:
        if is_foreseen(error):
            return describe_error(error)
        log_fault(self.subject, error)
        return (
            f"{self.subject}: internal error ({type(error).__name__}); nothing was changed: "
            "please report the message in the terminal"
        )


def log_fault(subject: str, error: Exception) -> None:
    """Tell the terminal of a fault of weps in one line, with its stack where debugging is on."""
    debugging = _log.isEnabledFor(logging.DEBUG)
    _log.error("%s: %s", subject, describe_error(error), exc_info=error if debugging else None)


JobFunction = Callable[[Job], None]
"""Work, which reports to its job."""


class Jobs:
    """Two queues of jobs, and the thread that runs each."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._reading: SimpleQueue[Job | None] = SimpleQueue()
        self._downloading: SimpleQueue[Job | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, args=(queue,), name=name, daemon=True)
            for name, queue in (("reading", self._reading), ("downloading", self._downloading))
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, subject: str, work: JobFunction, download: JobFunction | None = None) -> Job:
        """Append work to the queue for reading, if need be after a download."""
        job = Job(subject, work, download)
        with self._lock:
            ended = [each.id for each in self._jobs.values() if each.finished]
            for old in ended[: max(0, len(ended) - _MAX_FINISHED)]:
                del self._jobs[old]
            self._jobs[job.id] = job
        (self._downloading if download else self._reading).put(job)
        return job

    def find(self, number: str) -> Job | None:
        """The job of that id, None if there is none or it ended long ago."""
        return self._jobs.get(number)

    def all(self) -> tuple[Job, ...]:
        """All remembered jobs, oldest first."""
        with self._lock:
            return tuple(self._jobs.values())

    def unfinished_for(self, subject: str) -> Job | None:
        """The job about the name that has not ended, if there is one."""
        unfinished = (job for job in self.all() if job.subject == subject and not job.finished)
        return next(unfinished, None)

    def close(self) -> tuple[str, ...]:
        """Stop everything, and return the subjects of the jobs that had not ended."""
        unfinished = [job for job in self.all() if not job.finished]
        for job in unfinished:
            job.stop()
        for queue in (self._downloading, self._reading):
            queue.put(None)
        for thread in self._threads:
            thread.join(_PATIENCE)
        return tuple(job.subject for job in unfinished)

    def _run(self, queue: SimpleQueue[Job | None]) -> None:
        while job := queue.get():
            job.run()
            if not job.finished:
                self._reading.put(job)
