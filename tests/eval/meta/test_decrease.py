import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.decrease import quality_decreases

TOPIC, SYSTEM = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
HUMAN = [8.5, 3, 6, 4, 5, 2]


@pytest.mark.parametrize(
    ("measure", "itself", "expected"),
    [
        ([1, 2, 3, 1, 2, 3], True, [5.5, 2]),  # everything reaches the chosen system
        ([1, 2, 3, 1, 2, 3], False, [5.5, 2]),
        ([2, 1, 3, 2, 2, 1], True, [2.5, 0]),  # a tie reaches it; what is better is no loss
        ([2, 1, 3, 2, 2, 1], False, [2.5, -1]),
        ([9, 1, 1, 9, 1, 1], True, [0, 0]),
        ([9, 1, 1, 9, 1, 1], False, [np.nan, np.nan]),
        ([np.inf, np.inf, 1, 0, 0, -np.inf], True, [5.5, 0]),
    ],
)
def test_worked_examples(measure: list[float], itself: bool, expected: list[float]) -> None:
    found = quality_decreases(measure, HUMAN, TOPIC, SYSTEM, 0, itself=itself)
    assert np.array_equal(found, [expected], equal_nan=True)


few = st.integers(0, 3).map(float)


@given(arrays(float, (2, 3, 4), elements=few), arrays(float, (3, 4), elements=few))
def test_it_is_the_formula(values: np.ndarray, human: np.ndarray) -> None:
    topic, system = np.indices((3, 4)).reshape(2, -1)
    found = quality_decreases(values.reshape(2, -1), human.ravel(), topic, system, chosen=1)
    for measure, case in np.ndindex(2, 3):
        lost = [
            human[case, 1] - human[case, t]
            for t in range(4)
            if values[measure, case, 1] <= values[measure, case, t]
        ]
        assert found[measure, case] == max(lost)
    best = quality_decreases(human.ravel(), human.ravel(), topic, system, chosen=1)
    assert (found >= 0).all()
    assert (best == 0).all()  # people are not to be cheated


def test_topics_without_the_chosen_system_say_nothing() -> None:
    found = quality_decreases([1, 2, 3], [3, 2, 1], [0, 0, 1], [0, 1, 1], chosen=0)
    assert np.array_equal(found, [[1, np.nan]], equal_nan=True)
