"""Matrices of measures, their tables, means of systems and agreement with people."""

from collections import defaultdict
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.cases import each_case
from weps.errors import OutputError, SourceError, ValuesError, WepsError
from weps_eval.text.matrix import (
    MeasureMatrix,
    read_matrix,
    system_agreement,
    system_means,
    write_matrix,
)

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
    ({"system": ("A", "A", "A")}, "topic and system occur twice: .*t.*A"),
    ({"measures": ("rouge", "rouge")}, "columns occur twice: 'rouge'"),
    ({"measures": ("rouge", "fluency")}, "columns occur twice: 'fluency'"),
    ({"human": np.array([[5.0, nan, inf]])}, "A on u: the value of 'fluency' is infinite"),
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


def summed(*rows: tuple[str, str, float, float]) -> MeasureMatrix:
    """Topic, system, value, what people thought."""
    topic, system, value, human = zip(*rows, strict=True) if rows else ((), (), (), ())
    return MeasureMatrix(
        topic, system, ("m",), np.array([value], float), ("c",), np.array([human], float)
    )


ROWS = (
    ("t1", "A", 0.1, 1.0),
    ("t1", "B", 0.3, 2.0),
    ("t1", "C", 0.2, 4.0),
    ("t2", "B", 0.9, nan),
    ("t2", "C", 0.4, 5.0),
    ("t3", "A", 0.6, 2.0),
    ("t3", "B", 0.5, 4.0),
    ("t3", "C", 0.9, 5.0),
    ("t3", "D", 0.0, nan),
)


def test_means_are_over_the_topics_of_each_system():
    means = system_means(summed(*ROWS))
    assert means.systems == ("A", "B", "C", "D")
    assert means.topics.tolist() == [2, 3, 3, 1]
    assert means.values == pytest.approx(np.array([[0.35, 1.7 / 3, 0.5, 0.0]]))
    assert means.overall == pytest.approx([3.9 / 9])


def test_agreement_is_over_the_topics_on_which_all_were_judged():
    found = system_agreement(summed(*ROWS), "c")
    assert (found.systems, found.topics) == (3, 2)
    ours, people = [0.7, 0.8, 1.1], [3.0, 6.0, 9.0]
    assert found.pearson == pytest.approx([stats.pearsonr(ours, people).statistic])
    assert found.kendall.tolist() == [1.0]


@each_case(
    ("rows", "systems", "topics"),
    [
        ((), 0, 0),
        ([row for row in ROWS if row[1] in "AB"], 2, 2),
        ([("t1", "A", 0.1, 1.0), ("t2", "B", 0.2, 2.0), ("t3", "C", 0.3, 3.0)], 3, 0),
        ([("t1", "A", 0.1, nan)], 0, 0),
    ],
)
def test_no_agreement(rows, systems, topics):
    found = system_agreement(summed(*rows), "c")
    assert (found.systems, found.topics) == (systems, topics)
    assert not found.is_defined
    assert np.isnan([found.pearson, found.kendall]).all()


@each_case(
    ("values", "people"),
    [((0.5, 0.5, 0.5), (1, 2, 3)), ((1, 2, 3), (4, 4, 4)), ((1, 2, np.inf), (1, 2, 3))],
)
def test_no_coefficient_where_systems_are_alike_or_endless(values, people):
    rows = [("t", *row) for row in zip("ABC", values, people, strict=True)]
    found = system_agreement(summed(*rows), "c")
    assert found.is_defined
    assert np.isnan([found.pearson, found.kendall]).all()


@given(st.permutations(range(6)))
def test_equal_means_are_tied_in_whatever_order_they_are_added_up(order):
    thirds = {"A": (11, 13, 13, 11, 10, 14), "B": (10, 14, 12, 12, 11, 13), "C": (6,) * 6}
    rows = [
        (f"t{topic}", system, value, thirds[system][topic] / 3)
        for topic in order
        for system, value in zip("ABC", (0.3, 0.2, 0.1), strict=True)
    ]
    ties = stats.kendalltau((3, 2, 1), (4, 4, 2)).statistic
    assert system_agreement(summed(*rows), "c").kendall == pytest.approx([ties])


cells = st.tuples(st.integers(0, 20), st.one_of(st.none(), st.integers(0, 5)))
tables = st.dictionaries(st.tuples(st.sampled_from("tuv"), st.sampled_from("ABCDE")), cells)


@given(tables, st.randoms())
def test_brute_force(table, random):
    rows = [(*key, value, nan if human is None else human) for key, (value, human) in table.items()]
    random.shuffle(rows)
    found = system_agreement(summed(*rows), "c")
    judged = {key: cell for key, cell in table.items() if cell[1] is not None}
    systems = {system for _, system in judged}
    by_topic = defaultdict(set)
    for topic, system in judged:
        by_topic[topic].add(system)
    shared = {topic for topic, present in by_topic.items() if present == systems}
    assert (found.systems, found.topics) == (len(systems), len(shared))
    if not found.is_defined:
        return
    pairs = [
        np.mean([judged[topic, system] for topic in sorted(shared)], axis=0) for system in systems
    ]
    ours, people = np.array(pairs).T
    if np.ptp(ours) > 0 and np.ptp(people) > 0:
        assert found.pearson[0] == pytest.approx(stats.pearsonr(ours, people).statistic)
        tau = stats.kendalltau(ours.round(9), people.round(9)).statistic
        assert found.kendall[0] == pytest.approx(tau)
