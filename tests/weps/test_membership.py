import numpy as np
import pytest

from weps.errors import ValuesError
from weps.membership import membership


def test_a_row_for_each_set_a_column_for_each_document():
    found = membership([[2, 0], [], [1]], 4)
    assert found.dtype == np.int32
    assert found.toarray().tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]


def test_a_document_is_counted_once_in_a_set_and_may_be_in_several():
    assert membership([[1, 1], [1]], 2).toarray().tolist() == [[0, 1], [0, 1]]


def test_no_sets():
    assert membership([], 3).shape == (0, 3)


@pytest.mark.parametrize(("rows", "told"), [([3], "3"), ([0, -1], "-1")])
def test_a_document_that_is_not_there_is_told(rows, told):
    with pytest.raises(ValuesError, match=f"no document {told}") as caught:
        membership([rows], 3)
    assert "0 to 2" in caught.value.remedy
