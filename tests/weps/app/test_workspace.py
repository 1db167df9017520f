"""The queues of jobs, and uploads: paths become harmless, names are told apart by folders."""

import io
import threading
import zipfile
from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.app import workspace as uploads
from weps.app.workspace import Job, Jobs, _identifier_from_name, _move_files, _staged_uploads
from weps.errors import OutputError, SourceError
from weps.sources.formats import Collector


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
    assert (running.stopping, running.finished) == (True, False)
    go_on.set()
    assert ended(running).state == ended(waiting).state == "stopped"
    assert not running.stopping
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


PAGE = b"<!doctype html><p>Robin Averdale"


def files(*paths):
    return [(path, partial(io.BytesIO, PAGE)) for path in paths]


def archive(*paths):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for path in paths:
            made.writestr(path, PAGE)
    return packed.getvalue()


def save(root, found, name="Robin", skipped=None):
    """Stage files and move them; returns the paths below the folder."""
    skipped = Collector("", "") if skipped is None else skipped
    with _staged_uploads(found, name, root / "pages", skipped) as staged:
        for identifier, place in staged.items():
            _move_files(place, root / "pages" / identifier)
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("paths", "saved"),
    [
        (["Robin/001.html", "Robin/002.HTM", "Robin/3.txt"], ["001.html", "002.htm", "3.txt"]),
        (["001.html"], ["001.html"]),
        (["Robin/1.html", "Robin/1_files/frame.html", "Robin/logo.png"], ["1.html", "logo.png"]),
        (["Robin/My page.html", "Robin/My page-Dateien/x.htm"], ["My_page.html"]),
        (["Robin/.hidden.html", "__MACOSX/1.html", "Robin/1.html"], ["1.html"]),
        (["a/über Räder.html"], ["über_Räder.html"]),
        (["a/x?.html", "a/x*.html", "a/X_.html"], ["X_3.html", "x.html", "x_2.html"]),
        (["7.html", "b/7.html", "b/x.png", "b"], ["7.html", "b/7.html", "b/x.png", "b_2"]),
        (["x/7.html", "x/b/7.html"], ["7.html", "b/7.html"]),
        # Not to be taken for the folders of two names.
        (
            ["a/007.html", "b/007.html", "b/c/d/9.html"],
            "a_007.html b_007.html b_c_d_9.html".split(),
        ),
        (["a/" + "long" * 100 + ".html"], ["long" * 20 + ".html"]),
        (["../1.html"], ["1.html"]),
        (["/1.html"], ["1.html"]),
        (["..\\..\\1.html", "1.html"], ["1.html", "2.html"]),
        (["a/1\0.html", "a/\u202egnp.html"], ["1.html", "gnp.html"]),
        (["a/index.php?id=3", "a/page"], ["index.php_id=3", "page"]),
        (["/".join("abcdefghi") + "/1.html", "a/2.html"], ["2.html", "d/e/f/g/h/i/1.html"]),
        (
            ["a/" + "long" * 100 + ".csv.gz", "a/1.html"],
            ["1.html", "long" * 19 + ".csv.gz"],
        ),
    ],
)
def test_files_keep_their_names_as_far_as_these_are_harmless(tmp_path, paths, saved):
    assert save(tmp_path, files(*paths)) == [f"pages/Robin/{name}" for name in saved]
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


@given(st.lists(st.text(max_size=12), max_size=6))
def test_no_path_leads_out_of_the_folder(tmp_path_factory, paths):
    root = tmp_path_factory.mktemp("root")
    saved = save(root, files("x/first.html", *(f"x/{path}.html" for path in paths), *paths))
    assert len({name.casefold() for name in saved}) == len(saved)
    assert all(name.startswith("pages/Robin/") for name in saved)


@pytest.mark.parametrize(
    ("found", "saved"),
    [
        (files("Ann_Lee/1.html"), ["Ann_Lee/1.html"]),
        (files("all/Ann Lee/1.html", "all/Bob/1.html"), ["Ann_Lee/1.html", "Bob/1.html"]),
        (files("Ann/1.html", "Bob/1.html", "Bob/x.png"), ["Ann/1.html", "Bob/1.html", "Bob/x.png"]),
        (
            [("all.zip", partial(io.BytesIO, archive("all/Ann/1.html", "all/Bob/../1.html")))],
            ["Ann/1.html", "Bob/1.html"],
        ),
        (
            [("f/a.zip", partial(io.BytesIO, archive("Ann/1.html", "Ann/.x.html")))],
            ["Ann/1.html"],
        ),
    ],
)
def test_without_a_name_folders_are_called_like_people(tmp_path, found, saved):
    assert save(tmp_path, found, "") == [f"pages/{path}" for path in saved]


