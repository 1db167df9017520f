import numpy as np
import pytest

from eval.meta.drawn import Drawn
from eval.meta.qarla import Form, Triples, jack
from eval.meta_study.qarla.reliability import Reliability, reliability
from eval.ordering import Estimate
from tests.eval.meta_study.compared.made_up import compared


def test_the_curve_ends_at_jack_of_all_peers() -> None:
    topics = compared(1, peers=5, apart=0).similarities
    found = reliability(topics, [0, 1], Triples.DISTINCT)
    assert [each.form for each in found] == list(Form)
    for each in found:
        wanted = jack(topics, [0, 1], each.form).mean()
        assert each.jack.value == wanted
        assert each.by_peers.value[-1] == pytest.approx(wanted)
        assert each.by_peers.value[0] == 0
        assert (np.diff(each.by_peers.value) >= -1e-12).all()


def test_a_topic_with_fewer_peers_keeps_its_last_value() -> None:
    topics = [*compared(1, 2, 3).similarities, *compared(2, 2, 5).similarities]
    (found, _) = reliability(topics, [0], Triples.DISTINCT)
    assert len(found.by_peers.value) == 5
    assert found.by_peers.value[-1] == pytest.approx(found.jack.value)


def curve(*values: float) -> Reliability:
    row = np.array(values)
    return Reliability(
        Form.ONE_SIDED, Estimate(1, 1, 1), Drawn(row, np.repeat(row[:, None], 3, axis=1))
    )


def test_how_much_faster_it_grows_at_first() -> None:
    slowing = curve(*(np.arange(10) / 10), 0.95, 1.0).slows_down()
    assert slowing is not None
    assert slowing == pytest.approx((0.05, 0.05, 0.05))  # .1 before, .05 after
    assert curve(*np.arange(12)).slows_down() == pytest.approx((0, 0, 0))


def test_ten_peers_are_too_few_to_tell() -> None:
    assert curve(*np.arange(10)).slows_down() is None
