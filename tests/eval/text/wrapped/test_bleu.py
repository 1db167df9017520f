from math import exp, sqrt

import pytest
from hypothesis import given

from eval.text.wrapped import bleu, bleu_pooled
from tests.eval.text.wrapped.made_up import TEXTS
from weps.errors import ValuesError

metrics = pytest.importorskip("sacrebleu.metrics")


@pytest.mark.parametrize(
    ("output", "reference", "order", "expected"),
    [
        ("the cat sat", "the cat is", 2, sqrt(2 / 3 * 1 / 2)),
        ("the cat sat", "the cat is", 1, 2 / 3),
        ("a b", "a b c d", 4, exp(1 - 4 / 2)),
        ("a c", "a b", 4, sqrt(1 / 2 * 1 / 2)),
        ("a", "a", 4, 1),
        ("a b", "c d", 4, 0),
        ("A b", "a b", 1, 1 / 2),
        ("...", "...", 4, 1),
        ("東京 は", "東京 が", 1, 1 / 2),
        ("<skipped>", "<skipped>", 4, 1),
        ("<skipped>", "a", 4, 0),
    ],
)
def test_worked_examples(output: str, reference: str, order: int, expected: float) -> None:
    assert bleu([output], [reference], order) == pytest.approx(expected)


def test_case_may_be_ignored() -> None:
    assert bleu(["A B c"], ["a b C"], lowercase=True) == 1


def test_references_at_once() -> None:
    found = bleu_pooled(["a b c", "a x"], ["a x", "b c d e f"], 2)
    assert found == pytest.approx([sqrt(1 / 2), 1])


@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_scores_are_those_of_sacrebleu(output: str, first: str, second: str) -> None:
    output, first, second = (f"{text} x" for text in (output, first, second))
    theirs = metrics.BLEU(effective_order=True, max_ngram_order=3)
    alone = theirs.sentence_score(output, [first]).score / 100
    both = theirs.sentence_score(output, [first, second]).score / 100
    assert bleu([output], [first], 3) == pytest.approx(alone)
    assert bleu_pooled([output], [first, second], 3) == pytest.approx(both)


@pytest.mark.parametrize("order", [0, 11])
def test_orders(order: int) -> None:
    with pytest.raises(ValuesError, match=f"BLEU of {order}-grams; the order is from 1 to 10"):
        bleu(["a"], ["a"], order)
