from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from eval.instances import read_instances
from tests.eval.instances.made_up import said
from weps.errors import SourceError, ValuesError

COLUMNS: dict[str, list[Any]] = {
    "label": [True, False, True],
    "who": ["Ada", "Bo", "Ada"],
    "x": [1, 2, 3],
    "y.z(n=2)": [0.5, float("inf"), -1.0],
}


def written(folder: Path, **changed: list[Any]) -> Path:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({**COLUMNS, **changed}), folder / "a.parquet")
    return folder / "a.parquet"


def test_typed_columns(tmp_path: Path) -> None:
    found = read_instances(written(tmp_path), group="who")
    values = [[1, 2, 3], [0.5, float("inf"), -1]]
    measures, groups = ("x", "y.z(n=2)"), ("Ada", "Bo")
    assert said(found.instances) == (measures, values, [True, False, True], [0, 1, 0], groups)
    assert found.left_out == ()


@pytest.mark.parametrize("label", [[1, 0, 1], [1.0, 0.0, 1.0], ["yes", "no", "yes"]])
def test_labels_of_any_type(tmp_path: Path, label: list[Any]) -> None:
    found = read_instances(written(tmp_path, label=label))
    assert found.instances.positive.tolist() == [True, False, True]
    assert found.left_out == ("who",)


@pytest.mark.parametrize(
    ("changed", "measures", "message"),
    [
        ({"x": [1, 2, None]}, None, "row 3: 1 of the values in the column 'x' are missing"),
        ({"label": [True, None, False]}, None, "row 2: '' in the column 'label' is no label"),
        ({}, ["who"], "the column 'who' holds no numbers but 'string'"),
        ({}, ["z"], "no column 'z'"),
        ({"label": [True, True, True]}, None, "all instances are labelled as positive"),
    ],
)
def test_columns_that_do_not_fit(
    tmp_path: Path, changed: dict[str, list[Any]], measures: list[str] | None, message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        read_instances(written(tmp_path, **changed), measures=measures)


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"PAR1" + b"x" * 100 + b"PAR1"])
def test_a_damaged_file_is_told(tmp_path: Path, damage: bytes) -> None:
    path = written(tmp_path)
    path.write_bytes(damage)
    with pytest.raises(SourceError, match="cannot be read"):
        read_instances(path)


def test_what_to_install_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(SourceError, match=r"needs pyarrow.*pip install 'weps\[tables\]'"):
        read_instances(tmp_path / "a.parquet")
