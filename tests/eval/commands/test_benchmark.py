"""Cross-validation over a corpus in which not every name has its pages."""

import json
from pathlib import Path

import pytest

import run_weps
from weps.records import Clustering
from weps.sources import write_clustering

NAMES = tuple(f"{first}_LOVELL" for first in ("ADA", "BEA", "CLEO", "DORA", "ELLA", "FAY"))
WITHOUT_PAGES = "ADA_LOVELL"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A WePS-2 corpus of six names; one of them is known by its search results only."""
    for part in ("metadata", "gold_standard", "tokens"):
        (tmp_path / part).mkdir()
    for name in NAMES:
        results = "".join(
            f'<doc rank="{rank}" title="Lovell {rank % 2}" url="http://s{rank}.example/" '
            f'mimeType="text/html" inWepsCorpus="yes"><snippet>words</snippet></doc>'
            for rank in range(1, 7)
        )
        text = f'<corpus searchString="{name.replace("_", " ")}">{results}</corpus>'
        (tmp_path / "metadata" / f"{name}.xml").write_text(text)
        key = Clustering((frozenset({1, 3, 5}), frozenset({2, 4, 6})))
        write_clustering(key, tmp_path / "gold_standard" / f"{name}.xml")
        if name != WITHOUT_PAGES:
            lines = [f"{rank:03}\t0\tbaker{rank % 2} bread oven" for rank in range(1, 7)]
            (tmp_path / "tokens" / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_names_without_pages_learn_from_the_results_of_the_others(
    corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.json"
    assert run_weps.main(["benchmark", "--cv", "2", str(corpus), "--json", str(out)]) == 0
    systems = json.loads(out.read_text())["systems"]
    assert set(systems["tree"]["names"]) == set(NAMES)
    assert set(systems) == {"tree", "all_in_one", "one_in_one", "combined"}
