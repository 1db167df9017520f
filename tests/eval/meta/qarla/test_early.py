import numpy as np
import pytest
from hypothesis import given

from eval.meta.qarla import early
from eval.meta.similarities import Similarities
from tests.eval.meta.made_up import changed, random_topic, topics, with_models
from weps.errors import ValuesError


def test_two_models_and_two_peers() -> None:
    # With m0 for reference m1 has 0.5, the peers 0.4 and 0.5; with m1, m0 has 0.3, they 0 and 0.2.
    models = np.array([[[1, 0.3], [0.5, 1]]])
    peers = np.array([[[0.4, 0.0], [0.5, 0.2]]])
    assert early([Similarities(peers, models)]).tolist() == [[3 / 4]]


@given(topics(fewest=2))
def test_it_is_the_share_of_all_combinations(given_topics: list[Similarities]) -> None:
    found = early(given_topics)
    for number, each in enumerate(given_topics):
        measures, peers, models = each.peers.shape
        for measure in range(measures):
            x_models, x_peers = each.models[measure], each.peers[measure]
            closer = [
                x_models[model, reference] > x_peers[peer, reference]
                for reference in range(models)
                for model in range(models)
                for peer in range(peers)
                if model != reference
            ]
            assert found[measure, number] == pytest.approx(sum(closer) / len(closer))


@given(topics(fewest=2))
def test_only_the_order_of_values_matters(given_topics: list[Similarities]) -> None:
    assert np.array_equal(early(given_topics), early(changed(given_topics, np.exp)))


def test_nine_models_and_ten_peers_make_720_combinations() -> None:
    found = early([random_topic(0, 1, 10, 9)])
    assert found.item() * 720 == pytest.approx(round(found.item() * 720))


def test_names_do_not_matter() -> None:
    given_topic = random_topic(1)
    assert early([with_models(given_topic, [4, 2, 0, 1, 3])]) == pytest.approx(early([given_topic]))


def test_random_measures_are_right_half_the_time_and_constant_ones_never() -> None:
    assert early([random_topic(seed, 1) for seed in range(300)]).mean() == pytest.approx(
        0.5, abs=0.03
    )
    assert early([Similarities(np.ones((1, 3, 3)), np.ones((1, 3, 3)))]).tolist() == [[0]]


def test_a_single_model_is_refused() -> None:
    with pytest.raises(ValuesError, match="topic 0: a single model"):
        early([random_topic(0, models=1)])
