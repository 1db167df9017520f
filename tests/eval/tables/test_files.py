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

from tests.cases import each_case
from tests.eval.tables.made_up import contents, instances, small
from weps.errors import OutputError, SourceError, ValuesError, WepsError
from weps_eval.tables import columns, files
from weps_eval.tables.files import ENDINGS, WRITERS, TableRead, read_instances, write_instances
from weps_eval.tables.instances import Instances

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


def test_the_arrays_that_are_read(tmp_path):
    found = read_instances(packed(tmp_path)).instances
    assert contents(found) == (("x", "y"), [[1, 2], [3, 4]], [True, False], [1, 0], ("Ada", "Bo"))
    assert found.values.dtype == np.float64


@each_case(
    ("changed", "message"),
    [
        ({"values": None}, "unknown array 'values'"),
        ({"groups": None}, "unknown array 'groups'; did you mean 'group'"),
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
def test_arrays_that_do_not_fit(tmp_path, changed, message):
    with pytest.raises(ValuesError, match=message):
        read_instances(packed(tmp_path, **changed))


def test_nothing_is_unpickled(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        read_instances(packed(tmp_path, measures=np.array(["x", None], dtype=object)))
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, np.zeros((2, 4)))
    with pytest.raises(SourceError, match="expected an archive"):
        read_instances(tmp_path / "a.npz")


def test_a_damaged_archive_is_told(tmp_path):
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


def test_a_shape_that_no_memory_holds_is_told(tmp_path):
    buffer = io.BytesIO()
    head = {"descr": "<f8", "fortran_order": False, "shape": (1_000_000, 1_000_000_000)}
    np.lib.format.write_array_header_1_0(buffer, head)
    path = packed(tmp_path, values=None)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("values.npy", buffer.getvalue())
    with pytest.raises(SourceError, match="cannot be read"):
        read_instances(path)


def read(folder: Path, text: str | bytes, name: str = "a.csv", **asked: object) -> TableRead:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_instances(path, **asked)


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
    ],
)
def test_tables_as_programs_write_them(tmp_path, text, name):
    found = read(tmp_path, text, name).instances
    assert found.measures == ("x", "y")
    assert found.values.tolist() == [[1, 1000], [-2.5, np.inf]]
    assert found.positive.tolist() == [True, False]
    assert (found.groups, found.group.tolist()) == (("all",), [0, 0])


def test_columns_are_found_by_name(tmp_path):
    text = 'x,same,who\n1,+,"Ann, B."\n2,-,Bo\n3,-,"Ann, B."\n'
    found = read(tmp_path, text, label="same", group="who").instances
    assert found.measures == ("x",)
    assert found.groups == ("Ann, B.", "Bo")
    assert found.group.tolist() == [0, 1, 0]


@pytest.mark.parametrize("block", [1, 2, 2000])
def test_columns_with_text_are_left_out_and_told(tmp_path, monkeypatch, block):
    monkeypatch.setattr(columns, "_BLOCK", block)
    text = "id,label,x,late,empty,page\n,1,1,1,,2_1\nb,0,2,2,NA,2_2\nc,0,3,text,,2_3\n"
    found = read(tmp_path, text)
    assert found.instances.measures == ("x",)
    assert found.left_out == ("id", "late", "empty", "page")


