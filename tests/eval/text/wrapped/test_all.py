"""What holds for every wrapped measure."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.wrapped import bleu, bleu_pooled, chrf, meteor, nist, nist_pooled, ter, ter_pooled
from eval.text.wrapped.pairs import Floats
from tests.eval.text.wrapped.made_up import TEXTS

Measure = Callable[[Sequence[str], Sequence[str]], Floats]

FULL: dict[str, Measure] = {
    "bleu": bleu,
    "chrf": chrf,
    "chrf++": partial(chrf, words=2),
    "ter": ter,
    "ter normalized": partial(ter, normalized=True),
}
"""The same text scores 1."""
MEASURES: dict[str, Measure] = {**FULL, "meteor": meteor, "nist": nist}
POOLED: dict[str, Measure] = {"bleu": bleu_pooled, "ter": ter_pooled, "nist": nist_pooled}
EMPTY = ["", " ", "\t\n", "\u2003"]
SOME = st.lists(TEXTS, min_size=1, max_size=3)


@pytest.mark.parametrize("name", MEASURES)
def test_empty_texts(name: str) -> None:
    for empty in EMPTY:
        assert MEASURES[name]([empty, "a"], ["", "a", "."])[0].tolist() == [1, 0, 0]
        assert MEASURES[name](["a", "."], [empty])[:, 0].tolist() == [0, 0]


@pytest.mark.parametrize("name", POOLED)
def test_empty_texts_among_others(name: str) -> None:
    outputs = ["", "a b c", "a b"]
    expected = POOLED[name](outputs, ["a b"])
    assert POOLED[name](outputs, ["a b", " "]).tolist() == expected.tolist()
    assert POOLED[name](outputs, ["", " "]).tolist() == [1, 0, 0]


@pytest.mark.parametrize("name", FULL)
@given(text=st.one_of(TEXTS, st.text(max_size=30)))
def test_the_same_text_scores_one(name: str, text: str) -> None:
    assert FULL[name]([text], [text]).tolist() == [[1]]


@pytest.mark.parametrize("name", MEASURES)
@given(outputs=SOME, references=SOME)
def test_every_pair_stands_alone(name: str, outputs: list[str], references: list[str]) -> None:
    measure = MEASURES[name]
    scores = measure(outputs, references)
    assert scores.shape == (len(outputs), len(references))
    for row, output in enumerate(outputs):
        for column, reference in enumerate(references):
            assert measure([output], [reference]).tolist() == [[scores[row, column]]]


@pytest.mark.parametrize("name", POOLED)
@given(outputs=SOME, references=SOME)
def test_outputs_and_references_may_be_permuted(
    name: str, outputs: list[str], references: list[str]
) -> None:
    scores = POOLED[name](outputs, references)
    assert scores.shape == (len(outputs),)
    turned = POOLED[name](outputs[::-1], references[::-1])
    assert turned[::-1] == pytest.approx(scores)


@pytest.mark.parametrize("name", POOLED)
@given(outputs=SOME, reference=TEXTS)
def test_a_single_reference_is_pooled_alone(name: str, outputs: list[str], reference: str) -> None:
    assert (POOLED[name](outputs, [reference]) == MEASURES[name](outputs, [reference])[:, 0]).all()


@pytest.mark.parametrize("name", MEASURES)
@given(output=st.text(max_size=40), reference=st.text(max_size=40))
def test_scores_are_numbers_within_bounds(name: str, output: str, reference: str) -> None:
    score = MEASURES[name]([output], [reference]).item()
    low = -np.inf if name.startswith("ter") else 0
    high = np.inf if name == "nist" else 1
    assert np.isfinite(score)
    assert low <= score <= high
