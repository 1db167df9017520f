"""What was put is found within bounds, and nothing that goes wrong stops a run."""

import ast
import contextlib
import hashlib
import multiprocessing
import os
import pickle
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_layout import MODULES, imported
from weps import _cache, reading
from weps._cache import Cache, Usage, content_digest, default_folder, source_digest
from weps.errors import OutputError
from weps.language import annotation

KEY = content_digest("key")
SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55\n"
TAG = SIGNATURE + b"# A cache of weps: it may be emptied"


def noise(number: int, size: int) -> bytes:
    """Bytes that cannot be compressed, always the same for a number."""
    return random.Random(number).randbytes(size)  # noqa: S311 - no secret


def fill(cache: Cache, count: int, size: int) -> list[str]:
    """The keys of so many entries of different age, the oldest first."""
    keys = [content_digest(str(number)) for number in range(count)]
    for number, key in enumerate(keys):
        cache.put(key, noise(number, size))
        change(cache, "UPDATE entries SET used = ? WHERE key = ?", number, bytes.fromhex(key))
    return keys


def change(cache: Cache, statement: str, *values: object) -> None:
    """What another program does to the database."""
    path = cache.folder / "entries.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def content(folder: Path) -> bytes:
    """All bytes of all files of the cache."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


# Values


@settings(max_examples=25)
@given(st.binary(), st.binary())
def test_what_was_put_last_is_found(tmp_path_factory, first, second):
    cache = Cache(tmp_path_factory.mktemp("cache"))
    for value in (first, second):
        cache.put(KEY, value)
        assert cache.get(KEY) == value
    assert cache.get(content_digest("other")) is None
    assert Cache(cache.folder).get(KEY) == second
    assert pickle.loads(pickle.dumps(cache)).get(KEY) == second  # noqa: S301 - our own


def test_what_is_forgotten_is_in_no_file_and_nothing_else_is_lost(cache):
    secret, kept = noise(1, 20_000), content_digest("kept")
    for key, value in ((KEY, secret), (kept, b"value")):
        cache.put(key, value)
    assert secret[1000:1020] in content(cache.folder)
    assert cache.forget([KEY, KEY, content_digest("never there")]) == 1
    assert (cache.get(KEY), cache.get(kept)) == (None, b"value")
    assert secret[1000:1020] not in content(cache.folder)
    assert cache.forget([]) == 0


@pytest.mark.parametrize("seed", [3, 13])
def test_an_entry_that_the_database_has_moved_is_forgotten_in_every_place(cache, seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    values = {}
    for key in map(content_digest, map(str, range(30))):
        values[key] = chance.randbytes(chance.randint(300, 1_300))
        cache.put(key, values[key])
    secret = chance.sample(list(values), 18)
    assert [cache.forget([key]) for key in secret] == [1] * 18
    left = content(cache.folder)
    parts = [values[key][at : at + 20] for key in secret for at in range(0, 280, 20)]
    assert not [part for part in parts if part in left]
    assert cache.usage().entries == 12


def test_usage_and_clearing(cache):
    assert cache.usage() == cache.clear() == Usage(0, 0, None)
    assert not cache.folder.exists()
    cache.put(content_digest("text"), b"word " * 10_000)
    assert cache.usage().bytes < 1_000
    fill(cache, 20, 5_000)
    usage = cache.usage()
    assert (usage.entries, usage.oldest) == (21, 0)
    assert 100_000 < usage.bytes < 102_000
    assert cache.clear() == usage
    assert cache.usage() == Usage(0, 0, None)
    assert len(content(cache.folder)) < 50_000
    assert noise(3, 5_000)[1000:1020] not in content(cache.folder)
    cache.put(KEY, b"value")
    assert cache.get(KEY) == b"value"


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX")
def test_nobody_else_can_read_it_and_backups_leave_it_out(cache):
    cache.put(KEY, b"value")
    files = sorted(cache.folder.iterdir())
    assert [path.name for path in files] == [
        "CACHEDIR.TAG", "entries.sqlite3", "entries.sqlite3-shm", "entries.sqlite3-wal"
    ]  # fmt: skip
    assert [stat.S_IMODE(path.stat().st_mode) for path in (cache.folder, *files[1:])] == [
        0o700, 0o600, 0o600, 0o600
    ]  # fmt: skip
    assert files[0].read_bytes().startswith(SIGNATURE)


# The limit


@pytest.mark.parametrize("size", [100, 3_000, 20_000])
def test_the_files_stay_within_the_limit(cache, size):
    small = Cache(cache.folder, 500_000)
    for number in range(1_500_000 // (size + 100)):
        small.put(content_digest(str(number)), noise(number, size))
    assert 150_000 < small.usage().bytes <= 437_500
    assert (cache.folder / "entries.sqlite3").stat().st_size <= 500_000


@pytest.mark.parametrize(("size", "is_kept"), [(12_400, True), (12_500, False)])
def test_a_value_that_would_push_out_the_others_is_not_kept(tmp_path, size, is_kept):
    cache = Cache(tmp_path / "cache", 100_000)
    cache.put(KEY, noise(0, size))
    assert (cache.get(KEY) is not None) == is_kept


def test_the_least_recently_used_entries_go_first(cache):
    small = Cache(cache.folder, 400_000)
    keys = fill(small, 8, 40_000)
    assert small.get(keys[1]) is not None
    small.put(KEY, noise(0, 40_000))
    left = [number for number, key in enumerate(keys) if small.get(key) is not None]
    assert left == [1, 4, 5, 6, 7]
    assert small.get(KEY) is not None


@pytest.mark.parametrize(("hours", "is_noted"), [(0, False), (23, False), (25, True), (-25, True)])
def test_use_is_noted_once_a_day(cache, hours, is_noted):
    cache.put(KEY, b"value")
    before = int(time.time() - 3600 * hours)
    change(cache, "UPDATE entries SET used = ?", before)
    assert cache.get(KEY) == b"value"
    assert (cache.usage().oldest != before) == is_noted


# Other contents of the folder


def put_file(path: Path, text: str = "mine") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("tag", [None, b"", SIGNATURE])
def test_a_folder_of_something_else_is_neither_used_nor_cleared(tmp_path, tag):
    for name in ("entries.sqlite3", f"{KEY[:2]}/{KEY}"):
        put_file(tmp_path / name)
    if tag is not None:
        (tmp_path / "CACHEDIR.TAG").write_bytes(tag)
    before = content(tmp_path)
    cache = Cache(tmp_path)
    assert (cache.get(KEY), cache.usage(), cache.forget([KEY])) == (None, Usage(), 0)
    with pytest.raises(OutputError, match="not a cache of weps"):
        cache.clear()
    assert_nothing_is_kept(cache, "holds other files")
    assert content(tmp_path) == before


# Trouble


def assert_nothing_is_kept(cache: Cache, reason: str) -> None:
    cache.put(KEY, b"value")
    assert cache.get(KEY) is None
    for part in (reason, str(cache.folder), "--no-cache"):
        assert part in cache.problem


def test_a_file_in_the_place_of_the_folder_or_a_link_in_that_of_the_database(tmp_path, cache):
    file = put_file(tmp_path / "file")
    assert_nothing_is_kept(Cache(file), "File exists")
    assert_nothing_is_kept(Cache(file / "below"), "Not a directory")
    with pytest.raises(OutputError, match="not a cache of weps"):
        Cache(file).clear()
    cache.put(KEY, b"value")
    (cache.folder / "entries.sqlite3").rename(tmp_path / "moved")
    (cache.folder / "entries.sqlite3").symlink_to(tmp_path / "moved")
    assert_nothing_is_kept(Cache(cache.folder), "not a regular file")


def test_a_folder_that_cannot_be_written_is_read(cache, monkeypatch):
    cache.put(content_digest("before"), b"value")
    change(cache, "UPDATE entries SET used = 0")
    _cache._close_connection()
    monkeypatch.setattr(os, "access", lambda *_: False)
    reading = Cache(cache.folder)
    assert reading.get(content_digest("before")) == b"value"
    assert_nothing_is_kept(reading, "Permission denied")
    assert reading.get(content_digest("before")) == b"value"
    assert (reading.forget([content_digest("before")]), reading.usage().oldest) == (0, 0)
    assert sorted(path.name for path in cache.folder.iterdir())[1:] == ["entries.sqlite3"]
    _cache._close_connection()


@pytest.mark.parametrize("whole", [True, False])
def test_a_database_of_noise_or_another_format_is_replaced(cache, whole):
    keys = fill(cache, 40, 3_000)
    _cache._close_connection()
    path = cache.folder / "entries.sqlite3"
    kept = path.read_bytes()
    path.write_bytes((b"" if whole else kept[:100]) + noise(1, len(kept)))
    assert cache.get(keys[0]) is None
    cache.put(KEY, b"value")
    cache.put(KEY, b"value")
    assert (cache.get(KEY), cache.problem) == (b"value", "")
    change(cache, "PRAGMA user_version = 2")
    _cache._close_connection()
    assert cache.get(KEY) is None
    _cache._close_connection()
    path.write_bytes(noise(2, 9_000))
    assert Cache(cache.folder).problem == ""
    _cache._close_connection()
    path.write_bytes(noise(2, 9_000))
    assert Cache(cache.folder).clear() == Usage()


def test_an_entry_with_any_other_byte_or_key_is_absent(cache):
    cache.put(KEY, b"some value")
    database = sqlite3.connect(cache.folder / "entries.sqlite3")
    [(whole,)] = database.execute("SELECT value FROM entries")
    database.close()
    changed = [whole[:-1], whole + b"\0", b""] + [
        whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in range(len(whole))
    ]
    for value in changed:
        change(cache, "UPDATE entries SET value = ?", value)
        assert cache.get(KEY) is None
        assert cache.usage().entries == 0
        cache.put(KEY, b"some value")
    other = content_digest("other")
    change(cache, "UPDATE entries SET key = ?", bytes.fromhex(other))
    assert cache.get(other) is None


def forged(body: bytes) -> bytes:
    """An entry with the right checksum."""
    return hashlib.sha256(bytes.fromhex(KEY) + body).digest() + body


@pytest.mark.parametrize(
    "body",
    [
        b"not compressed",
        zlib.compress(b"some value")[:-1],
        zlib.compress(b"some value")[:-4] + b"\0\0\0\0",
        zlib.compress(bytes(150_000_000), 1),
        b"",
    ],
    ids=["plain", "short", "wrong", "bomb", "empty"],
)
def test_a_forged_entry_is_absent(cache, body):
    cache.put(KEY, b"some value")
    for value in (forged(body), "text", 5, None):
        with contextlib.suppress(sqlite3.IntegrityError):
            change(cache, "UPDATE entries SET value = ?", value)
        seen: list[bytes] = []
        assert cache.keys_of(lambda value, seen=seen: bool(seen.append(value))) == []
        assert seen[0] in {b"", b"some value"}
        assert cache.get(KEY) in {None, b"some value"}
        cache.put(KEY, b"some value")
    change(cache, "UPDATE entries SET used = ?", "long ago")
    assert cache.get(KEY) == b"some value"
    assert cache.usage().oldest == 0 or cache.usage().oldest > 1


def test_a_locked_database_costs_one_wait(cache, monkeypatch):
    cache.put(content_digest("before"), b"value")
    _cache._close_connection()
    monkeypatch.setattr(_cache, "_BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(cache.folder / "entries.sqlite3", isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    start = time.perf_counter()
    for number in range(100):
        assert cache.get(content_digest(f"{number}")) is None
        cache.put(content_digest(f"{number}"), b"value")
    assert time.perf_counter() - start < 5
    assert "locked" in cache.problem
    holder.close()
    assert Cache(cache.folder).get(content_digest("before")) == b"value"


def test_a_full_disk_ends_keeping_but_not_finding(cache):
    cache.put(content_digest("before"), b"value")
    database = _cache._connection(cache.folder)
    database.execute("PRAGMA max_page_count = 8")
    for number in range(20):
        cache.put(content_digest(str(number)), noise(number, 4_000))
    assert "full" in cache.problem
    assert cache.get(content_digest("before")) == b"value"
    _cache._close_connection()


def test_a_folder_removed_during_a_run_costs_nothing_but_the_entries(cache):
    cache.put(KEY, b"value")
    shutil.rmtree(cache.folder)
    cache.put(KEY, b"value")
    assert (cache.get(KEY), cache.problem) == (None, "")
    Cache(cache.folder).put(KEY, b"new")
    assert cache.get(KEY) == b"new"


# Processes and threads

WORKER = """
import random, sys
from pathlib import Path
from weps._cache import Cache, content_digest
cache, source = Cache(Path(sys.argv[1]), 400_000), random.Random(int(sys.argv[2]))
sys.stdin.read()
found = 0
for turn in range(200):
    number = source.randrange(100)
    value = random.Random(number).randbytes(5_000)
    known = cache.get(content_digest(str(number)))
    assert known in (None, value)
    found += known is not None
    cache.put(content_digest(str(number)), value)
    if turn == 100:
        cache.clear() if source.random() < 0.3 else cache.forget([content_digest(str(number))])
