import math

import pytest

from eval.figures.interval import Interval
from eval.figures.steps import Step, steps


@pytest.mark.parametrize("growth", [0.0, 0.001, 0.02])
@pytest.mark.parametrize("width", [0.0, 0.05, math.nan])
def test_twenty_steps(growth: float, width: float, drawn) -> None:
    values = [0.5 + growth * n for n in range(20)]
    path = [
        Step(f"dice(entity(type=organisation, n={n}))", Interval(v, v - width, v + width))
        for n, v in enumerate(values)
    ]
    steps(path, "Twenty", "MaxPWA")
    assert not drawn.overlaps()
    assert not drawn.outside()
    assert sum(key.startswith("label-") for key in drawn.texts) == 20


def test_later_labels_are_higher_so_that_no_leader_crosses_one(drawn) -> None:
    steps([Step(str(n), Interval(1 - 0.5**n, 1 - 0.5**n, 1)) for n in range(8)], "T", "F")
    bottoms = [drawn.boxes[f"label-{n}"][1] for n in range(8)]
    assert bottoms == sorted(bottoms)


@pytest.mark.usefixtures("drawn")
def test_the_alternative_text_names_the_measures_in_order() -> None:
    path = [Step("token", Interval(0.7, 0.6, 0.8)), Step("link", Interval(0.75, 0.7, 0.8))]
    assert steps(path, "T", "MaxPWA").alt == (
        "T. MaxPWA rises from 0.70 to 0.75 as the subset gains token and link."
    )
