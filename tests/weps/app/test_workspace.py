"""The queues of jobs."""

import threading
from collections.abc import Iterator

import pytest

from weps.app.workspace import Job, Jobs
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


def raising(error):
    def work(_job):
        raise error

    return work


def test_work_is_done_and_its_progress_can_be_seen(jobs):
    seen, go_on = threading.Event(), threading.Event()

    def work(job):
        job.progress("reading pages", 37, 100)
        seen.set()
        go_on.wait(5)

    job = jobs.submit("Ann", work)
    assert seen.wait(5)
    assert job.state == "running"
    assert (job.what, job.done, job.total) == ("reading pages", 37, 100)
    assert jobs.unfinished_for("Ann") is job
    assert jobs.unfinished_for("Bob") is None
    go_on.set()
    assert ended(job).state == "done"
    assert jobs.unfinished_for("Ann") is None


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (raising(SourceError("no pages", where="here", remedy="look")), "here: no pages; look"),
        (
            raising(ZeroDivisionError("secret")),
            "Ann: internal error (ZeroDivisionError); nothing was changed: please report "
            "the message in the terminal",
        ),
    ],
)
def test_a_failure_is_reported_and_the_next_job_is_done(jobs, work, message):
    job, other = jobs.submit("Ann", work), jobs.submit("Bob", lambda _: None)
    assert (ended(job).state, job.error) == ("failed", message)
    assert ended(other).state == "done"


def test_a_waiting_job_is_stopped_before_it_begins_a_running_one_when_it_reports(jobs):
    began, go_on = threading.Event(), threading.Event()
    reached = []

    def work(job):
        began.set()
        go_on.wait(5)
        job.progress("comparing", 0, 0)
        reached.append("too far")

    running, waiting = jobs.submit("Ann", work), jobs.submit("Bob", work)
    assert began.wait(5)
    waiting.stop()
    running.stop()
    go_on.set()
    assert ended(running).state == ended(waiting).state == "stopped"
    assert not reached


def test_closing_stops_everything_and_names_it():
    jobs, began = Jobs(), threading.Event()

    def work(job):
        began.set()
        while True:
            job.progress("forever", 0, 0)

    jobs.submit("Ann", work)
    jobs.submit("Bob", work)
    assert began.wait(5)
    assert jobs.close() == ("Ann", "Bob")
    assert all(ended(job).state == "stopped" for job in jobs.all())


def test_old_jobs_are_forgotten_and_unfinished_ones_never(jobs, monkeypatch):
    monkeypatch.setattr("weps.app.workspace._MAX_FINISHED", 20)
    for _ in range(40):
        ended(jobs.submit("Ann", lambda _: None))
    assert len(jobs.all()) <= 21
    assert jobs.find("none such") is None
    assert jobs.find(jobs.all()[-1].id) is jobs.all()[-1]


def test_downloading_holds_nobody_up_and_comes_before_the_work(jobs):
    began, go_on, done = threading.Event(), threading.Event(), []

    def download(job):
        began.set()
        go_on.wait(5)
        job.progress("downloading", 1, 1)
        done.append("download")

    both = jobs.submit("Ann", lambda _: done.append("work"), download)
    assert began.wait(5)
    ended(jobs.submit("Bob", lambda _: done.append("other")))
    assert not both.finished
    go_on.set()
    assert ended(both).state == "done"
    assert done == ["other", "download", "work"]


def test_a_download_that_is_stopped_says_so_until_it_has(jobs):
    began, go_on, done = threading.Event(), threading.Event(), []

    def download(job):
        began.set()
        go_on.wait(5)
        job.progress("downloading", 1, 2)

    job = jobs.submit("Ann", done.append, download)
    assert began.wait(5)
    job.stop()
    assert (job.stopping, job.finished) == (True, False)
    go_on.set()
    assert (ended(job).state, job.stopping, done) == ("stopped", False, [])
