import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval.text.convert import convert_summeval
from eval.text.testbed import Output, Reference, Topic
from weps.errors import SourceError, ValuesError, WepsError

LINE: dict[str, Any] = {
    "doc_id": "d1",
    "references": ["By hand .", "Highlights .", "By another\u2028hand ."],
    "cnndm_reference": "Highlights .",
    "systems": {
        "M10": {"summary": "", "scores": {"fluency": 1.0}},
        "M2": {"summary": "Low water .", "scores": {"fluency": 4.5}},
    },
}


def folder(path: Path, text: str) -> Path:
    (path / "summeval.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return path


def test_a_line_becomes_a_topic(tmp_path: Path) -> None:
    text = json.dumps(LINE, ensure_ascii=False) + "\n"
    assert convert_summeval(folder(tmp_path, text)).topics == (
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


CASES: list[tuple[str, type[WepsError], str]] = [
    ("{", ValuesError, "line 1: is not as published"),
    ("[]", ValuesError, "line 1: is not as published"),
    (json.dumps({**LINE, "systems": {}}), ValuesError, "line 1: there is no output"),
    (json.dumps(LINE).replace("4.5", "NaN"), ValuesError, "'fluency' of output 1 is no finite"),
    (f"{json.dumps(LINE)}\n" * 2, ValuesError, "occur twice: 'd1'"),
]


@pytest.mark.parametrize(("text", "error", "told"), CASES)
def test_other_files(tmp_path: Path, text: str, error: type[WepsError], told: str) -> None:
    with pytest.raises(error, match=told):
        convert_summeval(folder(tmp_path, text))


def test_no_file_and_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"there is no summeval\.jsonl\.gz"):
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
