import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.human_first import human_first
from eval.meta.left_out import LeftOut, left_out
from eval.meta_study.qarla.first import people_first
from eval.ordering import multiplicities
from tests.eval.meta_study.compared.made_up import compared


def topics(seed: int, size: int = 5) -> list[LeftOut]:
    made = compared(seed, topics=size, peers=3, apart=0.3)
    return [left_out(each) for each in made.similarities]


@given(st.integers(0, 99))
def test_the_share_is_that_of_human_first(seed: int) -> None:
    left = topics(seed)
    assert people_first(left).value.tolist() == human_first(left).mean(axis=1).tolist()


def test_topics_drawn_anew_are_topics_taken_again() -> None:
    left = topics(1)
    found = people_first(left, seed=7)
    for number, times in enumerate(multiplicities(5, 7, 1_000)[:20].astype(int)):
        again = [each for each, often in zip(left, times, strict=True) for _ in range(often)]
        assert found.drawn[:, number].tolist() == human_first(again).mean(axis=1).tolist()


def test_a_tie_is_not_superior() -> None:
    left = LeftOut(np.full((1, 2), 0.3), np.full((1, 2, 4), 0.1 + 0.2))
    assert people_first([left, left]).value.tolist() == [0]


def test_one_topic_has_no_interval() -> None:
    (estimate, *_) = people_first(topics(0, 1)).estimates
    assert estimate.low != pytest.approx(estimate.low)


def test_who_is_tied_is_not_first() -> None:
    topics = [LeftOut(np.ones((1, 3)), np.ones((1, 3, 2)))] * 4
    found = people_first(topics)
    assert found.value.tolist() == [0]
    assert not found.drawn.any()
