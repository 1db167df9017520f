from typing import Any

import numpy as np
import pytest

from eval.ordering.labelled import as_labelled
from weps.errors import ValuesError


def test_values_and_truth_come_as_arrays() -> None:
    values, truth = as_labelled([0.5, 0.1], [False, True])
    assert (values.tolist(), truth.tolist()) == ([0.5, 0.1], [False, True])


@pytest.mark.parametrize(
    ("values", "positive", "message"),
    [
        ([0.5, 0.1], [True], r"positive: shape \(1,\) is not \(2,\)"),
        ([0.5, 0.1], [1, -1], "positive: these are no truth values"),
        ([0.5, 0.1], [False, False], "positive: no instance is positive"),
        ([0.5, np.nan], [True, False], "values: .*NaN"),
        ([], [], "values: there is nothing"),
    ],
)
def test_what_does_not_fit_is_said(values: Any, positive: Any, message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        as_labelled(values, positive)
