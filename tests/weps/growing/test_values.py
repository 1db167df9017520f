import numpy as np
import pytest

from weps.errors import ValuesError
from weps.growing.values import comparable


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_values_are_read_in_single_precision(kind):
    values = np.array([[0.1, -3e38], [1 / 3, 0]], dtype=kind)
    found = comparable(values)
    assert found.dtype == np.float32
    assert found.tolist() == values.astype(np.float32).tolist()


def test_there_may_be_no_columns():
    assert comparable(np.zeros((3, 0))).shape == (3, 0)


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e39])
@pytest.mark.parametrize("row", [0, 2])
def test_the_first_column_that_has_no_numbers_is_named(row, odd):
    values = np.zeros((3, 4))
    values[row, [1, 3]] = odd
    with pytest.raises(ValuesError, match="infinite or no number") as caught:
        comparable(values)
    assert caught.value.where == "column 1 of the pairs to learn from"
    assert caught.value.remedy
