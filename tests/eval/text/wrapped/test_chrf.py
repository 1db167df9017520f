import pytest
from hypothesis import given

from eval.text.references import maximum
from eval.text.wrapped import chrf
from tests.eval.text.wrapped.made_up import TEXTS
from weps.errors import ValuesError

metrics = pytest.importorskip("sacrebleu.metrics")


@pytest.mark.parametrize(
    ("output", "reference", "words", "expected"),
    [
        ("ab", "ac", 0, (1 / 2 + 0) / 2),
        ("東京", "東北", 0, (1 / 2 + 0) / 2),
        ("ab", "abcd", 0, 5 * (5 / 12) / (4 + 5 / 12)),
        ("a b", "ab", 0, 1),
        ("ab", "ac", 2, (1 / 2 + 0 + 0) / 3),
        ("ab", "AB", 0, 0),
        ("?!", "?!", 2, 1),
        ("?", "!", 0, 0),
    ],
)
def test_worked_examples(output: str, reference: str, words: int, expected: float) -> None:
    assert chrf([output], [reference], words) == pytest.approx(expected)


def test_case_may_be_ignored() -> None:
    assert chrf(["AB"], ["ab"], lowercase=True) == 1


@pytest.mark.parametrize("words", [0, 2])
@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_scores_are_those_of_sacrebleu(words: int, output: str, first: str, second: str) -> None:
    output, first, second = (f"{text}x" for text in (output, first, second))
    theirs = metrics.CHRF(char_order=6, word_order=words, beta=2)
    both = theirs.sentence_score(output, [first, second]).score / 100
    assert maximum(chrf([output], [first, second], words)) == pytest.approx(both)


@pytest.mark.parametrize("words", [-1, 11])
def test_orders(words: int) -> None:
    with pytest.raises(ValuesError, match=f"chrF with {words}-grams of words"):
        chrf(["a"], ["a"], words)
