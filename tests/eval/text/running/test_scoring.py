from pathlib import Path

import numpy as np
import pytest

from eval.text.convert import convert_summeval
from eval.text.desk import Desk
from eval.text.measures import scores
from eval.text.running import Kept, open_kept, score_testbed, scoring
from eval.text.running.topics import Scored, score_topic
from eval.text.testbed import Testbed, Topic, write_matrix
from tests.eval.text.running.made_up import JAPANESE, MEASURES, WORDS, parsed, tides
from weps.errors import ValuesError


class StoppedError(Exception):
    pass


def kept(folder: Path) -> Kept:
    return open_kept(folder / "part", MEASURES, {"weps": "1"})


def test_every_output_has_a_value_of_every_measure() -> None:
    testbed = tides()
    matrix = score_testbed(testbed, parsed())
    at = 0
    for topic in testbed.topics:
        for row, measure in enumerate(parsed()):
            found = matrix.values[row, at : at + len(topic.outputs)]
            assert found.tolist() == scores(measure, Desk(topic)).tolist()
        at += len(topic.outputs)
    assert matrix.values.shape == (2, at) == (2, 11)
    assert matrix.measures == MEASURES
    pairs = [(name, system) for name, outputs in WORDS.items() for system in outputs]
    assert list(zip(matrix.topic, matrix.system, strict=True)) == pairs


def test_human_scores_come_along() -> None:
    matrix = score_testbed(tides(noon={"one": "Boats.", "four": "Nobody judged it."}), parsed())
    assert matrix.criteria == ("fluency",)
    judged = dict(zip(zip(matrix.topic, matrix.system, strict=True), matrix.human[0], strict=True))
    assert judged["noon", "one"] == 1
    assert np.isnan(judged["noon", "four"])


def test_nothing_depends_on_the_number_of_processes(tmp_path: Path) -> None:
    for jobs in (1, 2):
        write_matrix(score_testbed(tides(), parsed(), jobs=jobs), tmp_path / str(jobs))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_progress_is_told_by_topic() -> None:
    heard: list[tuple[int, int]] = []
    score_testbed(tides(), parsed(), progress=lambda _, done, total: heard.append((done, total)))
    assert heard == [(done, 4) for done in range(5)]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("error", [StoppedError, KeyboardInterrupt])
def test_a_run_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, error: type[BaseException]
) -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done == 2:
            raise error

    with pytest.raises(error):
        score_testbed(tides(), parsed(), jobs=jobs, kept=kept(tmp_path), progress=stop)
    scored = counted(monkeypatch)
    matrix = score_testbed(tides(), parsed(), kept=kept(tmp_path))
    assert scored == ["noon", "night"]
    assert matrix.values.tolist() == score_testbed(tides(), parsed()).values.tolist()


def test_a_mended_topic_alone_is_scored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    score_testbed(tides(), parsed(), kept=kept(tmp_path))
    scored = counted(monkeypatch)
    mended = tides(flood={"one": "It rose.", "two": "The tide fell at noon."})
    matrix = score_testbed(mended, parsed(), kept=kept(tmp_path))
    assert scored == ["flood"]
    assert matrix.values.tolist() == score_testbed(mended, parsed()).values.tolist()


def test_a_measure_that_is_not_defined_does_not_stop_the_others(tmp_path: Path) -> None:
    faulty = tides(ebb={"one": JAPANESE, "two": "ok"}, noon={"three": JAPANESE})
    with pytest.raises(ValuesError, match="not defined for all texts") as caught:
        score_testbed(faulty, parsed(), kept=kept(tmp_path))
    told = caught.value.describe()
    assert "topic 'ebb', the output of 'one': a text has no word in Latin letters" in told
    assert "topic 'noon', the output of 'three'" in told
    assert told.count("take letters of all scripts: unicode=true") == 2
    assert "(rouge(n=1), rouge_l)" in told
    assert str(tmp_path / "part") in told
    held = kept(tmp_path)
    assert [held.values(each) is not None for each in faulty.topics] == [False, True, False, True]


def test_the_measures_that_are_defined_have_values() -> None:
    (topic, *_) = tides(ebb={"one": JAPANESE}).topics
    found = score_topic(topic, ("rouge(n=1)", "rouge(n=1, unicode=true)"), scoring.Tools())
    assert found.values == ((0.0,),)
    assert [each.measure for each in found.faults] == ["rouge(n=1)"]


def test_a_criterion_that_is_called_like_a_measure_is_told_before_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scored = counted(monkeypatch)
    topic = tides().topics[0].as_data()
    topic["outputs"][0]["human"] = {"rouge_l": 1.0}
    testbed = Testbed("Tides", "en", "made up", (Topic.from_data(topic),))
    with pytest.raises(ValuesError, match="columns occur twice: 'rouge_l'"):
        score_testbed(testbed, parsed())
    assert scored == []


def test_summeval(weps_data: Path) -> None:
    whole = convert_summeval(weps_data / "text" / "summeval")
    testbed = Testbed(whole.name, whole.language, whole.source, whole.topics[:3])
    one, two = (score_testbed(testbed, parsed(), jobs=jobs) for jobs in (1, 2))
    assert one.values.shape == (2, 48)
    assert one.values.tobytes() == two.values.tobytes()
    assert np.isfinite(one.human).all()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that will be scored from now on."""
    scored: list[str] = []

    def score(topic, measures, tools) -> Scored:
        scored.append(topic.topic)
        return score_topic(topic, measures, tools)

    monkeypatch.setattr(scoring, "score_topic", score)
    return scored
