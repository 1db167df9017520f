import numpy as np
import pytest

from eval.meta.judged import (
    Similarities,
    as_finite,
    as_human_scored,
    as_table,
    checked_measures,
    checked_topics,
)
from weps.errors import ValuesError


def test_a_table_has_a_cell_for_each_topic_and_system() -> None:
    table = as_table([[1, 2, 3], [4, np.inf, 6]], topic=[0, 1, 1], system=[1, 0, 1])
    expected = [[[np.nan, 1], [2, 3]], [[np.nan, 4], [np.inf, 6]]]
    assert np.array_equal(table, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("values", "human", "told"),
    [
        ([[1, 2]], [1, 2, 3], r"of 2 and human scores of 3 instances cannot be paired"),
        ([[1, 2]], [1, np.nan], r"human: 1 values are NaN, the first is instance 1"),
        ([[1, 2], [1, np.nan]], [1, 2], r"values: .* instance 1 of measure 1"),
        ([[1, 2], [1, np.inf]], [1, 2], r"values: the value of instance 1 of measure 1 is inf"),
        ([[1, 2]], [-np.inf, 2], r"human: the value of instance 0 is infinite"),
        ([["a", "b"]], [1, 2], r"expected numbers"),
        ([[]], [], r"no instances given"),
    ],
)
def test_values_that_do_not_fit_are_refused(values: object, human: object, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        as_human_scored(values, human, finite=True)  # type: ignore[arg-type]


def test_measures_may_be_infinite_where_only_order_counts() -> None:
    measures, _ = as_human_scored([1, np.inf], [1, 2])
    assert measures.tolist() == [[1, np.inf]]
    with pytest.raises(ValuesError, match="finite value"):
        as_finite(measures, "values")


def test_a_system_answers_a_topic_once() -> None:
    with pytest.raises(ValuesError, match="system 2 answers topic 1 more than once"):
        as_table([1, 2, 3], topic=[0, 1, 1], system=[2, 2, 2])


PEERS, MODELS, AMONG = np.zeros((2, 3, 4)), np.zeros((2, 4, 4)), np.zeros((2, 3, 3))
NAN = np.zeros((2, 4, 4))
NAN[1, 2, 3] = np.nan


def test_some_of_the_measures_in_another_order() -> None:
    rising = (np.arange(each.size).reshape(each.shape) for each in (PEERS, MODELS, AMONG))
    topic = Similarities(*rising)
    chosen = topic.only([1, 0])
    assert np.array_equal(chosen.peers, topic.peers[::-1])
    assert np.array_equal(chosen.models, topic.models[::-1])
    assert np.array_equal(chosen.among_peers, topic.among_peers[::-1])
    assert Similarities(topic.peers, topic.models).only([1]).among_peers is None


def test_infinite_values_are_values() -> None:
    assert checked_topics([Similarities(PEERS + np.inf, MODELS - np.inf)]) == 2


@pytest.mark.parametrize(
    ("peers", "models", "among", "message"),
    [
        (
            PEERS[0],
            MODELS,
            AMONG,
            r"peers: expected shape \(measures, peers, models\).*got \(3, 4\)",
        ),
        (PEERS[:, :0], MODELS, None, "none of them 0"),
        (PEERS, MODELS[:1], AMONG, r"models: shape \(1, 4, 4\) does not fit \(2, 4, 4\)"),
        (PEERS, MODELS, MODELS, "among peers: shape"),
        (PEERS, MODELS.astype(str), AMONG, "models: expected numbers"),
        (PEERS, NAN, AMONG, "models: .* measure 1 for text 2 and reference 3 is NaN"),
    ],
)
def test_what_does_not_fit_is_refused(
    peers: np.ndarray, models: np.ndarray, among: np.ndarray, message: str
) -> None:
    with pytest.raises(ValuesError, match=message):
        Similarities(peers, models, among)


def test_topics_have_the_same_measures() -> None:
    one, two = Similarities(PEERS, MODELS), Similarities(PEERS[:1], MODELS[:1])
    with pytest.raises(ValuesError, match="topic 1: there are 1 measures, and 2 on the first"):
        checked_topics([one, two])
    with pytest.raises(ValuesError, match="no topics given"):
        checked_topics([])


def test_a_set_has_measures_that_are_there() -> None:
    assert checked_measures(None, 3) == [0, 1, 2]
    assert checked_measures((2, 0), 3) == [2, 0]
    with pytest.raises(ValuesError, match="holds one at least"):
        checked_measures([], 3)
    for absent in (3, -1):
        with pytest.raises(ValuesError, match=f"measure {absent} is out of range: expected 0 to 2"):
            checked_measures([absent], 3)
