from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from eval.instances import TableRead, delimited, read_instances, rows
from weps.errors import SourceError, ValuesError, WepsError


def read(folder: Path, text: str | bytes, name: str = "a.csv", **asked: object) -> TableRead:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_instances(path, **asked)


PLAIN = "label,x,y\nyes,1,-2.5\nno,1e3,inf\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PLAIN, "a.csv"),
        (PLAIN, "A.CSV"),
        (PLAIN.replace(",", "\t"), "a.tsv"),
        (gzip.compress(PLAIN.encode()), "a.csv.gz"),
        (gzip.compress(PLAIN.replace(",", "\t").encode()), "a.TSV.gz"),
        ("\ufeff" + PLAIN, "a.csv"),
        (PLAIN.replace("\n", "\r\n"), "a.csv"),
        (PLAIN.replace("\n", "\r"), "a.csv"),
        (PLAIN.replace("\n", "\n\n"), "a.csv"),
        (PLAIN.replace(",", ", "), "a.csv"),
        (PLAIN.rstrip(), "a.csv"),
        ('"label","x","y"\n"yes","1","-2.5"\n"no","1e3","inf"', "a.csv"),
    ],
)
def test_tables_as_programs_write_them(tmp_path: Path, text: str | bytes, name: str) -> None:
    found = read(tmp_path, text, name).instances
    assert found.measures == ("x", "y")
    assert found.values.tolist() == [[1, 1000], [-2.5, np.inf]]
    assert found.positive.tolist() == [True, False]
    assert (found.groups, found.group.tolist()) == (("all",), [0, 0])


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    text = 'x,same,who\n1,+,"Ann, B."\n2,-,Bo\n3,-,"Ann, B."\n'
    found = read(tmp_path, text, label="same", group="who").instances
    assert found.measures == ("x",)
    assert found.groups == ("Ann, B.", "Bo")
    assert found.group.tolist() == [0, 1, 0]


@pytest.mark.parametrize("block", [1, 2, 2000])
def test_columns_with_text_are_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(delimited, "_BLOCK", block)
    text = "id,label,x,late,empty,page\n,1,1,1,,2_1\nb,0,2,2,NA,2_2\nc,0,3,text,,2_3\n"
    found = read(tmp_path, text)
    assert found.instances.measures == ("x",)
    assert found.left_out == ("id", "late", "empty", "page")


def test_only_measures_asked_for(tmp_path: Path) -> None:
    found = read(tmp_path, "label,x,y,z\n1,1,n/a,3\n0,2,?,4\n", measures=["z", "x"])
    assert found.instances.measures == ("z", "x")
    assert found.left_out == ()


@pytest.mark.parametrize(
    ("text", "asked", "message"),
    [
        ("label,x,label\n", {}, "two columns are called 'label'"),
        ("lable,x\n", {}, "no column 'label'; did you mean 'lable'"),
        ("q,x\n", {}, "no column 'label'; there are: 'q', 'x'"),
        ("label;x\n1;2\n", {}, "no column 'label'; separate cells by commas"),
        ("label,x\n1,2\n", {"group": "who"}, "no column 'who'"),
        ("label,x\n1,2\n", {"measures": ["z"]}, "no column 'z'"),
        ("label,x\n1,2\n", {"measures": ["x", "x"]}, "'x' is asked for twice"),
        ("label,x\n", {}, "there are no instances"),
        ("label,x\n\n1,2\nmaybe,3\n", {}, "line 4: 'maybe' in the column 'label' is no label"),
        ("label,x\n1,2\n1,3\n", {}, "all instances are labelled as positive"),
        ("label,x\n1,a\n0,b\n", {}, "no column is a measure"),
        ("label\n1\n0\n", {}, "no column is a measure"),
        ("label,x\n1,2\n0,\n1,\n", {}, "line 3: 2 of the values in the column 'x' are missing"),
        ("label,x\n1,2\n0,n/a\n", {}, "line 3: 1 of the values in the column 'x'"),
        ("label,x\n1,2\n0,NaN\n", {"measures": ["x"]}, "line 3: 1 of the values"),
        ("label,x\n1,2\n0,two\n", {"measures": ["x"]}, "line 3: 'two' in the column 'x' is no num"),
        ("label,x\n1,NA\n0,1_0\n", {"measures": ["x"]}, "line 3: '1_0' in the column 'x' is no n"),
        ("label,x\n1,2,3\n", {}, "line 2: the row has 3 cells, the head has 2"),
        ('label,x,y\n1,2,"a\nb"\n0,n/a,c\n', {}, "line 4: 1 of the values"),
        ('label,x,y\n1,2,c\n0,n/a,"a\nb"\n', {}, "line 3: 1 of the values"),
    ],
)
def test_values_that_are_none_are_told_by_line(
    tmp_path: Path, text: str, asked: dict[str, object], message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        read(tmp_path, text, **asked)


@pytest.mark.parametrize("block", [1, 2, 3])
def test_lines_are_counted_over_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(delimited, "_BLOCK", block)
    with pytest.raises(ValuesError, match="line 5: 'two' in the column 'x'"):
        read(tmp_path, "label,x\n1,2\n0,3\n1,4\n1,two\n", measures=["x"])


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "a.csv", "the file is empty"),
        ("\n\n", "a.csv", "the file is empty"),
        (gzip.compress(b""), "a.csv.gz", "the file is empty"),
        (b"label,x\n1,\xff\n", "a.csv", "no text in UTF-8 .*; save it as text in UTF-8"),
        (PLAIN.encode("utf-16"), "a.csv", "no text in UTF-8"),
        ('label,x\n1,2\n0,"3\n', "a.csv", "a row after line 2 cannot be read"),
        ("label,x\n1," + "2" * 200_000, "a.csv", "a row after line 1 cannot be read"),
        (PLAIN, "a.csv.gz", "cannot be read .*Not a gzipped file"),
        (gzip.compress(PLAIN.encode())[:-9], "a.csv.gz", "cannot be read"),
    ],
)
def test_files_that_are_no_tables(
    tmp_path: Path, text: str | bytes, name: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(tmp_path, text, name)


def test_a_line_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_LONGEST", 11)
    assert read(tmp_path, PLAIN).instances.counts.total == 2
    with pytest.raises(SourceError, match="more than 11 characters"):
        read(tmp_path, PLAIN.replace("-2.5", "-2.555"))


def test_messages_are_bounded(tmp_path: Path) -> None:
    text = f"{'x' * 5000},y\n" + "1,2\n" * 3
    with pytest.raises(WepsError) as caught:
        read(tmp_path, text)
    assert len(str(caught.value)) < 500
