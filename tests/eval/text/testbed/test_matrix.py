from dataclasses import replace
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from eval.text.testbed import MeasureMatrix
from weps.errors import ValuesError

MATRIX = MeasureMatrix(
    ("t", "t", "u"),
    ("A", "B", "A"),
    ("rouge", "chrf"),
    np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]]),
    ("fluency",),
    np.array([[5.0, nan, 1.0]]),
)


def test_columns() -> None:
    assert MATRIX.column("chrf").tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(MATRIX.column("fluency"), [5.0, nan, 1.0])
    with pytest.raises(ValuesError, match=r"neither a measure nor a criterion 'rough'.*'rouge'"):
        MATRIX.column("rough")


CASES: list[tuple[dict[str, Any], str]] = [
    ({"topic": ("t", "t")}, "2 topics do not fit 3 systems"),
    ({"system": ("A", "A", "A")}, "topic and system occur twice: .*t.*A"),
    ({"measures": ("rouge", "rouge")}, "columns occur twice: 'rouge'"),
    ({"measures": ("rouge", "fluency")}, "columns occur twice: 'fluency'"),
    ({"measures": ("rouge",)}, r"values has shape \(2, 3\)"),
    ({"human": np.zeros((1, 2))}, r"human has shape \(1, 2\)"),
    ({"human": np.array([[5.0, nan, inf]])}, "A on u: the value of 'fluency' is infinite"),
    ({"values": np.zeros((2, 3), np.float32)}, "type float32"),
    (
        {"values": np.array([[0.1, 0.2, 0.3], [1.0, nan, 3.0]])},
        "B on t: the value of 'chrf' is missing or NaN",
    ),
]


@pytest.mark.parametrize(("change", "told"), CASES)
def test_what_does_not_fit_is_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        replace(MATRIX, **change)
