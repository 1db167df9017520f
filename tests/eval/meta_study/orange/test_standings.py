import numpy as np
import pytest

from eval.meta.left_out import LeftOut, left_out
from eval.meta.likeness import implications
from eval.meta.orange import orange
from eval.meta_study.orange.standings import SHARES, passing_for_references, standings
from tests.eval.meta_study.compared.made_up import compared

TOPIC = np.repeat(np.arange(5), 8)
RISING = np.arange(40.0)


def test_what_implies_itself_reaches_all_the_way() -> None:
    found = standings("x", RISING, RISING, TOPIC)
    assert found.accepted.value.tolist() == [1, 1, 1]
    assert found.likened.value.tolist() == [1, 1, 1]
    assert found.gap(0) == (0, 0, 0)


def test_the_reverse_reaches_as_far_down() -> None:
    assert standings("x", RISING, -RISING, TOPIC).accepted.value == pytest.approx([-1, -1, -1])


def test_ties_do_not_keep_an_implication_from_reaching_all_the_way() -> None:
    human = (RISING >= 20).astype(float)  # half of the outputs are perfect
    found = standings("x", RISING, human, TOPIC)
    assert found.acceptable.value == pytest.approx([0.75, 0.75, 0.75])
    assert found.accepted.value == pytest.approx([1, 1, 1])
    assert found.likened.value[0] < 1  # of the perfect ones, some are less like references


def test_where_all_is_equal_there_is_no_way_to_go() -> None:
    found = standings("x", RISING, np.ones(40), TOPIC)
    assert np.isnan(found.accepted.value).all()


@pytest.mark.parametrize("seed", range(4))
def test_standings_are_those_of_the_implications_of_judged_outputs(seed: int) -> None:
    generator = np.random.default_rng(seed)
    likeness, human = generator.integers(0, 5, (2, 40)).astype(float)
    human[generator.random(40) < 0.2] = np.nan
    found = standings("x", likeness, human, TOPIC)
    known = ~np.isnan(human)
    wanted = implications(likeness[known], human[known], SHARES)
    assert found.acceptable.value.tolist() == [each.acceptable for each in wanted]
    assert found.human_like.value.tolist() == [each.human_like for each in wanted]


def test_one_topic_has_no_interval() -> None:
    found = standings("x", RISING, RISING, np.zeros(40, dtype=int))
    assert np.isnan(found.accepted.drawn).all()
    assert found.accepted.value[0] == 1


def test_likeness_is_what_orange_is_about() -> None:
    left = [left_out(each) for each in compared(1).similarities]
    found = passing_for_references(left, 1)
    assert 1 - found.reshape(6, 4).mean(axis=1) == pytest.approx(orange(left)[1])
    first = left[0]
    assert found[2] == np.mean([first.peers[1, m, 2] >= first.models[1, m] for m in range(5)])


def test_who_is_level_with_a_reference_is_not_behind_it() -> None:
    left = LeftOut(np.array([[1.0, 2.0]]), np.array([[[1.0, 0.0], [3.0, 1.0]]]))
    assert passing_for_references([left], 0).tolist() == [1, 0]
