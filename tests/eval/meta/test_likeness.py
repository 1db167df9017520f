import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.likeness import implications
from weps.errors import ValuesError

few = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


def test_what_is_human_like_is_acceptable_and_not_the_reverse() -> None:
    # One text in four passes for a person's; half of the others are as acceptable.
    (found,) = implications([1, 0, 0, 0], [2, 2, 1, 1], [0.25])
    assert found == (0.25, 3 / 4, ((7 / 8) + (3 / 8)) / 2)


def test_no_more_than_the_wanted_share_where_nothing_is_tied() -> None:
    (found,) = implications([4, 3, 2, 1], [1, 2, 3, 4], [0.3])  # two of four
    assert found.acceptable == ((1 / 8) + (3 / 8)) / 2


def test_a_tenth_of_thirty_texts_are_three() -> None:
    (found,) = implications(range(30), range(30), [0.1])
    assert found.acceptable == pytest.approx(28.5 / 30)


@given(few, st.sampled_from([0.1, 0.5, 1.0]))
def test_the_standing_is_the_share_below(pairs: list[tuple[int, int]], share: float) -> None:
    like, accepted = np.array(pairs).T
    (found,) = implications(like, accepted, [share])
    last = sorted(like)[::-1][int(np.ceil(round(share * len(like), 9))) - 1]
    standings = [
        ((accepted < value).sum() + (accepted == value).sum() / 2) / len(pairs)
        for value, near in zip(accepted, like, strict=True)
        if near >= last
    ]
    assert found.acceptable == pytest.approx(np.mean(standings))
    (swapped,) = implications(accepted, like, [share])
    assert (swapped.acceptable, swapped.human_like) == (found.human_like, found.acceptable)


def test_constant_values_imply_nothing() -> None:
    for each in implications(np.ones(10), np.arange(10)):
        assert each.acceptable == each.human_like == 0.5


@pytest.mark.parametrize(
    ("like", "share", "message"),
    [
        ([1.0], 0.5, "1 and 2 texts cannot be paired"),
        ([1.0, np.nan], 0.5, "likeness: .*NaN"),
        ([1.0, 2.0], 0.0, "0.0 is no share"),
        ([1.0, 2.0], 1.5, "1.5 is no share"),
    ],
)
def test_what_does_not_fit_is_refused(like: list[float], share: float, message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        implications(like, [1.0, 2.0], [share])


def test_a_share_may_be_a_little_more_than_a_whole_number() -> None:
    (found,) = implications(np.arange(100.0), np.arange(100.0), [0.07])  # 7.000000000000001
    assert found.acceptable == pytest.approx(0.965)
