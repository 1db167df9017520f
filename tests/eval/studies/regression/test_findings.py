from dataclasses import replace

import numpy as np
import pytest

from eval.meta.correlation import Coefficient
from eval.meta.regression.linear import (
    assign_folds,
    cross_validate_scores,
    multiple_regression,
    simple_regression,
)
from eval.studies.regression.findings import VRM, LeftOut, Plan, evaluate_learners, select_variables
from tests.eval.studies.made_up_scores import judged
from weps.errors import ValuesError

FEW = {"folds": 4, "resamples": 30}


@pytest.fixture(scope="module")
def found():
    return evaluate_learners(judged(), Plan((0, 2, 3), **FEW))


def test_learners_and_measures_alone(found):
    assert found.names[0] == VRM
    assert found.rivals == ["best AICc", "multiple", "ridge", "lasso", "simple"]
    assert found.names[6:] == (
        "rouge(n=1) alone",
        "rouge(n=2) alone",  # no variable, but the paper's baseline
        "cosine alone",
        "dice alone",
    )
    assert found.baselines == {"ROUGE-1": "rouge(n=1) alone", "ROUGE-2": "rouge(n=2) alone"}


@pytest.mark.parametrize(
    ("name", "learner", "rows"),
    [("multiple", multiple_regression, [0, 2, 3]), ("rouge(n=2) alone", simple_regression, [1])],
)
def test_errors_are_those_of_scores_that_were_not_seen(found, name, learner, rows):
    outputs = judged()
    fold = assign_folds(outputs.topic, 4)
    estimates = cross_validate_scores(learner, outputs.values[rows], outputs.human, fold)
    expected = np.abs(estimates - outputs.human).mean()
    assert found.accuracy.absolute.value[found.names.index(name)] == pytest.approx(expected)


def test_a_better_measure_has_a_smaller_error_and_more_votes(found):
    error = dict(zip(found.names, found.accuracy.absolute.value, strict=True))
    assert error["rouge(n=1) alone"] < error["dice alone"]
    assert found.model.support[0] == 1
    assert found.effects[0] > found.effects[2]
    pearson = found.accuracy.per_summary[Coefficient.PEARSON].value
    assert pearson[found.names.index("rouge(n=1) alone")] > 0.8


def test_systems_may_be_left_out(found):
    other = evaluate_learners(judged(), Plan((0, 2, 3), LeftOut.SYSTEMS, **FEW))
    assert (other.accuracy.absolute.value != found.accuracy.absolute.value).all()


def test_support_vectors_only_if_asked_and_no_more_folds_than_topics(found):
    assert "SVR" not in found.names
    plan = Plan((0, 1), folds=100, svr=True, resamples=20)
    assert "SVR" in evaluate_learners(judged(topics=3), plan).names


def test_with_no_room_for_votes_the_best_regression_is_the_model():
    outputs = judged(topics=6)
    best, many = (
        evaluate_learners(
            outputs, Plan((0, 1, 2, 3), folds=3, within=within, resamples=5)
        ).accuracy.absolute
        for within in (0.0, 50.0)
    )
    assert best.value[0] == pytest.approx(best.value[1])
    assert many.value[0] != pytest.approx(many.value[1])


def with_values(*rows):
    found = judged(topics=1, systems=4)
    return replace(found, measures=tuple("abcdefg"[: len(rows)]), values=np.array(rows, float))


ONE, TWO = [0, 0, 1, 1], [0, 1, 0, 1]
"""Not correlated."""
FLAT, TURNED, NEARLY = [3, 3, 3, 3], [1, 1, 0, 0], [0, 0.1, 1, 1]


@pytest.mark.parametrize(
    ("rows", "most", "chosen"),
    [
        ([ONE, TWO, NEARLY], 3, (0, 1, 2)),
        ([ONE, NEARLY, TURNED, TWO], 2, (0, 3)),
        ([ONE, TURNED, TWO, NEARLY], 3, (0, 2, 3)),  # a measure turned round says nothing new
        ([FLAT, NEARLY, TWO], 1, (1,)),
    ],
)
def test_those_least_alike_are_chosen(rows, most, chosen):
    assert select_variables(with_values(*rows), most) == chosen


def test_constant_measures_are_refused():
    with pytest.raises(ValuesError, match="no measure tells outputs apart"):
        select_variables(with_values(FLAT, FLAT))
