import numpy as np
import pytest

from eval.figures.board import Board, Wish, walked


def _wish(x: float, y: float) -> Wish:
    return Wish(40, 8, np.array([[x, y]]), np.zeros(1))


def test_no_place_is_better_than_the_one_found() -> None:
    generator = np.random.default_rng(0)
    board = Board(0, 0, 160, 100)
    for _ in range(6):
        board.draw(generator.uniform(0, 100, (3, 2)))
    wish = _wish(80, 50)
    reach = board.reach(wish)
    everywhere = board._whole(
        reach.costs + 50.0 * board._covered(wish).ravel(), reach, np.arange(len(reach.costs))
    )
    assert board.find(wish, reach).cost == everywhere.min()


def test_what_is_taken_is_given_back() -> None:
    board = Board(0, 0, 160, 100)
    wish = _wish(80, 50)
    place = board.find(wish, board.reach(wish))
    board.take(wish, place)
    assert board.find(wish, board.reach(wish)) != place
    board.take(wish, place, -1)
    assert board.find(wish, board.reach(wish)) == place


@pytest.mark.parametrize("stride", [0.5, 3.0, 1000.0])
def test_walked_keeps_the_ends_and_the_stride(stride: float) -> None:
    path = np.array([[0.0, 0.0], [30.0, 40.0], [30.0, 40.0], [30.0, 0.0]])
    steps = walked(path, stride)
    assert np.array_equal(steps[[0, -1]], path[[0, -1]])
    assert np.hypot(*np.diff(steps, axis=0).T).max() <= stride
