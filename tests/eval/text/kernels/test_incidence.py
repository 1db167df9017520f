"""Common attributes of nodes against set intersections."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eval.text.kernels.incidence import Incidence

SEQUENCES = st.lists(
    st.lists(st.frozensets(st.sampled_from("abc")), min_size=1, max_size=4).map(tuple),
    min_size=2,
    max_size=6,
)


@given(SEQUENCES, st.randoms())
def test_common_attributes_of_a_batch(sequences, random):
    others = random.choices(range(len(sequences)), k=len(sequences))
    numbers = np.arange(len(sequences))
    rows = [row.copy() for row in Incidence.of(sequences).common(numbers, np.array(others))]
    found = np.stack(rows, axis=1)  # pairs, nodes, nodes
    expected = np.zeros_like(found)
    for pair, other in enumerate(others):
        for i, node in enumerate(sequences[pair]):
            for j, counterpart in enumerate(sequences[other]):
                expected[pair, i, j] = len(node & counterpart)
    assert np.array_equal(found, expected)
    assert len(rows) == max(map(len, sequences))


def test_lengths_of_sequences_empty_ones_among_them():
    sequences = [(), (frozenset("a"), frozenset()), ()]
    assert Incidence.of(sequences).lengths.tolist() == [0, 2, 0]
    assert Incidence.of([]).lengths.tolist() == []
