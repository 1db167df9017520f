"""``weps study key-terms``."""

import json
from pathlib import Path

import pytest

from tests.conftest import Weps
from tests.eval.cli.conftest import NAMES, mixed, results
from tests.eval.studies.features.made_up import resamples
from tests.eval.studies.key_terms.test_sources import TEXTS, archive

__all__ = ["mixed", "results"]

pytestmark = pytest.mark.slow

MORE = {"bread-8": ("The bread rose. Ovens burned.", "bread\noven\n")}


@pytest.fixture(autouse=True)
def few_resamples():
    with resamples(100):
        yield


@pytest.fixture
def annotated(mixed: Path) -> Path:
    (mixed / "attributes").mkdir()
    for name in NAMES:
        (mixed / "attributes" / f"{name}.txt").write_text("1\tOccupation\tbread\n2\tSchool\toven\n")
    return mixed


def test_documents_and_sections_however_many_processes(weps: Weps, tmp_path: Path) -> None:
    zipped, report = archive(tmp_path / "news.zip", TEXTS | MORE), tmp_path / "report"
    words, outputs = ("study", "key-terms", "--keyphrases", zipped), []
    for jobs, more in ((1, ("--report", report)), (2, ())):
        written = tmp_path / f"{jobs}.json"
        status, out, _ = weps(*words, "--json", written, "--jobs", jobs, *more)
        assert status == 0
        outputs.append(json.loads(written.read_text()) | {"made": ""})
        assert "+verb" in out
        assert outputs[0]["signature"] in out
    data = outputs[0]
    assert data == outputs[1]
    assert [each["title"] for each in data["collections"]] == ["news: documents", "news: sections"]
    assert [len(each["topics"]) for each in data["collections"]] == [4, 2]
    assert "ISCORPUS" in (report / "index.html").read_text()


def test_documents_without_sentences_have_a_report(weps: Weps, tmp_path: Path) -> None:
    texts = {f"sea-{number}": (f"Ships {number}.", "ships\n") for number in range(3)}
    zipped, report = archive(tmp_path / "titles.zip", texts), tmp_path / "report"
    assert weps("study", "key-terms", "--keyphrases", zipped, "--report", report)[0] == 0
    assert not list(report.glob("figure-1*"))


def test_people_without_tags(weps: Weps, annotated: Path, tmp_path: Path) -> None:
    written = tmp_path / "study.json"
    status, out, _ = weps("study", "key-terms", annotated, "--json", written)
    assert status == 0
    (found,) = json.loads(written.read_text())["collections"]
    assert found["title"] == "WePS-2: attributes"
    assert len(found["topics"]) == 2 * (len(NAMES) - 1)
    assert found["weightings"]["tf"]["recall_at_10"]["value"] == 1
    assert "tfsyntax" not in found["weightings"]
    assert f"Left out, because less is at hand: {NAMES[0]}." in out
    assert "not studied" in out


def test_what_cannot_be_studied(weps: Weps, annotated: Path, tmp_path: Path, results: Path) -> None:
    for words, message in (
        ((), "no topics to study"),
        ((annotated, "--pages", 7), "no kind of key concepts has 2 topics"),
        ((results,), "no name has the text of its pages"),
        (("--keyphrases", tmp_path / "none.zip"), "cannot be read"),
    ):
        status, _, err = weps("study", "key-terms", *words)
        assert status != 0
        assert message in err
