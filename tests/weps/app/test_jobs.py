"""Long work, one piece after the other."""

import threading
from collections.abc import Iterator

import pytest

from weps.app.jobs import Job, Jobs, JobState
from weps.errors import SourceError


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


def ended(job: Job) -> Job:
    while not job.finished:
        threading.Event().wait(0.005)
    return job


def fail(_progress):
    raise SourceError("no pages", where="here", remedy="look elsewhere")


def break_down(_progress):
    raise ZeroDivisionError("secret")


def test_work_is_done_and_its_progress_can_be_seen(jobs):
    seen, go_on = threading.Event(), threading.Event()

    def work(progress):
        progress("reading pages", 37, 100)
        seen.set()
        go_on.wait(5)

    job = jobs.submit("Ann", work)
    assert seen.wait(5)
    assert (job.state, job.what, job.done, job.total) == (
        JobState.RUNNING,
        "reading pages",
        37,
        100,
    )
    assert jobs.unfinished_for("Ann") is job
    assert jobs.unfinished_for("Bob") is None
    go_on.set()
    assert ended(job).state == JobState.DONE
    assert jobs.unfinished_for("Ann") is None


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (fail, "here: no pages; look elsewhere"),
        (
            break_down,
            "Ann: internal error (ZeroDivisionError); nothing was changed: please report the "
            "traceback in the terminal",
        ),
    ],
)
def test_a_failure_is_told_and_the_next_job_is_done(jobs, work, told):
    job, other = jobs.submit("Ann", work), jobs.submit("Bob", lambda _: None)
    assert (ended(job).state, job.error) == (JobState.FAILED, told)
    assert ended(other).state == JobState.DONE


def test_jobs_are_done_one_at_a_time_in_order(jobs):
    done: list[str] = []
    for name in "abcde":
        last = jobs.submit(name, lambda _, name=name: done.append(name))
    ended(last)
    assert done == list("abcde")


def test_a_waiting_job_is_stopped_before_it_begins_and_a_running_one_when_it_tells(jobs):
    began, go_on = threading.Event(), threading.Event()
    reached = []

    def work(progress):
        began.set()
        go_on.wait(5)
        progress("comparing", 0, 0)
        reached.append("too far")

    running, waiting = jobs.submit("Ann", work), jobs.submit("Bob", work)
    assert began.wait(5)
    waiting.stop()
    running.stop()
    go_on.set()
    assert ended(running).state == ended(waiting).state == JobState.STOPPED
    assert not reached


def test_closing_stops_everything_and_names_it():
    jobs, began = Jobs(), threading.Event()

    def work(progress):
        began.set()
        while True:
            progress("forever", 0, 0)

    jobs.submit("Ann", work)
    jobs.submit("Bob", work)
    assert began.wait(5)
    assert jobs.close() == ("Ann", "Bob")
    assert all(ended(job).state == JobState.STOPPED for job in jobs.all())


def test_old_jobs_are_forgotten_and_unfinished_ones_never(jobs):
    for _ in range(40):
        ended(jobs.submit("Ann", lambda _: None))
    assert len(jobs.all()) <= 21
    assert jobs.find("none such") is None
    assert jobs.find(jobs.all()[-1].id) is jobs.all()[-1]
