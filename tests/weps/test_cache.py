"""What is not ours stays as it is."""

import os
import pickle
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import KEY, file_of, filled, noise
from weps._cache import Cache, _sources, default_folder, digest, source_digest
from weps.errors import OutputError

parts = st.lists(st.text(max_size=3) | st.binary(max_size=3), max_size=4)


@given(parts, parts)
def test_different_sequences_have_different_digests(one, other):
    assert (digest(*one) == digest(*other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((), ("",)),
        (("ab", "c"), ("a", "bc")),
        (("a1:b",), ("a", "b")),
        (("s1:as1:b",), ("a", "b")),
        (("a",), (b"a",)),
    ],
)
def test_where_a_part_ends_matters(one, other):
    assert digest(*one) != digest(*other)


def test_text_that_is_no_unicode_has_a_digest():
    assert digest("\ud800") != digest("\ud801")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package, which cannot be imported, on the path."""
    folder = tmp_path / "heavy_example"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inner" / "__init__.py").write_text("raise RuntimeError")
    (folder / "inner" / "part.py").write_text("raise RuntimeError")
    (folder / "inner" / "data.txt").write_text("1")
    (folder / "single.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "heavy_example", raising=False)
    source_digest.cache_clear()
    return folder


INNER = "heavy_example.inner"
SINGLE = "heavy_example.single"


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("inner/part.py", True),
        ("inner/__init__.py", True),
        ("inner/deep/new.py", True),
        ("inner/data.txt", False),
        ("__init__.py", False),
        ("other.py", False),
        ("single.py", True),
    ],
)
def test_source_digest_changes_with_the_source_and_nothing_else(package, file, changes):
    before = source_digest(INNER, SINGLE)
    source_digest.cache_clear()
    (package / file).parent.mkdir(exist_ok=True)
    (package / file).write_text("raise ValueError")
    assert (source_digest(INNER, SINGLE) != before) == changes


def test_a_file_that_moves_changes_the_digest(package):
    before = source_digest(INNER)
    source_digest.cache_clear()
    (package / "inner" / "part.py").rename(package / "inner" / "portion.py")
    assert source_digest(INNER) != before


@pytest.mark.usefixtures("package")
def test_source_digest_depends_on_which_modules():
    assert len({source_digest(INNER), source_digest(SINGLE), source_digest(INNER, SINGLE)}) == 3


@pytest.mark.usefixtures("package")
def test_source_digest_does_not_depend_on_where_the_project_is():
    assert [name for name, _ in _sources(INNER)] == ["__init__.py", "part.py"]


@pytest.mark.parametrize("module", ["heavy_example.none", "sys", "none_such"])
@pytest.mark.usefixtures("package")
def test_a_module_without_source_is_an_error(module):
    with pytest.raises(ModuleNotFoundError):
        source_digest(module)


def test_source_digest_imports_nothing_of_what_it_looks_at():
    code = (
        "import sys; from weps._cache import source_digest\n"
        "source_digest('weps.html', 'weps.language', 'weps.records', 'lxml')\n"
        "print(*sorted(set(sys.modules) & {'weps.html', 'weps.language', 'weps.records', 'lxml'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def foreign_files(cache: Cache) -> list[Path]:
    """Files that somebody put into the cache's folder."""
    shard = file_of(cache).parent
    other = ("00" if KEY[:2] != "00" else "01") + KEY[2:]
    paths = [
        cache.folder / "letter.txt",
        cache.folder / KEY,
        cache.folder / "letters" / KEY,
        cache.folder / "0x" / KEY,
        shard / "letter.txt",
        shard / other,
        shard / KEY[:-1],
        shard / f"{KEY}.txt",
        shard / f"{KEY[:-1]}x",
    ]
    for path in paths:
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("mine")
    return paths


def test_clearing_and_pruning_remove_nothing_but_entries(cache):
    cache.put(KEY, b"value")
    foreign = foreign_files(cache)
    assert cache.clear().entries == 1
    filled(cache.folder, 1_000, 100, 80)
    assert [path.read_text() for path in foreign] == ["mine"] * len(foreign)
    assert Cache(cache.folder).usage().entries < 20


