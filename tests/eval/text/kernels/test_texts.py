"""Whole texts: best matches of sentences, F, and what texts without sentences score."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.kernels.esk import Kernel
from eval.text.kernels.sequences import words
from eval.text.kernels.similarity import similarities
from eval.text.kernels.texts import BestMatches, best_matches
from weps.errors import ValuesError

SENTENCES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(words)
TEXTS = st.lists(st.lists(SENTENCES, max_size=3), max_size=3)


def text(*sentences):
    return [words(sentence.split()) for sentence in sentences]


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
                table = similarities(output, reference, Kernel())
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
    many = [words(["a", "b"])] * 3_000
    with pytest.raises(ValuesError, match=r"3,000 and 3,000 sentences would take too long"):
        best_matches([many], [many], Kernel(2, 0.5))
    assert best_matches([many], [many[:10]], Kernel(2, 0.5)).recall.tolist() == [[1.0]]
