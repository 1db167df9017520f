import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.judged import Similarities
from eval.meta.qarla import Conditions, Triples, queen
from eval.meta.qarla_jack import JackForm, jack, jack_by_peers
from tests.eval.meta.made_up import changed, random_topic, topics, with_models, with_peers
from weps.errors import ValuesError

forms = st.sampled_from(JackForm)
conventions = st.sampled_from(Triples)


def one(peers: list[list[float]], among: list[list[float]]) -> Similarities:
    """A topic of one measure whose models are all at 0.3."""
    return Similarities(np.array([peers]), np.full((1, 3, 3), 0.3), np.array([among]))


@pytest.mark.parametrize(
    ("peers", "among", "one_sided", "two_sided"),
    [
        ([[0.9, 0.5, 0.1], [0.9, 0.2, 0.5]], [[1, 0.4], [0.4, 1]], 1, 1 / 3),
        ([[0.9, 0.5, 0.1], [0.9, 0.2, 0.5]], [[1, 0.9], [0.9, 1]], 1 / 3, 1 / 3),
        ([[0.9, 0.5, 0.1], [0.9, 0.2, 0.5]], [[1, 1], [1, 1]], 0, 0),
        ([[0.9, 0.9, 0.9], [0.2, 0.2, 0.2]], [[1, 0.1], [0.1, 1]], 0, 0),  # QUEEN(a') is 0
        ([[0.9, 0.9, 0.9]], [[0]], 0, 0),  # a single peer is no couple
        ([[0.9, 0.3, 0.3], [0.3, 0.9, 0.3]], [[1, 0.8], [0.2, 1]], 1, 1 / 3),  # unsymmetric
    ],
)
def test_three_models(
    peers: list[list[float]], among: list[list[float]], one_sided: float, two_sided: float
) -> None:
    topic = one(peers, among)
    assert jack([topic], form=JackForm.ONE_SIDED).tolist() == [one_sided]
    assert jack([topic], form=JackForm.TWO_SIDED).tolist() == jack([topic]).tolist() == [two_sided]


@given(topics(fewest=3), forms, conventions, st.data())
def test_it_is_what_looking_at_every_couple_finds(
    given_topics: list[Similarities], form: JackForm, triples: Triples, data: st.DataObject
) -> None:
    size = len(given_topics[0].peers)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = jack(given_topics, measures, form, triples)
    queens = queen(Conditions.of(given_topics, triples), measures)
    for each, quality, value in zip(given_topics, queens, found, strict=True):
        _, peers, models = each.peers.shape

        def no_closer(a: int, b: int, m: int, x: int, each: Similarities = each) -> bool:
            apart = each.among_peers[x, a, b] <= each.peers[x, a, m]
            back = each.among_peers[x, b, a] <= each.peers[x, b, m]
            return apart and (back or form is JackForm.ONE_SIDED)

        fulfilled = [
            any(
                quality[a] > 0 and quality[b] > 0 and all(no_closer(a, b, m, x) for x in measures)
                for a in range(peers)
                for b in range(peers)
                if a != b
            )
            for m in range(models)
        ]
        assert value == pytest.approx(sum(fulfilled) / models)


@given(topics(fewest=3), forms)
def test_two_sides_ask_for_more_than_one(given_topics: list[Similarities], form: JackForm) -> None:
    assert (jack(given_topics) <= jack(given_topics, form=form)).all()


@given(topics(fewest=3), forms, st.floats(0, 2))
def test_three_criteria_closer_to_models_more_various_and_more(
    given_topics: list[Similarities], form: JackForm, step: float
) -> None:
    before = jack(given_topics, form=form)
    closer = [Similarities(e.peers + step, e.models, e.among_peers) for e in given_topics]
    various = [Similarities(e.peers, e.models, e.among_peers - step) for e in given_topics]
    fewer = [with_peers(e, list(range(1, e.peers.shape[1])) or [0]) for e in given_topics]
    assert (before <= jack(closer, form=form)).all()
    assert (before <= jack(various, form=form)).all()
    assert (jack(fewer, form=form) <= before).all()


@given(topics(fewest=3), forms)
def test_only_the_order_of_values_matters(given_topics: list[Similarities], form: JackForm) -> None:
    found, again = (jack(each, form=form) for each in (given_topics, changed(given_topics, np.exp)))
    assert found.tolist() == again.tolist()


def test_names_do_not_matter() -> None:
    for seed in range(20):
        topic = random_topic(seed, 1)
        renamed = with_models(with_peers(topic, [2, 0, 3, 1]), [4, 2, 0, 1, 3])
        assert jack([renamed]).tolist() == jack([topic]).tolist()


def test_growing_ends_at_jack_and_never_falls() -> None:
    given_topics = [random_topic(seed, 1, 3 + seed, 5) for seed in range(6)]
    grown = jack_by_peers(given_topics, orders=20)
    assert grown.shape == (8,)
    assert grown[0] == 0
    assert (np.diff(grown) >= 0).all()
    assert grown[-1] == pytest.approx(jack(given_topics).mean())
    assert 0 < grown[2] < grown[-1]
    assert np.array_equal(grown, jack_by_peers(given_topics, orders=20))
    assert not np.array_equal(grown, jack_by_peers(given_topics, orders=20, seed=1))


def test_growing_is_the_mean_over_orders() -> None:
    # Two of three peers make a couple with every model: one order in three has them first.
    topic = one([[0.9] * 3, [0.9] * 3, [0.0] * 3], [[0.1] * 3] * 3)
    grown = jack_by_peers([topic], orders=3000)
    assert grown == pytest.approx([0, 1 / 3, 1], abs=0.03)


def test_similarities_among_peers_are_needed() -> None:
    topic = random_topic(0)
    with pytest.raises(ValuesError, match="topic 0: the similarities among peers are missing"):
        jack([Similarities(topic.peers, topic.models)])
