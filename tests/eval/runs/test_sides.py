from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.runs import RunCorpus, side_of, spread
from eval.runs.sides import check_comparable
from tests.eval.runs.made_up import SCORER, run_of
from weps.errors import ValuesError

ALIKE = {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0}


def test_seeds_are_averaged_name_by_name() -> None:
    side = side_of(
        [run_of({"Ada": 0.5, "Bea": 1.0}), run_of({"Bea": 0.5, "Ada": 0.25}, seed=1)], ""
    )
    assert side.scores["Ada"]["bcubed_f05"] == 0.375
    assert side.scores["Bea"]["rand"] == 0.75


@given(st.permutations(range(4)), st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_the_order_of_runs_does_not_matter(order: list[int], scores: list[float]) -> None:
    runs = [run_of({"Ada": score}, seed=seed) for seed, score in enumerate(scores)]
    assert side_of([runs[each] for each in order], "x") == side_of(runs, "x")


def test_a_single_run_is_its_own_average() -> None:
    side = side_of([run_of()], "paper")
    assert side.scores == run_of().scores
    assert spread(side, "bcubed_f05") is None


def test_the_spread_is_the_mean_difference_of_two_seeds() -> None:
    by_seed = ({"Ada": 0.2, "Bea": 0.5}, {"Ada": 0.5, "Bea": 0.2}, {"Ada": 0.5, "Bea": 0.5})
    side = side_of([run_of(each, seed=seed) for seed, each in enumerate(by_seed)], "")
    found = spread(side, "bcubed_f05")
    assert found is not None
    assert found.names == pytest.approx({"Ada": 0.2, "Bea": 0.2})
    assert found.mean == pytest.approx(0.1)  # means 0.35, 0.35, 0.5


def test_seeds_that_agree_have_no_spread() -> None:
    found = spread(side_of([run_of(), run_of(seed=1)], ""), "rand")
    assert found is not None
    assert (found.mean, set(found.names.values())) == (0, {0})


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"system": "boosted"}, r"system \(boosted, paper\)"),
        ({"configuration": {"classifier": "tree", "depth": 7}}, r"configuration of depth \(6, 7\)"),
        ({"configuration": {"classifier": "tree"}}, r"configuration of depth \(6, none\)"),
        ({"corpus": RunCorpus("WePS-2", "weps-2", "99999999")}, "corpus"),
        ({"how": "cv:10"}, "way of learning"),
        ({"signature": "bcubed:extended|scorer:weps2|weps:0.1.0"}, "scorer"),
        ({"weps": "0.2.0"}, "version of weps"),
        ({"f05": {**ALIKE, "Dora": 1.0}}, "list of names"),
        ({"scores": {name: {"rand": 0.5} for name in ALIKE}}, "list of measures"),
        ({"seed": 0}, "two of its runs have the seed 0"),
    ],
)
def test_runs_that_differ_in_more_than_seeds_are_no_side(changed: Any, told: str) -> None:
    with pytest.raises(ValuesError, match=told) as caught:
        side_of([run_of(), run_of(**{"seed": 1, **changed})], "runs/paper")
    assert caught.value.where == "runs/paper"
    assert "folder" in caught.value.remedy


def test_every_difference_is_told_at_once() -> None:
    other = run_of(system="boosted", how="cv:3", seed=1)
    with pytest.raises(ValuesError, match=r"system .* way of learning"):
        side_of([run_of(), other], "runs")


def test_no_runs_are_no_side() -> None:
    with pytest.raises(ValuesError, match="no runs"):
        side_of([], "runs")


@pytest.mark.parametrize(
    ("changed", "told", "remedy"),
    [
        (
            {"corpus": RunCorpus("WePS-2", "weps-2", "99999999")},
            "WePS-1 3fa29b11c0de and WePS-2 99999999",
            "same corpus",
        ),
        ({"f05": {"Ada": 1.0}}, "list of names", "same names"),
        ({"signature": "scorer:weps2|weps:0.1.0"}, "scorer", "--scorer"),
    ],
)
def test_sides_that_cannot_be_compared_say_why(changed: Any, told: str, remedy: str) -> None:
    first, second = side_of([run_of()], "paper"), side_of([run_of(**changed)], "boosted")
    with pytest.raises(ValuesError, match=told) as caught:
        check_comparable(first, second)
    assert "paper and boosted" in caught.value.what
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 5},
        {"weps": "0.2.0", "signature": f"{SCORER}|weps:0.2.0|train:sha256-1|seed:5"},
        {"how": "train:sha256-12345678"},
        {"corpus": RunCorpus("The same by another title", "weps-1", "3fa29b11c0de")},
    ],
)
def test_what_does_not_touch_the_scoring_may_differ(changed: Any) -> None:
    check_comparable(side_of([run_of()], "paper"), side_of([run_of(**changed)], "boosted"))
