"""Instances, and the tables and archives that hold them."""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import OutputError, SourceError, ValuesError, WepsError
from weps_eval import tables

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
NUMBERS = st.floats(allow_nan=False)


def small() -> tables.Instances:
    """Two measures of four instances in two groups."""
    values = np.array([[0.5, 0.25, 0.0, 1.0], [3.0, 2.0, np.inf, -1.5]])
    positive = np.array([True, False, False, True])
    group = np.array([0, 0, 1, 1], dtype=np.int32)
    return tables.Instances(("dice(token)", "length"), values, positive, group, ("Ada", "Bo"))


@st.composite
def instances(draw: st.DrawFn) -> tables.Instances:
    """Instances of both labels; every group has one, in order of first appearance."""
    named = NAMES.filter(lambda name: name not in ("label", "group"))
    measures = draw(st.lists(named, min_size=1, max_size=3, unique=True))
    groups = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    size = draw(st.integers(max(2, len(groups)), 6))
    row = st.lists(NUMBERS, min_size=size, max_size=size)
    values = draw(st.lists(row, min_size=len(measures), max_size=len(measures)))
    rest = size - len(groups)
    positive = [True, False, *draw(st.lists(st.booleans(), min_size=size - 2, max_size=size - 2))]
    further = st.lists(st.integers(0, len(groups) - 1), min_size=rest, max_size=rest)
    group = np.array([*range(len(groups)), *draw(further)], dtype=np.int32)
    return tables.Instances(
        tuple(measures), np.array(values), np.array(positive), group, tuple(groups)
    )


def contents(given_: tables.Instances) -> tuple[Any, ...]:
    arrays = (given_.values, given_.positive, given_.group)
    return (given_.measures, *(array.tolist() for array in arrays), given_.groups)


@given(instances(), st.data())
def test_what_is_parted_can_be_joined(whole, data):
    size = len(whole.positive)
    first = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    again = tables.join_instances([whole.of(first), whole.of(~first)])
    order = np.argsort(~first, kind="stable")
    assert again.values.tolist() == whole.values[:, order].tolist()
    assert again.positive.tolist() == whole.positive[order].tolist()
    names = [[each.groups[index] for index in each.group] for each in (again, whole)]
    assert names[0] == [names[1][index] for index in order]
    assert len(again.groups) == len(whole.groups)


ARRAYS = {"values": np.array([[1, 2], [3, 4]]), "names": np.array(["x", "y"])}


def unpacked(folder: Path, **changed: np.ndarray) -> dict[str, np.ndarray]:
    np.savez(folder / "a.npz", **{**ARRAYS, **changed})
    return arrays_of(folder / "a.npz")


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with tables.open_archive(path) as archive:
        return {name: archive[name] for name in archive.files}


def test_nothing_is_unpickled(tmp_path):
    assert unpacked(tmp_path)["values"].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(SourceError, match="cannot be read"):
        unpacked(tmp_path, names=np.array(["x", None], dtype=object))
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, np.zeros((2, 4)))
    with pytest.raises(SourceError, match="expected an archive"):
        arrays_of(tmp_path / "a.npz")


def test_a_damaged_archive_is_told(tmp_path):
    unpacked(tmp_path)
    path = tmp_path / "a.npz"
    whole = path.read_bytes()
    for position in np.random.default_rng(0).integers(len(whole), size=150).tolist():
        for damaged in (whole[:position] + b"\xa5" + whole[position + 1 :], whole[:position]):
            path.write_bytes(damaged)
            try:
                arrays_of(path)
            except WepsError as error:
                assert len(str(error)) < 700  # noqa: PT017 - some damage leaves the arrays


def test_a_shape_that_no_memory_holds_is_told(tmp_path, monkeypatch):
    unpacked(tmp_path)
    buffer = io.BytesIO()
    head = {"descr": "<f8", "fortran_order": False, "shape": (1_000_000, 1_000_000_000)}
    np.lib.format.write_array_header_1_0(buffer, head)
    with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
        archive.writestr("more.npy", buffer.getvalue())
    with pytest.raises(SourceError, match="cannot be read"):
        arrays_of(tmp_path / "a.npz")
    monkeypatch.setattr(tables, "MOST_BYTES", 100)
    with pytest.raises(SourceError, match="over "):
        arrays_of(tmp_path / "a.npz")


def read(
    folder: Path, text: str | bytes, name: str = "a.csv", **asked: Any
) -> tuple[tables.Instances, tuple[str, ...]]:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return tables.read_instances(path, **asked)


PLAIN = "label,x,y\nyes,1,-2.5\nno,1e3,inf\n"


