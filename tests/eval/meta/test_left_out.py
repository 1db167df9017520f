from collections.abc import Callable

import numpy as np
import pytest

from eval.meta.left_out import LeftOut, left_out
from eval.meta.similarities import Similarities
from eval.text.references import maximum, mean
from tests.eval.meta.made_up import random_topic
from weps.errors import ValuesError

MODELS = [[1, 0.2, 0.6], [0.3, 1, 0.5], [0.7, 0.1, 1]]
PEERS = [[0.9, 0.1, 0.5]]


@pytest.mark.parametrize(
    ("combine", "models", "peers"),
    [
        (mean, [0.4, 0.4, 0.4], [0.3, 0.7, 0.5]),
        (maximum, [0.6, 0.5, 0.7], [0.5, 0.9, 0.9]),
    ],
)
def test_three_models_and_a_peer(
    combine: Callable[[np.ndarray], np.ndarray], models: list[float], peers: list[float]
) -> None:
    found = left_out(Similarities(np.array([PEERS]), np.array([MODELS])), combine)
    assert found.models[0].tolist() == pytest.approx(models)
    assert found.peers[0, :, 0].tolist() == pytest.approx(peers)


def test_each_measure_stands_alone() -> None:
    topic = random_topic(0, 3)
    together = left_out(topic)
    for measure in range(3):
        alone = left_out(topic.only([measure]))
        assert np.array_equal(alone.models[0], together.models[measure])
        assert np.array_equal(alone.peers[0], together.peers[measure])


def test_references_of_equal_means_are_equal() -> None:
    models = np.full((1, 4, 4), 0.5)
    models[0, 0, 1:], models[0, 1, [0, 2, 3]] = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    found = left_out(Similarities(np.full((1, 2, 4), 0.5), models)).models[0]
    assert found[0] == found[1]


def test_a_single_model_is_refused() -> None:
    with pytest.raises(ValuesError, match="a single model leaves none"):
        left_out(random_topic(0, models=1))


@pytest.mark.parametrize(
    ("models", "peers", "message"),
    [
        (np.zeros((1, 2)), np.zeros((1, 3, 2)), r"models: shape \(1, 2\) does not fit"),
        (np.zeros((1, 2)), np.zeros((1, 2)), "peers: .* is not measures × models × peers"),
        (np.zeros((1, 2)), np.zeros((1, 2, 0)), "one of each at least"),
        (np.full((1, 2), np.nan), np.zeros((1, 2, 1)), "models: measure 0 has NaN where model 0"),
        (np.zeros((1, 2)), np.full((1, 2, 1), np.nan), "peers: measure 0 has NaN"),
    ],
)
def test_what_does_not_fit_is_refused(models: np.ndarray, peers: np.ndarray, message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        LeftOut(models, peers)
