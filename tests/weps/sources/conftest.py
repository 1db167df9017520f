"""Small corpora and folders, built anew for each test."""

from collections.abc import Callable
from pathlib import Path

import pytest

Plant = Callable[[dict[str, str | bytes]], Path]

WEPS1 = {
    "description_files/Ann_Example.xml": """<?xml version="1.0" encoding="UTF-8"?>
<corpus search_string="Ann Example">
  <doc rank="2" url="http://two.example/?a=1&amp;copy=2" />
  <doc rank="0" title="I teach logic &amp;amp; sets." url="http://zero.example/">
    <snippet>Ann&amp;#39;s   home</snippet>
  </doc>
  <doc rank="1" title="" url="http://one.example/"><snippet>Other Ann</snippet></doc>
</corpus>
""",
    "truth_files/Ann_Example.clust.xml": """<clustering>
  <entity id="0"><doc rank="0" /></entity>
  <entity id="1"><doc rank="1" /></entity>
  <discarded><doc rank="2" /></discarded>
</clustering>
""",
    "web_pages/Ann_Example/raw/000/index.html": b"<title>Ann\xe9</title>",
    "web_pages/Ann_Example/raw/001/index.html": b"",
    "description_files/Bob_Case.xml": '<corpus search_string="Bob Case"><doc rank="0"/></corpus>',
}

WEPS2 = {
    "metadata/ANN_EXAMPLE.xml": """<corpus searchString="&quot;Ann EXAMPLE&quot;" lang="en">
  <doc rank="1" title="A &amp;amp; B" url="http://1.example/" inWepsCorpus="yes">
    <snippet>Ann &amp;gt; &lt;b&gt;Example&lt;/b&gt;</snippet>
  </doc>
  <doc rank="2" title="left out" url="http://2.example/" inWepsCorpus="no"/>
  <doc rank="4" title="four" url="http://4.example/" inWepsCorpus="yes"/>
</corpus>
""",
    "gold_standard/ANN_EXAMPLE.xml": """<clustering searchString="ANN EXAMPLE">
<entity id="7" name="PAINTER" notes=""><doc rank="4" notes=""/></entity>
<entity id="3" name="JUDGE &amp; POET" notes=""><doc rank="1" notes="x"/></entity>
</clustering>
""",
    "tokens/ANN_EXAMPLE.txt": "001\t0\tlogic set\u2028theory\n004\t1\tpaint\n",
    "metadata/BOB_CASE.xml": '<corpus searchString="BOB CASE"><doc rank="1"/></corpus>',
}


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Return a function that writes files below a fresh folder and returns that folder."""

    def write(files: dict[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / "source" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "source"

    return write


@pytest.fixture
def weps1(plant: Plant) -> Path:
    """A WePS-1 corpus of two names, one of which has neither key nor pages."""
    return plant(WEPS1)


@pytest.fixture
def weps2(plant: Plant) -> Path:
    """A WePS-2 corpus of two names, one of which has neither key nor tokens."""
    return plant(WEPS2)
