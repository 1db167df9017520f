"""What was put is found, within bounds."""

import os
import pickle
import stat
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.cache.builders import KEY, file_of, filled, noise
from weps.cache import Cache, digest


@given(st.binary(), st.binary())
def test_what_was_put_last_is_found(tmp_path_factory, first, second):
    cache = Cache(tmp_path_factory.mktemp("cache"))
    cache.put(KEY, first)
    assert cache.get(KEY) == first
    cache.put(KEY, second)
    assert cache.get(KEY) == second
    assert cache.get(digest("other")) is None


def test_another_process_and_another_run_find_it(cache):
    cache.put(KEY, b"value")
    assert pickle.loads(pickle.dumps(cache)) == cache  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(cache)).get(KEY) == b"value"  # noqa: S301
    assert Cache(cache.folder).get(KEY) == b"value"


def test_what_repeats_itself_is_kept_small(cache):
    cache.put(KEY, b"word " * 10_000)
    assert cache.usage().bytes < 1_000


@pytest.mark.parametrize(
    "key",
    [
        "",
        "ab",
        "../" + KEY[3:],
        "/etc/passwd",
        KEY.upper(),
        KEY + "\n",
        KEY + "0",
        KEY[:-1] + "\0",
        KEY[:-1] + "/",
        "." * 64,
        "٣" * 64,
    ],
)
def test_only_digests_are_keys(cache, key):
    with pytest.raises(ValueError, match="is no key"):
        cache.put(key, b"value")
    with pytest.raises(ValueError, match="is no key"):
        cache.get(key)
    assert not cache.folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX")
def test_nobody_else_can_read_it(cache):
    cache.put(KEY, b"value")
    shard = file_of(cache).parent
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (cache.folder, shard, file_of(cache))]
    assert modes == [0o700, 0o700, 0o600]


def test_the_folder_is_tagged_so_that_backups_leave_it_out(cache):
    cache.put(KEY, b"value")
    tag = (cache.folder / "CACHEDIR.TAG").read_bytes()
    assert tag.startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")


# Damage


def test_a_change_of_any_byte_makes_an_entry_absent(cache):
    cache.put(KEY, b"some value")
    whole = file_of(cache).read_bytes()
    for place in range(len(whole)):
        file_of(cache).write_bytes(
            whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :]
        )
        assert cache.get(KEY) is None
        assert not file_of(cache).exists()


def test_a_cut_or_lengthened_entry_is_absent(cache):
    cache.put(KEY, b"some value")
    whole = file_of(cache).read_bytes()
    for damaged in [*(whole[:end] for end in range(len(whole))), whole + b"\0"]:
        file_of(cache).write_bytes(damaged)
        assert cache.get(KEY) is None


def test_an_entry_under_the_name_of_another_is_absent(cache):
    cache.put(KEY, b"value")
    other = KEY[:-1] + ("0" if KEY[-1] != "0" else "1")
    file_of(cache).rename(file_of(cache, other))
    assert cache.get(other) is None


# The limit


@pytest.mark.parametrize("size", [100, 500, 2_000])
def test_the_size_stays_within_the_limit(tmp_path, size):
    limit = 20_000
    cache = filled(tmp_path / "cache", limit, 3 * limit // size, size)
    assert limit // 2 < cache.usage().bytes <= limit


@pytest.mark.parametrize(("size", "is_kept"), [(12_000, True), (13_000, False)])
def test_a_value_that_would_push_out_the_others_is_not_kept(tmp_path, size, is_kept):
    cache = Cache(tmp_path / "cache", 100_000)
    cache.put(KEY, noise(0, size))
    assert (cache.get(KEY) is not None) == is_kept


def test_entries_that_were_not_used_for_longest_go_first(tmp_path):
    cache = Cache(tmp_path / "cache", 100_000)
    keys = [digest(str(number)) for number in range(9)]
    for number, key in enumerate(keys):
        assert cache.usage().entries == number
        cache.put(key, noise(number, 10_000))  # the ninth is more than seven eighths
        used = time.time() - 100 * ((number + 5) % 9 + 1)
        if number < 8:
            os.utime(file_of(cache, key), (used, used))
    left = [number for number, key in enumerate(keys) if cache.get(key) is not None]
    assert left == [0, 1, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(("hours", "is_touched"), [(0.5, False), (2, True), (-2, True)])
def test_use_is_noted_once_an_hour(cache, hours, is_touched):
    cache.put(KEY, b"value")
    before = time.time() - 3600 * hours
    os.utime(file_of(cache), (before, before))
    cache.get(KEY)
    after = file_of(cache).stat().st_mtime
    assert (abs(after - before) > 60) == is_touched


def test_entries_left_unfinished_by_a_killed_process_go_in_time(tmp_path):
    cache = filled(tmp_path / "cache", 100_000, 1, 10)
    unfinished = file_of(cache, digest("0")).parent / (digest("0") + ".ab_12xyz")
    unfinished.write_bytes(b"half")
    os.utime(unfinished, (0, 0))
    filled(tmp_path / "cache", 100_000, 30, 10_000)
    assert not unfinished.exists()


def test_what_is_forgotten_is_gone_and_nothing_else(cache):
    kept, gone = digest("kept"), digest("gone")
    cache.put(kept, b"1")
    cache.put(gone, b"2")
    assert cache.forget([gone, gone, digest("never there")]) == 1
    assert (cache.get(kept), cache.get(gone)) == (b"1", None)
    with pytest.raises(ValueError, match="no key"):
        cache.forget(["../../etc/passwd"])


def test_nothing_is_forgotten_in_a_folder_that_is_no_cache_or_beyond_a_link(cache, tmp_path):
    cache.put(KEY, b"1")
    file = file_of(cache, KEY)
    elsewhere = tmp_path / "elsewhere"
    file.parent.rename(elsewhere)
    file.parent.symlink_to(elsewhere)
    assert cache.forget([KEY]) == 0
    assert (elsewhere / KEY).exists()
    (cache.folder / "CACHEDIR.TAG").unlink()
    assert Cache(cache.folder).forget([KEY]) == 0
