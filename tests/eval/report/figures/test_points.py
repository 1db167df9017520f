import pytest

from eval.report.figures.points import Point, scatter


def test_only_marked_points_have_labels(drawn) -> None:
    points = [Point(f"p{n}", n / 10, n / 20, n % 3 == 0) for n in range(9)]
    scatter(points, "T", x="bound", y="tree")
    shown = {text for key, text in drawn.texts.items() if key.startswith("label-")}
    assert shown == {"p0", "p3", "p6", "y = x"}


@pytest.mark.parametrize("spread", [0.0, 0.01, 0.2])
def test_crowded_labels_are_apart(spread: float, drawn) -> None:
    points = [
        Point(f"combination of measures {n}", 0.9 + spread * n / 12, 0.8 + spread * n / 20, True)
        for n in range(12)
    ]
    scatter(points, "T", x="bound", y="tree", correlation="Spearman 0.93")
    assert not drawn.overlaps()
    assert not drawn.outside()


def test_families_are_named_once(drawn) -> None:
    points = [Point("", n, n, family=f"family {n % 2}") for n in range(6)]
    points.insert(0, Point("", 1, 1))
    scatter(points, "T", x="bound", y="tree")
    named = [text for key, text in drawn.texts.items() if key.startswith("family-")]
    assert named == ["family 0", "family 1"]


def test_values_of_two_kinds_have_two_scales_and_no_diagonal(drawn) -> None:
    points = [Point(f"p{n}", n / 10, 100 * n, n == 3) for n in range(9)]
    scatter(points, "T", x="KING", y="words", alike=False)
    shown = {text for key, text in drawn.texts.items() if key.startswith("label-")}
    assert shown == {"p3"}
    assert {"0.8", "800"} <= set(drawn.texts.values())
    assert not drawn.outside()
