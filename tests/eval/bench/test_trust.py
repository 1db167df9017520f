import json

import numpy as np
import pytest

from eval.bench.outcome import Outcome
from eval.bench.trust import Trust, trust, trust_data, trust_rows
from tests.eval.bench.conftest import FIRST, RIGHT, SECOND
from weps.records import Clustering
from weps.training import Answered, Example


def found(outcome: Outcome, system: str) -> dict[str, Trust]:
    return trust(outcome.examples, outcome.trials[system].answers)


def test_pairs_and_pages_are_held_against_the_key(outcome: Outcome) -> None:
    both = found(outcome, FIRST)
    assert {subject: each.forecasts for subject, each in both.items()} == {"pairs": 12, "pages": 8}
    # All pairs at .7, half of them coreferent; all pages at .6, three of four right.
    assert both["pairs"].measures["brier"].value == pytest.approx((0.3**2 + 0.7**2) / 2)
    assert both["pairs"].measures["ece"].value == pytest.approx(0.2)
    assert both["pages"].measures["brier"].value == pytest.approx((3 * 0.4**2 + 0.6**2) / 4)
    assert both["pages"].names == 2


def test_every_name_counts_the_same() -> None:
    def of(name: str, pages: int) -> tuple[Example, Answered]:
        ranks, pairs = tuple(range(pages)), pages * (pages - 1) // 2
        key = Clustering((frozenset(ranks),))
        example = Example(name, ranks, (), np.zeros((pairs, 0), np.float32), key)
        return example, Answered(key, np.full(pairs, 1 / pages), np.full(pages, 1 / pages))

    small, large = of("Ada", 2), of("Bea", 10)
    both = trust({"Ada": small[0], "Bea": large[0]}, {"Ada": small[1], "Bea": large[1]})
    for each in both.values():
        assert each.measures["brier"].value == pytest.approx((0.5**2 + 0.9**2) / 2)


def test_what_the_keys_do_not_judge_is_left_out(outcome: Outcome) -> None:
    example = outcome.examples["Ada"]
    single = Example("Ada", example.ranks, (), example.values, Clustering((frozenset({1}),)))
    some = trust({"Ada": single}, {"Ada": RIGHT})
    assert set(some) == {"pages"}
    assert trust_rows({"a": some})[1][:5] == ["a", "–", "–", "–", "–"]


def test_rows_have_both_subjects_side_by_side(outcome: Outcome) -> None:
    heading, first, second = trust_rows({name: found(outcome, name) for name in (FIRST, SECOND)})
    assert heading == ["calibration", *("pairs Brier ECE slope pages Brier ECE slope".split())]
    assert first == [FIRST, "12", "0.2900", "0.2000", "–", "8", "0.2100", "0.1500", "–"]
    assert len(second) == len(heading)


def test_the_json_has_no_nan(outcome: Outcome) -> None:
    data = json.loads(json.dumps(trust_data(found(outcome, FIRST)), allow_nan=False))
    assert data["pairs"]["slope"] == {"value": None, "interval": None}
    assert data["pairs"]["forecasts"] == 12
    assert data["pages"]["brier"]["interval"] == pytest.approx([0.21, 0.21])
