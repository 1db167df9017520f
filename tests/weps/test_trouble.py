"""Nothing that goes wrong in a cache stops a run."""

import errno
import os
import shutil
import subprocess
import sys

import pytest

from tests.weps.builders import KEY, file_of
from weps._cache import Cache, digest
from weps.errors import OutputError


def assert_nothing_is_kept(cache: Cache, reason: str) -> None:
    cache.put(KEY, b"value")
    assert cache.get(KEY) is None
    assert reason in cache.problem
    assert str(cache.folder) in cache.problem
    assert "--no-cache" in cache.problem


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    assert_nothing_is_kept(Cache(tmp_path / "file"), "File exists")
    assert_nothing_is_kept(Cache(tmp_path / "file" / "below"), "Not a directory")
    with pytest.raises(OutputError, match="no cache of weps"):
        Cache(tmp_path / "file").clear()
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_cannot_be_written(cache, monkeypatch):
    assert cache.problem == ""
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert_nothing_is_kept(Cache(cache.folder), "Permission denied")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user with limits")
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    assert_nothing_is_kept(Cache(tmp_path / "cache"), "Permission denied")


def test_a_disk_that_is_full_ends_keeping_but_not_finding(cache, monkeypatch):
    cache.put(digest("before"), b"value")
    tries = []

    def full(*_, **__):
        tries.append(1)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    assert_nothing_is_kept(cache, "No space left")
    assert_nothing_is_kept(cache, "No space left")
    assert len(tries) == 1
    assert cache.get(digest("before")) == b"value"


def test_an_entry_that_cannot_be_finished_leaves_nothing_behind(cache, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    assert cache.problem == ""
    monkeypatch.setattr("os.fdopen", full)
    assert_nothing_is_kept(cache, "No space left")
    assert cache.usage().entries == 0


def test_a_file_in_the_place_of_a_shard(cache):
    assert cache.problem == ""
    file_of(cache).parent.write_text("mine")
    assert_nothing_is_kept(cache, "File exists")


def test_a_folder_removed_during_a_run_costs_nothing_but_the_entry(cache):
    cache.put(KEY, b"value")
    shutil.rmtree(cache.folder)
    cache.put(KEY, b"value")
    assert cache.get(KEY) is None
    assert cache.problem == ""


WORKER = """
import random, sys
from pathlib import Path
from weps._cache import Cache, digest
cache, source = Cache(Path(sys.argv[1]), 100_000), random.Random(int(sys.argv[2]))
for turn in range(150):
    number = source.randrange(200)
    value = random.Random(number).randbytes(5_000)
    assert cache.get(digest(str(number))) in (None, value)
    cache.put(digest(str(number)), value)
    if turn % 30 == 29:
        cache.clear()
assert not cache.problem, cache.problem
"""


def test_processes_that_write_prune_and_clear_at_once_do_not_disturb_each_other(tmp_path):
    folder = tmp_path / "cache"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(folder), str(seed)], stderr=subprocess.PIPE
        )
        for seed in range(4)
    ]
    assert [worker.communicate()[1].decode() for worker in workers] == [""] * 4
    assert Cache(folder).usage().bytes <= 100_000
    assert all(Cache(folder).get(path.name) for path in folder.glob("??/*"))
