"""A queue of long jobs that report their progress and can be stopped."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from queue import SimpleQueue

from weps._parallel import Progress
from weps.errors import WepsError

__all__ = ["Job", "JobFunction", "JobState", "JobStopped", "Jobs"]

JobFunction = Callable[[Progress], None]
_MAX_FINISHED = 20
"""Jobs remembered after their end."""
_log = logging.getLogger(__name__)


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


_FINISHED_STATES = frozenset({JobState.DONE, JobState.FAILED, JobState.STOPPED})


class JobStopped(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised within the work of a job that is to stop."""


@dataclass(slots=True)
class Job:
    """A piece of work; written by its own thread, read by any."""

    subject: str
    """The identifier of the name that the work is about."""
    work: JobFunction = field(repr=False)
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: JobState = JobState.WAITING
    what: str = ""
    done: int = 0
    total: int = 0
    error: str = ""
    """What went wrong, where and what to do, in one line; empty unless it failed."""
    _stop: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def finished(self) -> bool:
        """Whether it is done, has failed or was stopped."""
        return self.state in _FINISHED_STATES

    def stop(self) -> None:
        """Ask it to stop; it does so when it next reports its progress."""
        self._stop.set()

    def progress(self, what: str, done: int, total: int) -> None:
        """Record the progress of the work.

        Raises:
            Stopped: if it is to stop.
        """
        if self._stop.is_set():
            raise JobStopped
        self.what, self.done, self.total = what, done, total

    def run(self) -> None:
        """Do the work; the outcome is in ``state`` and ``error``."""
        try:
            self.progress("", 0, 0)
            self.state = JobState.RUNNING
            self.work(self.progress)
            self.state = JobState.DONE
        except JobStopped:
            self.state = JobState.STOPPED
        except WepsError as error:
            self._fail(error.describe())
        except Exception as error:  # noqa: BLE001 - the thread must survive for the next job
            _log.error("%s", self.subject, exc_info=error)
            self._fail(
                f"{self.subject}: internal error ({type(error).__name__}); nothing was changed: "
                "please report the traceback in the terminal"
            )

    def _fail(self, error: str) -> None:
        self.error, self.state = error, JobState.FAILED


class Jobs:
    """A queue of jobs and the one thread that runs them."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="weps-jobs", daemon=True)
        self._thread.start()

    def submit(self, subject: str, work: JobFunction) -> Job:
        """Append work to the queue."""
        job = Job(subject, work)
        with self._lock:
            ended = [each.id for each in self._jobs.values() if each.finished]
            for old in ended[: max(0, len(ended) - _MAX_FINISHED)]:
                del self._jobs[old]
            self._jobs[job.id] = job
        self._queue.put(job)
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
        return next(
            (job for job in self.all() if job.subject == subject and not job.finished),
            None,
        )

    def close(self, timeout: float = 5.0) -> tuple[str, ...]:
        """Stop everything.

        Args:
            timeout: seconds to wait for the job that runs.

        Returns:
            The subjects of the jobs that had not ended.
        """
        unfinished = [job for job in self.all() if not job.finished]
        for job in unfinished:
            job.stop()
        self._queue.put(None)
        self._thread.join(timeout)
        return tuple(job.subject for job in unfinished)

    def _run(self) -> None:
        while job := self._queue.get():
            job.run()
