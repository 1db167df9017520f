import math

import pytest

from eval.feature_study.shares import Bar, shares


def _bars(count: int) -> list[Bar]:
    return [
        Bar(f"measure {n}", 0.6, n / 300, 0.4 - n / 300, f"group {n // 20}") for n in range(count)
    ]


def test_sixty_bars(drawn) -> None:
    picture = shares(_bars(60), "Sixty", 0.15)
    assert not drawn.overlaps()
    assert not drawn.outside()
    assert [t for key, t in drawn.texts.items() if key.startswith("group-")] == [
        "group 0",
        "group 1",
        "group 2",
    ]
    assert "measure 59 with 20 %, and 14 are above 15 %" in picture.alt


def test_labels_are_level_with_their_bars(drawn) -> None:
    shares(_bars(10), "Ten")
    numbers = [box for key, box in drawn.boxes.items() if drawn.texts[key].endswith(" %")][-10:]
    labels = [box for key, box in drawn.boxes.items() if key.startswith("label-")]
    heights = [(box[1] + box[3]) / 2 for box in labels]
    assert heights == sorted(heights, reverse=True)
    assert len(numbers) == len(labels) == 10


def test_no_shares_are_a_dash(drawn) -> None:
    picture = shares([Bar("same everywhere", math.nan, math.nan, math.nan)], "T", 0.2)
    assert "–" in drawn.texts.values()
    assert picture.alt == "T. Shares of 1 measures as stacked bars."


@pytest.mark.parametrize("limit", [0.0, 0.2, 0.5, 0.95, 1.0])
def test_the_limit_is_on_the_axis_and_its_number_clear_of_others(limit: float, drawn) -> None:
    shares(_bars(3), "T", limit)
    assert f"{100 * limit:.0f} %" in drawn.texts.values()
    assert not drawn.overlaps()
