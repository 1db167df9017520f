"""Small corpora to learn from: search results with or without word lists, and saved pages."""

import re
from pathlib import Path

import pytest

from weps.records import Clustering
from weps.sources.corpora import clustering_xml

NAMES = tuple(f"{first}_LOVELL" for first in ("ADA", "BEA", "CLEO", "DORA", "ELLA", "FAY"))
KEY = Clustering((frozenset({1, 3, 5}), frozenset({2, 4, 6})))


def write_weps2(root: Path, with_tokens: tuple[str, ...], names: tuple[str, ...] = NAMES) -> Path:
    """A WePS-2 corpus of these names with a baker and a sailor each; some have word lists."""
    for part in ("metadata", "gold_standard", "tokens"):
        (root / part).mkdir(parents=True)
    for name in names:
        results = "".join(
            f'<doc rank="{rank}" title="Lovell {rank % 2}" url="http://s{rank}.example/" '
            f'mimeType="text/html" inWepsCorpus="yes"><snippet>words</snippet></doc>'
            for rank in range(1, 7)
        )
        text = f'<corpus searchString="{name.replace("_", " ")}">{results}</corpus>'
        (root / "metadata" / f"{name}.xml").write_text(text)
        (root / "gold_standard" / f"{name}.xml").write_text(clustering_xml(KEY), "utf-8")
        if name in with_tokens:
            lines = [f"{rank:03}\t0\tbaker{rank % 2} bread oven" for rank in range(1, 7)]
            (root / "tokens" / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return root


def write_halves(root: Path) -> list[Path]:
    """Two WePS-2 corpora that hold three of the six names each, search results only."""
    return [write_weps2(root / f"half{at}", (), NAMES[at : at + 3]) for at in (0, 3)]


def listed(root: Path, names: tuple[str, ...]) -> Path:
    """The corpus, pages of these names not found by search but listed by their addresses."""
    for name in names:
        path = root / "metadata" / f"{name}.xml"
        without = re.sub(r' title="[^"]*"|(?<=<snippet>)words', "", path.read_text())
        path.write_text(without)
    return root


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """One of the names, ADA_LOVELL, is known by its search results only."""
    return write_weps2(tmp_path / "mixed", NAMES[1:])


@pytest.fixture
def halves(tmp_path: Path) -> list[Path]:
    """Two corpora, which hold half of the names each; all are known by search results only."""
    return write_halves(tmp_path)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """All names are known by their search results only."""
    return write_weps2(tmp_path / "results", ())


def write_saved(root: Path) -> Path:
    """Saved pages of the same names."""
    for name in NAMES:
        folder = root / name
        folder.mkdir(parents=True)
        for rank in range(1, 7):
            text = f"<title>Lovell</title><p>Lovell, trade{rank % 2} in {name}.<p>Page{rank}."
            (folder / f"{rank:03}.html").write_text(text)
        (folder / "key.xml").write_text(clustering_xml(KEY), "utf-8")
    return root


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Saved pages of the same names."""
    return write_saved(tmp_path / "saved")
