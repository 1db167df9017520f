import gzip
import json
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.text.convert.summaries import convert_duc, convert_summeval
from eval.text.testbed.records import Output, Reference, Topic
from weps.errors import SourceError, ValuesError, WepsError

HUMAN = "system_name,010,100\n7,-,.5\n12,.25,1\nA,1,1\n"
HEAD = "ROUGE_type,010_r,100_r,010_f,100_f\n\n"
ROUGE = HEAD + "12\nR1,.1,.2,.3,.4\nRSU,.01,.02,.03,.04\n\n\n7\nR1,-,.6,-,.8\nRSU,-,.06,-,.08\n\n\n"


def folder(path: Path, rouge: str = ROUGE, human: str = HUMAN) -> Path:
    for year in (2001, 2002):
        write(path / "scores_human" / f"{year}_human.csv", human)
    write(path / "stop_words_removed" / "scores_ROUGE" / "2001_sameLen.csv", rouge)
    write(path / "stop_words_remaining" / "scores_ROUGE" / "2001_STANDARD_sameLen.csv", rouge)
    write(path / "stop_words_removed" / "scores_ROUGE" / "other_2001_sameLen.csv", "none")
    return path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_tables_become_matrices(tmp_path: Path) -> None:
    found = convert_duc(folder(tmp_path))
    assert list(found) == ["2001_sameLen_stop_words_remaining", "2001_sameLen_stop_words_removed"]
    matrix = found["2001_sameLen_stop_words_removed"]
    assert matrix.topic == ("10 words", "100 words", "100 words")
    assert matrix.system == ("12", "12", "7")
    assert matrix.measures == ("R1_recall", "R1_f", "RSU_recall", "RSU_f")
    expected = [[0.1, 0.2, 0.6], [0.3, 0.4, 0.8], [0.01, 0.02, 0.06], [0.03, 0.04, 0.08]]
    np.testing.assert_array_equal(matrix.values, expected)
    assert matrix.criteria == ("coverage",)
    np.testing.assert_array_equal(matrix.human, [[0.25, 1.0, 0.5]])


def test_coverage_may_be_missing(tmp_path: Path) -> None:
    found = convert_duc(folder(tmp_path, human=HUMAN.replace(".25", "-")))
    matrix = found["2001_sameLen_stop_words_removed"]
    np.testing.assert_array_equal(matrix.human, [[nan, 1.0, 0.5]])


CASES = [
    (ROUGE.replace("R1,-,.6,-,.8", "R1,.6"), HUMAN, "line 9: the row has 2 cells, the head has 5"),
    (ROUGE.replace("R1,-,.6", "R1,-,-"), HUMAN, "7 on 100 words: the value of 'R1_recall' is mis"),
    (ROUGE.replace(".04", "x"), HUMAN, "line 5: expected a finite number, got 'x'"),
    (ROUGE.replace("010_r", "all_r"), HUMAN, "expected a number of words, got 'all'"),
    (ROUGE, HUMAN + "B,1\n", "line 5: the row has 2 cells, the head has 3"),
]


@pytest.mark.parametrize(("rouge", "human", "told"), CASES)
def test_tables_that_are_not_as_published(
    tmp_path: Path, rouge: str, human: str, told: str
) -> None:
    with pytest.raises(ValuesError, match=told):
        convert_duc(folder(tmp_path, rouge, human))


def test_folders_without_tables(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"2001_human\.csv not found"):
        convert_duc(tmp_path)
    for year in (2001, 2002):
        write(tmp_path / "scores_human" / f"{year}_human.csv", HUMAN)
    with pytest.raises(SourceError, match="no tables of ROUGE scores"):
        convert_duc(tmp_path)


def test_the_tables_themselves(weps_data: Path) -> None:
    found = convert_duc(weps_data / "text" / "duc0102_scores")
    assert len(found) == 36
    assert {each.values.shape[0] for each in found.values()} == {24}
    assert not any(np.isnan(each.human).any() for each in found.values())
    matrix = found["2002_sameLen_stop_words_remaining"]
    assert (matrix.topic[0], matrix.system[0]) == ("10 words", "16")
    assert [matrix.column(name)[0] for name in ("R1_recall", "coverage")] == [0.1516, 0.12]
    sizes = {name: each.values.shape[1] for name, each in found.items() if name.endswith("removed")}
    assert sizes.pop("2001_toOneLonger_stop_words_removed") == 42
    assert sizes.pop("2001_toOneShorter_stop_words_removed") == 42
    assert sizes.pop("2002_toOneLonger_stop_words_removed") == 26
    assert sizes.pop("2002_toOneShorter_stop_words_removed") == 30
    assert {name[:4]: size for name, size in sizes.items()} == {"2001": 56, "2002": 36}


LINE: dict[str, Any] = {
    "doc_id": "d1",
    "references": ["By hand .", "Highlights .", "By another\u2028hand ."],
    "cnndm_reference": "Highlights .",
    "systems": {
        "M10": {"summary": "", "scores": {"fluency": 1.0}},
        "M2": {"summary": "Low water .", "scores": {"fluency": 4.5}},
    },
}


def folder_summeval(path: Path, text: str) -> Path:
    (path / "summeval.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    return path


def test_a_line_becomes_a_topic(tmp_path: Path) -> None:
    text = json.dumps(LINE, ensure_ascii=False) + "\n"
    assert convert_summeval(folder_summeval(tmp_path, text)).topics == (
        Topic(
            "d1",
            (
                Reference("cnndm", "Highlights ."),
                Reference("1", "By hand ."),
                Reference("2", "By another\u2028hand ."),
            ),
            (Output("M2", "Low water .", {"fluency": 4.5}), Output("M10", "", {"fluency": 1.0})),
        ),
    )


CASES_SUMMEVAL: list[tuple[str, type[WepsError], str]] = [
    ("{", ValuesError, "line 1: is not as published"),
    ("[]", ValuesError, "line 1: is not as published"),
    (json.dumps({**LINE, "systems": {}}), ValuesError, "line 1: no output given"),
    (json.dumps(LINE).replace("4.5", "NaN"), ValuesError, "'fluency' of output 1"),
    (f"{json.dumps(LINE)}\n" * 2, ValuesError, "occur twice: 'd1'"),
]


@pytest.mark.parametrize(("text", "error", "told"), CASES_SUMMEVAL)
def test_other_files(tmp_path: Path, text: str, error: type[WepsError], told: str) -> None:
    with pytest.raises(error, match=told):
        convert_summeval(folder_summeval(tmp_path, text))


def test_no_file_and_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"summeval\.jsonl\.gz not found"):
        convert_summeval(tmp_path)
    (tmp_path / "summeval.jsonl.gz").write_bytes(b"damaged")
    with pytest.raises(SourceError, match="cannot be unpacked"):
        convert_summeval(tmp_path)


def test_the_set_itself(weps_data: Path) -> None:
    bed = convert_summeval(weps_data / "text" / "summeval")
    assert len(bed.topics) == 100
    assert len(bed.systems) == 16
    assert bed.criteria == ("coherence", "consistency", "fluency", "relevance")
    assert {(len(topic.references), len(topic.outputs)) for topic in bed.topics} == {(11, 16)}
    assert all(len(each.human) == 4 for topic in bed.topics for each in topic.outputs)
    assert bed.empty_outputs == ()