@each_case(
    ("text", "asked", "message"),
    [
        ("label,x,label\n", {}, "two columns are called 'label'"),
        ("lable,x\n", {}, "unknown column 'label'; did you mean 'lable'"),
        ("q,x\n", {}, "unknown column 'label'; there are: 'q', 'x'"),
        ("label;x\n1;2\n", {}, "unknown column 'label'; separate cells by commas"),
        ("label,x\n1,2\n", {"group": "who"}, "unknown column 'who'"),
        ("label,x\n1,2\n", {"measures": ["z"]}, "unknown column 'z'"),
        ("label,x\n1,2\n", {"measures": ["x", "x"]}, "'x' is given twice"),
        ("label,x\n", {}, "no instances found"),
        (
            "label,x\n\n1,2\nmaybe,3\n",
            {},
            "line 4: expected a label in the column 'label', got 'maybe'",
        ),
        ("label,x\n1,2\n1,3\n", {}, "all instances are labelled as positive"),
        ("label,x\n1,a\n0,b\n", {}, "no column is a measure"),
        ("label\n1\n0\n", {}, "no column is a measure"),
        ("label,x\n1,2\n0,\n1,\n", {}, "line 3: 2 of the values in the column 'x' are missing"),
        ("label,x\n1,2\n0,n/a\n", {}, "line 3: 1 of the values in the column 'x'"),
        ("label,x\n1,2\n0,NaN\n", {"measures": ["x"]}, "line 3: 1 of the values"),
        (
            "label,x\n1,2\n0,two\n",
            {"measures": ["x"]},
            "line 3: expected a number in the column 'x', got 'two'",
        ),
        (
            "label,x\n1,NA\n0,1_0\n",
            {"measures": ["x"]},
            "line 3: expected a number in the column 'x', got '1_0'",
        ),
        ("label,x\n1,2,3\n", {}, "line 2: the row has 3 cells, the head has 2"),
        ('label,x,y\n1,2,"a\nb"\n0,n/a,c\n', {}, "line 4: 1 of the values"),
        ('label,x,y\n1,2,c\n0,n/a,"a\nb"\n', {}, "line 3: 1 of the values"),
    ],
)
def test_values_that_are_none_are_told_by_line(tmp_path, text, asked, message):
    with pytest.raises(ValuesError, match=message):
        read(tmp_path, text, **asked)


@pytest.mark.parametrize("block", [1, 2, 3])
def test_lines_are_counted_over_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr(columns, "_BLOCK", block)
    with pytest.raises(ValuesError, match="line 5: expected a number in the column 'x', got 'two'"):
        read(tmp_path, "label,x\n1,2\n0,3\n1,4\n1,two\n", measures=["x"])


@each_case(
    ("text", "name", "message"),
    [
        ("", "a.csv", "the file is empty"),
        ("\n\n", "a.csv", "the file is empty"),
        (gzip.compress(b"", mtime=0), "a.csv.gz", "the file is empty"),
        (b"label,x\n1,\xff\n", "a.csv", "not valid UTF-8 .*; save it as text in UTF-8"),
        (PLAIN.encode("utf-16"), "a.csv", "not valid UTF-8"),
        ('label,x\n1,2\n0,"3\n', "a.csv", "a row after line 2 cannot be read"),
        ("label,x\n1," + "2" * 200_000, "a.csv", "a row after line 1 cannot be read"),
        (PLAIN, "a.csv.gz", "cannot be read .*Not a gzipped file"),
        (gzip.compress(PLAIN.encode(), mtime=0)[:-9], "a.csv.gz", "cannot be read"),
    ],
)
def test_files_that_are_no_tables(tmp_path, text, name, message):
    with pytest.raises(SourceError, match=message):
        read(tmp_path, text, name)


def test_a_line_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "_LONGEST", 11)
    assert read(tmp_path, PLAIN).instances.counts.total == 2
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
    found = read_instances(written(tmp_path), group="who")
    values = [[1, 2, 3], [0.5, float("inf"), -1]]
    measures, groups = ("x", "y.z(n=2)"), ("Ada", "Bo")
    assert contents(found.instances) == (measures, values, [True, False, True], [0, 1, 0], groups)
    assert found.left_out == ()


@pytest.mark.parametrize(
    ("changed", "measures", "message"),
    [
        ({"x": [1, 2, None]}, None, "row 3: 1 of the values in the column 'x' are missing"),
        (
            {"label": [True, None, False]},
            None,
            "row 2: expected a label in the column 'label', got ''",
        ),
        ({}, ["who"], "the column 'who' holds no numbers but 'string'"),
        ({}, ["z"], "unknown column 'z'"),
        ({"label": [True, True, True]}, None, "all instances are labelled as positive"),
    ],
)
def test_columns_that_do_not_fit(tmp_path, changed, measures, message):
    with pytest.raises(ValuesError, match=message):
        read_instances(written(tmp_path, **changed), measures=measures)


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"PAR1" + b"x" * 100 + b"PAR1"])
def test_a_damaged_file_is_told(tmp_path, damage):
    path = written(tmp_path)
    path.write_bytes(damage)
    with pytest.raises(SourceError, match="cannot be read"):
        read_instances(path)


def test_what_to_install_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(SourceError, match=r"needs pyarrow.*pip install 'weps\[tables\]'"):
        read_instances(tmp_path / "a.parquet")


FORMATS = Path(files.__file__).parents[3] / "docs" / "formats.md"