@each_case(
    ("text", "name"),
    [
        (PLAIN, "a.csv"),
        (PLAIN, "A.CSV"),
        (PLAIN.replace(",", "\t"), "a.tsv"),
        (gzip.compress(PLAIN.encode(), mtime=0), "a.csv.gz"),
        (gzip.compress(PLAIN.replace(",", "\t").encode(), mtime=0), "a.TSV.gz"),
        ("\ufeff" + PLAIN, "a.csv"),
        (PLAIN.replace("\n", "\r\n"), "a.csv"),
        (PLAIN.replace("\n", "\r"), "a.csv"),
        (PLAIN.replace("\n", "\n\n"), "a.csv"),
        (PLAIN.replace(",", ", "), "a.csv"),
        (PLAIN.rstrip(), "a.csv"),
        ('"label","x","y"\n"yes","1","-2.5"\n"no","1e3","inf"', "a.csv"),
        *(
            (PLAIN.replace("yes", one).replace("no", other), "a.csv")
            for one, other in (
                pair.split("/")
                for pair in "true/false 1/0 1.0/0.0 positive/negative +/- "
                "coreferent/other TRUE/False Yes/NO".split()
            )
        ),
    ],
)
def test_tables_as_programs_write_them(tmp_path, text, name):
    found, _ = read(tmp_path, text, name)
    assert found.measures == ("x", "y")
    assert found.values.tolist() == [[1, 1000], [-2.5, np.inf]]
    assert found.positive.tolist() == [True, False]
    assert (found.groups, found.group.tolist()) == (("all",), [0, 0])


@pytest.mark.parametrize("block", [1, 2, 2000])
def test_rows_are_read_in_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr(tables, "_BLOCK", block)
    text = "id,label,x,late,empty,page\n,1,1,1,,2_1\nb,0,2,2,NA,2_2\nc,0,3,text,,2_3\n"
    found, left_out = read(tmp_path, text)
    assert found.measures == ("x",)
    assert left_out == ("id", "late", "empty", "page")
    with pytest.raises(ValuesError, match="line 5: expected a number in the column 'x', got 'two'"):
        read(tmp_path, "label,x\n1,2\n0,3\n1,4\n1,two\n", measures=["x"])


@each_case(
    ("text", "asked", "message"),
    [
        ("label,x,label\n", {}, "two columns are called 'label'"),
        ("lable,x\n", {}, "unknown column 'label'; did you mean 'lable'"),
        ("label;x\n1;2\n", {}, "unknown column 'label'; separate cells by commas"),
        ("label,x\n1,2\n", {"group": "who"}, "unknown column 'who'"),
        ("label,x\n1,2\n", {"measures": ["x", "x"]}, "'x' is given twice"),
        ("label,x\n", {}, "no instances found"),
        ("label,x\n\n1,2\nmaybe,3\n", {}, "line 4: expected a label .* 'label', got 'maybe'"),
        ("label,x\n1,2\n1,3\n", {}, "all instances are labelled as positive"),
        ("label,x\n1,a\n0,b\n", {}, "no column is a measure"),
        ("label,x\n1,2\n0,\n1,\n", {}, "line 3: 2 of the values in the column 'x' are missing"),
        ("label,x\n1,NA\n0,1_0\n", {"measures": ["x"]}, "line 3: expected a number .* got '1_0'"),
        ("label,x\n1,2,3\n", {}, "line 2: the row has 3 cells, the head has 2"),
        ('label,x,y\n1,2,"a\nb"\n0,n/a,c\n', {}, "line 4: 1 of the values"),
        ('label,x,y\n1,2,c\n0,n/a,"a\nb"\n', {}, "line 3: 1 of the values"),
    ],
)
def test_values_that_are_none_are_told_by_line(tmp_path, text, asked, message):
    with pytest.raises(ValuesError, match=message):
        read(tmp_path, text, **asked)


@each_case(
    ("text", "name", "message"),
    [
        ("", "a.csv", "the file is empty"),
        ("\n\n", "a.csv", "the file is empty"),
        (gzip.compress(b"", mtime=0), "a.csv.gz", "the file is empty"),
        (b"label,x\n1,\xff\n", "a.csv", "not valid UTF-8 .*; save it as text in UTF-8"),
        (PLAIN.encode("utf-16"), "a.csv", "not valid UTF-8"),
        ('label,x\n1,2\n0,"3\n', "a.csv", "a row after line 2 cannot be read"),
        (PLAIN, "a.csv.gz", "cannot be read .*Not a gzipped file"),
        (gzip.compress(PLAIN.encode(), mtime=0)[:-9], "a.csv.gz", "cannot be read"),
        *((PLAIN, name, r"known endings are \.csv") for name in ("a.txt", "a.csv.bz2", "a")),
    ],
)
def test_files_that_are_no_tables(tmp_path, text, name, message):
    with pytest.raises(SourceError, match=message):
        read(tmp_path, text, name)


