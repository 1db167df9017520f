"""``weps forget``, verified by searching every file for what was said of the person."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from weps.sources.base import CollectedPage, Manifest, PageStatus, address_id

MARKER = "quizzelbrook"
"""A word on the pages of Ada Lovell alone."""
TRADES = ("baker", "baker", "sailor", "sailor")


def download(folder: Path, name: str, word: str) -> None:
    """Pages of a name as ``weps search`` saves them."""
    with Manifest(folder) as manifest:
        for rank, trade in enumerate(TRADES, start=1):
            url, file = f"http://{trade}.example/{word}", f"{rank:03}.html"
            text = f"<title>{name} {rank}</title><p>{name} is a {trade} of {word}. {os.urandom(99)}"
            (manifest.folder / file).write_text(text)
            manifest.append(CollectedPage(rank, address_id(url), PageStatus.OK, url=url, file=file))


@pytest.fixture
def place(tmp_path: Path, monkeypatch, weps) -> Path:
    """Two names, searched for, clustered and corrected, in one folder of results."""
    monkeypatch.chdir(tmp_path)
    for name, word in (("Ada_Lovell", MARKER), ("Bo_Case", "elsewhere")):
        download(tmp_path / "weps-pages" / name, name.replace("_", " "), word)
    run = ("cluster", "weps-pages", "--cache", "cache")
    assert weps(*run)[0] == 0
    (tmp_path / "weps-out/Ada_Lovell.corrections.txt").write_text(f"called 1 {MARKER}\n")
    changed = tmp_path / "weps-pages/Ada_Lovell/001.html"
    changed.write_text(f"<p>Ada Lovell was a tailor of {MARKER}.")
    assert weps(*run)[0] == 0
    return tmp_path


def entries(place: Path) -> dict[bytes, bytes]:
    """Compressed entries of the cache and their values."""
    database = sqlite3.connect(place / "cache" / "entries.sqlite3")
    values = [row[0] for row in database.execute("SELECT value FROM entries")]
    database.close()
    return {value[32:]: zlib.decompress(value[32:]) for value in values}


def marked_files(place: Path, *marks: bytes) -> set[str]:
    """The files that have any of the marks, in their content or their path."""
    files = [path for path in place.rglob("*") if path.is_file()]
    return {
        path.name
        for path in files
        if any(mark in path.read_bytes() + bytes(path.relative_to(place)) for mark in marks)
    }


def test_nothing_of_a_forgotten_name_is_left_on_the_disk(place, weps):
    marks = (MARKER.encode(), b"Ada Lovell", b"Ada_Lovell")
    before = entries(place)
    compressed = [raw[:48] for raw, value in before.items() if any(map(value.count, marks))]
    suffixes = (".json", ".csv", ".html", ".clust.xml", ".corrections.txt")
    pages = {f"{rank:03}.html" for rank in range(1, 5)} | {"results.jsonl"}
    results = {f"Ada_Lovell{suffix}" for suffix in suffixes}
    results |= {"index.html", "people.csv", "people.parquet", "facts.parquet"}
    assert weps("export", "weps-out", "--name", "ada lovell", "--write", "gedcom,facts")[0] == 0
    assert weps("export", "weps-out/Ada_Lovell.json", "--person", 1)[0] == 0
    results |= {f"Ada_Lovell{suffix}" for suffix in (".ged", ".facts.csv", ".person-1.md")}
    assert marked_files(place, *marks) == pages | results
    # With those of the page as it was before, twice those of comparisons and of the people, and
    # what pages state.
    assert len(compressed) == 10
    assert any(name.startswith("entries") for name in marked_files(place, *compressed))
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    for process, age in ((killed.pid, 0), (os.getpid(), 7200)):
        unfinished = place / f"weps-out/.{process:08x}89abcdef.tmp"
        unfinished.write_text(MARKER)
        os.utime(unfinished, (time.time() - age,) * 2)

    status, printed, told = weps("forget", "ada lovell", "--cache", "cache", "--yes")
    assert status == 0
    assert f"{place / 'weps-pages/Ada_Lovell'} (5 files)" in told
    assert "removed: 9 files and folders\nremoved from the cache: " in printed
    assert marked_files(place, *marks, *compressed) == set()
    assert [raw for raw, value in entries(place).items() if any(map(value.count, marks))] == []
    # Bo Case is as before.
    assert len(list((place / "weps-pages/Bo_Case").iterdir())) == 5
    assert "1 name" in (place / "weps-out/index.html").read_text()
    assert 4 <= len(entries(place)) < len(before) - len(compressed)
    assert weps("forget", "Bo Case", "--cache", "cache", "--yes")[0] == 0
    assert [*(place / "weps-out").iterdir(), *(place / "weps-pages").iterdir()] == []


def test_an_unfinished_search_is_forgotten_as_well(place, weps):
    download(place / "weps-pages/Cy_Noon", "Cy Noon", "noonday")
    assert weps("forget", "Cy Noon", "--cache", "cache", "--yes")[0] == 0
    assert marked_files(place, b"noonday") == set()
    download(place / "my folder", "Cy Noon", "noonday")
    chosen = ("--folder", "my folder", "--cache", "cache", "--yes")
    assert weps("forget", "Cy Noon", *chosen)[0] == 0
    assert marked_files(place, b"noonday") == set()


def test_the_users_own_pages_stay(place, weps):
    (place / "weps-pages/Ada_Lovell/results.jsonl").unlink()
    _, _, told = weps("forget", "Ada Lovell", "--cache", "cache", "--yes", "--json", "f.json")
    done = json.loads((place / "f.json").read_text())
    assert (done["name"], done["kept"]) == ("Ada_Lovell", [str(place / "weps-pages/Ada_Lovell")])
    assert len(done["removed"]) == 5
    assert done["cache_entries"] > 0
    assert "Your own files, from which pages were read, are not deleted:" in told
    assert told.rstrip().endswith("weps-pages/Ada_Lovell (4 files)")
    assert len(list((place / "weps-pages/Ada_Lovell").iterdir())) == 4
    assert not list((place / "weps-out").glob("Ada*"))
    assert not any(MARKER.encode() in value for value in entries(place).values())


def test_a_folder_that_has_the_results_too_is_never_removed_whole(place, weps):
    pages = place / "weps-pages/Ada_Lovell"
    assert weps("cluster", pages, "--out", pages / "out", "--cache", "cache")[0] == 0
    _, _, told = weps("forget", "Ada Lovell", "--out", pages / "out", "--cache", "cache", "--yes")
    assert "Your own files, from" in told
    assert len(list(pages.glob("*.html"))) == 4


def test_nothing_is_removed_unless_somebody_agrees(place, weps, monkeypatch):
    status, _, told = weps("forget", "Ada Lovell", "--cache", "cache")
    assert (status, "confirm with --yes" in told) == (1, True)
    monkeypatch.setattr("weps.cli.console.Console.can_ask", True)
    for answer, left in (("\n", True), ("y\n", False)):
        monkeypatch.setattr(sys, "stdin", type("Input", (), {"readline": lambda _, a=answer: a})())
        assert weps("forget", "Ada Lovell", "--cache", "cache")[0] == int(left)
        assert (place / "weps-out/Ada_Lovell.json").exists() is left
    status, _, told = weps("forget", "Ada Lovell", "--yes")
    assert (status, "the names here are Bo_Case" in told) == (1, True)
