import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.qarla import Conditions, Triples, king, kings, queen_left_out
from eval.meta.similarities import Similarities
from tests.eval.meta.made_up import changed, random_topic, topics, with_models, with_peers
from weps.errors import ValuesError

conventions = st.sampled_from(Triples)


def test_a_model_among_four_that_no_peer_equals() -> None:
    # All models are 0.6 from one another, but m0 and m1 0.8; peers reach 0.7 with m0 alone.
    models = np.full((4, 4), 0.6)
    models[0, 1] = models[1, 0] = 0.8
    peers = np.array([[0.7, 0.5, 0.5, 0.5], [0.5] * 4])
    conditions = Conditions.of([Similarities(peers[None], models[None])])
    (found,) = queen_left_out(conditions)
    assert found.models[0].tolist() == pytest.approx([1, 1, 2 / 3, 2 / 3])
    assert found.peers[0, :, 0].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert king(conditions).tolist() == [1]


def test_a_tie_with_a_peer_is_no_success() -> None:
    models = np.full((1, 4, 4), 0.6)
    for peer, expected in ((0.59, 1), (0.6, 0)):
        conditions = Conditions.of([Similarities(np.full((1, 1, 4), peer), models)])
        assert king(conditions).tolist() == [expected]


@given(topics(), conventions)
def test_it_is_the_share_of_models_ahead_of_all_peers(
    given_topics: list[Similarities], triples: Triples
) -> None:
    conditions = Conditions.of(given_topics, triples)
    expected = [
        (each.models[0] > each.peers[0].max(axis=1)).mean() for each in queen_left_out(conditions)
    ]
    assert king(conditions).tolist() == pytest.approx(expected)


@given(topics())
def test_single_measures_are_sets_of_one(given_topics: list[Similarities]) -> None:
    conditions = Conditions.of(given_topics)
    found = kings(conditions)
    for measure, values in enumerate(found):
        alone = Conditions.of([each.only([measure]) for each in given_topics])
        assert values.tolist() == king(alone).tolist()


@given(st.integers(0, 99), st.permutations(range(5)), st.permutations(range(4)))
def test_names_do_not_matter(seed: int, models: list[int], peers: list[int]) -> None:
    given_topic = random_topic(seed)
    renamed = with_models(with_peers(given_topic, peers), models)
    found, again = (king(Conditions.of([each])) for each in (given_topic, renamed))
    assert found.tolist() == again.tolist()


@given(topics())
def test_only_the_order_of_values_matters(given_topics: list[Similarities]) -> None:
    grown = changed(given_topics, np.exp)
    found, again = (king(Conditions.of(each)) for each in (given_topics, grown))
    assert found.tolist() == again.tolist()


def test_topics_with_different_numbers_of_models_keep_their_places() -> None:
    given_topics = [random_topic(seed, models=4 + seed % 3, peers=1 + seed) for seed in range(8)]
    together = king(Conditions.of(given_topics))
    alone = [king(Conditions.of([each])).item() for each in given_topics]
    assert together.tolist() == alone
    assert len(set(alone)) > 1


def test_too_few_models_for_one_to_be_left_out() -> None:
    with pytest.raises(ValuesError, match="give more models, or choose triples"):
        king(Conditions.of([random_topic(0, models=3)]))
