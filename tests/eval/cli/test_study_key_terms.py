"""``weps study key-terms``."""

import json
from pathlib import Path

import pytest

import run_weps
from eval.studies.key_terms import report
from tests.eval.cli.conftest import NAMES
from tests.eval.studies.features.made_up import resamples
from tests.eval.studies.key_terms.test_sources import TEXTS, archive

MORE = {"bread-8": ("The bread rose. Ovens burned.", "bread\noven\n")}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(report, "available", lambda: False)
    with resamples(100):
        yield


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    return archive(tmp_path / "news.zip", TEXTS | MORE)


@pytest.fixture
def annotated(mixed: Path) -> Path:
    (mixed / "attributes").mkdir()
    for name in NAMES:
        (mixed / "attributes" / f"{name}.txt").write_text("1\tOccupation\tbread\n2\tSchool\toven\n")
    return mixed


def study(*words: object) -> int:
    return run_weps.main(["study", "key-terms", *map(str, words)])


def test_documents_and_sections(zipped, tmp_path, capsys):
    written = tmp_path / "study.json"
    assert study("--keyphrases", zipped, "--json", written, "--report", tmp_path / "report") == 0
    data = json.loads(written.read_text())
    assert [each["title"] for each in data["collections"]] == ["news: documents", "news: sections"]
    assert [len(each["topics"]) for each in data["collections"]] == [4, 2]
    assert "ISCORPUS" in (tmp_path / "report" / "index.html").read_text()
    shown = capsys.readouterr().out
    assert "+verb" in shown
    assert data["signature"] in shown


def test_people_without_tags(annotated, tmp_path, capsys):
    written = tmp_path / "study.json"
    assert study(annotated, "--json", written) == 0
    (found,) = json.loads(written.read_text())["collections"]
    assert found["title"] == "WePS-2: attributes"
    assert len(found["topics"]) == 2 * (len(NAMES) - 1)
    assert found["weightings"]["tf"]["recall_at_10"]["value"] == 1
    assert "tfsyntax" not in found["weightings"]
    shown = capsys.readouterr().out
    assert f"Left out, because less is at hand: {NAMES[0]}." in shown
    assert "not studied" in shown


@pytest.mark.slow
def test_the_same_input_gives_the_same_output(zipped, tmp_path):
    outputs = []
    for jobs in (1, 2):
        written = tmp_path / f"{jobs}.json"
        assert study("--keyphrases", zipped, "--json", written, "--jobs", jobs) == 0
        data = json.loads(written.read_text())
        del data["made"]
        outputs.append(data)
    assert outputs[0] == outputs[1]


def test_what_cannot_be_studied(annotated, tmp_path, results, capsys):
    for words, told in (
        ((), "no topics to study"),
        ((annotated, "--pages", 7), "no kind of key concepts has 2 topics"),
        ((results,), "no name has the text of its pages"),
        (("--keyphrases", tmp_path / "none.zip"), "cannot be read"),
    ):
        assert study(*words) != 0
        assert told in capsys.readouterr().err
