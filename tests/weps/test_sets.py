import numpy as np
import pytest
from scipy import sparse

from tests.cases import each_case
from weps._sets import membership_matrix, sets_of_like_size, sums_of_sets
from weps.errors import ValuesError


@each_case(
    ("sets", "documents", "expected"),
    [
        ([[2, 0], [], [1]], 4, [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]),
        ([[1, 1], [1]], 2, [[0, 1], [0, 1]]),
        ([], 3, []),
    ],
)
def test_a_row_for_each_set_a_column_for_each_document(sets, documents, expected):
    found = membership_matrix(sets, documents)
    assert (found.dtype, found.shape) == (np.int32, (len(sets), documents))
    assert found.toarray().tolist() == expected
    counts = np.arange(documents * 2).reshape(documents, 2)
    sums = sums_of_sets(sets, sparse.csr_array(counts)).toarray()
    assert sums.tolist() == (found.toarray() @ counts).tolist()


@pytest.mark.parametrize(("rows", "missing"), [([3], "3"), ([0, -1], "-1")])
def test_a_missing_document_is_refused(rows, missing):
    with pytest.raises(ValuesError, match=f"no document {missing}") as caught:
        membership_matrix([rows], 3)
    assert "0 to 2" in caught.value.remedy


def test_sets_that_are_worked_on_together_are_of_like_size():
    assert list(sets_of_like_size([[1] * 7, [], [2], [3] * 5, [4] * 3, [5]])) == [
        [1],
        [2, 5],
        [4],
        [3, 0],
    ]
    assert list(map(len, sets_of_like_size([[0]] * 100))) == [64, 36]
