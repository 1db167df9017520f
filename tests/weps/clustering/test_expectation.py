import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import as_sets, square, unhurried
from tests.weps.clustering.cases import distinct_probabilities, tied_probabilities
from weps.clustering import LINKS, Dendrogram, average_link
from weps.clustering.expectation import Course


def by_definition(clusters: list[list[int]], together: np.ndarray) -> tuple[float, float]:
    """Precision and recall from a square of probabilities, page by page."""
    own = {row: rows for rows in clusters for row in rows}
    precision = [together[row, own[row]].mean() for row in own]
    recall = [together[row, own[row]].sum() / together[row].sum() for row in own]
    return float(np.mean(precision)), float(np.mean(recall))


def certain(size: int, people: list[list[int]]) -> np.ndarray:
    """Shape (pairs,): 1 where both pages are of one person."""
    together = np.zeros((size, size))
    for rows in people:
        together[np.ix_(rows, rows)] = 1
    return together[np.triu_indices(size, k=1)]


@pytest.mark.parametrize("link", LINKS)
@given(case=tied_probabilities(least=1), data=st.data())
@unhurried
def test_it_is_what_the_definition_says_after_every_merge(link, case, data):
    size, probability = case
    together = np.array(
        data.draw(st.lists(st.floats(0, 1), min_size=len(probability), max_size=len(probability))),
        dtype=np.float64,
    )
    tree = LINKS[link](probability, size)
    found = np.transpose(Course.of(tree).expect(together))
    whole = square(together, size) + np.eye(size)
    expected = [by_definition(tree.clusters(merges), whole) for merges in range(size)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_worked_example():
    # q is 0.5 between 0 and 1, 0.25 between 0 and 2, 0 between 1 and 2; 0 and 1 merge first.
    tree = average_link(np.array([0.9, 0.2, 0.1]), 3)
    precision, recall = Course.of(tree).expect(np.array([0.5, 0.25, 0.0]))
    assert precision.tolist() == pytest.approx([1, (0.75 + 0.75 + 1) / 3, (1.75 + 1.5 + 1.25) / 9])
    found = [1 / 1.75, 1 / 1.5, 1 / 1.25]
    assert recall.tolist() == pytest.approx([sum(found) / 3, (1.5 / 1.75 + 1 + 1 / 1.25) / 3, 1])


@pytest.mark.parametrize(
    ("people", "merges", "precision", "recall"),
    [
        ([[0, 1], [2, 3]], 1, 1, 3 / 4),
        ([[0, 1], [2, 3]], 2, 1, 1),
        ([[0, 1], [2, 3]], 3, 1 / 2, 1),
        ([[0, 1, 2, 3]], 1, 1, 3 / 8),
        ([[0], [1], [2], [3]], 2, 1 / 2, 1),
        ([[0, 1, 2], [3]], 2, 3 / 4, 2 / 3),
    ],
)
def test_of_certain_pairs_it_is_bcubed(people, merges, precision, recall):
    # 0 and 1 merge first, then 2 and 3, then all.
    tree = average_link(np.array([0.9, 0.1, 0.1, 0.1, 0.1, 0.8]), 4)
    expected = Course.of(tree).expect(certain(4, people))
    assert (expected.precision[merges], expected.recall[merges]) == pytest.approx(
        (precision, recall)
    )


@given(distinct_probabilities(least=1))
@unhurried
def test_bounds(case):
    size, probability = case
    precision, recall = Course.of(average_link(probability, size)).expect(probability)
    assert precision[0] == recall[-1].round(12) == 1
    assert (np.diff(recall) > 0).all()
    assert ((precision > 0) & (precision <= 1 + 1e-12)).all()


def test_each_pair_is_put_together_by_one_merge():
    tree = average_link(np.random.default_rng(0).random(45), 10)
    joined = square(Course.of(tree).joined, 10)
    for merges in range(10):
        reached = (joined < merges) | np.eye(10, dtype=bool)
        assert as_sets(np.flatnonzero(row).tolist() for row in reached) == as_sets(
            tree.clusters(merges)
        )


def test_one_page_is_right_and_complete():
    precision, recall = Course.of(Dendrogram(1, np.zeros(0), ())).expect(np.zeros(0))
    assert (precision.tolist(), recall.tolist()) == ([1], [1])
