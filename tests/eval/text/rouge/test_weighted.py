from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Text
from eval.text.rouge.weighted import rouge_w
from weps.errors import ValuesError

Read = Callable[[str], Text]
Words = tuple[str, ...]

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=10).map(tuple)


@pytest.mark.parametrize(("output", "recall"), [("a b c d h i k", 0.571), ("a h b k c i d", 0.286)])
def test_worked_examples_of_lin(text: Read, output: str, recall: float) -> None:
    overlap = rouge_w(text(output), text("a b c d e f g"), 2)
    assert (overlap.precision, overlap.recall) == pytest.approx((recall, recall), abs=5e-4)


def of_the_paper(first: Words, second: Words, weight: float) -> float:
    """The program of Lin 2004, section 4, with f⁻¹ at its end."""
    c = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    w = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, left in enumerate(first, 1):
        for j, right in enumerate(second, 1):
            if left == right:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** weight - k**weight
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1] ** (1 / weight)


@given(WORDS, WORDS, st.sampled_from([1, 1.2, 2, 3.5]))
def test_as_the_program_of_the_paper(output: Words, reference: Words, weight: float) -> None:
    overlap = rouge_w((output,), (reference,), weight)
    assert overlap.matches == pytest.approx(of_the_paper(output, reference, weight), abs=1e-9)
    assert (overlap.output, overlap.reference) == (len(output), len(reference))


@pytest.mark.parametrize("weight", [0.5, -1, 10.5, float("inf"), float("nan")])
def test_weights_grow(weight: float) -> None:
    with pytest.raises(ValuesError, match="ROUGE-W of weight"):
        rouge_w((), (), weight)


def test_what_would_take_minutes_is_refused() -> None:
    with pytest.raises(ValuesError, match=r"of 8,000 and 4,000 words would take too long"):
        rouge_w((("the",) * 8_000,), (("the",) * 4_000,))
    assert rouge_w((("a",) * 8_000,), (("the",) * 8_000,)).matches == 0
