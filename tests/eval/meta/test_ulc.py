import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.ulc import Scale, ulc
from weps.errors import ValuesError

VALUES = [[0.2, 0.4], [10, 30], [1, 1]]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (Scale.NONE, [11.2 / 3, 31.4 / 3]),
        (Scale.MAXIMUM, [(0.5 + 1 / 3 + 1) / 3, 1]),
        (Scale.DEVIATION, [-2 / 3, 2 / 3]),  # the constant says nothing
    ],
)
def test_worked_example(scale: Scale, expected: list[float]) -> None:
    assert ulc(VALUES, scale=scale) == pytest.approx(expected)


@given(st.permutations(range(3)), st.sampled_from(Scale))
def test_the_order_of_measures_does_not_matter(order: list[int], scale: Scale) -> None:
    values = np.array(VALUES)
    assert ulc(values[order], scale=scale) == pytest.approx(ulc(values, scale=scale))


@given(st.floats(0.01, 100))
def test_scaled_measures_count_alike(factor: float) -> None:
    values = np.array(VALUES)
    larger = values * [[factor], [1], [1]]
    for scale in (Scale.MAXIMUM, Scale.DEVIATION):
        assert ulc(larger, scale=scale) == pytest.approx(ulc(values, scale=scale))


def test_one_measure_is_itself() -> None:
    assert ulc([3, 1, 2]).tolist() == [3, 1, 2]


@pytest.mark.parametrize(
    ("values", "scale", "told"),
    [
        ([[1, np.inf]], Scale.NONE, "instance 1 of measure 0 is infinite"),
        ([[1, 2], [-1, 0]], Scale.MAXIMUM, "no value of measure 1 is above 0"),
        ([[1, np.nan]], Scale.NONE, "NaN"),
    ],
)
def test_what_has_no_mean_is_refused(values: object, scale: Scale, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        ulc(values, scale=scale)  # type: ignore[arg-type]
