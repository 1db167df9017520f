from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.clustering import MEASURES
from eval.comparison import compare
from eval.runs import COMPARED, Side, Word, compare_sides, side_of
from tests.eval.runs.made_up import run_of
from weps.errors import ValuesError

BASE = {f"N{number}": 0.5 for number in range(8)}


def side(*by_seed: Mapping[str, float], label: str = "paper") -> Side:
    return side_of([run_of(each, seed=seed) for seed, each in enumerate(by_seed)], label)


def higher(by: float) -> dict[str, float]:
    return {name: value + by for name, value in BASE.items()}


@pytest.mark.parametrize(
    ("by", "word"), [(0.1, Word.BETTER), (-0.1, Word.WORSE), (0.0, Word.NOISE)]
)
def test_the_second_is_judged_against_the_first(by: float, word: Word) -> None:
    found = compare_sides(side(BASE), side(higher(by), label="boosted"))
    assert found.verdict.word == word
    assert found.main.mean == pytest.approx(by)


def test_every_measure_is_compared_the_main_one_first() -> None:
    assert set(COMPARED) < set(MEASURES)
    assert tuple(compare_sides(side(BASE), side(BASE)).differences) == COMPARED
    found = compare_sides(side(BASE), side(BASE), "rand")
    assert tuple(found.differences) == ("rand", *COMPARED)
    assert found.main is found.differences["rand"]


def test_each_measure_has_its_own_difference() -> None:
    changed = {
        name: {**dict.fromkeys(MEASURES, 0.5), "bcubed_recall": 0.75, "bcubed_precision": 0.25}
        for name in BASE
    }
    found = compare_sides(side(BASE), side_of([run_of(scores=changed)], "boosted"))
    means = {measure: each.mean for measure, each in found.differences.items()}
    assert means == dict.fromkeys(COMPARED, 0.0) | {
        "bcubed_recall": 0.25,
        "bcubed_precision": -0.25,
    }


SCORES = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(SCORES, SCORES)
def test_names_are_paired_and_go_from_worst_to_best(
    before: list[float], after: list[float]
) -> None:
    names = ("Ada", "Bea", "Cleo")
    first = side(dict(zip(names, before, strict=True)))
    second = side(dict(reversed(list(zip(names, after, strict=True)))))
    found = compare_sides(first, second)
    assert found.main == compare(before, after)
    assert list(found.names.values()) == sorted(found.names.values())
    for name, old, new in zip(names, before, after, strict=True):
        assert found.names[name] == new - old


def test_the_noise_of_the_noisier_side_counts() -> None:
    second = side(higher(0.05), higher(0.05), label="boosted")
    noisy = side(higher(0.1), higher(-0.1))  # mean 0.5, seeds 0.2 apart
    assert compare_sides(side(BASE), second).verdict.word == Word.BETTER
    for found in (compare_sides(noisy, second), compare_sides(second, noisy)):
        assert found.verdict.word == Word.NOISE
        assert any("two seeds" in each for each in found.verdict.remarks)
    quiet, loud = compare_sides(side(BASE), noisy).spreads
    assert quiet is None
    assert loud is not None
    assert loud.mean == pytest.approx(0.2)


def test_what_else_may_lie_behind_a_difference_is_told() -> None:
    other = run_of(BASE, how="train:sha256-12345678", weps="0.2.0")
    learning, version, seeds = compare_sides(side(BASE), side_of([other], "boosted")).cautions
    assert "cv:5, train:sha256-12345678" in learning
    assert "0.1.0, 0.2.0" in version
    assert "paper and boosted" in seeds


def test_several_seeds_of_alike_systems_need_no_caution() -> None:
    both = side(BASE, BASE)
    assert compare_sides(both, replace(both, label="boosted")).cautions == ()


@pytest.mark.parametrize("measure", ["bcubed_f05", "f05"])
def test_a_measure_that_is_missing_is_named(measure: str) -> None:
    poor = {name: {"rand": 0.5} for name in BASE}
    with pytest.raises(ValuesError, match=measure) as caught:
        compare_sides(side_of([run_of(scores=poor)], "poor"), side(BASE), measure)
    assert caught.value.where == "poor"


def test_sides_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValuesError, match="list of names"):
        compare_sides(side(BASE), side({"Ada": 0.5}))
