import numpy as np

from eval.figures.anchors import anchors

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
