import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.oracle import oracle

TOPIC = [0, 0, 0, 2, 2]
HUMAN = [2, 6, 10, 3, 5]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ([1, 2, 3, 1, 2], [10, 5]),
        ([3, 2, 1, 2, 1], [2, 3]),
        ([1, 2, 2, 0, 0], [8, 4]),  # ties: as if one were drawn
        ([np.inf, 0, 0, -np.inf, 0], [2, 5]),
    ],
)
def test_worked_examples(measure: list[float], expected: list[float]) -> None:
    found = oracle(measure, HUMAN, TOPIC)
    assert found.chosen.tolist() == [expected]
    assert found.random.tolist() == [6, 4]
    assert found.least.tolist() == [2, 3]
    assert found.most.tolist() == [10, 5]


few = st.integers(0, 4).map(float)


@given(arrays(float, (3, 12), elements=few), arrays(float, 12, elements=few), st.data())
def test_bounds_and_relabelling(values: np.ndarray, human: np.ndarray, data: st.DataObject) -> None:
    topic = np.array(data.draw(st.permutations([0] * 3 + [1] * 4 + [2] * 5)))
    found = oracle(values, human, topic)
    assert (found.least <= found.chosen).all()
    assert (found.chosen <= found.most).all()
    assert found.chosen.shape == (3, 3)
    order = data.draw(st.permutations(range(12)))
    again = oracle(2 * values[:, order] + 1, human[order], topic[order])
    assert again.chosen == pytest.approx(found.chosen)
    constant = oracle(np.zeros(12), human, topic)
    assert constant.chosen[0] == pytest.approx(constant.random)
