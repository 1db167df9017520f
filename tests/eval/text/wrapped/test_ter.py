import pytest
from hypothesis import given

from eval.text.wrapped import ter, ter_pooled
from eval.text.wrapped.ter import LONGEST
from tests.eval.text.wrapped.made_up import TEXTS
from weps.errors import ValuesError

metrics = pytest.importorskip("sacrebleu.metrics")


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("a b c d", "a b c e", 1 - 1 / 4),
        ("c a b", "a b c", 1 - 1 / 3),
        ("a", "b", 0),
        ("x y z", "a", 1 - 3 / 1),
        ("A", "a", 1),
        ("a b,", "a b c,", 1 - 2 / 3),
        ("東京 は", "東京 が", 1 - 1 / 2),
        ("...", "...", 1),
        ("...", "a", 0),
    ],
)
def test_worked_examples(output: str, reference: str, expected: float) -> None:
    assert ter([output], [reference]) == pytest.approx(expected)


def test_punctuation_marks_may_be_words() -> None:
    assert ter(["a b,"], ["a b c,"], normalized=True) == pytest.approx(1 - 1 / 4)


def test_references_at_once() -> None:
    found = ter_pooled(["a b", "x"], ["a b c", "x"])
    assert found == pytest.approx([1 - 1 / 2, 1])


@pytest.mark.parametrize("normalized", [False, True])
@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_scores_are_those_of_sacrebleu(
    normalized: bool, output: str, first: str, second: str
) -> None:
    output, first, second = (f"{text}y x" for text in (output, first, second))
    settings = {"normalized": normalized}
    theirs = metrics.TER(**settings)
    alone = 1 - theirs.sentence_score(output, [first]).score / 100
    assert ter([output], [first], **settings) == pytest.approx(alone)
    if output not in (first, second):
        both = 1 - theirs.sentence_score(output, [first, second]).score / 100
        assert ter_pooled([output], [first, second], **settings) == pytest.approx(both)


def test_long_texts_are_refused_unless_they_are_the_same() -> None:
    long = "a " * (LONGEST + 1)
    assert ter([long], [long]) == 1
    for output, reference in ((long, "a"), ("a", long)):
        with pytest.raises(ValuesError, match=r"TER of a text of 1,001 words .*cut texts to 1,000"):
            ter([output], [reference])
    assert ter(["b"], ["a " * LONGEST]) == 0
