import numpy as np
import pytest

from eval.bench.outcomes import pages_right, without_evidence
from weps.records import Clustering
from weps.training import Example


def example(*groups: set[int], pages: int = 4, name: str = "Ada") -> Example:
    key = Clustering(tuple(map(frozenset, groups)))
    values = np.zeros((pages * (pages - 1) // 2, 0), dtype=np.float32)
    return Example(name, tuple(range(1, pages + 1)), (), values, key)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([{1, 2}, {3, 4}], [1, 1, 1, 1]),
        ([{1, 2, 3}, {4}], [0, 0, 0, 0]),
        ([{1}, {2}, {3, 4}], [0, 0, 1, 1]),
        ([{4, 2}, {3, 1}], [0, 0, 0, 0]),
    ],
)
def test_a_page_is_right_where_most_others_are_of_its_person(
    answer: list[set[int]], right: list[int]
) -> None:
    given = Clustering(tuple(map(frozenset, answer)))
    judged, found = pages_right(example({1, 2}, {3, 4}), given)
    assert judged.all()
    assert found.tolist() == [bool(each) for each in right]


def test_pages_that_the_key_leaves_out_are_not_judged() -> None:
    given = Clustering((frozenset({1, 2, 3, 4}),))
    judged, found = pages_right(example({1, 2}, {4}), given)
    assert judged.tolist() == [True, True, False, True]
    assert found[judged].tolist() == [False, False, False]


def test_without_evidence_every_page_is_alone_and_forecasts_are_the_shares_of_training() -> None:
    training = [example({1, 2}, {3, 4}), example({1}, {2}, pages=2)]
    found = without_evidence(training, [example({1, 2, 3}, pages=3, name="Bea")])
    assert list(found) == ["Bea"]
    assert set(found["Bea"].clustering.groups) == {frozenset({rank}) for rank in (1, 2, 3)}
    assert found["Bea"].probability == pytest.approx([(2 + 1) / (7 + 2)] * 3)
    assert found["Bea"].belief == pytest.approx([(2 + 1) / (6 + 2)] * 3)
