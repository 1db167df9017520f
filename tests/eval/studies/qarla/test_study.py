"""QARLA from the command line."""

import json
from pathlib import Path

import jsonschema
import pytest

from eval.text.testbed import Testbed, write_testbed
from tests.conftest import Weps
from tests.eval.studies.made_up import words, written

pytestmark = pytest.mark.slow

SCHEMA = Path(__file__).resolve().parents[4] / "docs" / "schema" / "meta-qarla.schema.json"
MEASURES = "rouge(n=1),rouge_l,overlap"


@pytest.fixture
def testbed(tmp_path: Path) -> Path:
    return written(tmp_path / "tides.jsonl")


def made(path: Path) -> dict:
    data = json.loads(path.read_text())
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    return data


def test_a_testbed(weps: Weps, testbed: Path, tmp_path: Path) -> None:
    json_file, report = tmp_path / "study.json", tmp_path / "report"
    status, out, err = weps(
        *("meta", "qarla", testbed, "--measures", MEASURES),
        *("--json", json_file, "--report", report),
    )
    assert (status, err) == (0, "")
    assert out.startswith("Tides: 3 topics with 5 references and 4 outputs each, 3 measures.\n")
    assert "Resampling 3 groups gives rough intervals" in out
    for title in ("KING of single measures", "KING of sets", "JACK of the best", "What holds here"):
        assert title in out
    assert "|triples:distinct|clusters:10/set|seed:0|weps:" in out
    data = made(json_file)
    assert set(data["measures"]) == {"rouge(n=1)", "rouge_l", "overlap"}
    assert data["sets"]["tried"] == 7
    assert (report / "index.html").stat().st_size > 10_000


def test_similarities_that_were_kept_are_a_source(
    weps: Weps, testbed: Path, tmp_path: Path
) -> None:
    """Whatever the number of processes that compared them."""
    kept, again, first, second = (tmp_path / name for name in ("k.csv", "a.csv", "1", "2"))
    options = ("meta", "qarla", testbed, "--measures", MEASURES)
    assert weps(*options, "--keep", kept, "--json", first)[0] == 0
    assert weps(*options, "--keep", again, "--jobs", 2)[0] == 0
    assert again.read_bytes() == kept.read_bytes()
    assert weps("meta", "qarla", kept, "--json", second)[0] == 0
    one, two = made(first), made(second)
    for changing in ("signature", "made", "source"):
        assert one.pop(changing) != two.pop(changing)
    del one["remarks"], two["remarks"]
    assert one == two
    status, out, _ = weps("meta", "qarla", kept, "--measures", "rouge_l")
    assert status == 0
    assert ", 1 measure." in out


def test_triples_decide_how_many_references_are_needed(weps: Weps, tmp_path: Path) -> None:
    path = written(tmp_path / "few.jsonl", words(references=3))
    status, out, err = weps("meta", "qarla", path, "--measures", MEASURES)
    assert (status, out) == (1, "")
    assert "4 references are needed, and no topic has more than 3" in err
    assert "choose --triples pairs (3 references) or all (2 references)" in err
    status, out, _ = weps("meta", "qarla", path, "--measures", MEASURES, "--triples", "pairs")
    assert status == 0
    assert "|triples:pairs|" in out


@pytest.mark.parametrize(
    ("options", "remark"),
    [
        (("--triples", "some"), "expected one of distinct, pairs, all, got 'some'"),
        (("--linkage", "loose"), "expected one of set, average, complete, single, got 'loose'"),
        (("--clusters", "0"), "expected a number from 1 to 1,000, got '0'"),
    ],
)
def test_choices_are_named(weps: Weps, testbed: Path, capsys, options, remark: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        weps("meta", "qarla", testbed, *options)
    assert remark in capsys.readouterr().err


def test_settings_and_human_scores_may_be_chosen(weps: Weps, testbed: Path) -> None:
    options = ("--clusters", 2, "--linkage", "average", "--size", 2, "--seed", 3)
    chosen = ("--measures", MEASURES, "--human", "fluency")
    status, out, _ = weps("meta", "qarla", testbed, *chosen, *options)
    assert status == 0
    assert "|clusters:2/average|size:2|seed:3|" in out
    status, _, err = weps("meta", "qarla", testbed, "--measures", MEASURES, "--human", "taste")
    assert status == 1
    assert "there is no criterion 'taste'" in err


def test_summaries_of_people_and_systems(weps: Weps, weps_data: Path, tmp_path: Path) -> None:
    from eval.text.convert.summaries import convert_summeval  # noqa: PLC0415

    whole = convert_summeval(weps_data / "text" / "summeval")
    part = Testbed(whole.name, whole.language, whole.source, whole.topics[:8])
    write_testbed(part, tmp_path / "part.jsonl")
    names = ("rouge(n=1, part=precision)", "rouge(n=1, part=recall)", "rouge(n=2, part=recall)")
    json_file = tmp_path / "study.json"
    options = ("--measures", ",".join(names), "--json", json_file)
    assert weps("meta", "qarla", tmp_path / "part.jsonl", *options)[0] == 0
    data = made(json_file)
    assert next(iter(data["measures"])) == names[0]  # systems copy: only precision tells
    assert data["measures"][names[0]]["king"]["value"] > 0.2
    assert len(data["systems"]) == 16
    assert len(data["references"]) == 11
