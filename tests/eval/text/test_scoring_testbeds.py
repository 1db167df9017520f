import json
import math
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.text.made_up import JAPANESE, MEASURES, WORDS, parsed, tides, topic
from weps.errors import OutputError, ValuesError
from weps_eval.text import scoring
from weps_eval.text.matrix import write_matrix
from weps_eval.text.scoring import (
    Checkpoint,
    Fault,
    Values,
    digest_of,
    measure_scores,
    open_checkpoint,
    score_testbed,
    score_topic,
    topic_digest,
)
from weps_eval.text.testbed import Testbed, Topic
from weps_eval.text.topic import TextTools, TopicTexts

KEPT_MEASURES = ("a", "b")
WITH = {"weps": "1", "WordNet": "3.0"}


def values_of(topic: Topic) -> tuple[tuple[float, ...], ...]:
    """A value for each measure and output, as files must hold them."""
    return tuple(tuple(base / 3 for _ in topic.outputs) for base in (0.1, math.inf))


def opened(path: Path) -> Checkpoint:
    return open_checkpoint(path, KEPT_MEASURES, WITH)


def filled(path: Path, testbed: Testbed) -> Path:
    kept = opened(path)
    for each in testbed.topics:
        kept.add(each, values_of(each))
    return path


def test_values_are_there_the_next_time(tmp_path):
    first, second, *_ = tides().topics
    kept = opened(tmp_path / "part")
    assert kept.values(first) is None
    kept.add(first, values_of(first))
    assert kept.values(first) == opened(tmp_path / "part").values(first) == values_of(first)
    assert opened(tmp_path / "part").values(second) is None
    kept.remove()
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_wherever_a_file_is_cut_the_lines_before_count(tmp_path):
    """A process may be killed at any byte of what it writes."""
    testbed = tides()
    content = filled(tmp_path / "part", testbed).read_bytes()
    ends = [at + 1 for at, byte in enumerate(content) if byte == ord("\n")]
    for cut in range(len(content)):
        path = tmp_path / "cut"
        path.write_bytes(content[:cut])
        kept = opened(path)
        there = [kept.values(each) is not None for each in testbed.topics]
        assert sum(there) == sum(end <= cut for end in ends[1:])
        for each, is_there in zip(testbed.topics, there, strict=True):
            if not is_there:
                kept.add(each, values_of(each))
        assert path.read_bytes() == content


@pytest.mark.parametrize(
    "values",
    [
        3,
        [[1.0, 1.0, 1.0]],
        [[1.0], [1.0, 2.0]],
        [[math.nan, 1.0, 1.0]] * 2,
        [["0.1", "0.2", "0.3"]] * 2,
        [[True, False, True]] * 2,
        ["123", "456"],
        [[10**400, 1.0, 1.0]] * 2,
        [[{}, 1.0, 1.0]] * 2,
        [[0.1]] * 2,
    ],
)
def test_values_that_weps_does_not_write_are_left_out(tmp_path, values):
    first, *_ = tides().topics
    opened(tmp_path / "part")
    line = {"digest": topic_digest(first), "topic": first.topic, "values": values}
    with (tmp_path / "part").open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert opened(tmp_path / "part").values(first) is None


@pytest.mark.parametrize("line", ["", "{", "[]", "nonsense", '{"digest": "x"}'])
def test_a_line_that_holds_no_values_is_dropped(tmp_path, line):
    path = filled(tmp_path / "part", tides())
    content = path.read_text()
    head, rest = content.split("\n", 1)
    path.write_text("\n".join([head, line, rest]))
    first, *_ = tides().topics
    assert opened(path).values(first) == values_of(first)
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("measures", "made_with", "message"),
    [
        (("a", "b", "c", "d"), WITH, "it holds values without c, d"),
        (("b",), WITH, "of further measures: a"),
        (("b", "a"), WITH, "in another order"),
        (KEPT_MEASURES, {**WITH, "weps": "2"}, "made with another version of weps"),
        (KEPT_MEASURES, {"weps": "1"}, "made with another version of WordNet"),
        (KEPT_MEASURES, {**WITH, "nltk": "3"}, "made with another version of nltk"),
    ],
)
def test_other_values_are_not_taken_over(tmp_path, measures, made_with, message):
    path = filled(tmp_path / "part", tides())
    before = path.read_bytes()
    with pytest.raises(OutputError, match=message) as caught:
        open_checkpoint(path, measures, made_with)
    assert caught.value.where == path
    assert "remove it, or give --out another name" in caught.value.describe()
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["topic,system\n", "{}\n", "no end of a line", "\n"])
def test_somebody_else_s_file_stays(tmp_path, content):
    path = tmp_path / "part"
    path.write_text(content)
    with pytest.raises(OutputError, match="there is another file"):
        opened(path)
    assert path.read_text() == content


