import numpy as np
import pytest

from eval.meta.judged import as_finite, as_judged, as_table
from weps.errors import ValuesError


def test_a_table_has_a_cell_for_each_topic_and_system() -> None:
    table = as_table([[1, 2, 3], [4, np.inf, 6]], topic=[0, 1, 1], system=[1, 0, 1])
    expected = [[[np.nan, 1], [2, 3]], [[np.nan, 4], [np.inf, 6]]]
    assert np.array_equal(table, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("values", "human", "told"),
    [
        ([[1, 2]], [1, 2, 3], r"of 2 and human scores of 3 instances cannot be paired"),
        ([[1, 2]], [1, np.nan], r"human: 1 values are NaN, the first is instance 1"),
        ([[1, 2], [1, np.nan]], [1, 2], r"values: .* instance 1 of measure 1"),
        ([[1, 2], [1, np.inf]], [1, 2], r"values: the value of instance 1 of measure 1 is inf"),
        ([[1, 2]], [-np.inf, 2], r"human: the value of instance 0 is infinite"),
        ([["a", "b"]], [1, 2], r"no numbers"),
        ([[]], [], r"nothing to compare"),
    ],
)
def test_values_that_do_not_fit_are_refused(values: object, human: object, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        as_judged(values, human, finite=True)  # type: ignore[arg-type]


def test_measures_may_be_infinite_where_only_order_counts() -> None:
    measures, _ = as_judged([1, np.inf], [1, 2])
    assert measures.tolist() == [[1, np.inf]]
    with pytest.raises(ValuesError, match="finite value"):
        as_finite(measures, "values")


def test_a_system_answers_a_topic_once() -> None:
    with pytest.raises(ValuesError, match="system 2 answers topic 1 more than once"):
        as_table([1, 2, 3], topic=[0, 1, 1], system=[2, 2, 2])
