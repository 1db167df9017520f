"""Statistics: worked by hand, and their limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.key_terms.statistics import Counts, likelihood_ratio, okapi, tf

NUMBERS = st.integers(0, 1000)


def counts(a=0, c=0, b=0, d=0, n=0, documents=0):
    """One word: a of c words of the set, b of d words of the collection, n of its documents."""
    inside, outside, frequency = (np.array([number], dtype=np.float64) for number in (a, b, n))
    return Counts(inside, float(c), outside, float(d), frequency, float(documents))


@st.composite
def profiles(draw):
    """a of c words, b of d."""
    a, b = draw(NUMBERS), draw(NUMBERS)
    return a, a + draw(NUMBERS), b, b + draw(NUMBERS)


def ratio(a, c, b, d):
    return likelihood_ratio(counts(a, c, b, d)).item()


@pytest.mark.parametrize(
    ("a", "c", "b", "d", "expected"),
    [
        # E1 = 100·20/1100 = 1.818, E2 = 18.182: 2 (10 ln 5.5 + 10 ln .55)
        (10, 100, 10, 1000, 22.138),
        # E1 = 5/11: 2·5 ln 11, the collection adds nothing
        (5, 100, 0, 1000, 23.979),
        # nothing in the set, E2 = 200/11: 2·20 ln 1.1, and rarer than expected
        (0, 100, 20, 1000, -3.812),
        # E1 = 1, E2 = 10: 2 (1 ln 1 + 10 ln 1)
        (1, 100, 10, 1000, 0),
        (0, 100, 0, 1000, 0),
        (3, 100, 0, 0, 0),
        (0, 0, 5, 1000, 0),
    ],
)
def test_likelihood_ratio_by_hand(a, c, b, d, expected):
    assert ratio(a, c, b, d) == pytest.approx(expected, abs=5e-4)


@given(profiles())
def test_likelihood_ratio_tells_which_profile_has_more(profile):
    a, c, b, d = profile
    found = ratio(a, c, b, d)
    assert np.isfinite(found)
    # Between shares that nearly agree the ratio itself may be nothing but rounding.
    assert found * np.sign(a * d - b * c) >= 0
    if a * d == b * c:
        assert found == 0
    assert found == pytest.approx(-ratio(b, d, a, c), abs=1e-9)


@given(profiles(), st.integers(1, 5))
def test_likelihood_ratio_grows_with_the_evidence(profile, times):
    expected = times * ratio(*profile)
    assert ratio(*(times * number for number in profile)) == pytest.approx(expected, abs=1e-6)


def test_okapi_by_hand():
    # documents have 10 words, the set three times as many: 1.2 (.25 + .75·3) = 3
    found = okapi(counts(a=3, c=30, d=100, n=1, documents=10)).item()
    assert found == pytest.approx(3 * 2.2 / (3 + 3) * np.log(9.5 / 1.5))


@pytest.mark.parametrize(
    ("told", "sign"),
    [
        (counts(a=3, c=30, d=100, n=4, documents=10), 1),
        (counts(a=3, c=30, d=100, n=5, documents=10), 0),
        (counts(a=3, c=30, d=100, n=6, documents=10), -1),
        (counts(a=0, c=30, d=100, n=1, documents=10), 0),
        (counts(a=3, c=30), 0),
        (counts(), 0),
    ],
)
def test_okapi_is_positive_for_words_of_less_than_half_of_the_documents(told, sign):
    assert np.sign(okapi(told).item()) == sign


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 20))
def test_okapi_grows_with_occurrences_up_to_a_bound(a, more, n):
    low, high = (okapi(counts(a=k, c=100, d=400, n=n, documents=40)).item() for k in (a, a + more))
    bound = 2.2 * np.log((40 - n + 0.5) / (n + 0.5))
    assert low < high < bound or n == 20


def test_tf_is_what_was_counted():
    assert tf(counts(a=7, c=9)).tolist() == [7]


@pytest.mark.parametrize("statistic", [tf, likelihood_ratio, okapi])
def test_many_words_are_weighed_as_each_is(statistic):
    rows = [(3, 10, 2, 90, 1, 9), (0, 10, 5, 90, 5, 9), (7, 20, 0, 90, 0, 9)]
    fields = np.array(rows, dtype=np.float64).T
    together = statistic(Counts(*fields))
    assert together.tolist() == [statistic(counts(*row)).item() for row in rows]