def test_symbolic_links_are_not_followed(cache, tmp_path):
    elsewhere = Cache(tmp_path / "elsewhere")
    elsewhere.put(KEY, b"value")
    assert cache.problem == ""
    file_of(cache).parent.symlink_to(file_of(elsewhere).parent)
    assert cache.usage().entries == 0
    assert cache.clear().entries == 0
    file_of(elsewhere).write_bytes(b"damaged")
    assert cache.get(KEY) is None
    assert file_of(elsewhere).read_bytes() == b"damaged"
    cache.put(KEY, b"other")
    assert "symbolic link" in cache.problem
    assert file_of(elsewhere).read_bytes() == b"damaged"


def test_an_entry_that_is_a_symbolic_link_is_absent(cache, tmp_path):
    cache.put(KEY, b"value")
    target = file_of(cache).rename(tmp_path / "target")
    file_of(cache).symlink_to(target)
    assert cache.get(KEY) is None
    assert cache.usage().entries == cache.clear().entries == 0
    assert target.exists()


@pytest.mark.parametrize("tag", [None, b"", b"Signature: 8a477f597d28d172789f06886806bc55\n"])
def test_a_folder_of_something_else_is_neither_used_nor_cleared(tmp_path, tag):
    folder = tmp_path / KEY[:2]
    folder.mkdir()
    (folder / KEY).write_text("mine")
    if tag is not None:
        (tmp_path / "CACHEDIR.TAG").write_bytes(tag)
    cache = Cache(tmp_path)
    assert cache.get(KEY) is None
    with pytest.raises(OutputError, match="no cache of weps"):
        cache.clear()
    assert cache.usage().entries == 0
    cache.put(KEY, b"value")
    assert "holds other files" in cache.problem
    assert (folder / KEY).read_text() == "mine"


def test_clearing_says_what_was_removed(cache):
    for number in range(20):
        cache.put(digest(str(number)), b"value")
    usage = cache.usage()
    assert usage.entries == 20
    assert abs(usage.oldest - time.time()) < 3600
    assert cache.clear() == usage
    assert cache.usage().entries == 0
    assert [path.name for path in cache.folder.rglob("*") if path.is_file()] == ["CACHEDIR.TAG"]
    cache.put(KEY, b"value")
    assert cache.get(KEY) == b"value"


def test_what_is_not_there_is_empty(cache):
    assert cache.usage() == cache.clear()
    assert cache.usage().oldest is None
    assert not cache.folder.exists()


@pytest.fixture
def home(monkeypatch):
    for name in ("WEPS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ada/.cache/weps"),
        ("linux", {"WEPS_CACHE": ""}, "/home/ada/.cache/weps"),
        ("linux", {"WEPS_CACHE": "/x/y"}, "/x/y"),
        ("linux", {"XDG_CACHE_HOME": "/x/y"}, "/x/y/weps"),
        ("linux", {"XDG_CACHE_HOME": "/x/y", "WEPS_CACHE": "/z"}, "/z"),
        ("linux", {"XDG_CACHE_HOME": "x/y"}, "/home/ada/.cache/weps"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/ada/.cache/weps"),
        ("darwin", {}, "/home/ada/Library/Caches/weps"),
        ("darwin", {"WEPS_CACHE": "/z"}, "/z"),
        ("win32", {}, "/home/ada/AppData/Local/weps/Cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/weps/Cache"),
    ],
)
@pytest.mark.usefixtures("home")
def test_the_folder_is_where_the_platform_keeps_caches(monkeypatch, platform, environment, folder):
    monkeypatch.setattr("sys.platform", platform)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_folder() == Path(folder)


@pytest.mark.usefixtures("home")
def test_a_user_without_a_home_has_no_cache_but_no_error_either(monkeypatch):
    def homeless():
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert Cache(default_folder()).problem


def test_no_test_uses_the_cache_of_the_user():
    assert default_folder() == Path(os.environ["WEPS_CACHE"])
    assert Path.home() not in default_folder().parents


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
