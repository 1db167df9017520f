from __future__ import annotations

from pathlib import Path

import pytest

import eval.instances
from eval.instances import read_instances
from eval.instances.reading import READERS
from weps.errors import SourceError

FORMATS = Path(eval.instances.__file__).parents[2] / "docs" / "formats.md"


@pytest.mark.parametrize("name", ["a.txt", "csv", "a.csv.bz2", "a.xlsx", "a"])
def test_other_endings_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match=r"known endings are \.csv, \.tsv, "):
        read_instances(tmp_path / name)


@pytest.mark.parametrize("ending", READERS)
def test_a_missing_file_is_told(tmp_path: Path, ending: str) -> None:
    with pytest.raises(SourceError, match=f"no{ending}: no such file"):
        read_instances(str(tmp_path / f"no{ending}"))


@pytest.mark.parametrize("ending", READERS)
def test_a_folder_is_told(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"folder{ending}").mkdir()
    with pytest.raises(SourceError, match="is no file"):
        read_instances(tmp_path / f"folder{ending}")


@pytest.mark.parametrize("ending", READERS)
def test_rubbish_is_told(tmp_path: Path, ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / f"a{ending}").write_bytes(bytes(range(256)) * 20)
    with pytest.raises(SourceError):
        read_instances(tmp_path / f"a{ending}")


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    example = FORMATS.read_text("utf-8").split("```csv\n")[1].split("```")[0]
    (tmp_path / "example.csv").write_text(example, "utf-8")
    found = read_instances(tmp_path / "example.csv", group="topic")
    assert example.count("\n") == 3
    assert found.left_out == ()
    assert found.instances.measures == ("overlap", "length")
    assert found.instances.values.tolist() == [[0.62, 0.08], [120, float("inf")]]
    assert found.instances.groups == ("tides, and harbours",)


def test_the_documentation_names_every_ending() -> None:
    text = FORMATS.read_text("utf-8")
    assert [ending for ending in READERS if f"`{ending}`" not in text] == []
