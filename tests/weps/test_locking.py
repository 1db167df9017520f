"""One process at a time writes to a folder, and no lock outlives it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from weps._files import LOCK_NAME, FolderLock, make_folder
from weps.errors import OutputError

ROOT = Path(__file__).parents[2]
HOLD = """
import sys, time
from pathlib import Path
from weps._files import FolderLock
FolderLock(Path(sys.argv[1]), "a test").tell("a test at somewhere")
print("locked", flush=True)
time.sleep(60)
"""
COUNT = """
import sys
from pathlib import Path
from weps._files import FolderLock
from weps.errors import OutputError
folder, left = Path(sys.argv[1]), 40
while left:
    try:
        with FolderLock(folder, "a test"):
            number = int((folder / "count").read_text())
            (folder / "count").write_text(str(number + 1))
            left -= 1
    except OutputError:
        pass
"""


def start(program: str, folder: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", program, str(folder)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_a_second_writer_is_told_who_is_there(tmp_path):
    folder = tmp_path / "out"
    with FolderLock(folder, "weps serve") as lock:
        lock.tell("weps serve at 127.0.0.1:8737")
        with pytest.raises(OutputError) as refused:
            FolderLock(folder, "weps cluster")
        told = refused.value.describe()
        assert f"weps serve at 127.0.0.1:8737 (process {os.getpid()}, since 20" in told
        assert told.endswith(") is writing to this folder; use it there")
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir()) == []
    FolderLock(folder, "weps cluster").release()


def test_a_lock_ends_with_the_process_that_was_killed(tmp_path):
    process = start(HOLD, tmp_path)
    assert process.stdout
    assert process.stdout.readline() == "locked\n"
    with pytest.raises(OutputError, match=f"a test at somewhere .process {process.pid}, "):
        FolderLock(tmp_path, "mine")
    unfinished, others = tmp_path / f".{process.pid:08x}00000000.tmp", tmp_path / ".another.tmp"
    for path in (unfinished, others):
        path.write_text("of a person")
    process.kill()
    process.communicate()
    with FolderLock(tmp_path, "mine"):
        assert not unfinished.exists()
        assert others.exists()


def test_writers_never_overlap(tmp_path):
    (tmp_path / "count").write_text("0")
    processes = [start(COUNT, tmp_path) for _ in range(3)]
    assert [process.communicate() and process.returncode for process in processes] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "120"


@pytest.mark.skipif(sys.platform == "win32", reason="has no shared locks")
def test_shards_share_a_folder_that_others_may_not_use(tmp_path):
    elsewhere = tmp_path / f".{2**22:08x}0123abcdx1y2z3_4.tmp"  # another machine may be writing it
    elsewhere.write_text("of a person")
    first = FolderLock(tmp_path, "a shard", shared=True)
    with FolderLock(tmp_path, "another shard", shared=True):
        first.release()
        with pytest.raises(OutputError, match=r"another shard \(.* is writing to this folder"):
            FolderLock(tmp_path, "mine")
        first = FolderLock(tmp_path, "a third", shared=True)
    first.release()
    with FolderLock(tmp_path, "mine"), pytest.raises(OutputError):
        FolderLock(tmp_path, "a shard", shared=True)
    assert list(tmp_path.iterdir()) == [elsewhere]
    os.utime(elsewhere, (0, 0))
    FolderLock(tmp_path, "mine").release()
    assert not elsewhere.exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\x1b[2J \xff", b"9" * 9_999])
def test_who_has_a_folder_may_have_written_anything(content, tmp_path):
    with FolderLock(tmp_path, "weps serve"):
        (tmp_path / LOCK_NAME).write_bytes(content)
        with pytest.raises(OutputError, match="is writing to this folder") as refused:
            FolderLock(tmp_path, "mine")
        assert refused.value.describe().isprintable()


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes")
@pytest.mark.parametrize(
    "place", [lambda path: path.symlink_to("elsewhere"), lambda path: path.mkdir(), os.mkfifo]
)
def test_what_is_no_file_is_not_locked(place, tmp_path):
    place(tmp_path / LOCK_NAME)
    with pytest.raises(OutputError, match="the folder cannot be locked"):
        FolderLock(tmp_path, "mine")
    assert not (tmp_path / "elsewhere").exists()


COMMANDS = "cluster pages|update out pages|forget Ada_Lovell --yes"


@pytest.mark.parametrize("words", [*COMMANDS.split("|"), "search Ada --results list"])
def test_commands_leave_a_folder_alone_that_another_uses(words, weps, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("pages/Ada_Lovell", "out"):
        make_folder(tmp_path / name)
    for name in ("pages/Ada_Lovell/1.html", "out/Ada_Lovell.json", "out/Ada_Lovell.html"):
        (tmp_path / name).write_text("<p>Ada Lovell")
    command, *others = words.split()
    with FolderLock(Path("out"), "weps serve"):
        before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        status, _, told = weps(command, *others, "--out", "out")
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    assert status == 1
    assert re.search(r"weps serve \(.*\) is writing to this folder", told)


def test_a_second_app_says_where_the_first_is(weps, tmp_path):
    with FolderLock(tmp_path, "weps serve") as lock:
        lock.tell("weps serve at 127.0.0.1:8737")
        status, _, told = weps("serve", tmp_path, "--port", "0")
    assert status == 1
    assert "at 127.0.0.1:8737" in told
