from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings

from eval.feature_study.search import search
from eval.instances import Instances
from eval.ordering import estimate, max_pwa, max_pwa_tally
from tests.eval.feature_study.made_up import instances, noisy, resamples


@pytest.fixture(autouse=True, scope="module")
def few_resamples() -> Iterator[None]:
    """Drawing takes longer than searching."""
    with resamples(200):
        yield


def reached(some: Instances, measures: tuple[str, ...]) -> float:
    values = some.only(measures).values
    return max_pwa(values[:, some.positive], values[:, ~some.positive])


@settings(max_examples=25)
@given(instances(measures=4))
def test_additions_never_fall_and_end_at_all_measures(some: Instances) -> None:
    found = search(some, steps=9, exhaustive=3)
    figures = [each.max_pwa.value for each in found.additions]
    names = [each.measure for each in found.additions]
    assert sorted(names) == sorted(some.measures)
    assert figures == sorted(figures)
    assert found.additions[-1].max_pwa == found.every
    assert figures == [pytest.approx(reached(some, tuple(names[:size]))) for size in (1, 2, 3, 4)]
    gains = [each.gain for each in found.additions]
    assert gains == pytest.approx([second - first for first, second in pairwise([0, *figures])])


@settings(max_examples=25)
@given(instances(measures=4))
def test_the_best_subset_is_that_of_trying_all(some: Instances) -> None:
    found = search(some, steps=4, exhaustive=3)
    for size, best in zip((2, 3), found.best, strict=True):
        figures = {each: reached(some, each) for each in combinations(some.measures, size)}
        assert best.max_pwa.value == pytest.approx(max(figures.values()))
        assert best.max_pwa.value == pytest.approx(figures[best.measures])
        assert best.max_pwa.value >= found.additions[size - 1].max_pwa.value - 1e-12


@settings(max_examples=25)
@given(instances(measures=3))
def test_a_gain_is_what_all_lose_without_the_measure(some: Instances) -> None:
    found = search(some, steps=1, exhaustive=0)
    for measure, gain in found.gains.items():
        others = tuple(each for each in some.measures if each != measure)
        assert gain.value == pytest.approx(found.every.value - reached(some, others))


def test_intervals_are_over_groups() -> None:
    some = noisy()
    sides = (some.values[:, side] for side in (some.positive, ~some.positive))
    groups = (some.group[side] for side in (some.positive, ~some.positive))
    found = search(some, steps=2, exhaustive=0, seed=5)
    assert found.every == estimate(max_pwa_tally(*sides, *groups), seed=5)
    assert found.every.low < found.every.value < found.every.high


@pytest.mark.parametrize(
    ("steps", "exhaustive", "added", "best"),
    [(2, 0, 2, []), (2, 1, 2, []), (9, 9, 4, [2, 3, 4]), (1, 2, 1, [2])],
)
def test_no_more_is_searched_than_asked_for(
    steps: int, exhaustive: int, added: int, best: list[int]
) -> None:
    found = search(noisy(groups=2), steps, exhaustive)
    assert len(found.additions) == added
    assert [len(each.measures) for each in found.best] == best


def test_a_single_measure_is_all_there_is() -> None:
    found = search(noisy(("m0",), groups=2), steps=10, exhaustive=2)
    (only,) = found.additions
    assert only.measure == "m0"
    assert only.gain == only.max_pwa.value == found.every.value == found.gains["m0"].value


def test_progress_tells_what_is_searched() -> None:
    told: list[str] = []
    search(noisy(groups=2, size=5), 1, 3, progress=told.append)
    assert [message.partition(" search")[0] for message in told] == [
        "greedy",
        "exhaustive",
        "exhaustive",
    ]
