from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.comparison import Difference, compare
from eval.runs.verdicts import Word, verdict

BETTER, WORSE, NOISE = Word.BETTER, Word.WORSE, Word.NOISE


@pytest.mark.parametrize(
    ("mean", "low", "high", "p", "better", "worse", "word", "remarks"),
    [
        (0.03, 0.01, 0.05, 0.01, 20, 5, BETTER, []),
        (-0.03, -0.05, -0.01, 0.01, 5, 20, WORSE, []),
        (0.01, -0.01, 0.03, 0.60, 13, 10, NOISE, []),
        (0.03, 0.01, 0.05, 0.20, 15, 9, NOISE, ["lies above 0, the sign test finds no"]),
        (-0.03, -0.05, -0.01, 0.2, 9, 15, NOISE, ["lies below 0, the sign test finds no"]),
        (0.01, -0.01, 0.03, 0.01, 20, 5, NOISE, ["includes 0, the sign test says better"]),
        (0.03, 0.01, 0.05, 0.01, 5, 20, NOISE, ["lies above 0, the sign test says worse"]),
        (-0.03, -0.05, -0.01, 0.01, 20, 5, NOISE, ["lies below 0, the sign test says better"]),
        (0.03, 0.01, 0.05, 0.0501, 20, 9, NOISE, ["disagree"]),
        (0.03, 0.00, 0.05, 0.04, 20, 9, NOISE, ["includes 0"]),
        (0.30, nan, nan, 1.0, 1, 0, NOISE, ["no interval", "1 name differs"]),
        (0.30, 0.1, 0.5, 0.0625, 5, 0, NOISE, ["disagree", "5 names differ; the sign test"]),
        (0.30, 0.1, 0.5, 0.03125, 6, 0, BETTER, []),
        (0.0, 0.0, 0.0, 1.0, 0, 0, NOISE, []),
        (1e-17, 1e-17, 1e-17, 1.0, 0, 0, NOISE, []),
    ],
)
def test_interval_and_sign_test_must_agree(
    mean: float,
    low: float,
    high: float,
    p: float,
    better: int,
    worse: int,
    word: Word,
    remarks: list[str],
) -> None:
    found = verdict(Difference(mean, low, high, p, better, worse, 3))
    assert found.word == word
    assert len(found.remarks) == len(remarks)
    assert all(part in told for part, told in zip(remarks, found.remarks, strict=True))


@pytest.mark.parametrize(
    ("between_seeds", "word", "told"), [(0.029, BETTER, 0), (0.03, NOISE, 1), (0.2, NOISE, 1)]
)
def test_a_difference_must_exceed_that_between_seeds(
    between_seeds: float, word: Word, told: int
) -> None:
    found = verdict(Difference(0.03, 0.01, 0.05, 0.001, 20, 5, 0), between_seeds)
    assert (found.word, len(found.remarks)) == (word, told)
    assert all("two seeds" in each for each in found.remarks)


PAIRS = st.lists(st.tuples(*[st.sampled_from([0.0, 0.1, 0.5, 0.9])] * 2), min_size=1, max_size=9)
OPPOSITE = {BETTER: WORSE, WORSE: BETTER, NOISE: NOISE}


@given(PAIRS, st.floats(0, 0.3))
def test_swapping_the_sides_swaps_the_verdict(
    pairs: list[tuple[float, float]], between_seeds: float
) -> None:
    first, second = zip(*pairs, strict=True)
    found = compare(first, second)
    swapped = Difference(
        -found.mean, -found.high, -found.low, found.p, found.worse, found.better, found.equal
    )
    there, back = verdict(found, between_seeds), verdict(swapped, between_seeds)
    assert back.word == OPPOSITE[there.word]
    assert len(back.remarks) == len(there.remarks)


@given(PAIRS)
def test_better_is_never_said_of_a_lower_mean(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = compare(first, second)
    word = verdict(found).word
    assert word == NOISE or (word == BETTER) == (found.mean > 0)
