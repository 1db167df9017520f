"""Ranks, ties, rounding and bits of arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tests.cases import each_case
from weps_eval import stats


@each_case(
    ("values", "expected"),
    [
        ([0.5, -1.0, 0.5, 2.0], [1, 0, 1, 2]),
        ([0.0, -0.0], [0, 0]),
        ([np.inf, 1e308, -np.inf], [2, 1, 0]),
        ([2**53 + 1, 2**53], [1, 0]),
        ([True, False], [1, 0]),
    ],
)
def test_ranks_compare_as_the_values(values, expected):
    assert stats.dense_ranks(values).tolist() == expected


def test_sums_of_the_same_numbers_are_equal_in_any_order():
    sums = np.array([(x + y + z) / 3 for x, y, z in permutations((0.1, 0.2, 0.3))])
    assert len(set(sums.tolist())) > 1
    assert len(set(stats.round_digits(sums).tolist())) == 1


@each_case("size", [1, 63, 64, 65, 200])
def test_truth_values_are_packed_into_words(size):
    truth = np.random.default_rng(size).random((3, size)) < 0.5
    bits = stats.pack_bits(truth)
    assert bits.shape == (3, -(-size // 64))
    unpacked = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
    assert (unpacked[:, :size] == truth).all()
    assert not unpacked[:, size:].any()


def test_means_leave_out_topics_that_say_nothing():
    found = stats.bootstrap_means(np.array([[1.0, 2, 3], [np.nan, 5, 7], [np.nan] * 3]))
    assert found.value[:2].tolist() == [2, 6]
    assert np.isnan(found.value[2])
    assert np.isnan(found.estimates[2]).all()


def test_resamples_are_those_of_plain_python():
    hits, total = np.array([[1.0, 0, 2]]), np.array([[2.0, 3, 4]])
    found = stats.bootstrap_shares(hits, total, resamples=20, seed=3)
    for part, times in zip(
        found.samples[0], stats.bootstrap_weights(3, 20, seed=3)[1:], strict=True
    ):
        samples = [topic for topic in range(3) for _ in range(int(times[topic]))]
        expected = sum(hits[0, each] for each in samples) / sum(total[0, each] for each in samples)
        assert part == pytest.approx(expected)


def test_a_share_of_nothing_is_unknown():
    assert stats.safe_divide([1, 0], [4, 0]).tolist() == pytest.approx([0.25, np.nan], nan_ok=True)
    assert stats.safe_divide([1, 3], [2, 1]).tolist() == [0.5, 3]
    assert stats.safe_divide([1, 0], [4, 0], 0).tolist() == [0.25, 0]
    assert stats.safe_divide([[1, 2], [3, 4]], [4, 0]).tolist() == pytest.approx(
        np.array([[0.25, np.nan], [0.75, np.nan]]), nan_ok=True
    )


def tally(shares: list[float], comparisons: float = 100.0) -> stats.PairCounts:
    """Groups that are compared with themselves only."""
    total = np.diag([comparisons] * len(shares))
    return stats.PairCounts(total * np.diag(shares), total)


def test_pooled_counts_comparisons_and_the_mean_counts_groups():
    uneven = stats.PairCounts(np.diag([10.0, 0.0]), np.diag([10.0, 90.0]))
    assert uneven.pooled == pytest.approx(0.1)
    assert uneven.mean == pytest.approx(0.5)


def test_comparisons_between_groups_are_pooled_but_not_averaged():
    across = stats.PairCounts(
        np.array([[1.0, 4.0], [0.0, 0.0]]), np.array([[2.0, 4.0], [4.0, 0.0]])
    )
    assert across.pooled == pytest.approx(0.5)
    assert across.mean == 0.5  # the second group has no comparison of its own
    assert np.isnan(across.by_group[1])


def test_sides_with_fewer_groups_are_filled_up():
    filled = stats.PairCounts.of(np.ones((1, 3)), np.full((1, 3), 2))
    assert filled.hits.shape == filled.total.shape == (3, 3)
    assert filled.pooled == 0.5


def test_the_interval_of_a_mean_is_four_standard_errors_wide():
    shares = np.random.default_rng(1).uniform(0.4, 0.9, 30)
    found = stats.estimate_share(tally(shares.tolist()), per_group=True)
    standard_error = shares.std() / math.sqrt(len(shares))
    assert found.value == pytest.approx(shares.mean())
    assert found.low < found.value < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * standard_error, rel=0.1)


def test_resampling_weighs_comparisons_between_groups_by_both():
    generator = np.random.default_rng(2)
    total = generator.integers(1, 50, (6, 6)).astype(float)
    hits = np.floor(total * generator.random((6, 6)))
    low, high = stats.estimate_share(stats.PairCounts(hits, total))[1:]
    samples = stats.bootstrap_weights(6, 10_000, seed=0)[1:]
    by_hand = [
        (np.outer(times, times) * hits).sum() / (np.outer(times, times) * total).sum()
        for times in samples
    ]
    assert (low, high) == pytest.approx(tuple(np.percentile(by_hand, [2.5, 97.5])))


def test_a_share_of_instances_is_resampled_by_group():
    generator = np.random.default_rng(4)
    total = generator.integers(1, 30, 8).astype(float)
    hits = np.floor(total * generator.random(8))
    value, *samples = stats.instance_share(hits, total, seed=2)
    times = stats.bootstrap_weights(8, 10_000, seed=2)[1:]
    assert value == hits.sum() / total.sum()
    assert samples == pytest.approx([(each * hits).sum() / (each * total).sum() for each in times])
    assert stats.instance_share(hits, total, seed=3).tolist() != [value, *samples]


@pytest.mark.parametrize(("total", "value"), [(4.0, 0.75), (0.0, math.nan)])
def test_a_share_of_one_group_has_no_interval(total, value):
    found, *samples = stats.instance_share(np.array([0.75 * total]), np.array([total]))
    assert found == pytest.approx(value, nan_ok=True)
    assert np.isnan(samples).all()


def test_groups_are_drawn_once_and_for_all():
    samples = stats.bootstrap_weights(5, 100, seed=9)
    assert samples is stats.bootstrap_weights(5, 100, seed=9)
    assert (samples.sum(axis=1) == 5).all()
    with pytest.raises(ValueError, match="read-only"):
        samples[0, 0] = 1


SCORES = st.floats(0, 1, allow_nan=False)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=12)


def of_pairs(pairs: Sequence[tuple[float, float]]) -> stats.Difference:
    first, second = zip(*pairs, strict=True)
    return stats.compare(first, second)


def test_the_difference_is_second_minus_first():
    found = stats.compare([0.5, 0.6, 0.7, 0.8], [0.6, 0.7, 0.7, 0.6])
    assert found.mean == pytest.approx(0.0)
    assert (found.better, found.worse, found.equal) == (2, 1, 1)
    assert stats.compare([0.1 + 0.2, 0.5], [0.3, 0.5]).equal == 2  # but for rounding
    scores = np.random.default_rng(1).random((2, 9))
    assert stats.compare(*scores, seed=4).low != stats.compare(*scores, seed=5).low


@given(PAIRS)
def test_the_sign_test_is_the_exact_binomial_one(pairs):
    found = of_pairs(pairs)
    trials = found.better + found.worse
    expected = binomtest(found.better, trials).pvalue if trials else 1.0
    assert found.p == pytest.approx(expected)


@given(PAIRS)
def test_swapping_the_systems_swaps_the_answer(pairs):
    there, back = of_pairs(pairs), of_pairs([(second, first) for first, second in pairs])
    assert back.mean == pytest.approx(-there.mean)
    assert (back.better, back.worse, back.p) == (there.worse, there.better, there.p)


def test_the_interval_is_that_of_the_normal_for_many_names():
    differences = np.random.default_rng(3).normal(0.1, 0.2, 400)
    found = stats.compare(np.zeros(400), differences)
    half = 1.96 * differences.std() / 20
    assert found.low == pytest.approx(found.mean - half, abs=0.003)
    assert found.high == pytest.approx(found.mean + half, abs=0.003)


def test_one_name_has_no_interval():
    found = stats.compare([0.5], [0.75])
    assert np.isnan([found.low, found.high]).all()
    assert (found.mean, found.p) == (0.25, 1.0)


def test_intervals_and_tests_are_those_of_scipy():
    for size, seed in ((9, 1), (12, 2), (30, 3), (60, 4)):
        generator = np.random.default_rng(seed)
        first = generator.random(size).round(2)
        second = (first + generator.normal(0.04, 0.1, size)).round(2)
        found = stats.compare(first, second)
        theirs = scipy.stats.permutation_test(
            (second, first),
            lambda one, other: (one - other).mean(),
            permutation_type="samples",
            n_resamples=10_000,
            rng=generator,
        )
        exact = size <= 13
        assert found.randomisation == pytest.approx(theirs.pvalue, abs=1e-12 if exact else 0.015)
        sign = scipy.stats.binomtest(found.better, found.better + found.worse)
        assert found.p == pytest.approx(sign.pvalue)
        interval = scipy.stats.bootstrap(
            (second - first,), np.mean, method="percentile", n_resamples=10_000, rng=generator
        ).confidence_interval
        assert (found.low, found.high) == pytest.approx(tuple(interval), abs=0.004)


def test_a_randomisation_test_by_hand_does_not_depend_on_the_order_of_systems():
    # Of 8 ways to sign 0.1, 0.2 and 0.3, two have a sum as far from 0 as 0.6, four as 0.4.
    assert stats.compare([0, 0, 0], [0.1, 0.2, 0.3]).randomisation == 0.25
    assert stats.compare([0.1, 0, 0], [0, 0.2, 0.3]).randomisation == 0.5
    first, second = np.random.default_rng(5).random((2, 40))
    there, back = stats.compare(first, second), stats.compare(second, first)
    assert there.randomisation == back.randomisation
    assert stats.compare(first, first).randomisation == 1


@each_case(
    ("given", "adjusted"),
    [
        # Holm 1979: times 4, 3, 2, 1 from the smallest on, never falling, at most 1.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.2], [0.2]),
        ([], []),
    ],
)
def test_holm_adjusts_from_the_smallest_on(given, adjusted):
    assert stats.adjust_by_holm(given) == pytest.approx(adjusted)


@each_case(("first", "second"), [([], []), ([1.0], [1.0, 0.5]), ([[1.0]], [[1.0]]), (1.0, 1.0)])
def test_scores_that_are_no_pairs_are_refused(first, second):
    with pytest.raises(ValueError, match=r"paired|instances|one value per instance"):
        stats.compare(first, second)


def test_a_table_has_a_cell_for_each_topic_and_system():
    values, topic, system = np.array([[1.0, 2, 3], [4, np.inf, 6]]), [0, 1, 1], [1, 0, 1]
    table = stats.as_table(values, np.array(topic), np.array(system))
    expected = [[[np.nan, 1], [2, 3]], [[np.nan, 4], [np.inf, 6]]]
    assert np.array_equal(table, expected, equal_nan=True)
