"""``weps study refinements``, of small corpora."""

import json
from pathlib import Path

import pytest

from tests.eval.cli.conftest import NAMES, mixed, results

__all__ = ["mixed", "results"]

pytestmark = pytest.mark.slow

TRADES = "oven", "keel"
STUDY = "--quiet", "study", "refinements"


@pytest.fixture
def trades(mixed: Path) -> Path:
    """The corpus of that name, with a word of their own for the baker and the sailor."""
    for file in (mixed / "tokens").iterdir():
        lines = [f"{rank:03}\t0\t{TRADES[rank % 2]} bread tide" for rank in range(1, 7)]
        file.write_text("\n".join(lines) + "\n")
    return mixed


def test_a_corpus_of_word_lists(weps, trades, tmp_path):
    json_file, report = tmp_path / "study.json", tmp_path / "report"
    words = ("study", "refinements", trades, "--json", json_file)
    status, out, err = weps(*words, "--report", report)
    assert status == 0
    assert "nearly the same" in err
    assert "Table 6: people with ≥3 pages" in out
    assert "Left out, because less than content words without case is available: ADA_LOVELL." in out
    assert "corpus:sha256-" in out
    assert (report / "index.html").stat().st_size > 10_000
    data = json.loads(json_file.read_text())
    assert (data["form"], data["names"]) == ("tokens", list(NAMES[1:]))
    assert {person["found"]["best-all"]["f"] for person in data["people"]} == {1.0}
    weps(*words)
    assert json.loads(json_file.read_text()) | {"made": data["made"]} == data


def test_what_cannot_be_studied(weps, mixed, results):
    (mixed / "attributes").mkdir()
    (mixed / "attributes" / f"{NAMES[1]}.txt").write_text("1\twork\tx\nno rank\n")
    for words, message in (
        ((results,), "no name has the text of its pages"),
        ((mixed, "--form", "pages"), "no name has whole pages"),
        ((mixed,), f"{NAMES[1]}.txt, line 2: 'no rank' is not a rank"),
        ((mixed, "--json", results / "missing" / "study.json"), "no such folder"),
    ):
        status, _, err = weps(*STUDY, *words)
        assert status == 1
        assert message in err
