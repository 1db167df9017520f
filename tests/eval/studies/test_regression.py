"""``weps meta regression`` on made-up scores, small tables and testbeds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import certain, judged, matrix, run_study
from weps.errors import ValuesError
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, UNDECIDED
from weps_eval.stats import bootstrap_means
from weps_eval.studies import regression
from weps_eval.studies.frames import Frame, Frames
from weps_eval.studies.measures import StudyInput, judged_outputs
from weps_eval.studies.regression_claims import BEST, CLAIMS, VRM
from weps_eval.text.declaration import Measure
from weps_eval.text.testbed import MeasureMatrix, Output, Reference, Testbed, Topic, write_testbed

ERROR, CORRELATION, VOTES, RIVALS, ANSWERS, THRESHOLD, RANKING, SIMILARITIES, METHODS, SYSTEMS = (
    range(10)
)


def alike(topics: int = 5, systems: int = 5) -> regression.ComparedOutputs:
    """Two similarities from .1 to .9 between different outputs."""
    found = matrix(topics=topics, systems=systems)
    random = np.random.default_rng(0)
    tables = {each: 0.1 + 0.8 * random.random((2, systems, systems)) for each in range(topics)}
    scored = StudyInput("made up", found, (), "matrix:none")
    outputs = judged(topics=topics, systems=systems)
    return regression.ComparedOutputs(scored, outputs, ("cosine", "rouge(n=1)"), tables)


def find(compared: regression.ComparedOutputs, **settings: object) -> Frames:
    return regression.find_frames(
        compared, regression.RegressionSettings(**{"folds": 3, "variables": 3, **settings})
    )


@pytest.fixture(scope="module")
def frames() -> Frames:
    return find(alike())


def test_systems_may_be_left_out(frames):
    """There are no more folds than systems."""
    found = find(alike(), leave_out=regression.LeftOut.SYSTEMS, folds=100)["learners"]
    before = frames["learners"]["absolute"].value
    assert not np.isclose(found["absolute"].value[:, None], before).any()


@each_case(("within", "same"), [(0.0, True), (50.0, False)])
def test_with_no_room_for_votes_the_best_regression_is_the_model(within, same):
    learners = find(alike(), within=within)["learners"]
    voted, best = (learners.where(learner=name).rows[0]["absolute"] for name in (VRM, BEST))
    assert (voted.value == pytest.approx(best.value)) is same


def test_thresholds_reach_the_highest_similarity():
    compared = alike()
    assert compared.similarities is not None
    tables = {topic: 5 * table for topic, table in compared.similarities.items()}
    found = find(replace(compared, similarities=tables))
    assert found["means"]["threshold"][-1] == pytest.approx(
        max(table.max() for table in tables.values())
    )


def judge(frames: Frames, number: int) -> str:
    return CLAIMS[number].judge(frames).word


def with_errors(found: Frames, vrm: float, best: float, others: float, alone: float) -> Frames:
    """VRM's lead over learners by error, and the same by correlation."""
    errors = {VRM: vrm, BEST: best}
    rows = [
        {
            **row,
            "ahead": certain(
                (alone if not row["together"] else errors.get(row["of"], others)) - vrm
            ).estimates[0],
        }
        for row in found["ahead"].rows
    ]
    return replace(found, frames={**found, "ahead": Frame.of_rows(rows)})


@each_case(
    ("errors", "number", "word"),
    [
        ((0.4, 0.5, 0.5, 0.6), ERROR, HOLDS),
        ((0.4, 0.5, 0.5, 0.3), ERROR, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.5, 0.4), ERROR, UNDECIDED),
        ((0.4, 0.5, 0.5, 0.6), CORRELATION, HOLDS),
        ((0.4, 0.5, 0.5, 0.3), CORRELATION, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.3, 0.3), VOTES, HOLDS),
        ((0.4, 0.3, 0.5, 0.5), VOTES, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.5, 0.3), RIVALS, HOLDS),
        ((0.4, 0.5, 0.3, 0.5), RIVALS, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.5, 0.5), ANSWERS, CANNOT),
    ],
)
def test_verdicts_on_learners(frames, errors, number, word):
    assert judge(with_errors(frames, *errors), number) == word


def with_pools(
    frames: Frames,
    gap: tuple[float, ...] = (0.5, 0.4, 0.3),
    precision: tuple[float, ...] = (0.5, 0.6, 0.9),
    other: float = 0.5,
    relative: float = 0.2,
    names: tuple[str, str] = ("cosine", "rouge(n=1)"),
) -> Frames:
    """Thresholds that leave all outputs, a half, a quarter; two similarities."""
    first = {
        "estimator": [regression.MEAN] * 3,
        "similarity": [names[0]] * 3,
        "gap": certain(*gap),
        "coverage": np.array([1.0, 0.5, 0.25]),
        "precision": certain(*precision),
        "best_same_pairs": certain(0.7, 0.7, 0.7),
        "best_all_pairs": certain(0.8, 0.8, 0.8),
    }
    second = first | {"similarity": [names[1]] * 3, "gap": certain(other, 0.4, 0.3)}
    changed = {
        "means": Frame.stack([Frame(first), Frame(second)]),
        "relative": Frame({"measure": ["a", "b"], "gap": certain(relative, 0.4)}),
        "of_systems": Frame({"similarity": list(names), "gap": certain(0.35, 0.3)}),
    }
    return replace(frames, frames={**frames, **changed})


