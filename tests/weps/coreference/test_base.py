import numpy as np
import pytest

from weps.coreference.base import READ_ERRORS, float32_array, int32_array


@pytest.mark.parametrize("values", [[], [0], [-1, 2**31 - 1, -(2**31)], [3.0], [True]])
def test_whole_numbers_are_taken_as_they_are(values):
    found = int32_array(values)
    assert found.dtype == np.int32
    assert found.tolist() == values


@pytest.mark.parametrize(
    "values",
    [[0.5], [2**31], [2**63], [10**400], [float("nan")], [float("inf")], [None], ["1"], {}, "1"],
)
def test_what_is_no_whole_number_is_refused(values):
    with pytest.raises(READ_ERRORS):
        int32_array(values)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.1, np.float32(0.1)), (1e300, np.inf), (-1e300, -np.inf), (1e-300, 0.0), (7, 7.0)],
)
def test_numbers_too_large_for_single_precision_become_infinite(value, expected):
    found = float32_array([value])
    assert found.dtype == np.float32
    assert found.tolist() == [expected]
