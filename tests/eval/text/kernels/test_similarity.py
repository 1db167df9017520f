"""The normalised kernel: bounds, identity, symmetry, and tables of many sequences."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.kernels.esk import Kernel, esk
from eval.text.kernels.sequences import words
from eval.text.kernels.similarity import paired_similarities, similarities, similarities_within
from weps.errors import ValuesError

NODES = st.lists(st.frozensets(st.sampled_from("abcd"), max_size=2), max_size=5).map(tuple)
SEVERAL = st.lists(NODES, max_size=3)
KERNELS = st.builds(Kernel, st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0]))


def by_definition(first, second, kernel):
    norm = sqrt(esk(first, first, kernel) * esk(second, second, kernel))
    if norm == 0:
        return float(any(first) == any(second))
    return esk(first, second, kernel) / norm


@given(SEVERAL, SEVERAL, KERNELS)
def test_every_pair_as_equation_5_has_it(first, second, kernel):
    table = similarities(first, second, kernel)
    expected = [[by_definition(one, other, kernel) for other in second] for one in first]
    assert table.shape == (len(first), len(second))
    assert np.allclose(table, np.array(expected).reshape(table.shape), rtol=1e-12, atol=0)
    assert ((table >= 0) & (table <= 1)).all()


def test_one_table_of_all_pairs_is_symmetric_to_the_last_digit():
    random = np.random.default_rng(7)
    sequences = [words(random.choice(list("abc"), 30)) for _ in range(8)]
    table = similarities_within(sequences, Kernel(3, 0.3))
    assert np.array_equal(table, table.T)
    assert np.array_equal(table, similarities(sequences, sequences, Kernel(3, 0.3)))
    assert similarities_within([], Kernel()).shape == (0, 0)


@given(SEVERAL, KERNELS)
def test_identical_sequences_are_exactly_one(sequences, kernel):
    assert paired_similarities(sequences, sequences, kernel).tolist() == [1.0] * len(sequences)


@given(SEVERAL, KERNELS)
def test_pairs_are_the_diagonal_of_the_table(sequences, kernel):
    second = sequences[::-1]
    diagonal = similarities(sequences, second, kernel).diagonal()
    assert paired_similarities(sequences, second, kernel).tolist() == diagonal.tolist()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((), (), 1),
        ((), words(["a"]), 0),
        ((frozenset(),), (), 1),
        ((frozenset(),), words(["a"]), 0),
        (words(["a"]), words(["b"]), 0),
        (words(["a"]), words(["a"]), 1),
        (words(["a", "b"]), words(["a"]), 1 / sqrt(3)),
        (words(["a", "b"]), words(["b", "a"]), 2 / 3),
    ],
)
def test_small_cases(first, second, expected):
    assert paired_similarities([first], [second], Kernel()).item() == pytest.approx(expected)


def test_norms_too_large_to_multiply():
    long = words(["a"] * 300)
    pair = paired_similarities([long, long], [long, long[1:]], Kernel(90, 1.0))
    assert pair[0] == 1
    assert 0.4 < pair[1] < 1


def test_lists_of_different_lengths_cannot_be_paired():
    with pytest.raises(ValuesError, match="1 and 2 sequences cannot be paired"):
        paired_similarities([()], [(), ()], Kernel())
