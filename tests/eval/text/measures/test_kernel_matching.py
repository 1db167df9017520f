"""The normalised kernel: bounds, identity, symmetry, and tables of many sequences."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.measures.kernel_matching import (
    BestMatches,
    best_matches,
    kernel_similarities,
    paired_similarities,
    similarities_within,
)
from eval.text.measures.kernels import Kernel, esk, word_nodes
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
    table = kernel_similarities(first, second, kernel)
    expected = [[by_definition(one, other, kernel) for other in second] for one in first]
    assert table.shape == (len(first), len(second))
    assert np.allclose(table, np.array(expected).reshape(table.shape), rtol=1e-12, atol=0)
    assert ((table >= 0) & (table <= 1)).all()


def test_one_table_of_all_pairs_is_symmetric_to_the_last_digit():
    random = np.random.default_rng(7)
    sequences = [word_nodes(random.choice(list("abc"), 30)) for _ in range(8)]
    table = similarities_within(sequences, Kernel(3, 0.3))
    assert np.array_equal(table, table.T)
    assert np.array_equal(table, kernel_similarities(sequences, sequences, Kernel(3, 0.3)))
    assert similarities_within([], Kernel()).shape == (0, 0)


@given(SEVERAL, KERNELS)
def test_identical_sequences_are_exactly_one(sequences, kernel):
    assert paired_similarities(sequences, sequences, kernel).tolist() == [1.0] * len(sequences)


@given(SEVERAL, KERNELS)
def test_pairs_are_the_diagonal_of_the_table(sequences, kernel):
    second = sequences[::-1]
    diagonal = kernel_similarities(sequences, second, kernel).diagonal()
    assert paired_similarities(sequences, second, kernel).tolist() == diagonal.tolist()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((), (), 1),
        ((), word_nodes(["a"]), 0),
        ((frozenset(),), (), 1),
        ((frozenset(),), word_nodes(["a"]), 0),
        (word_nodes(["a"]), word_nodes(["b"]), 0),
        (word_nodes(["a"]), word_nodes(["a"]), 1),
        (word_nodes(["a", "b"]), word_nodes(["a"]), 1 / sqrt(3)),
        (word_nodes(["a", "b"]), word_nodes(["b", "a"]), 2 / 3),
    ],
)
def test_small_cases(first, second, expected):
    assert paired_similarities([first], [second], Kernel()).item() == pytest.approx(expected)


def test_norms_too_large_to_multiply():
    long = word_nodes(["a"] * 300)
    pair = paired_similarities([long, long], [long, long[1:]], Kernel(90, 1.0))
    assert pair[0] == 1
    assert 0.4 < pair[1] < 1


def test_lists_of_different_lengths_cannot_be_paired():
    with pytest.raises(ValuesError, match="1 and 2 sequences cannot be paired"):
        paired_similarities([()], [(), ()], Kernel())


SENTENCES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(word_nodes)
TEXTS = st.lists(st.lists(SENTENCES, max_size=3), max_size=3)


def text(*sentences):
    return [word_nodes(sentence.split()) for sentence in sentences]


def compared(output, reference, kernel):
    found = best_matches([output], [reference], kernel)
    return found.precision.item(), found.recall.item()


def test_a_worked_example():
    # Unigrams only: the first sentences agree in 1 of 2 words, the second finds its like.
    output, reference = text("a b", "c"), text("a d", "c", "e f")
    assert compared(output, reference, Kernel(1)) == pytest.approx((1.5 / 2, 1.5 / 3))


@given(TEXTS, TEXTS)
def test_texts_in_company_score_as_alone(outputs, references):
    found = best_matches(outputs, references, Kernel())
    assert found.precision.shape == found.recall.shape == (len(outputs), len(references))
    for row, output in enumerate(outputs):
        for column, reference in enumerate(references):
            alone = compared(output, reference, Kernel())
            assert (found.precision[row, column], found.recall[row, column]) == alone
            if output and reference:
                table = kernel_similarities(output, reference, Kernel())
                assert alone == pytest.approx((table.max(1).mean(), table.max(0).mean()))


@given(TEXTS, TEXTS)
def test_swapping_outputs_and_references_swaps_precision_and_recall(outputs, references):
    found, swapped = (
        best_matches(*sides, Kernel()) for sides in ((outputs, references), (references, outputs))
    )
    assert np.allclose(found.precision, swapped.recall.T)
    assert np.allclose(found.recall, swapped.precision.T)


@given(st.lists(SENTENCES, max_size=4), st.randoms())
def test_the_order_of_sentences_does_not_matter(sentences, random):
    shuffled = random.sample(sentences, len(sentences))
    found = best_matches([shuffled], [sentences], Kernel())
    assert found.precision.item() == found.recall.item() == found.f(2).item() == 1


@pytest.mark.parametrize(
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
    assert compared(output, reference, Kernel()) == expected


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "expected"),
    [
        (0.5, 0.25, 0, 0.5),
        (0.5, 0.25, 1, 1 / 3),
        (0.5, 0.25, 2, 5 * 0.125 / (0.25 + 4 * 0.5)),
        (0.5, 0.25, inf, 0.25),
        (0.0, 0.0, 1, 0.0),
        (0.0, 0.0, inf, 0.0),
    ],
)
def test_f(precision, recall, beta, expected):
    matches = BestMatches(np.array([[precision]]), np.array([[recall]]))
    assert matches.f(beta).item() == pytest.approx(expected)


@pytest.mark.parametrize("beta", [-1.0, float("nan")])
def test_beta_out_of_range(beta):
    with pytest.raises(ValuesError, match="choose 0 or more"):
        BestMatches(np.ones((1, 1)), np.ones((1, 1))).f(beta)


def test_what_would_take_minutes_is_refused() -> None:
    many = [word_nodes(["a", "b"])] * 3_000
    with pytest.raises(ValuesError, match=r"3,000 and 3,000 sentences would take too long"):
        best_matches([many], [many], Kernel(2, 0.5))
    assert best_matches([many], [many[:10]], Kernel(2, 0.5)).recall.tolist() == [[1.0]]