def test_an_archive_of_a_named_person_stays_one(tmp_path):
    found = [("all.zip", partial(io.BytesIO, archive("a/1.html", "b/1.html")))]
    assert save(tmp_path, found) == ["pages/Robin/all.zip"]


@each_case(
    ("found", "name", "message"),
    [
        ([], "Robin", "no saved pages or archives"),
        (
            [("logo.png", partial(io.BytesIO, b"\x89PNG\r\n\x1a\n"))],
            "Robin",
            "logo.png: not read",
        ),
        ([("x.html", partial(io.BytesIO, b""))], "", "expected a person's name"),
        (files("1.html"), "", "expected a person's name"),
        (files("12/1.html"), "", "expected a person's name"),
        ([("a.zip", partial(io.BytesIO, archive("1.html")))], "", "expected a person's name"),
        ([("a.zip", partial(io.BytesIO, archive("Ann/1.html")[:40]))], "", "a.zip: a ZIP"),
        (files("description_files/x.xml", "web_pages/x.html"), "", "WePS corpus"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_left(tmp_path, found, name, message):
    with pytest.raises(SourceError, match=message):
        save(tmp_path, found, name)
    assert not list((tmp_path / "pages").iterdir())


def test_members_that_cannot_be_read_are_told_and_the_others_read(tmp_path):
    packed = bytearray(archive("Ann/1.html", "Ann/2.html", "Bob/3.html", "Bob/4.html"))
    packed[packed.rindex(b"PK\x01\x02") + 8] |= 1  # encrypted
    packed[packed.index(PAGE)] += 1
    skipped = Collector("", "", "member")
    saved = save(tmp_path, [("a.zip", partial(io.BytesIO, bytes(packed)))], "", skipped)
    assert saved == ["pages/Ann/2.html", "pages/Bob/3.html"]
    skipped.tell_counts()
    assert [(each.name, each.reason) for each in skipped.unread] == [
        ("a.zip", "1 member: encrypted"),
        ("a.zip", "1 member: damaged"),
    ]


@pytest.mark.parametrize("name", ["Robin", ""])
def test_too_many_or_too_much_is_refused_and_nothing_left(tmp_path, monkeypatch, name):
    packed = [("a.zip", partial(io.BytesIO, archive(*(f"Ann/{n}.html" for n in range(3)))))]
    found = packed if not name else files("1.html", "2.html", "3.html")
    monkeypatch.setattr(uploads, "MAX_FILES", 2)
    with pytest.raises(SourceError, match="more than 2 files"):
        save(tmp_path, found, name)
    monkeypatch.setattr(uploads, "MAX_FILES", 9)
    monkeypatch.setattr(uploads, "MAX_BYTES", 50)
    with pytest.raises(SourceError, match="more than 0 MB"):
        save(tmp_path, files("1.html", "2.html"), name or "Ann")
    assert not list((tmp_path / "pages").iterdir())


def test_files_that_are_there_are_never_overwritten_and_the_same_are_kept_once(tmp_path):
    save(tmp_path, files("001.html", "x.html", "y.html"))
    other = [(path, partial(io.BytesIO, PAGE + b"!")) for path in ("001.html", "x.html", "new.pdf")]
    saved = save(tmp_path, [*other, *files("y.html")])
    names = ["001.html", "002.html", "new.pdf", "x.html", "x_2.html", "y.html"]
    assert saved == [f"pages/Robin/{name}" for name in names]
    assert (tmp_path / "pages" / "Robin" / "001.html").read_bytes() == PAGE


@pytest.mark.parametrize("linked", ["pages", "pages/Robin"])
def test_nothing_is_saved_beyond_a_link(tmp_path, linked):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / linked).parent.mkdir(exist_ok=True)
    (tmp_path / linked).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="symbolic link"):
        save(tmp_path, files("1.html"))
    assert not list((tmp_path / "elsewhere").iterdir())


@each_case("name", ["", "..", "/", "...", "\0", "123", "\u202e", "x" * 201, "é" * 101])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(SourceError):
        _identifier_from_name(name)


def test_no_more_of_a_page_is_saved_than_is_ever_read(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "MAX_PAGE_BYTES", 1)
    save(tmp_path, [("1.html", partial(io.BytesIO, bytes(3 << 20)))])
    assert (tmp_path / "pages" / "Robin" / "1.html").stat().st_size == 1 << 20