assert found, "nothing was found"
assert not cache.problem, cache.problem
"""


@pytest.mark.slow
def test_eight_processes_write_read_prune_and_clear_at_once(tmp_path):
    folder = tmp_path / "cache"
    command = [sys.executable, "-c", WORKER, str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    workers = [subprocess.Popen([*command, str(seed)], **pipes) for seed in range(8)]
    assert [worker.communicate()[1] for worker in workers] == [""] * 8
    cache = Cache(folder)
    assert 200_000 < cache.usage().bytes <= 350_000
    assert sorted(path.name for path in folder.iterdir())[:1] == ["CACHEDIR.TAG"]
    assert (folder / "entries.sqlite3").stat().st_size <= 500_000
    for number in range(100):
        assert cache.get(content_digest(str(number))) in (None, noise(number, 5_000))


def use(cache: Cache, number: int) -> None:
    assert cache.get(KEY) == b"value"
    cache.put(content_digest(str(number)), b"value")
    assert not cache.problem


def test_threads_and_forked_processes_share_a_cache(cache):
    cache.put(KEY, b"value")
    parent = _cache._connection(cache.folder)
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=use, args=(cache, number)) for number in range(4)]
    workers += [threading.Thread(target=use, args=(cache, number)) for number in range(4, 8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers[:4]] == [0] * 4
    assert _cache._connection(cache.folder) is not parent
    assert cache.usage().entries == 9


# Folders and digests

FOLDERS = [
    ("linux", {}, "/home/ada/.cache/weps"),
    ("linux", {"WEPS_CACHE": ""}, "/home/ada/.cache/weps"),
    ("linux", {"XDG_CACHE_HOME": "/x/y"}, "/x/y/weps"),
    ("linux", {"XDG_CACHE_HOME": "/x/y", "WEPS_CACHE": "/z"}, "/z"),
    ("linux", {"XDG_CACHE_HOME": "x/y"}, "/home/ada/.cache/weps"),
    ("linux", {"XDG_CACHE_HOME": ""}, "/home/ada/.cache/weps"),
    ("darwin", {}, "/home/ada/Library/Caches/weps"),
    ("win32", {}, "/home/ada/AppData/Local/weps/Cache"),
    ("win32", {"LOCALAPPDATA": "/local"}, "/local/weps/Cache"),
]


@pytest.mark.parametrize(("platform", "environment", "folder"), FOLDERS)
def test_the_folder_is_where_the_platform_keeps_caches(monkeypatch, platform, environment, folder):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    monkeypatch.setattr("sys.platform", platform)
    for name in ("WEPS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_folder() == Path(folder)
    monkeypatch.setattr(Path, "home", Mock(side_effect=RuntimeError("no home")))
    assert environment or Cache(default_folder()).problem


PARTS = st.lists(st.text(max_size=3) | st.binary(max_size=3), max_size=4)


@given(PARTS, PARTS)
def test_different_sequences_have_different_digests(one, other):
    assert (content_digest(*one) == content_digest(*other)) == (one == other)
    for same in (("ab", "c"), ("a", "bc"), ("a1:b",), (b"abc",), ("abc", ""), ("\ud800",)):
        assert content_digest(*same) != content_digest("abc")


CHANGES = [
    ("inner/part.py", True), ("inner/__init__.py", True), ("inner/deep/new.py", True),
    ("inner/data.txt", False), ("__init__.py", False), ("other.py", False), ("single.py", True),
]  # fmt: skip


@pytest.mark.parametrize(("file", "changes"), CHANGES)
def test_source_digest_changes_with_the_source_and_nothing_else(
    monkeypatch, tmp_path, file, changes
):
    for name in ("inner/__init__.py", "inner/part.py", "inner/data.txt", "single.py"):
        put_file(tmp_path / name)
    monkeypatch.syspath_prepend(tmp_path)
    source_digest.cache_clear()
    before = source_digest("inner", "single")
    assert len({before, source_digest("inner"), source_digest("single")}) == 3
    put_file(tmp_path / file, "changed")
    source_digest.cache_clear()
    assert (source_digest("inner", "single") != before) == changes
    with pytest.raises(ModuleNotFoundError, match="'sys'"):
        source_digest("sys")


CARRIERS = "_cache _files _formatting _isolation _lazy _parallel _schema _version errors".split()
"""Modules that store, pass on or word what others decide."""


@pytest.mark.parametrize(
    ("made_by", "deciding", "others"),
    [
        ("weps.html.cleaning", reading._DECIDING, ()),
        (
            "weps.language.annotation",
            annotation._DECIDING,
            ("weps.language.person_words", "weps.language.sentence_encoder", "weps.records"),
        ),
    ],
)
def test_every_module_that_decides_an_entry_is_named(made_by, deciding, others):
    """So that an edited help text or label makes no entry stale, and an edited rule does."""
    waiting, known = [made_by], set()
    while waiting:
        module = waiting.pop()
        if module in MODULES and module not in known:
            known.add(module)
            waiting += imported(ast.parse(MODULES[module].read_text("utf-8")))
    named = {name for name in known for each in deciding if f"{name}.".startswith(f"{each}.")}
    bystanders = {f"weps.{name}" for name in CARRIERS} | {"weps", "weps.language", *others}
    assert known - named <= bystanders
