import sys
from collections.abc import Sequence
from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.measures.nltk_measures import meteor, nist
from eval.text.measures.overlap import maximum_over_references
from eval.text.measures.sacrebleu_measures import (
    LONGEST_TEXT,
    bleu,
    bleu_pooled,
    chrf,
    lower_tokens,
    score_every_pair,
    score_pooled,
    ter,
    ter_pooled,
)
from tests.eval.text.measures.made_up import TEXTS
from weps.errors import LanguageError, ValuesError

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
def test_worked_examples_chrf(output: str, reference: str, words: int, expected: float) -> None:
    assert chrf([output], [reference], words) == pytest.approx(expected)


def test_case_may_be_ignored_chrf() -> None:
    assert chrf(["AB"], ["ab"], lowercase=True) == 1


@pytest.mark.parametrize("words", [0, 2])
@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_scores_are_those_of_sacrebleu_chrf(
    words: int, output: str, first: str, second: str
) -> None:
    output, first, second = (f"{text}x" for text in (output, first, second))
    theirs = metrics.CHRF(char_order=6, word_order=words, beta=2)
    both = theirs.sentence_score(output, [first, second]).score / 100
    assert maximum_over_references(chrf([output], [first, second], words)) == pytest.approx(both)


@pytest.mark.parametrize("words", [-1, 11])
def test_orders_chrf(words: int) -> None:
    with pytest.raises(ValuesError, match=f"chrF with {words}-grams of words"):
        chrf(["a"], ["a"], words)


def lengths(output: str, references: Sequence[str]) -> float:
    """A number of its own for every output and every list of references."""
    return float(100 * len(output) + len("".join(references)))


def test_every_output_meets_every_reference() -> None:
    scores = score_every_pair(["a", "", "bbb"], ["cc", " \n"], lengths)
    assert scores.tolist() == [[102, 0], [0, 1], [302, 0]]


@pytest.mark.parametrize(("outputs", "references"), [([], ["a"]), (["a"], []), ([], [])])
def test_nothing_to_compare(outputs: list[str], references: list[str]) -> None:
    scores = score_every_pair(outputs, references, lengths)
    assert scores.shape == (len(outputs), len(references))
    assert scores.dtype == float


@pytest.mark.parametrize(
    ("references", "expected"),
    [(["c", "dd"], [103, 0]), (["c", " ", ""], [101, 0]), (["", "\t"], [0, 1])],
)
def test_empty_references_count_only_among_themselves(
    references: list[str], expected: list[float]
) -> None:
    assert score_pooled(["a", "  "], references, lengths).tolist() == expected


def test_no_references_to_pool() -> None:
    with pytest.raises(ValuesError, match="no reference to compare with"):
        score_pooled(["a"], [], lengths)


@pytest.mark.parametrize(
    ("measure", "module"),
    [
        (bleu, "sacrebleu.metrics"),
        (chrf, "sacrebleu.metrics"),
        (ter, "sacrebleu.metrics"),
        (meteor, "nltk.translate.meteor_score"),
        (nist, "nltk.translate.nist_score"),
    ],
    ids=["bleu", "chrf", "ter", "meteor", "nist"],
)
def test_a_library_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, measure: object, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert callable(measure)
    with pytest.raises(LanguageError, match=f"^{module.partition('.')[0]} is not installed; pip "):
        measure(["a"], ["a"])


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
def test_worked_examples_ter(output: str, reference: str, expected: float) -> None:
    assert ter([output], [reference]) == pytest.approx(expected)


def test_punctuation_marks_may_be_words() -> None:
    assert ter(["a b,"], ["a b c,"], normalized=True) == pytest.approx(1 - 1 / 4)


def test_references_at_once_ter() -> None:
    found = ter_pooled(["a b", "x"], ["a b c", "x"])
    assert found == pytest.approx([1 - 1 / 2, 1])


@pytest.mark.parametrize("normalized", [False, True])
@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_scores_are_those_of_sacrebleu_ter(
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
    long = "a " * (LONGEST_TEXT + 1)
    assert ter([long], [long]) == 1
    for output, reference in ((long, "a"), ("a", long)):
        with pytest.raises(ValuesError, match=r"TER of a text of 1,001 words .*cut texts to 1,000"):
            ter([output], [reference])
    assert ter(["b"], ["a " * LONGEST_TEXT]) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog's 2.6 m, ÉTÉ!", ["the", "dog", "'s", "2.6", "m", ",", "été", "!"]),
        ("東京 — …", ["東京", "—", "…"]),
        (" \n", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert lower_tokens(text) == expected


@given(st.text())
def test_no_text_but_blanks_is_without_tokens(text: str) -> None:
    assert bool(lower_tokens(text)) == bool(text.strip())
