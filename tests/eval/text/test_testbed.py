"""Records of a testbed, and its matrix."""

import json
from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from eval.text.matrix import MeasureMatrix, read_matrix, write_matrix
from eval.text.testbed import Output, Reference, Testbed, Topic, whole_text
from tests.eval.text.made_up_testbed import data, first, second, tides
from weps.errors import OutputError, SourceError, ValuesError, WepsError

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "schema" / "testbed.schema.json").read_text("utf-8")
)

NAMES = st.text("abcÄ潮 .", min_size=1, max_size=5).filter(str.strip)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SAID = TEXTS.filter(str.strip)
SCORES = st.dictionaries(NAMES, st.floats(allow_nan=False, allow_infinity=False), max_size=2)


def either(texts: st.SearchStrategy[str]) -> Any:
    """Texts in one piece, and as sentences."""
    return texts | st.lists(texts, min_size=1, max_size=3).map(tuple)


TOPICS = st.builds(
    Topic,
    NAMES,
    st.lists(
        st.builds(Reference, NAMES, either(SAID)),
        min_size=1,
        max_size=3,
        unique_by=lambda each: each.id,
    ).map(tuple),
    st.lists(
        st.builds(Output, NAMES, either(TEXTS), SCORES),
        min_size=1,
        max_size=3,
        unique_by=lambda each: each.system,
    ).map(tuple),
    st.lists(either(SAID), max_size=2).map(tuple),
    st.lists(NAMES, max_size=2).map(tuple),
)


@given(TOPICS)
def test_a_topic_reads_back_and_keeps_to_the_schema(topic: Topic) -> None:
    written = json.loads(json.dumps(topic.as_data(), allow_nan=False))
    assert Topic.from_data(written) == topic
    Draft202012Validator(SCHEMA).validate(written)


def test_the_schema_is_one_and_knows_the_first_line() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(tides().header())


def test_the_whole_of_a_text() -> None:
    assert [whole_text(each.text) for each in first().references] == [
        "The tide rose.",
        "It rose.\nBoats left.",
    ]


def test_what_a_testbed_holds() -> None:
    bed = tides()
    assert bed.systems == ("one", "two")
    assert bed.criteria == ("coherence", "fluency")
    assert bed.empty_outputs == (("harbours", "two"),)


def reference(text: Any) -> dict[str, Any]:
    return {"references": [{"id": "A", "text": text}]}


def human(score: Any) -> dict[str, Any]:
    return {"outputs": [{"system": "one", "text": "x", "human": {"fluency": score}}]}


FAULTY: list[tuple[Any, str, bool]] = [
    (data(references=[]), "no reference given", True),
    (data(references=None), "lacks 'references'", True),
    (data(outputs=[]), "no output given", True),
    (data(referencs=[]), "has unknown fields 'referencs'", True),
    ([], "is not an object", True),
    (data(**reference("")), "the text of reference 1 is empty", True),
    (data(**reference([" ", "\n"])), "the text of reference 1 is empty", True),
    (data(**reference([])), "the text of reference 1 is empty", True),
    (data(**reference(3)), "the text of reference 1 is neither text nor", True),
    (data(**reference("\ud800")), "the text of reference 1 holds half a character", False),
    (data(sources=[""]), "the text of source 1 is empty", True),
    (data(sources="all"), "expected a list of texts for sources", True),
    (data(concepts=["low water", " "]), "expected 1 to 1,000 characters for the concept 2", True),
    (data(concepts=[["low", "water"]]), "expected 1 to 1,000 characters for the concept 1", True),
    (data(concepts=["low\nwater"]), "the concept 1 has characters that cannot be", False),
    (data(concepts="tide"), "expected a list of texts for concepts", True),
    (data(topic=" "), "expected 1 to 1,000 characters for the topic", True),
    (data(topic="a" * 1001), "expected 1 to 1,000 characters for the topic", True),
    (data(topic="a\nb"), "the topic has characters that cannot be printed", False),
    (data(references=[{"id": "A", "text": "x"}] * 2), "two references have the id 'A'", False),
    (data(outputs=[{"system": "A", "text": ""}] * 3), "two outputs have the system 'A'", False),
    (data(outputs=[{"system": "A"}]), "output 1 lacks 'text'", True),
    (data(outputs=["text"]), "output 1 is not an object", True),
    (
        data(outputs=[{"system": "A", "text": "", "human": []}]),
        "expected an object of numbers for human of output 1",
        True,
    ),
    (
        data(**human(nan)),
        "a finite number for the human score 'fluency' of",
        False,
    ),
    (
        data(**human(-inf)),
        "a finite number for the human score 'fluency' of",
        False,
    ),
    (
        data(**human(10**400)),
        "a finite number for the human score 'fluency' of",
        False,
    ),
    (data(**human(None)), "leave it out where there is none", True),
    (
        data(**human(True)),
        "a finite number for the human score 'fluency' of",
        True,
    ),
]