def test_a_line_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "_LONGEST", 11)
    assert read(tmp_path, PLAIN)[0].counts.total == 2
    with pytest.raises(SourceError, match="more than 11 characters"):
        read(tmp_path, PLAIN.replace("-2.5", "-2.555"))


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


def test_typed_columns(tmp_path):
    found, left_out = tables.read_instances(written(tmp_path), group="who")
    values = [[1, 2, 3], [0.5, float("inf"), -1]]
    measures, groups = ("x", "y.z(n=2)"), ("Ada", "Bo")
    assert contents(found) == (measures, values, [True, False, True], [0, 1, 0], groups)
    assert left_out == ()


@pytest.mark.parametrize(
    ("changed", "measures", "message"),
    [
        ({"x": [1, 2, None]}, None, "row 3: 1 of the values in the column 'x' are missing"),
        ({"label": [True, None, False]}, None, "row 2: expected a label .* 'label', got ''"),
        ({}, ["who"], "the column 'who' holds no numbers but 'string'"),
        ({}, ["z"], "unknown column 'z'"),
    ],
)
def test_columns_that_do_not_fit(tmp_path, changed, measures, message):
    with pytest.raises(ValuesError, match=message):
        tables.read_instances(written(tmp_path, **changed), measures=measures)


def test_what_to_install_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(
        SourceError, match=r"pyarrow is not installed; pip install 'weps\[tables\]'"
    ):
        tables.read_instances(tmp_path / "a.parquet")


@pytest.mark.parametrize("ending", tables.TABLES)
def test_faulty_files_are_told(tmp_path, ending):
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"a{ending}"
    with pytest.raises(SourceError, match=f"a{ending}: cannot be read .*No such file"):
        tables.read_instances(str(path))
    for damage in (bytes(range(256)) * 20, b"", b"PAR1" + b"x" * 100 + b"PAR1"):
        path.write_bytes(damage)
        with pytest.raises((SourceError, ValuesError)):
            tables.read_instances(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(SourceError, match="a folder, not a file"):
        tables.read_instances(path)


@pytest.mark.parametrize("ending", tables.TABLES)
def test_files_are_read_within_bounds(tmp_path, monkeypatch, ending):
    """A few megabytes may unpack to any number, and a Parquet file may state any number of rows."""
    path = tmp_path / f"a{ending}"
    if ending == ".parquet":
        path = written(tmp_path, **{name: each * 99 for name, each in COLUMNS.items()})
    else:
        names = tuple(name * 99 for name in small().measures)
        tables.write_instances(replace(small(), measures=names), path)
    monkeypatch.setattr(tables, "MOST_BYTES", 100)
    with pytest.raises(SourceError, match="over "):
        tables.read_instances(path)


def test_the_example_of_the_documentation(tmp_path):
    formats = Path(tables.__file__).parents[2] / "docs" / "formats.md"
    example = formats.read_text("utf-8").split("```csv\n")[1].split("```")[0]
    found, left_out = read(tmp_path, example, group="topic")
    assert example.count("\n") == 3
    assert left_out == ()
    assert found.measures == ("overlap", "length")
    assert found.values.tolist() == [[0.62, 0.08], [120, float("inf")]]
    assert found.groups == ("tides, and harbours",)


def again(path: Path) -> tables.Instances:
    return tables.read_instances(path, group="group")[0]


@each_case("ending", tables.WRITERS)
def test_what_is_written_is_read_again(tmp_path_factory, ending):
    path = tmp_path_factory.mktemp("written") / f"a{ending}"

    @given(instances())
    def check(made: tables.Instances) -> None:
        tables.write_instances(made, path)
        assert contents(again(path)) == contents(made)

    check()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_table_in_which_spreadsheets_compute_nothing(tmp_path):
    made = replace(small(), measures=("=1+1", "y"), groups=("@SUM(A1)", "-2"))
    tables.write_instances(made, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().splitlines() == [
        '"label","group","\'=1+1","y"',
        '1,"\'@SUM(A1)",0.5,3.0',
        '0,"\'@SUM(A1)",0.25,2.0',
        '0,"\'-2",0.0,inf',
        '1,"\'-2",1.0,-1.5',
    ]
    with (tmp_path / "a.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 5


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a.xlsx", "known endings are"),
        ("a.parquet", "known endings are"),
        ("no/a.csv", "cannot be written .No such file"),
        ("a.csv", "two columns of a table cannot be called 'group'; rename one"),
    ],
)
def test_what_cannot_be_written(tmp_path, path, message):
    made = small() if "/" in path else replace(small(), measures=("x", "group"))
    with pytest.raises(OutputError, match=message) as caught:
        tables.write_instances(made, tmp_path / path)
    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []
