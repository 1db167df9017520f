from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.synthesis.discounting import as_rare_as_singletons, good_turing

NOTHING: tuple[float, ...] = ()


def counts(*times: int) -> list[int]:
    """So many counts of 1, of 2, …."""
    return [count for count, several in enumerate(times, 1) for _ in range(several)]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ((6, 2, 1), (1 / 3, 1 / 2)),  # A = 3 / 6, r* / r = 4 / 6 and 3 / 4
        ((60, 20, 10), (1 / 3, 1 / 2)),
        ((6, 2, 1, 0, 5), (1 / 3, 1 / 2)),
        ((12, 6, 4), NOTHING),  # A = 1
        ((12, 6, 4, 1), NOTHING),  # d_3 = 0
        ((12, 6, 3, 1), (1, 5 / 8, 1 / 6)),  # A = 1 / 3, r* / r = 1, 3 / 4 and 4 / 9
        ((20, 5, 2, 1), (3 / 8, 1 / 2, 7 / 12)),  # A = 1 / 5, r* / r = 1 / 2, 3 / 5 and 2 / 3
        ((5, 1), NOTHING),
        ((5,), NOTHING),
        ((0, 5, 2), NOTHING),
        ((5, 0, 1), NOTHING),
        ((2, 3, 1), NOTHING),
        ((), NOTHING),
    ],
)
def test_worked_examples(times: tuple[int, ...], expected: tuple[float, ...]) -> None:
    assert good_turing(counts(*times)) == pytest.approx(expected, rel=1e-15)


def test_counts_over_seven_are_reliable() -> None:
    seen = counts(100, 40, 22, 14, 10, 7, 5, 4, 3)
    least = 8 * 4 / 100
    turing = [80 / 100, 66 / 80, 56 / 66, 50 / 56, 42 / 50, 35 / 42, 32 / 35]
    expected = [(each - least) / (1 - least) for each in turing]
    assert good_turing(seen) == pytest.approx(expected, rel=1e-14)
    assert len(good_turing(seen, 9)) == 8


def of_katz(times: Counter[int], k: int) -> list[Fraction]:
    """The formula letter by letter; where it divides by zero, something out of range."""
    try:
        least = Fraction((k + 1) * times[k + 1], times[1])
        turing = [Fraction((r + 1) * times[r + 1], times[r]) for r in range(1, k + 1)]
        ratios = [(each / r - least) / (1 - least) for r, each in enumerate(turing, 1)]
    except ZeroDivisionError:
        return [Fraction(-1)]
    return ratios if least < 1 else [Fraction(-1)]


FALLING = st.lists(st.integers(0, 40), max_size=10).map(lambda times: sorted(times, reverse=True))


@given(FALLING.map(lambda times: counts(*times)), st.integers(0, 8))
def test_the_largest_cutoff_for_which_the_formula_makes_sense(seen: list[int], cutoff: int) -> None:
    times = Counter(seen)
    tried = [of_katz(times, k) for k in range(cutoff, 0, -1)]
    sensible = [ratios for ratios in tried if all(0 < ratio <= 1 for ratio in ratios)]
    expected = list(map(float, sensible[0])) if sensible else []
    assert list(good_turing(seen, cutoff)) == pytest.approx(expected, rel=1e-12)


@given(FALLING.map(lambda times: counts(*times)))
def test_the_counts_lose_as_many_as_were_seen_once(seen: list[int]) -> None:
    if ratios := good_turing(seen):
        lost = sum(count * (1 - ratio) * seen.count(count) for count, ratio in enumerate(ratios, 1))
        assert lost == pytest.approx(seen.count(1))


@pytest.mark.parametrize(
    ("times", "unseen", "expected"),
    [((3, 5), 1, (3 / 4,)), ((3,), 9, (1 / 4,)), ((0, 2), 5, NOTHING), ((), 5, NOTHING)],
)
def test_unseen_words_count_as_those_seen_once(
    times: tuple[int, ...], unseen: int, expected: tuple[float, ...]
) -> None:
    assert as_rare_as_singletons(counts(*times), unseen) == expected
