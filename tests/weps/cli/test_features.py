"""The list of features: on the terminal and as JSON."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from weps.cli import features as command
from weps.cli.console import Console
from weps.features.registry import all_features
from weps.systems import FEATURE_SETS, similarities_of

ROOT = Path(__file__).resolve().parents[3]

Listed = Callable[..., str]


@pytest.fixture
def listed(capsys: pytest.CaptureFixture[str]) -> Listed:
    """Run the command; what it prints."""

    def run(**options: Any) -> str:
        assert command.run_command(command.Options(**options), Console()) == 0
        return capsys.readouterr().out

    return run


def test_every_feature_and_set_is_listed(listed):
    out = listed()
    for each in all_features():
        assert str(each) in out
        assert each.description in out
        assert each.source in out
    assert all(name in out and each.description in out for name, each in FEATURE_SETS.items())


def test_json_keeps_to_its_schema(listed, tmp_path):
    listed(json=tmp_path / "features.json")
    data = json.loads((tmp_path / "features.json").read_text())
    schema = json.loads((ROOT / "docs" / "schema" / "features.schema.json").read_text())
    jsonschema.validate(data, schema)
    assert [each["name"] for each in data["features"]] == [str(each) for each in all_features()]
    assert data["sets"]["tokens"]["features"] == ["token"]
    assert data["sets"]["tokens"]["similarities"] == ["dice(token)"]
    for name, each in data["sets"].items():
        members = similarities_of(name)
        assert each["similarities"] == list(map(str, members))
        assert set(each["features"]) == {str(member.feature) for member in members}
        assert len(set(each["features"])) == len(each["features"])


def test_neither_a_language_nor_a_learning_library_is_imported():
    program = (
        "import sys; from weps.cli import features as command;"
        "from weps.cli.console import Console;"
        "command.run_command(command.Options(), Console());"
        "print(*sorted({'sklearn', 'spacy', 'joblib'} & sys.modules.keys()), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout
    assert run.stderr.split() == []
