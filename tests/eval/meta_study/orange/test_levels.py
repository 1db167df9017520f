import numpy as np
import pytest

from eval.meta_study.orange.levels import acceptances
from eval.meta_study.qarla.people import plain_values
from tests.eval.meta_study.compared.made_up import compared


def test_by_systems_and_by_outputs() -> None:
    made = compared(1, peers=5)
    (found,) = acceptances(made)
    values, human = plain_values(made)[1], made.instances.human[0]
    assert found.outputs.value[1] == pytest.approx(np.corrcoef(values, human)[0, 1])
    means = [each.reshape(6, 5).mean(axis=0) for each in (values, human)]
    assert found.systems.value[1] == pytest.approx(np.corrcoef(*means)[0, 1])
    assert found.lost(1).value == pytest.approx(found.systems.value[1] - found.outputs.value[1])


def test_outputs_that_nobody_judged_are_left_out() -> None:
    made = compared(2)
    made.topics[0].human[0, 1] = np.nan
    (found,) = acceptances(made)
    known = ~np.isnan(made.instances.human[0])
    wanted = np.corrcoef(plain_values(made)[0][known], made.instances.human[0][known])[0, 1]
    assert found.outputs.value[0] == pytest.approx(wanted)


def test_infinite_values_have_no_mean() -> None:
    made = compared(3)
    made.topics[1].values.peers[2, 0, 0] = np.inf
    (found,) = acceptances(made)
    assert np.isnan(found.systems.value).tolist() == [False, False, True]
    assert np.isnan(found.outputs.drawn[2]).all()


def test_two_systems_are_too_few() -> None:
    assert acceptances(compared(peers=2)) == ()
