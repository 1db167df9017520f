"""Matrices of measures, and their tables."""

from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import each_case
from weps.errors import OutputError, SourceError, ValuesError, WepsError
from weps_eval.text.matrix import MeasureMatrix, read_matrix, write_matrix

MATRIX = MeasureMatrix(
    ("t", "t", "u"),
    ("A", "B", "A"),
    ("rouge", "chrf"),
    np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]),
    ("fluency",),
    np.array([[5.0, nan, 1.0]]),
)


def test_columns():
    assert MATRIX.column("chrf").tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(MATRIX.column("fluency"), [5.0, nan, 1.0])
    with pytest.raises(ValuesError, match=r"neither a measure nor a criterion 'rough'.*'rouge'"):
        MATRIX.column("rough")


CASES: list[tuple[dict[str, Any], str]] = [
    ({"topic": ("t", "t")}, "2 topics do not match 3 systems"),
    ({"system": ("A", "A", "A")}, "topic and system occur twice: .*t.*A"),
    ({"measures": ("rouge", "rouge")}, "columns occur twice: 'rouge'"),
    ({"measures": ("rouge", "fluency")}, "columns occur twice: 'fluency'"),
    ({"measures": ("rouge",)}, r"values has shape \(2, 3\)"),
    ({"human": np.zeros((1, 2))}, r"human has shape \(1, 2\)"),
    ({"human": np.array([[5.0, nan, inf]])}, "A on u: the value of 'fluency' is infinite"),
    ({"values": np.zeros((2, 3), np.float32)}, "type float32"),
    (
        {"values": np.array([[0.1, 0.2, 0.3], [1.0, nan, 3.0]])},
        "B on t: the value of 'chrf' is missing or NaN",
    ),
]


@each_case(("change", "message"), CASES)
def test_what_does_not_fit_is_refused(change, message):
    with pytest.raises(ValuesError, match=message):
        replace(MATRIX, **change)


def matrix(measure: str = "rouge(n=2, part=recall)") -> MeasureMatrix:
    return MeasureMatrix(
        ("=t, 1", "=t, 1", "u"),
        ("-A", 'B "2"', "-A"),
        (measure, "chrf"),
        np.array([[0.1, 1 / 3, inf], [1.0, -2.0, 3e-300]]),
        ("fluency", "unseen"),
        np.array([[5.0, nan, 1.0], [nan, nan, nan]]),
    )


def test_what_is_written_reads_back(tmp_path):
    for name in ("one.csv", "two.csv"):
        write_matrix(matrix(), tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    read = read_matrix(tmp_path / "one.csv")
    assert read.left_out == ()
    for field in ("topic", "system", "measures", "criteria"):
        assert getattr(read.matrix, field) == getattr(matrix(), field)
    np.testing.assert_array_equal(read.matrix.values, matrix().values)
    np.testing.assert_array_equal(read.matrix.human, matrix().human)


def test_spreadsheets_compute_nothing(tmp_path):
    write_matrix(matrix("=measure"), tmp_path / "m.csv")
    head, row, *_ = (tmp_path / "m.csv").read_text().splitlines()
    assert head == '"topic","system","human:fluency","human:unseen","\'=measure","chrf"'
    assert row == '"\'=t, 1","\'-A",5.0,"",0.1,1.0'


def read(folder: Path, text: str, *human: str) -> MeasureMatrix:
    (folder / "m.csv").write_text(text)
    return read_matrix(folder / "m.csv", human).matrix


def test_tables_of_others(tmp_path):
    text = "bleu,system,judged,remark,topic\n\n.5,A,-,good,1\n.25,B,3,,1\n"
    found = read(tmp_path, text, "judged")
    assert (found.topic, found.system) == (("1", "1"), ("A", "B"))
    assert (found.measures, found.criteria) == (("bleu",), ("judged",))
    np.testing.assert_array_equal(found.human, [[nan, 3.0]])
    assert read_matrix(tmp_path / "m.csv", ["judged"]).left_out == ("remark",)


CASES_TABLES: list[tuple[str, type[WepsError], str]] = [
    ("", SourceError, "the file is empty"),
    ("topic,system,a\n", ValuesError, "no values of a measure"),
    ("topic,system\n1,A\n", ValuesError, "no values of a measure"),
    ("topic,system,a\n1,A,\n", ValuesError, "A on 1: the value of 'a' is missing"),
    ("topic,system,a\n1,A,nan\n", ValuesError, "A on 1: the value of 'a' is missing"),
    ("topic,system,a\n1,A,1\n1,A,2\n", ValuesError, "topic and system occur twice"),
    ("topic,system,a\n1,A,1\n2,B\n", ValuesError, "line 3: the row has 2 cells"),
    ("topic,system,a,a\n1,A,1,1\n", ValuesError, "two columns are called 'a'"),
    ("topic,system,a,human:b\n1,A,1,x\n", ValuesError, "'human:b' of human scores holds text"),
    ('topic,system,a\n1,A,"1\n', SourceError, "close what quotation marks open"),
]


@each_case(("text", "error", "message"), CASES_TABLES)
def test_faulty_tables(tmp_path, text, error, message):
    with pytest.raises(error, match=message) as caught:
        read(tmp_path, text)
    assert str(tmp_path / "m.csv") in str(caught.value)


@pytest.mark.parametrize("name", ["topic", "system", "human:chrf"])
def test_measures_that_would_read_back_as_something_else(tmp_path, name):
    with pytest.raises(OutputError, match="cannot be called"):
        write_matrix(matrix(name), tmp_path / "m.csv")
