import math

from eval.figures.interval import Interval
from eval.figures.paired import Row, pairs_of_bars


def test_values_are_printed_beside_their_names(drawn) -> None:
    rows = [Row("tokens", Interval(0.81, 0.79, 0.834), Interval(0.8, math.nan, math.nan))]
    picture = pairs_of_bars(rows, "T", ("upper bound", "tree"), "accuracy")
    assert drawn.texts["name-0-0"] == "upper bound"
    assert drawn.texts["value-0-0"] == "0.81 (0.79–0.83)"
    assert drawn.texts["value-0-1"] == "0.80"
    assert picture.alt.endswith("tokens 0.81 and 0.80.")
