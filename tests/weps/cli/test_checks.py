import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from weps import _cache
from weps._cache import Cache, content_digest
from weps.cli.checks import ShowCache
from weps.cli.console import Console
from weps.errors import OutputError


def run(folder: Path, **options: Any) -> int:
    return ShowCache(cache=folder, **options).run_command(Console())


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A cache of three entries."""
    made = Cache(tmp_path / "cache")
    for number in range(3):
        made.put(content_digest(str(number)), b"value")
    return made


def test_it_shows_where_the_cache_is_and_how_much_it_holds(cache, capsys):
    assert run(cache.folder) == 0
    shown = capsys.readouterr().out
    assert f"folder:  {cache.folder}\n" in shown
    assert "entries: 3\n" in shown
    assert "0.0 MB of at most 1,000.0 MB\n" in shown
    assert "last used on 20" in shown
    assert run(cache.folder, json=cache.folder.with_name("state.json")) == 0
    state = json.loads(cache.folder.with_name("state.json").read_text())
    assert (state["folder"], state["entries"]) == (str(cache.folder), 3)


def test_a_cache_that_is_not_there_is_shown_as_empty_and_not_made(tmp_path, capsys):
    assert run(tmp_path / "none") == 0
    shown = capsys.readouterr().out
    assert "entries: 0\n" in shown
    assert "oldest" not in shown
    assert not (tmp_path / "none").exists()


def test_clearing_says_how_much_was_removed(cache, capsys):
    assert run(cache.folder, clear=True) == 0
    assert capsys.readouterr().out == f"removed 3 entries (0.0 MB) from {cache.folder}\n"
    assert cache.usage().entries == 0


def test_what_cannot_be_removed_is_said(cache, capsys, monkeypatch):
    monkeypatch.setattr(_cache, "_BUSY_SECONDS", 0.1)
    _cache._close_connection()
    holder = sqlite3.connect(cache.folder / "entries.sqlite3")
    holder.execute("UPDATE entries SET used = 0")
    assert run(cache.folder, clear=True) == 1
    holder.close()
    printed = capsys.readouterr()
    assert "removed 0 entries" in printed.out
    assert "3 entries (0.0 MB) could not be removed" in printed.err


def test_a_folder_that_is_no_cache_is_not_cleared(tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(OutputError, match="check the spelling"):
        run(tmp_path, clear=True)
    assert (tmp_path / "letter.txt").exists()
