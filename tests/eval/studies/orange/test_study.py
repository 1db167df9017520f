"""ORANGE from the command line."""

import json
from pathlib import Path

import jsonschema
import pytest

from eval.text.testbed import Testbed, write_testbed
from tests.conftest import Weps
from tests.eval.studies.made_up import words, written

SCHEMA = Path(__file__).resolve().parents[4] / "docs" / "schema" / "meta-orange.schema.json"
MEASURES = "rouge(n=1),rouge_l,overlap"


def made(path: Path) -> dict:
    data = json.loads(path.read_text())
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    return data


def test_a_testbed(weps: Weps, tmp_path: Path) -> None:
    testbed, json_file, report = (tmp_path / name for name in ("t.jsonl", "o.json", "report"))
    written(testbed)
    status, out, err = weps(
        *("meta", "orange", testbed, "--measures", MEASURES),
        *("--json", json_file, "--report", report),
    )
    assert (status, err) == (0, "")
    for title in ("How measures rank references", "Likeness and acceptability", "What holds here"):
        assert title in out
    assert "|listing:together|ties:0.0|triples:distinct|seed:0|" in out
    data = made(json_file)
    assert data["orange_with_king"] is not None
    assert [each["references"] for each in data["stability"]] == [4]
    assert (report / "index.html").stat().st_size > 10_000


def test_two_references_are_enough(weps: Weps, tmp_path: Path) -> None:
    testbed = written(tmp_path / "t.jsonl", words(references=2))
    status, out, _ = weps(
        *("meta", "orange", testbed, "--measures", MEASURES, "--json", tmp_path / "o.json")
    )
    assert status == 0
    assert "fewer than 4 references, so there is no KING" in out
    data = made(tmp_path / "o.json")
    assert {each["king"] for each in data["measures"].values()} == {None}


def test_one_reference_is_not(weps: Weps, tmp_path: Path) -> None:
    testbed = written(tmp_path / "t.jsonl", words(references=1))
    status, _, err = weps("meta", "orange", testbed, "--measures", MEASURES)
    assert status == 1
    assert "2 references are needed, and no topic has more than 1" in err


def test_similarities_that_were_kept_are_a_source_of_qarla_too(weps: Weps, tmp_path: Path) -> None:
    testbed, kept = written(tmp_path / "t.jsonl"), tmp_path / "kept.csv"
    assert weps("meta", "orange", testbed, "--measures", MEASURES, "--keep", kept)[0] == 0
    assert weps("meta", "orange", kept, "--listing", "apart", "--ties", "half")[0] == 0
    status, out, _ = weps("meta", "qarla", kept)
    assert status == 0
    assert "JACK of the best set" in out


@pytest.mark.parametrize(
    ("option", "told"), [(("--listing", "long"), "apart, together"), (("--ties", "2"), "half")]
)
def test_choices_are_told(weps: Weps, capsys, option, told: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        weps("meta", "orange", "t.jsonl", *option)
    assert told in capsys.readouterr().err


def test_translations_of_people_and_systems(weps: Weps, weps_data: Path, tmp_path: Path) -> None:
    from eval.text.convert.sentences import convert_wmt  # noqa: PLC0415

    whole = convert_wmt(weps_data / "text" / "wmt21_deen")
    part = Testbed(whole.name, whole.language, whole.source, whole.topics[:20])
    write_testbed(part, tmp_path / "part.jsonl")
    json_file = tmp_path / "o.json"
    options = ("--measures", "rouge(n=1),rouge_l", "--json", json_file)
    status, out, _ = weps("meta", "orange", tmp_path / "part.jsonl", *options)
    assert status == 0
    assert "By system_z people judged whole systems" in out
    assert "Likeness and acceptability" not in out
    data = made(json_file)
    for figures in data["measures"].values():
        assert figures["orange"]["value"] < 0.5  # systems are more like one person than another
