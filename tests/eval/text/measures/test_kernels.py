"""String kernels, and kernels between sets of texts."""

from collections import Counter
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.text.measures.kernels import (
    _best_matches,
    _kernel_similarities,
    _kernel_values,
    sense_node,
)

NODES = st.lists(st.frozensets(st.sampled_from("abcd"), max_size=3), max_size=7).map(tuple)
KERNELS = st.tuples(st.integers(1, 4), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
"""Length and decay."""


def word_nodes(words):
    return tuple(map(sense_node, words))


def sentence(text):
    """Nodes from ``cosmonaut:SPACEMAN``."""
    tokens = (word.partition(":") for word in text.split())
    return tuple(sense_node(word, tuple(filter(None, [sense]))) for word, _, sense in tokens)


def esk(first, second, length=2, decay=0.5):
    return _kernel_values((first, second), np.array([0]), np.array([1]), length, decay).item()


S1 = sentence("Becoming a cosmonaut:SPACEMAN is my great dream:DREAM")
S2 = sentence("Becoming an astronaut:SPACEMAN is my ambition:DREAM")


def components(sequence, length):
    """Subsequences of attributes, and how often each comes with how many nodes skipped."""
    return Counter(
        (attributes, places[-1] - places[0] + 1 - size)
        for size in range(1, length + 1)
        for places in combinations(range(len(sequence)), size)
        for attributes in product(*(sequence[place] for place in places))
    )


def polynomial(first, second, length):
    """Coefficients of the kernel by power of the decay."""
    powers = Counter()
    ours, theirs = components(first, length), components(second, length)
    for (one, skipped), count in ours.items():
        for (other, missed), times in theirs.items():
            if one == other:
                powers[skipped + missed] += count * times
    return powers


def evaluated(powers, decay):
    return sum(count * decay**power for power, count in powers.items())


def test_table_1():
    by_power = {0: 7, 1: 1, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 9: 1}
    assert polynomial(S1, S2, 2) == by_power
    # With λ = 1/16, the coefficients are the hexadecimal digits.
    assert f"{round(esk(S1, S2, 2, 1 / 16) * 16**9):x}" == "7121111001"
    for decay in (0.0, 0.3, 0.5, 0.9, 1.0):
        assert esk(S1, S2, 2, decay) == pytest.approx(evaluated(by_power, decay))


@given(NODES, NODES, KERNELS)
def test_agrees_with_listing_every_subsequence(first, second, kernel):
    expected = evaluated(polynomial(first, second, kernel[0]), kernel[1])
    assert esk(first, second, *kernel) == pytest.approx(expected, rel=1e-12)
    assert esk(second, first, *kernel) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("cells", [1, 100, 1_000])
def test_a_pair_gets_the_same_digits_in_any_company(cells, monkeypatch):
    random = np.random.default_rng(7)
    sequences = [
        word_nodes(random.choice(list("abc"), size)) for size in random.integers(0, 40, 12)
    ]
    first, second = np.triu_indices(len(sequences))
    monkeypatch.setattr("weps_eval.text.measures.kernels._CELLS", cells)
    together = _kernel_values(sequences, first, second, 3, 0.3)
    alone = [esk(sequences[a], sequences[b], 3, 0.3) for a, b in zip(first, second, strict=True)]
    assert together.tolist() == alone


def test_more_subsequences_than_floating_point_can_count_are_refused():
    ambiguous = (frozenset(range(1_000)),) * 110
    with pytest.raises(ValuesError, match="subsequences of 105 nodes are too many to count"):
        esk(ambiguous, ambiguous, 105, 1.0)


FEW_NODES = st.lists(st.frozensets(st.sampled_from("abcd"), max_size=2), max_size=5).map(tuple)
SEVERAL = st.lists(FEW_NODES, max_size=3)
FEW_KERNELS = st.tuples(st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0]))


def by_definition(first, second, kernel):
    norm = sqrt(esk(first, first, *kernel) * esk(second, second, *kernel))
    if norm == 0:
        return float(any(first) == any(second))
    return esk(first, second, *kernel) / norm


@given(SEVERAL, SEVERAL, FEW_KERNELS)
def test_every_pair_as_equation_5_has_it(first, second, kernel):
    table = _kernel_similarities(first, second, *kernel)
    expected = [[by_definition(one, other, kernel) for other in second] for one in first]
    assert table.shape == (len(first), len(second))
    assert np.allclose(table, np.array(expected).reshape(table.shape), rtol=1e-12, atol=0)
    assert ((table >= 0) & (table <= 1)).all()


def test_norms_too_large_to_multiply():
    long = word_nodes(["a"] * 300)
    [[same, other]] = _kernel_similarities([long], [long, long[1:]], 90, 1.0)
    assert same == 1
    assert 0.4 < other < 1


SENTENCES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(word_nodes)
TEXTS = st.lists(st.lists(SENTENCES, max_size=3), max_size=3)


def text(*sentences):
    return [word_nodes(sentence.split()) for sentence in sentences]


def compared(output, reference, length=2):
    return tuple(_best_matches([output], [reference], length, 0.5).ravel().tolist())


@given(TEXTS, TEXTS)
def test_texts_in_company_score_as_alone(outputs, references):
    found = _best_matches(outputs, references, 2, 0.5)
    assert found.shape == (2, len(outputs), len(references))
    for row, output in enumerate(outputs):
        for column, reference in enumerate(references):
            alone = compared(output, reference)
            assert tuple(found[:, row, column]) == alone
            if output and reference:
                table = _kernel_similarities(output, reference, 2, 0.5)
                assert alone == pytest.approx((table.max(1).mean(), table.max(0).mean()))


@each_case(
    ("output", "reference", "expected"),
    [
        (text(), text(), (1, 1)),
        (text(""), text(), (1, 1)),
        (text(), text("a"), (0, 0)),
        (text("a"), text("", ""), (0, 0)),
        (text("a", ""), text("a"), (1, 1)),
        (text("a"), text("b"), (0, 0)),
    ],
)
def test_empty_texts_and_sentences(output, reference, expected):
    assert compared(output, reference) == expected


def test_what_would_take_minutes_is_refused():
    many = [word_nodes(["a", "b"])] * 3_000
    with pytest.raises(ValuesError, match=r"3,000 and 3,000 sentences would take too long"):
        _best_matches([many], [many], 2, 0.5)
    assert _best_matches([many], [many[:10]], 2, 0.5)[1].tolist() == [[1.0]]
