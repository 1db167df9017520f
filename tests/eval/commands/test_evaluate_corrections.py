import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import run_weps

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "scores.schema.json").read_text("utf-8"))


def evaluate(*words: object) -> int:
    return run_weps.main(["--quiet", "evaluate", *map(str, words)])


def test_how_few_corrections_reach_the_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert evaluate(DEMO, "--corrections", "--json", tmp_path / "one.json") == 0
    printed = capsys.readouterr().out
    data = json.loads((tmp_path / "one.json").read_text())
    Draft202012Validator(SCHEMA).validate(data)
    ((title, system),) = data["systems"].items()
    assert title == "default (model)"
    assert "|model:" in data["signature"]
    (course,) = system["corrections"]["names"].values()
    assert course["anew"][0] == course["alone"][0] == system["mean"]["bcubed_f05"]
    assert course["anew"][-1] == course["alone"][-1] == course["best"]
    assert "mean F0.5 after corrections" in printed
    assert evaluate(DEMO, "--corrections", "--json", tmp_path / "two.json") == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_a_model_beside_the_baselines(capsys: pytest.CaptureFixture[str]):
    assert evaluate(DEMO, "--corrections", "--baselines", "--system", "paper") == 0
    printed = capsys.readouterr().out
    assert "paper (model)" in printed
    assert "one_in_one" in printed


def test_names_that_the_model_has_learnt_from_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (model,) = (ROOT / "resources" / "models").glob("default.json")
    data = json.loads(model.read_text())
    data["card"]["corpus"]["names"] = ["Robin_Averdale", 7, "Nobody"]
    (tmp_path / "mine.json").write_text(json.dumps(data))
    assert evaluate(DEMO, "--corrections", "--model", tmp_path / "mine.json") == 0
    told = capsys.readouterr()
    assert "the model has learnt from 1 of these 1 names" in told.err
    assert "mine (model)" in told.out


@pytest.mark.parametrize("card", [{}, {"corpus": 3}, {"corpus": {"names": 3}}])
def test_a_card_that_says_nothing(card: dict, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = json.loads((ROOT / "resources" / "models" / "default.json").read_text())
    (tmp_path / "mine.json").write_text(json.dumps({**data, "card": card}))
    assert evaluate(DEMO, "--corrections", "--model", tmp_path / "mine.json") == 0
    assert "learnt from" not in capsys.readouterr().err


def test_nothing_to_score(capsys: pytest.CaptureFixture[str]):
    assert evaluate(DEMO) == 1
    assert "or add --baselines or --corrections" in capsys.readouterr().err
