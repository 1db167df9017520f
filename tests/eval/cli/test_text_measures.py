"""The list of measures: on the terminal, as JSON, as the page of the documentation."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from eval.text.measure_sets import MEASURE_SETS
from eval.text.registry import MEASURE_FAMILIES
from tests.conftest import Weps

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("words", [[], ["--markdown"]])
def test_every_family_and_set_is_listed(weps: Weps, words: list[str]) -> None:
    status, out, err = weps("text", "measures", *words)
    assert (status, err) == (0, "")
    for each in MEASURE_FAMILIES.values():
        assert each.name in out
        assert each.description[1:] in out
        assert all(name in out for name in each.parameters)
    assert all(name in out and each.description in out for name, each in MEASURE_SETS.items())


def test_the_list_tells_what_is_usual(weps: Weps) -> None:
    lines = weps("text", "measures")[1].splitlines()
    (at,) = [
        at for at, line in enumerate(lines) if line.split()[:1] == ["rouge"] and "  n-" in line
    ]
    assert lines[at + 1].strip() == (
        "n, part=f, beta=1.0, stop=false, stem=false, unicode=false, references=mean"
    )


def test_the_page_tells_formula_source_and_needs(weps: Weps) -> None:
    page = weps("text", "measures", "--markdown")[1]
    for each in MEASURE_FAMILIES.values():
        section = page.split(f"\n### `{each.name}`\n")[1].split("\n###")[0]
        assert f"- formula: {each.formula}\n" in section
        assert f"- source: {each.source}\n" in section
        needs = f"- needs: {', '.join(sorted(each.needs))}"
        assert (needs in section) == bool(each.needs or each.needs_when)
        assert section.count(" where `") == len(each.needs_when)
        assert (f"together`: {each.joined}" in section) == bool(each.joined)
        for name, parameter in each.parameters.items():
            assert f"\n| `{name}` | " in section
            assert f" | {parameter.allowed} | {parameter.about} |" in section


def test_the_page_of_the_documentation_is_what_the_command_writes(weps: Weps) -> None:
    page = (ROOT / "docs" / "measures.md").read_text("utf-8")
    assert page == weps("text", "measures", "--markdown")[1], (
        "run: weps text measures --markdown > docs/measures.md"
    )


def test_json_keeps_to_its_schema(weps: Weps, tmp_path: Path) -> None:
    weps("text", "measures", "--json", tmp_path / "measures.json")
    data = json.loads((tmp_path / "measures.json").read_text())
    schema = json.loads((ROOT / "docs" / "schema" / "measures.schema.json").read_text())
    jsonschema.validate(data, schema)
    assert [each["name"] for each in data["families"]] == list(MEASURE_FAMILIES)
    (rouge,) = [each["parameters"] for each in data["families"] if each["name"] == "rouge"]
    assert (rouge["n"]["default"], rouge["n"]["allowed"]) == (None, "1 to 100")
    assert rouge["stem"]["default"] is False
    assert {name: each["measures"] for name, each in data["sets"].items()} == {
        name: list(map(str, each.measures)) for name, each in MEASURE_SETS.items()
    }


@pytest.mark.slow
def test_neither_a_language_nor_a_learning_library_is_imported() -> None:
    program = (
        "import sys, run_weps;"
        "status = run_weps.main(['text', 'measures']);"
        "heavy = {'sklearn', 'spacy', 'joblib', 'nltk', 'sacrebleu'} & sys.modules.keys();"
        "print(*sorted(heavy), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout
    assert run.stderr.split() == []
