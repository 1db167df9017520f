"""The seven formal constraints on measures of quality (ACL 2005, section 2), Q being QUEEN and
K KING; what does not hold as the paper words it is shown, too.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.judged import Similarities
from eval.meta.qarla import Conditions, Triples, king, queen, queen_left_out
from tests.eval.meta.made_up import changed, random_topic, topics, with_peers

conventions = st.sampled_from(Triples)
steps = st.floats(0.01, 2)


def king_of(topic: Similarities, triples: Triples = Triples.DISTINCT) -> float:
    return king(Conditions.of([topic], triples)).item()


@given(topics(), steps, conventions)
def test_1_monotonicity(given_topics: list[Similarities], step: float, triples: Triples) -> None:
    nearer = [Similarities(each.peers + step, each.models) for each in given_topics]
    before, after = (queen(Conditions.of(each, triples)) for each in (given_topics, nearer))
    for below, above in zip(before, after, strict=True):
        assert (below <= above).all()


@given(topics(), steps, steps, conventions)
def test_2_grouping(
    given_topics: list[Similarities], nearer: float, farther: float, triples: Triples
) -> None:
    """As far as models keep their order among themselves, and at least as good, not better."""
    for each in given_topics:
        grouped = Similarities(each.peers - farther, each.models + nearer)
        assert king_of(grouped, triples) >= king_of(each, triples)


def test_2_grouping_can_make_a_measure_better() -> None:
    mixed = random_topic(3, measures=1)
    assert king_of(mixed) < king_of(Similarities(mixed.peers - 1, mixed.models + 1)) == 1


def test_2_does_not_hold_as_it_is_worded() -> None:
    # Every two models come closer, m0 to the others less than they to one another: its QUEEN is 0.
    before = np.full((1, 4, 4), 0.5)
    after = np.full((1, 4, 4), 0.9)
    after[0, 0, 1:] = after[0, 1:, 0] = 0.6
    assert (after > before).all()
    assert king_of(Similarities(np.zeros((1, 1, 4)), before)) == 1
    assert king_of(Similarities(np.full((1, 1, 4), -1.0), after)) == 3 / 4


@given(topics(), conventions)
def test_3_perfect_measures_leave_no_model_without_quality(
    given_topics: list[Similarities], triples: Triples
) -> None:
    conditions = Conditions.of(given_topics, triples)
    crowned = king(conditions)
    for value, each in zip(crowned, queen_left_out(conditions), strict=True):
        if value == 1:
            assert (each.models > 0).all()


def test_3_is_about_something() -> None:
    # An ideal measure puts all models together and no peer with them (section 3.1).
    conditions = Conditions.of([Similarities(np.zeros((1, 3, 5)), np.ones((1, 5, 5)))])
    (found,) = queen_left_out(conditions)
    assert king(conditions).item() == 1
    assert (found.models == 1).all()
    assert (found.peers == 0).all()


@given(topics(), st.sampled_from([np.exp, np.arctan, lambda x: 3 * x - 7]), conventions)
def test_4_scale(given_topics: list[Similarities], grown, triples: Triples) -> None:
    before = Conditions.of(given_topics, triples)
    after = Conditions.of(changed(given_topics, grown), triples)
    assert king(before).tolist() == king(after).tolist()
    assert all(map(np.array_equal, queen(before), queen(after)))


@given(topics(), st.integers(1, 5), conventions)
def test_5_repeated_peers(given_topics: list[Similarities], times: int, triples: Triples) -> None:
    for each in given_topics:
        peers = list(range(each.peers.shape[1]))
        assert king_of(with_peers(each, peers + peers[:1] * times), triples) == king_of(
            each, triples
        )


@pytest.mark.parametrize("peers", [1, 7, 30])
def test_6_random_measures_crown_a_model_no_more_often_than_a_peer(peers: int) -> None:
    """So KING is about 1 / (peers + 1), not .5⁷ with seven, as the paper has it."""
    given_topics = [random_topic(seed, 1, peers, 6) for seed in range(600)]
    found = king(Conditions.of(given_topics)).mean()
    assert 0.7 < found * (peers + 1) < 1.1


@given(st.floats(-1e9, 1e9), st.integers(1, 9), st.integers(4, 9), conventions)
def test_7_constant_measures(value: float, peers: int, models: int, triples: Triples) -> None:
    constant = Similarities(np.full((1, peers, models), value), np.full((1, models, models), value))
    assert king_of(constant, triples) == 0
    assert (queen(Conditions.of([constant], triples))[0] == 1).all()


@pytest.mark.parametrize("rejected", ["one minus QUEEN", "ahead of a peer"])
def test_5_does_not_hold_of_what_the_paper_rejects(rejected: str) -> None:
    def quality(topic: Similarities) -> float:
        conditions = Conditions.of([topic])
        (found,) = queen_left_out(conditions)
        if rejected == "one minus QUEEN":
            return 1 - queen(conditions)[0].mean()
        return (found.models[:, :, None] > found.peers).mean()

    mixed = random_topic(3, measures=1)
    assert quality(mixed) != quality(with_peers(mixed, [0, 0, 0, 1, 2, 3]))
