import numpy as np

from eval.ordering.ranked import Ranked


def test_equal_values_of_both_sides_have_one_rank() -> None:
    ranked = Ranked.of(np.array([[0.5, 0.1], [1, 1]]), np.array([[0.1, 0.9, 0.5], [1, 1, 1]]))
    assert ranked.low.tolist() == [[1, 0], [0, 0]]
    assert ranked.high.tolist() == [[0, 2, 1], [0, 0, 0]]
    assert all(ranked.high.max(axis=1) < ranked.sizes)


def test_zero_has_no_sign() -> None:
    ranked = Ranked.of(np.array([[-0.0]]), np.array([[0.0]]))
    assert ranked.low.item() == ranked.high.item()


def test_strict_ranks_compare_as_less() -> None:
    ranked = Ranked.of(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]])).strict()
    assert (ranked.low[0][:, np.newaxis] <= ranked.high[0]).tolist() == [
        [False, True],
        [False, False],
    ]
    assert ranked.low.max() < ranked.sizes[0]


def test_pairs_at_most_as_high() -> None:
    assert Ranked.of(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0, 0.0]])).pairs(0) == 3
