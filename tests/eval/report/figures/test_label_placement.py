from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.report.figures.label_placement import Board, Place, Wish, anchors, arrange, walked

LEFT_TO_RIGHT = np.stack([np.arange(0, 50, 4.0), np.zeros(13)], axis=1)


def test_the_end_of_a_line_is_the_best_place_for_its_name() -> None:
    points, costs = anchors([LEFT_TO_RIGHT], 0, ends=False)
    assert points is LEFT_TO_RIGHT
    assert costs.argmin() == len(points) - 1
    assert costs[-1] == 0


def test_an_end_near_another_line_is_not_unless_a_dot_is_there() -> None:
    other = np.array([[48.0, 2.0]])
    lines = [LEFT_TO_RIGHT, other]
    assert anchors(lines, 0, ends=False)[1].argmin() < 12
    assert anchors(lines, 0, ends=True)[1].argmin() == 12


def _wish(x: float, y: float, width: float = 40) -> Wish:
    return Wish(width, 8, np.array([[x, y]]), np.zeros(1))


def _apart(first: tuple[Place, Wish], second: tuple[Place, Wish]) -> bool:
    (a, wish_a), (b, wish_b) = first, second
    across = min(a.left + wish_a.width, b.left + wish_b.width) - max(a.left, b.left)
    up = min(a.bottom + 8, b.bottom + 8) - max(a.bottom, b.bottom)
    return across <= 0 or up <= 0


points = st.tuples(st.floats(10, 290), st.floats(10, 190), st.floats(1, 120))


@settings(max_examples=12)
@given(st.lists(points, min_size=1, max_size=8))
def test_labels_are_on_the_board_and_not_on_one_another(anchors: list) -> None:
    wishes = [_wish(*anchor) for anchor in anchors]
    places = arrange(Board(5, 5, 300, 200), wishes)
    for place, wish in zip(places, wishes, strict=True):
        assert place.left >= 5
        assert place.left + wish.width <= 300
        assert place.bottom >= 5
        assert place.bottom + 8 <= 200
    assert all(_apart(*pair) for pair in combinations(zip(places, wishes, strict=True), 2))


def test_on_an_empty_board_a_label_is_at_its_anchor() -> None:
    (place,) = arrange(Board(0, 0, 300, 200), [_wish(150, 100)])
    assert np.hypot(*np.subtract(place.near, place.anchor)) < 4


def test_a_label_keeps_clear_of_lines() -> None:
    board = Board(0, 0, 300, 200)
    board.draw(np.array([[0.0, 100.0], [300.0, 100.0]]))
    (place,) = arrange(board, [_wish(150, 100)])
    assert place.bottom > 100 or place.bottom + 8 < 100


def test_a_label_stays_on_its_side_of_a_line_between_it_and_the_rest() -> None:
    board = Board(0, 0, 300, 200)
    board.draw(np.array([[0.0, 108.0], [300.0, 108.0]]))
    (place,) = arrange(board, [_wish(150, 98)])
    assert place.bottom + 8 < 108


def test_the_cheaper_anchor_is_chosen() -> None:
    anchors = np.array([[50.0, 100.0], [250.0, 100.0]])
    for costs, expected in (([0.0, 30.0], 50.0), ([30.0, 0.0], 250.0)):
        wish = Wish(40, 8, anchors, np.array(costs))
        (place,) = arrange(Board(0, 0, 300, 200), [wish])
        assert place.anchor[0] == expected


def test_the_board_is_left_as_it_was() -> None:
    board = Board(0, 0, 300, 200)
    board.dot(100, 100)
    before = board._ink.copy()
    arrange(board, [_wish(100, 100), _wish(101, 101), _wish(99, 99)])
    assert np.array_equal(board._ink, before)


def test_no_labels_no_places() -> None:
    assert arrange(Board(0, 0, 300, 200), []) == []


def _wish_board(x: float, y: float) -> Wish:
    return Wish(40, 8, np.array([[x, y]]), np.zeros(1))


def test_no_place_is_better_than_the_one_found() -> None:
    generator = np.random.default_rng(0)
    board = Board(0, 0, 160, 100)
    for _ in range(6):
        board.draw(generator.uniform(0, 100, (3, 2)))
    wish = _wish_board(80, 50)
    reach = board.reach(wish)
    everywhere = board._whole(
        reach.costs + 50.0 * board._covered(wish).ravel(), reach, np.arange(len(reach.costs))
    )
    assert board.find(wish, reach).cost == everywhere.min()


def test_what_is_taken_is_given_back() -> None:
    board = Board(0, 0, 160, 100)
    wish = _wish_board(80, 50)
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
