from dataclasses import replace
from pathlib import Path

import pytest

from eval.meta_study.compared import Compared, Wanted, compared, write_compared
from eval.text.desk import Tools
from eval.text.testbed import Testbed
from tests.eval.meta_study.compared import made_up
from weps.errors import ValuesError

MEASURES = "rouge(n=1),rouge_l"


def mixed() -> Testbed:
    """The second topic has fewer references."""
    full, few = made_up.words(), made_up.words(references=2)
    return replace(full, topics=(full.topics[0], few.topics[1], full.topics[2]))


def opened(path: Path, **wanted: object) -> Compared:
    return compared(path, Wanted(MEASURES, **wanted), Tools())


@pytest.mark.parametrize("kept", [False, True])
def test_topics_with_too_few_references_are_left_out_and_told(tmp_path: Path, kept: bool) -> None:
    path = made_up.written(tmp_path / "tides.jsonl", mixed())
    if kept:
        write_compared(opened(path), tmp_path / "kept.csv")
        path = tmp_path / "kept.csv"
    found = compared(path, Wanted("" if kept else MEASURES, fewest=4), Tools())
    assert [each.topic for each in found.topics] == ["t0", "t2"]
    assert found.remarks == ("Left out, because they have fewer than 4 references: topics 't1'.",)
    assert found.measures == ("rouge(n=1)", "rouge_l")


def test_if_no_topic_has_enough_the_remedy_is_told(tmp_path: Path) -> None:
    path = made_up.written(tmp_path / "tides.jsonl", made_up.words(references=2))
    with pytest.raises(ValuesError, match="4 references are needed, and no topic has more than 2"):
        opened(path, fewest=4)


def test_criteria_are_chosen(tmp_path: Path) -> None:
    path = made_up.written(tmp_path / "tides.jsonl")
    assert opened(path).criteria == ("fluency",)
    with pytest.raises(ValuesError, match="no criterion 'fluent'; did you mean 'fluency'"):
        opened(path, criteria=("fluent",))


def test_what_it_was_read_from_is_told(tmp_path: Path) -> None:
    path = made_up.written(tmp_path / "tides.jsonl")
    found = opened(path)
    assert (found.title, found.digest[:15]) == ("Tides", "testbed:sha256-")
    write_compared(found, tmp_path / "kept.csv")
    kept = compared(tmp_path / "kept.csv", Wanted(), Tools())
    assert (kept.title, kept.digest[:13]) == ("kept.csv", "table:sha256-")


def test_empty_outputs_are_told(tmp_path: Path) -> None:
    path = made_up.written(tmp_path / "tides.jsonl", made_up.words(two=""))
    assert opened(path).remarks == ("1 output is empty: like nothing but empty ones.",)
