"""What is not ours stays as it is."""

import time
from pathlib import Path

import pytest

from tests.weps.cache.builders import KEY, file_of, filled
from weps.cache import Cache, digest
from weps.errors import OutputError


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