@pytest.mark.parametrize(("line", "told", "in_schema"), FAULTY)
def test_faulty_topics_are_refused(line: Any, told: str, in_schema: bool) -> None:
    with pytest.raises(ValuesError, match=told):
        Topic.from_data(line)
    assert not in_schema or not Draft202012Validator(SCHEMA).is_valid(line)


def test_all_faults_of_a_topic_are_told_at_once() -> None:
    with pytest.raises(ValuesError) as caught:
        Topic.from_data(data(topic="", sources=[""], **reference("")))
    assert str(caught.value).count(";") == 2


UNFIT: list[tuple[Callable[[], object], str]] = [
    (lambda: replace(first(), references=()), "topic 'harbours': no reference given"),
    (lambda: replace(first(), outputs=first().outputs[:1] * 2), "two outputs have the system"),
    (
        lambda: replace(first(), outputs=(Output("one", "x", {"fluency": nan}),)),
        "expected a finite",
    ),
    (lambda: replace(tides(), topics=()), "the testbed has no topics"),
    (lambda: replace(tides(), topics=(first(), second(), first())), "twice: 'harbours'"),
    (lambda: replace(tides(), name=""), "testbed: expected 1 to 1,000 characters for the name"),
]


@pytest.mark.parametrize(("made", "told"), UNFIT)
def test_faulty_testbeds_cannot_be_made(made: Callable[[], Testbed], told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        made()


MATRIX = MeasureMatrix(
    ("t", "t", "u"),
    ("A", "B", "A"),
    ("rouge", "chrf"),
    np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]),
    ("fluency",),
    np.array([[5.0, nan, 1.0]]),
)


def test_columns() -> None:
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


@pytest.mark.parametrize(("change", "told"), CASES)
def test_what_does_not_fit_is_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValuesError, match=told):
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


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        write_matrix(matrix(), tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    read = read_matrix(tmp_path / "one.csv")
    assert read.left_out == ()
    for field in ("topic", "system", "measures", "criteria"):
        assert getattr(read.matrix, field) == getattr(matrix(), field)
    np.testing.assert_array_equal(read.matrix.values, matrix().values)
    np.testing.assert_array_equal(read.matrix.human, matrix().human)


def test_spreadsheets_compute_nothing(tmp_path: Path) -> None:
    write_matrix(matrix("=measure"), tmp_path / "m.csv")
    head, row, *_ = (tmp_path / "m.csv").read_text().splitlines()
    assert head == '"topic","system","human:fluency","human:unseen","\'=measure","chrf"'
    assert row == '"\'=t, 1","\'-A",5.0,"",0.1,1.0'


def read(folder: Path, text: str, *human: str) -> MeasureMatrix:
    (folder / "m.csv").write_text(text)
    return read_matrix(folder / "m.csv", human).matrix


def test_tables_of_others(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(("text", "error", "told"), CASES_TABLES)
def test_faulty_tables(tmp_path: Path, text: str, error: type[WepsError], told: str) -> None:
    with pytest.raises(error, match=told) as caught:
        read(tmp_path, text)
    assert str(tmp_path / "m.csv") in str(caught.value)


def test_tabs_part_the_cells_of_tsv(tmp_path: Path) -> None:
    path = tmp_path / "matrix.tsv"
    path.write_text("topic\tsystem\tdice\na, b\tlead\t.5\n", "utf-8")
    matrix = read_matrix(path).matrix
    assert (matrix.topic, matrix.measures) == (("a, b",), ("dice",))


def test_repeated_instances_are_named(tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text("topic,system,dice\na,lead,.5\na,lead,.5\n", "utf-8")
    with pytest.raises(ValuesError, match="topic and system occur twice: 'a' and 'lead'"):
        read_matrix(path)


def test_human_scores_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValuesError, match="unknown column 'b'"):
        read(tmp_path, "topic,system,a\n1,A,1\n", "b")


@pytest.mark.parametrize("name", ["topic", "system", "human:chrf"])
def test_measures_that_would_read_back_as_something_else(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="cannot be called"):
        write_matrix(matrix(name), tmp_path / "m.csv")