@each_case(
    ("changed", "number", "word"),
    [
        ({}, THRESHOLD, HOLDS),
        ({"gap": (0.3, 0.4, 0.5)}, THRESHOLD, DOES_NOT_HOLD),
        ({}, RANKING, HOLDS),
        ({"precision": (0.5, 0.9, 0.7)}, RANKING, DOES_NOT_HOLD),
        ({}, SIMILARITIES, HOLDS),
        ({"other": 0.6}, SIMILARITIES, DOES_NOT_HOLD),
        ({"other": 0.6, "names": ("cosine", "rouge_l")}, SIMILARITIES, CANNOT),
        ({}, METHODS, HOLDS),
        ({"relative": 0.31}, METHODS, DOES_NOT_HOLD),
    ],
)
def test_verdicts_on_pools(frames, changed, number, word):
    assert judge(with_pools(frames, **changed), number) == word


@each_case(("ours", "word"), [(0.8, HOLDS), (0.5, DOES_NOT_HOLD)])
def test_verdicts_on_systems(frames, ours, word):
    relative = Frame({"precision": certain(ours, ours), "plain": certain(0.7, 0.5)})
    assert judge(replace(frames, frames={**frames, "relative": relative}), SYSTEMS) == word


def test_what_cannot_be_judged():
    """Without similarities, without ROUGE, of two systems."""
    scored = StudyInput("made up", matrix(("a", "b", "c"), systems=2), (), "matrix:none")
    outputs = judged(("a", "b", "c"), systems=2)
    found = find(regression.ComparedOutputs(scored, outputs))
    cannot = {number for number in range(10) if judge(found, number) == CANNOT}
    assert cannot == {*range(10)} - {VOTES, RIVALS}


@each_case(("topics", "fewest"), [(20, 17), (1, 0)])
def test_of_many_similarities_the_best_and_the_worst_are_some_way_apart(frames, topics, fewest):
    """Twelve similarities that differ by chance only; of one topic nothing can be said."""
    words = []
    for seed in range(20):
        errors = np.random.default_rng(seed).random((12, topics))
        gaps = bootstrap_means(errors, resamples=200)
        pools = [
            Frame({"similarity": [f"similarity {each}"], "gap": gaps.take([each])})
            for each in range(12)
        ]
        means = Frame.stack(pools)
        words.append(judge(replace(frames, frames={**frames, "means": means}), SIMILARITIES))
    assert words.count(HOLDS) >= fewest
    assert words.count(CANNOT) == (20 if topics == 1 else 0)


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
    assert regression._select_variables(outputs, most) == chosen
    with pytest.raises(ValuesError, match="all outputs have the same values"):
        regression._select_variables(replace(outputs, values=np.ones((2, 4))), 1)


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
    work = (outputs, Testbed("made up", "en", "nowhere", topics), measures)
    found, again = (
        regression._output_similarities(
            *work, regression.RegressionSettings(jobs=jobs, no_cache=True)
        )
        for jobs in (1, 2)
    )
    assert [found[each].shape for each in range(2)] == [(2, 2, 2), (2, 3, 3)]
    assert all((found[each] == again[each]).all() for each in found)
    assert np.diagonal(found[0][0]) == pytest.approx([1, 1])
    assert found[1][:, 0].tolist() == [pytest.approx([1, 0.75, 0])] * 2


WORDS = "the red cat sat on a warm stone wall and slept until the long evening came".split()


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


@pytest.mark.slow
def test_a_testbed_has_similarities(testbed, tmp_path):
    options = ("--similarity", "cosine, rouge_l", "--leave-out", "systems")
    made = run_study(
        tmp_path, "regression", testbed, "--measures", "rouge(n=1), rouge(n=2)", *options
    )
    assert made.out.count("weighted mean ") == 2
    assert list(made.data["pools"]["weighted_mean"]) == ["cosine", "rouge_l"]
    assert list(made.data["pools"]["kazawa_equation_1"]) == ["cosine", "rouge_l"]
    assert made.data["learners"]["VRM"]["absolute"]["value"] < 1


@each_case(
    ("measures", "word"),
    [
        (("rouge(n=2)", "answers(match=exact)", "sentencesim(part=f)", "dice"), HOLDS),
        (("dice", "rouge(n=2)", "answers(match=exact)", "sentencesim(part=f)"), DOES_NOT_HOLD),
        (("rouge(n=2)", "answers(match=edit)", "sentencesim(part=f)", "dice"), CANNOT),
    ],
)
def test_the_variables_of_the_paper_are_in_most_models(measures, word):
    """People follow the first three measures alone, equally."""
    made = matrix(measures, topics=30)
    random = np.random.default_rng(0).normal(size=made.values.shape)
    human = random[:3].sum(axis=0) + 0.1 * random[3]
    if word == DOES_NOT_HOLD:
        human -= random[3] * 0.1  # the last says nothing, whatever is left out
    values = replace(made, values=random, human=human[None])
    scored = StudyInput("made up", values, (), "matrix:none")
    compared = regression.ComparedOutputs(scored, judged_outputs(scored, "quality"))
    found = find(compared, variables=4)
    assert judge(found, ANSWERS) == word
    for row in found["variables"].rows:
        assert row["kept"].low <= row["kept"].value <= row["kept"].high