def test_places_that_cannot_be_used(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(OutputError, match="not a file"):
            opened(place)
    with pytest.raises(OutputError, match="cannot be written"):
        opened(tmp_path / "nowhere" / "part")
    kept = opened(tmp_path / "part")
    kept.remove()
    (tmp_path / "part").mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        kept.add(tides().topics[0], values_of(tides().topics[0]))


CHANGED: dict[str, Topic] = {
    "text": topic("ebb", {"one": "tide"}),
    "sentences": topic("ebb", {"one": ("The tide",)}),
    "system": topic("ebb", {"two": "The tide"}),
    "name": topic("flood", {"one": "The tide"}),
    "order": topic("ebb", {"two": "Boats.", "one": "The tide"}),
    "sources": topic("ebb", {"one": "The tide"}, sources=("All of it.",)),
}


@each_case("what", CHANGED)
def test_the_digest_changes_with_what_values_depend_on(what):
    assert topic_digest(CHANGED[what]) != topic_digest(topic("ebb", {"one": "The tide"}))


def test_the_digest_leaves_out_what_people_thought():
    ebb = topic("ebb", {"one": "The tide"})
    judged = replace(ebb, outputs=(replace(ebb.outputs[0], human={"fluency": 4.0}),))
    assert topic_digest(judged) == topic_digest(ebb)
    assert digest_of(tides()) != digest_of(tides(ebb={"one": "tide"}))


@pytest.mark.parametrize("field", ["kind", "format", "measures", "with"])
@pytest.mark.parametrize("value", [None, 3, "a"])
def test_headers_of_other_types_are_another_file(tmp_path, field, value):
    opened(tmp_path / "part")
    header = json.loads((tmp_path / "part").read_text())
    (tmp_path / "part").write_text(json.dumps({**header, field: value}) + "\n")
    with pytest.raises(OutputError, match="there is another file"):
        opened(tmp_path / "part")


class StoppedError(Exception):
    pass


def kept(folder: Path) -> Checkpoint:
    return open_checkpoint(folder / "part", MEASURES, {"weps": "1"})


def test_every_output_has_a_value_of_every_measure():
    testbed = tides()
    matrix = score_testbed(testbed, parsed())
    at = 0
    for one_topic in testbed.topics:
        for row, measure in enumerate(parsed()):
            found = matrix.values[row, at : at + len(one_topic.outputs)]
            assert found.tolist() == measure_scores(measure, TopicTexts(one_topic)).tolist()
        at += len(one_topic.outputs)
    assert matrix.values.shape == (2, at) == (2, 11)
    assert matrix.measures == MEASURES
    pairs = [(name, system) for name, outputs in WORDS.items() for system in outputs]
    assert list(zip(matrix.topic, matrix.system, strict=True)) == pairs


def test_outputs_that_nobody_judged_have_no_human_score():
    matrix = score_testbed(tides(noon={"one": "Boats.", "four": "Nobody judged it."}), parsed())
    judged = dict(zip(zip(matrix.topic, matrix.system, strict=True), matrix.human[0], strict=True))
    assert judged["noon", "one"] == 1
    assert np.isnan(judged["noon", "four"])


def test_nothing_depends_on_the_number_of_processes(tmp_path):
    for jobs in (1, 2):
        write_matrix(score_testbed(tides(), parsed(), jobs=jobs), tmp_path / str(jobs))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("error", [StoppedError, KeyboardInterrupt])
def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch, jobs, error):
    def stop(_: str, done: int, __: int) -> None:
        if done == 2:
            raise error

    with pytest.raises(error):
        score_testbed(tides(), parsed(), jobs=jobs, checkpoint=kept(tmp_path), progress=stop)
    scored = counted(monkeypatch)
    matrix = score_testbed(tides(), parsed(), checkpoint=kept(tmp_path))
    assert scored == ["noon", "night"]
    assert matrix.values.tolist() == score_testbed(tides(), parsed()).values.tolist()


def test_a_mended_topic_alone_is_scored_again(tmp_path, monkeypatch):
    score_testbed(tides(), parsed(), checkpoint=kept(tmp_path))
    scored = counted(monkeypatch)
    mended = tides(flood={"one": "It rose.", "two": "The tide fell at noon."})
    matrix = score_testbed(mended, parsed(), checkpoint=kept(tmp_path))
    assert scored == ["flood"]
    assert matrix.values.tolist() == score_testbed(mended, parsed()).values.tolist()


def test_a_measure_that_is_not_defined_does_not_stop_the_others(tmp_path):
    faulty = tides(ebb={"one": JAPANESE, "two": "ok"}, noon={"three": JAPANESE})
    with pytest.raises(ValuesError, match="not defined for all texts") as caught:
        score_testbed(faulty, parsed(), checkpoint=kept(tmp_path))
    message = caught.value.describe()
    assert "topic 'ebb', the output of 'one': a text has no word in Latin letters" in message
    assert "topic 'noon', the output of 'three'" in message
    assert message.count("take letters of all scripts: unicode=true") == 2
    assert "(rouge(n=1), rouge_l)" in message
    assert str(tmp_path / "part") in message
    held = kept(tmp_path)
    assert [held.values(each) is not None for each in faulty.topics] == [False, True, False, True]


def test_the_measures_that_are_defined_have_values():
    (topic, *_) = tides(ebb={"one": JAPANESE}).topics
    found = score_topic(topic, ("rouge(n=1)", "rouge(n=1, unicode=true)"), TextTools())
    values, faults = found
    assert values == ((0.0,),)
    assert [each.measure for each in faults] == ["rouge(n=1)"]


def test_a_criterion_that_is_called_like_a_measure_is_reported_before_the_work(monkeypatch):
    scored = counted(monkeypatch)
    first, *_ = tides().topics
    faulty = replace(first, outputs=(replace(first.outputs[0], human={"rouge_l": 1.0}),))
    testbed = Testbed("Tides", "en", "made up", (faulty,))
    with pytest.raises(ValuesError, match="columns occur twice: 'rouge_l'"):
        score_testbed(testbed, parsed())
    assert scored == []


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that will be scored from now on."""
    scored: list[str] = []

    def score(topic, measures, tools) -> tuple[Values, list[Fault]]:
        scored.append(topic.topic)
        return score_topic(topic, measures, tools)

    monkeypatch.setattr(scoring, "score_topic", score)
    return scored
