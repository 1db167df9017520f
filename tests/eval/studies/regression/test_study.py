"""``weps meta regression`` on small tables and testbeds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import by_system, judged, matrix, run_study, write
from weps.errors import ValuesError
from weps_eval.studies.measures import StudyInput, judged_outputs
from weps_eval.studies.regression.study import output_similarities, select_variables
from weps_eval.text.matrix import MeasureMatrix
from weps_eval.text.registry import Measure
from weps_eval.text.testbed import Output, Reference, Testbed, Topic, write_testbed
from weps_eval.text.topic import TextTools

WORDS = "the red cat sat on a warm stone wall and slept until the long evening came".split()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.csv", matrix(topics=5))


@pytest.fixture
def testbed(tmp_path: Path) -> Path:
    """Outputs that have the first words of the reference, and are the better the more they have."""
    topics = []
    for topic in range(4):
        words = WORDS[topic:] + WORDS[:topic]
        outputs = tuple(
            Output(f"s{size}", " ".join([*words[:size], "nothing"]), {"quality": size + topic / 4})
            for size in range(2, 7)
        )
        topics.append(Topic(f"t{topic}", (Reference("R", " ".join(words)),), outputs))
    write_testbed(Testbed("made up", "en", "nowhere", tuple(topics)), tmp_path / "bed.jsonl")
    return tmp_path / "bed.jsonl"


def test_a_table(table, tmp_path):
    made = run_study(tmp_path, "regression", table, "--variables", 3)
    assert "Of 7 measures 3 are variables, the least similar ones" in made.out
    assert "Scores are not estimated from similar outputs (Kazawa, eq. 1" in made.out
    assert max(map(len, made.out.split("\n\nsource:")[0].splitlines())) <= 100
    assert made.data["pools"] is None
    assert len(made.data["vrm"]["variables"]) == 3


@pytest.mark.slow
def test_a_testbed_has_similarities(testbed, tmp_path):
    options = ("--similarity", "cosine, rouge_l", "--leave-out", "systems")
    made = run_study(
        tmp_path, "regression", testbed, "--measures", "rouge(n=1), rouge(n=2)", *options
    )
    assert "Gap by Coverage" in made.out
    assert made.out.count("Kazawa, eq. 1") == 2 + 1  # two rows and the note
    assert made.out.count("weighted mean ") == 2
    assert list(made.data["pools"]["weighted_mean"]) == ["cosine", "rouge_l"]
    assert list(made.data["pools"]["kazawa_equation_1"]) == ["cosine", "rouge_l"]
    assert made.data["learners"]["VRM"]["absolute"]["value"] < 1
    assert (made.report / "precision.svg").exists()


def test_whole_systems_are_refused(weps, tmp_path):
    found, whole = matrix(), by_system()
    ranked = MeasureMatrix(
        found.topic, found.system, found.measures, found.values, ("rank",), whole.human[None]
    )
    status, _, err = weps("meta", "regression", write(tmp_path / "t.csv", ranked))
    assert status == 1
    assert "people judged whole systems by rank, not single outputs" in err


@pytest.mark.slow
def test_one_topic_cannot_be_left_out(weps, tmp_path):
    one = write(tmp_path / "t.csv", matrix(topics=1))
    status, _, err = weps("meta", "regression", one)
    assert status == 1
    assert "try --leave-out systems" in err
    assert weps("meta", "regression", one, "--leave-out", "systems", "--variables", 2)[0] == 0


@pytest.mark.parametrize(
    ("options", "remark"),
    [
        (["--variables", 0], "scores cannot be learned from 0 variables"),
        (["--variables", 21], "choose from 1 to 20"),
        (["--folds", 1], "choose 2 or more"),
        (["--within", "-1"], "no model is within"),
        (["--within", "nan"], "no model is within"),
        (["--human", "beauty"], "unknown column 'beauty'"),
    ],
)
def test_what_cannot_be_done_is_an_error(weps, table, options, remark):
    status, _, err = weps("meta", "regression", table, *options)
    assert status == 1
    assert remark in err


def test_an_unknown_similarity_is_an_error(weps, testbed):
    status, _, err = weps("meta", "regression", testbed, "--similarity", "cosinus")
    assert status == 1
    assert "there is neither a measure nor a set 'cosinus'" in err


TEXTS = {"a": "the red cat sat", "b": "the red cat ran", "c": "a dog barked"}


@pytest.mark.slow
def test_outputs_are_compared_in_the_order_of_the_judged_in_any_number_of_processes():
    topics = tuple(
        Topic(
            name,
            (Reference("R", "the red cat"),),
            tuple(Output(each, TEXTS[each], {"quality": 1.0}) for each in systems),
        )
        for name, systems in (("one", "abc"), ("two", "ca"), ("three", "b"))
    )
    rows = [("two", "a"), ("one", "a"), ("two", "c"), ("one", "b"), ("one", "c")]
    human = np.arange(5.0)[None]
    values = MeasureMatrix(*zip(*rows, strict=True), ("m",), human, ("quality",), human)
    outputs = judged_outputs(StudyInput("x", values, (), ""), "quality")
    measures = [Measure.parse(each) for each in ("rouge(n=1)", "rouge(n=1, part=recall)")]
    work = (outputs, Testbed("made up", "en", "nowhere", topics), measures, TextTools())
    found, again = (output_similarities(*work, jobs=jobs) for jobs in (1, 2))
    assert [found[each].shape for each in range(2)] == [(2, 2, 2), (2, 3, 3)]
    assert all((found[each] == again[each]).all() for each in found)
    assert np.diagonal(found[0][0]) == pytest.approx([1, 1])
    assert found[1][:, 0].tolist() == [pytest.approx([1, 0.75, 0])] * 2


ONE, TWO = [0, 0, 1, 1], [0, 1, 0, 1]
"""Not correlated."""
FLAT, TURNED, NEARLY = [3, 3, 3, 3], [1, 1, 0, 0], [0, 0.1, 1, 1]


@each_case(
    ("rows", "most", "chosen"),
    [
        ([ONE, TWO, NEARLY], 3, (0, 1, 2)),
        ([ONE, NEARLY, TURNED, TWO], 2, (0, 3)),
        ([ONE, TURNED, TWO, NEARLY], 3, (0, 2, 3)),  # a measure turned round says nothing new
        ([FLAT, NEARLY, TWO], 1, (1,)),
    ],
)
def test_those_least_alike_are_chosen(rows, most, chosen):
    outputs = replace(judged(topics=1, systems=4), values=np.array(rows, float))
    assert select_variables(outputs, most) == chosen
    with pytest.raises(ValuesError, match="all outputs have the same values"):
        select_variables(replace(outputs, values=np.ones((2, 4))))
