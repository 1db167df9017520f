from math import log2

import pytest
from hypothesis import given

from eval.text.wrapped import nist, nist_pooled
from eval.text.wrapped.tokens import lower_tokens
from tests.eval.text.wrapped.made_up import TEXTS
from weps.errors import ValuesError

nist_score = pytest.importorskip("nltk.translate.nist_score")


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("a b", "a b", 1 + 0),
        ("a b c d", "a b c d", 2 + 0 + 0 + 0),
        ("a a b b", "a a b b", 1 + 1 + 0 + 0),
        ("a b", "a b c", 0.5 * log2(3)),
        ("B a", "a b", 1 + 0),
        ("c d", "a b", 0),
        ("a", "a", 0),
        (". ,", ". ,", 1),
        ("東京 は", "東京 は", 1),
    ],
)
def test_worked_examples(output: str, reference: str, expected: float) -> None:
    assert nist([output], [reference]) == pytest.approx(expected)


def test_orders_add_up() -> None:
    found = [nist(["a a b b"], ["a a b b"], n).item() for n in (1, 2, 3)]
    assert found == pytest.approx([1, 2, 2])


def test_references_at_once() -> None:
    assert nist_pooled(["a b"], ["a b", "a c"]) == pytest.approx((1 + 2) / 2 + 1)


@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_scores_are_those_of_nltk(output: str, first: str, second: str) -> None:
    texts = [f"x y. {text} x" for text in (output, first, second)]
    words, *others = map(lower_tokens, texts)
    found = nist_pooled(texts[:1], texts[1:], 4)
    assert found == pytest.approx(nist_score.corpus_nist([others], [words], 4))


@pytest.mark.parametrize("n", [0, 11])
def test_orders(n: int) -> None:
    with pytest.raises(ValuesError, match=f"NIST of {n}-grams; n is from 1 to 10"):
        nist(["a"], ["a"], n)
