import numpy as np
import pytest

from eval.figures.curves import Line, _lowest, _steps, curves


def _line(recall: list[float], precision: list[float], label: str = "a") -> Line:
    return Line(label, np.array(recall), np.array(precision))


def _area(points: np.ndarray) -> float:
    return float(np.trapezoid(points[:, 1], points[:, 0]))


def test_the_area_below_is_the_average_precision() -> None:
    points = _steps(_line([0.2, 0.5, 1.0], [0.9, 0.6, 0.4]))
    assert _area(points) == pytest.approx(0.2 * 0.9 + 0.3 * 0.6 + 0.5 * 0.4)


def test_a_large_tie_is_a_step_not_a_slope() -> None:
    points = _steps(_line([0.3, 1.0], [0.9, 0.5]))
    assert points.tolist() == [[0, 0.9], [0.3, 0.9], [0.3, 0.5], [1, 0.5]]


def test_a_long_line_keeps_its_area() -> None:
    recall = np.linspace(1 / 60_000, 1, 60_000)
    precision = 0.5 + 0.5 * (1 - recall) ** 2
    points = _steps(Line("a", recall, precision))
    assert len(points) <= 800
    assert _area(points) == pytest.approx(0.5 + 0.5 / 3, abs=1e-4)


def test_the_leaps_of_the_first_pairs_are_left_out() -> None:
    points = _steps(_line([0.0001, 0.0002, 0.4], [0.0, 1.0, 0.8]))
    assert points[:, 1].min() == 0.8


def test_a_line_that_ends_at_once_is_still_drawn() -> None:
    assert _steps(_line([0.001], [0.7])).tolist() == [[0, 0.7], [0.001, 0.7]]


@pytest.mark.parametrize(
    ("lowest", "expected"), [(0.0, 0.0), (0.12, 0.0), (0.35, 0.3), (0.62, 0.5), (1.0, 0.9)]
)
def test_precision_starts_below_all_lines(lowest: float, expected: float) -> None:
    points = np.array([[0.0, lowest], [1.0, 1.0]])
    assert _lowest([points]) == pytest.approx(expected)


def test_twelve_lines_that_coincide_have_labels_that_do_not(drawn) -> None:
    recall = np.linspace(0.001, 1, 2000)
    lines = [
        Line(f"entity(type=organisation, local=true, n={n})", recall, 1 - recall / 2, n == 3)
        for n in range(12)
    ]
    curves(lines, "Twelve")
    assert sum(key.startswith("label-") for key in drawn.texts) == 12
    assert not drawn.overlaps()
    assert not drawn.outside()


@pytest.mark.usefixtures("drawn")
def test_the_alternative_text_says_which_is_best() -> None:
    lines = [_line([0.2, 1], [1, 0.5], "low"), _line([0.2, 1], [0.9, 0.7], "high")]
    assert "at recall 0.5 high is best, with 0.70" in curves(lines, "T").alt
    assert "none reaches recall 0.5" in curves([_line([0.2], [1])], "T").alt


def test_a_line_needs_points() -> None:
    with pytest.raises(ValueError, match="points"):
        curves([_line([], [])], "T")


@pytest.mark.usefixtures("drawn")
def test_data_are_left_alone() -> None:
    line = _line([0.001, 0.5], [1, 0.5])
    line.recall.setflags(write=False)
    line.precision.setflags(write=False)
    curves([line], "T")