@pytest.mark.parametrize("name", ["a.txt", "csv", "a.csv.bz2", "a.xlsx", "a"])
def test_other_endings_are_refused(tmp_path, name):
    with pytest.raises(SourceError, match=r"known endings are \.csv, \.tsv, "):
        read_instances(tmp_path / name)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_missing_file_and_a_folder_are_refused(tmp_path, ending):
    with pytest.raises(SourceError, match=f"no{ending}: cannot be read .*No such file"):
        read_instances(str(tmp_path / f"no{ending}"))
    (tmp_path / f"folder{ending}").mkdir()
    with pytest.raises(SourceError, match="a folder, not a file"):
        read_instances(tmp_path / f"folder{ending}")


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_are_read_within_bounds(tmp_path, monkeypatch, ending):
    """A few megabytes may unpack to any number, and a Parquet file may state any number of rows."""
    path = tmp_path / f"a{ending}"
    if ending == ".parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table({"label": [0, 1] * 99, "a": [0.5] * 198}), path)
    else:
        names = tuple(name * 99 for name in small().measures)
        write_instances(replace(small(), measures=names), path)
    monkeypatch.setattr(columns, "MOST_BYTES", 100)
    with pytest.raises(SourceError, match="over "):
        read_instances(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_rubbish_is_told(tmp_path, ending):
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / f"a{ending}").write_bytes(bytes(range(256)) * 20)
    with pytest.raises(SourceError):
        read_instances(tmp_path / f"a{ending}")


def test_the_example_of_the_documentation(tmp_path):
    example = FORMATS.read_text("utf-8").split("```csv\n")[1].split("```")[0]
    (tmp_path / "example.csv").write_text(example, "utf-8")
    found = read_instances(tmp_path / "example.csv", group="topic")
    assert example.count("\n") == 3
    assert found.left_out == ()
    assert found.instances.measures == ("overlap", "length")
    assert found.instances.values.tolist() == [[0.62, 0.08], [120, float("inf")]]
    assert found.instances.groups == ("tides, and harbours",)


def again(path: Path) -> Instances:
    return read_instances(path, group=None if path.suffix == ".npz" else "group").instances


@each_case("ending", WRITERS)
def test_what_is_written_is_read_again(tmp_path_factory, ending):
    path = tmp_path_factory.mktemp("written") / f"a{ending}"

    @given(instances())
    def check(made: Instances) -> None:
        write_instances(made, path)
        assert contents(again(path)) == contents(made)

    check()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_an_archive_tells_no_time(tmp_path):
    single = replace(small(), values=small().values.astype(np.float32))
    write_instances(single, tmp_path / "a.npz")
    assert again(tmp_path / "a.npz").values.dtype == np.float32
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert {held.date_time for held in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_table(tmp_path):
    write_instances(small(), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().splitlines() == [
        '"label","group","dice(token)","length"',
        '1,"Ada",0.5,3.0',
        '0,"Ada",0.25,2.0',
        '0,"Bo",0.0,inf',
        '1,"Bo",1.0,-1.5',
    ]


def test_spreadsheets_compute_nothing(tmp_path):
    made = replace(small(), measures=("=1+1", "y"), groups=("@SUM(A1)", "-2"))
    write_instances(made, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[2] == "'=1+1"
    assert {row[1] for row in rows} == {"'@SUM(A1)", "'-2"}


def test_more_instances_than_a_block(tmp_path):
    size = 4_100
    values = np.random.default_rng(0).normal(size=(2, size))
    group = np.arange(size, dtype=np.int32) // 41
    groups = tuple(f"group {number}" for number in range(100))
    made = Instances(("x", "y"), values, values[0] > 0, group, groups)
    write_instances(made, tmp_path / "a.tsv")
    assert contents(again(tmp_path / "a.tsv")) == contents(made)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a.xlsx", "known endings are"),
        ("a.parquet", "known endings are"),
        ("no/a.csv", "cannot be written .No such file"),
        ("a.csv", "cannot be called 'group' in a table; rename it, or write .npz"),
    ],
)
def test_what_cannot_be_written(tmp_path, path, message):
    made = replace(small(), measures=("x", "group"))
    with pytest.raises(OutputError, match=message) as caught:
        write_instances(made, tmp_path / path)
    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_stays_when_writing_fails(tmp_path):
    write_instances(small(), tmp_path / "a.csv")
    before = (tmp_path / "a.csv").read_bytes()
    with pytest.raises(OutputError):
        write_instances(replace(small(), measures=("x", "label")), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == before
