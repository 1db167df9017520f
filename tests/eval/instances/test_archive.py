from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from eval.instances import read_instances
from tests.eval.instances.made_up import said, small
from weps.errors import SourceError, ValuesError, WepsError

GOOD = {
    "values": np.array([[1, 2], [3, 4]]),
    "measures": np.array(["x", "y"]),
    "positive": np.array([True, False]),
    "group": np.array([1, 0]),
    "groups": np.array(["Ada", "Bo"]),
}


def packed(folder: Path, **changed: np.ndarray | None) -> Path:
    arrays = {name: array for name, array in {**GOOD, **changed}.items() if array is not None}
    np.savez(folder / "a.npz", **arrays)
    return folder / "a.npz"


def test_the_arrays_that_are_read(tmp_path: Path) -> None:
    found = read_instances(packed(tmp_path)).instances
    assert said(found) == (("x", "y"), [[1, 2], [3, 4]], [True, False], [1, 0], ("Ada", "Bo"))
    assert found.values.dtype == np.float64


def test_without_groups_all_are_of_one(tmp_path: Path) -> None:
    found = read_instances(packed(tmp_path, group=None, groups=None)).instances
    assert (found.group.tolist(), found.groups) == ([0, 0], ("all",))


def test_measures_are_chosen(tmp_path: Path) -> None:
    found = read_instances(packed(tmp_path), measures=["y"]).instances
    assert said(found) == said(read_instances(packed(tmp_path)).instances.only(["y"]))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"values": None}, "no array 'values'"),
        ({"groups": None}, "no array 'groups'; did you mean 'group'"),
        ({"values": np.array(["a", "b"])}, "values has type '<U1' and shape .*make it numbers"),
        ({"values": np.array([1.0, 2.0])}, "values has type 'float64' and shape"),
        ({"positive": np.array([1, 0])}, "positive has type 'int64'.*make it true or false"),
        ({"measures": np.array(["x", "x"])}, r"a\.npz: two measures are called 'x'"),
        ({"values": np.array([[1, np.nan], [3, 4]])}, r"a\.npz, instance 1.*'x' is NaN"),
        ({"group": np.array([0, 2])}, "group that has no name"),
        ({"positive": np.array([False, False])}, "all instances are labelled as negative"),
        ({"values": np.zeros((0, 2)), "measures": np.array([], str)}, "no column is a measure"),
    ],
)
def test_arrays_that_do_not_fit(
    tmp_path: Path, changed: dict[str, np.ndarray | None], message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        read_instances(packed(tmp_path, **changed))


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_instances(packed(tmp_path, measures=np.array(["x", None], dtype=object)))


def test_one_array_is_no_archive(tmp_path: Path) -> None:
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, small().values)
    with pytest.raises(SourceError, match="one array, no archive"):
        read_instances(tmp_path / "a.npz")


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path)
    whole = path.read_bytes()
    generator = np.random.default_rng(0)
    for position in generator.integers(len(whole), size=150).tolist():
        path.write_bytes(whole[:position] + b"\xa5" + whole[position + 1 :])
        _read_or_told(path)
        path.write_bytes(whole[:position])
        _read_or_told(path)


def _read_or_told(path: Path) -> None:
    try:
        read_instances(path)
    except WepsError as error:
        assert len(str(error)) < 700  # noqa: PT017 - some damage leaves the arrays as they were


def test_a_shape_that_no_memory_holds_is_told(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    head = {"descr": "<f8", "fortran_order": False, "shape": (1_000_000, 1_000_000_000)}
    np.lib.format.write_array_header_1_0(buffer, head)
    path = packed(tmp_path, values=None)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("values.npy", buffer.getvalue())
    with pytest.raises(SourceError, match="cannot be read"):
        read_instances(path)
