import json
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from weps import _cache
from weps._cache import Cache, content_digest
from weps.cli.checks import CacheFolder, list_features, show_cache
from weps.cli.console import Console
from weps.cli.options import JsonOption
from weps.errors import OutputError
from weps.features.registry import all_features
from weps.systems import FEATURE_SETS, similarities_of


def run(folder: Path, **options: Any) -> int:
    return show_cache(CacheFolder(cache=folder, **options), Console())


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


ROOT = Path(__file__).resolve().parents[3]


def test_every_feature_and_set_is_listed(tmp_path, capsys):
    list_features(JsonOption(json=tmp_path / "features.json"), Console())
    out = capsys.readouterr().out
    for each in all_features():
        assert str(each) in out
        assert each.description in out
        assert each.source in out
    assert all(name in out and each.description in out for name, each in FEATURE_SETS.items())
    data = json.loads((tmp_path / "features.json").read_text())
    schema = json.loads((ROOT / "docs" / "schema" / "features.schema.json").read_text())
    jsonschema.validate(data, schema)
    assert [each["name"] for each in data["features"]] == [str(each) for each in all_features()]
    assert data["sets"]["tokens"]["features"] == ["token"]
    assert data["sets"]["tokens"]["similarities"] == ["dice(token)"]
    for name, each in data["sets"].items():
        members = similarities_of(name)
        assert each["similarities"] == list(map(str, members))
        assert set(each["features"]) == {str(member.feature) for member in members}
        assert len(set(each["features"])) == len(each["features"])
