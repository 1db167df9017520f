import numpy as np
import pytest

from tests.weps.growing.cases import some_pairs
from weps.calibration import Calibration
from weps.errors import ValuesError
from weps.growing import draw_rivals

FEW = {"rivals": 20, "samples": 30, "shown": 150}


def test_rivals_are_pairs_that_were_given_and_samples_are_of_two() -> None:
    values, coreferent, weights = some_pairs(0)
    found = draw_rivals(values, coreferent, weights, **FEW, seed=1)
    given = {tuple(row) for row in values.tolist()}
    assert {tuple(row) for row in found.rivals.tolist()} <= given
    assert found.rivals.shape == (20, 3)
    assert found.samples.shape == (30, 2)
    assert (found.samples[:, 0] != found.samples[:, 1]).all()


def test_labels_change_neither_rivals_nor_order() -> None:
    values, coreferent, weights = some_pairs(1)
    found, other = (
        draw_rivals(values, each, weights, **FEW, seed=1) for each in (coreferent, ~coreferent)
    )
    assert found.rivals.tolist() == other.rivals.tolist()
    assert found.scores(values).tolist() == other.scores(values).tolist()
    assert other.calibration == Calibration()  # it would have to turn the order round


def test_probabilities_are_calibrated() -> None:
    values, coreferent, weights = some_pairs(2, size=2000)
    found = draw_rivals(values, coreferent, np.ones_like(weights), **FEW, seed=1)
    assert found.predict(values).mean() == pytest.approx(coreferent.mean(), abs=0.1)
    assert found.predict(values)[coreferent].mean() > found.predict(values)[~coreferent].mean()


def test_the_seed_decides() -> None:
    values, coreferent, weights = some_pairs(3)
    one, same, other = (
        draw_rivals(values, coreferent, weights, **FEW, seed=seed).to_data() for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.parametrize("size", [1, 2])
def test_hardly_any_pairs_are_enough(size: int) -> None:
    values, coreferent, weights = (each[:size] for each in some_pairs(4))
    found = draw_rivals(values, coreferent, weights, **FEW, seed=0)
    assert np.isfinite(found.predict(values)).all()


def test_infinite_similarities_are_refused() -> None:
    values, coreferent, weights = some_pairs(5)
    values[3, 1] = np.inf
    with pytest.raises(ValuesError, match="infinite"):
        draw_rivals(values, coreferent, weights, **FEW, seed=0)
