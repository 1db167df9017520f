"""Scores by sacrebleu and nltk: worked examples, the libraries called directly, empty texts."""

import math
import sys
from collections.abc import Sequence
from itertools import pairwise
from math import exp, isqrt, log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.text.made_up_wordnet import published, tiny
from weps.errors import LanguageError, ValuesError
from weps_eval.text.measures.translation import (
    LONGEST_TEXT,
    MOST_PAIRS,
    Score,
    SynonymLookup,
    bleu_score,
    chrf_score,
    edit_distance,
    edit_score,
    edits_without_order,
    folded_characters,
    lower_tokens,
    match_overlap,
    matched_runs,
    meteor_score,
    nist_score,
    score_every_pair,
    score_pooled,
    ter_score,
)

metrics = pytest.importorskip("sacrebleu.metrics")
nltk_distance = pytest.importorskip("nltk.metrics.distance")
nltk_meteor = pytest.importorskip("nltk.translate.meteor_score")
nltk_nist = pytest.importorskip("nltk.translate.nist_score")

PARTS = ["a", "b ", "run ", "running ", " the", ".", "-", "\n", "é", "東京", "<skipped>", "&amp;"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)
"""Some of them are blank."""
SOME = st.lists(TEXTS, min_size=1, max_size=3)
SPOKE = "the president spoke to the audience"

WER, PER = edit_score(edit_distance), edit_score(edits_without_order)
CHARACTERS = edit_score(edit_distance, folded_characters)
FULL: dict[str, Score] = {
    "bleu": bleu_score(),
    "chrf": chrf_score(),
    "chrf++": chrf_score(2),
    "ter": ter_score(),
    "ter normalized": ter_score(normalized=True),
    "wer": WER,
    "wer closest": edit_score(edit_distance, closest=True),
    "per": PER,
}
"""The same text scores 1."""
SCORES: dict[str, Score] = {**FULL, "meteor": meteor_score(), "nist": nist_score()}
POOLED = ("bleu", "ter", "nist", "wer", "wer closest", "per")


def mean(precision: float, recall: float) -> float:
    return 10 * precision * recall / (recall + 9 * precision)


@each_case(
    ("score", "output", "reference", "expected"),
    [
        (bleu_score(2), "the cat sat", "the cat is", sqrt(2 / 3 * 1 / 2)),
        (bleu_score(1), "the cat sat", "the cat is", 2 / 3),
        (bleu_score(), "a b", "a b c d", exp(1 - 4 / 2)),
        (bleu_score(), "a c", "a b", sqrt(1 / 2 * 1 / 2)),
        (bleu_score(), "a", "a", 1),
        (bleu_score(), "a b", "c d", 0),
        (bleu_score(1), "A b", "a b", 1 / 2),
        (bleu_score(), "...", "...", 1),
        (bleu_score(1), "東京 は", "東京 が", 1 / 2),
        (bleu_score(), "<skipped>", "a", 0),
        (bleu_score(lowercase=True), "A B c", "a b C", 1),
        (chrf_score(), "ab", "ac", (1 / 2 + 0) / 2),
        (chrf_score(), "東京", "東北", (1 / 2 + 0) / 2),
        (chrf_score(), "ab", "abcd", 5 * (5 / 12) / (4 + 5 / 12)),
        (chrf_score(), "a b", "ab", 1),
        (chrf_score(2), "ab", "ac", (1 / 2 + 0 + 0) / 3),
        (chrf_score(), "ab", "AB", 0),
        (chrf_score(2), "?!", "?!", 1),
        (chrf_score(), "?", "!", 0),
        (chrf_score(lowercase=True), "AB", "ab", 1),
        (ter_score(), "a b c d", "a b c e", 1 - 1 / 4),
        (ter_score(), "c a b", "a b c", 1 - 1 / 3),
        (ter_score(), "a", "b", 0),
        (ter_score(), "x y z", "a", 1 - 3 / 1),
        (ter_score(), "A", "a", 1),
        (ter_score(), "a b,", "a b c,", 1 - 2 / 3),
        (ter_score(normalized=True), "a b,", "a b c,", 1 - 1 / 4),
        (ter_score(), "東京 は", "東京 が", 1 - 1 / 2),
        (ter_score(), "...", "a", 0),
        (WER, "a b x d", "a b c d", 1 - 1 / 4),
        (WER, "a b d", "A b, c d", 1 - 2 / 5),
        (WER, "c a b", "a b c", 1 - 2 / 3),
        (WER, "x y z", "a", 1 - 3 / 1),
        (CHARACTERS, "kitten", "sitting", 1 - 3 / 7),
        (CHARACTERS, " a  B", "a\nb", 1 - 1 / 3),
        (PER, "c a b", "a b c", 1),
        (PER, "a a b", "a b", 1 - 1 / 2),
        (PER, "a x", "a b c", 1 - 2 / 3),
        (PER, "x y z", "a", 1 - 3 / 1),
        (nist_score(), "a b", "a b", 1 + 0),
        (nist_score(), "a b c d", "a b c d", 2 + 0 + 0 + 0),
        (nist_score(1), "a a b b", "a a b b", 1),
        (nist_score(2), "a a b b", "a a b b", 1 + 1),
        (nist_score(), "a a b b", "a a b b", 1 + 1 + 0 + 0),
        (nist_score(), "a b", "a b c", 0.5 * log2(3)),
        (nist_score(), "B a", "a b", 1 + 0),
        (nist_score(), "c d", "a b", 0),
        (nist_score(), "a", "a", 0),
        (nist_score(), ". ,", ". ,", 1),
        (nist_score(), "東京 は", "東京 は", 1),
        (
            meteor_score(),
            SPOKE,
            "The president then spoke to the audience",
            mean(1, 6 / 7) * (1 - 0.5 / 27),
        ),
        (meteor_score(), "a", "a", 0.5),
        (meteor_score(), "a b c d", "a b c d", 1 - 0.5 / 4**3),
        (meteor_score(), "running", "runs", 0.5),
        (meteor_score(), "fire", "shoot", 0),
        (meteor_score(), "!", "!", 0.5),
        (meteor_score(), "a", "!", 0),
        (meteor_score(), "東京 は", "東京 は", 1 - 0.5 / 8),
        (meteor_score(), "a b", "a b a", mean(1, 2 / 3) * 0.5),  # two chunks, though one would do
        (
            meteor_score(alpha=0.5, beta=1, gamma=0.25),
            "a b",
            "a c d e",
            (1 - 0.25 * 1) * (2 * 1 / 2 * 1 / 4) / (1 / 2 + 1 / 4),
        ),
    ],
)
def test_worked_examples(score, output, reference, expected):
    assert score(output, [reference]) == pytest.approx(expected)


@each_case(
    ("score", "output", "references", "expected"),
    [
        (bleu_score(2), "a b c", ["a x", "b c d e f"], sqrt(1 / 2)),
        (bleu_score(2), "a x", ["a x", "b c d e f"], 1),
        (ter_score(), "a b", ["a b c", "x"], 1 - 1 / 2),
        (WER, "a b", ["a b c d", "a x"], 1 - 1 / 3),
        (edit_score(edit_distance, closest=True), "a b", ["a b c d", "a x"], 1 - 1 / 2),
        (edit_score(edit_distance, closest=True), "a b", ["a b c", "a"], 1 - 1 / 1),
        (PER, "b a", ["a b c", "a"], 1 - 1 / 2),
        (nist_score(), "a b", ["a b", "a c"], (1 + 2) / 2 + 1),
    ],
)
def test_references_at_once(score, output, references, expected):
    assert score_pooled([output], references, score) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("score", "theirs"),
    [
        (bleu_score(3), metrics.BLEU(effective_order=True, max_ngram_order=3)),
        (chrf_score(), metrics.CHRF(char_order=6, word_order=0, beta=2)),
        (chrf_score(2), metrics.CHRF(char_order=6, word_order=2, beta=2)),
    ],
    ids=["bleu", "chrf", "chrf++"],
)
@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_scores_are_those_of_sacrebleu(score, theirs, texts):
    output, *references = (f"{text} x" for text in texts)
    for some in (references[:1], references):
        assert score(output, some) == pytest.approx(theirs.sentence_score(output, some).score / 100)


@pytest.mark.parametrize("normalized", [False, True])
@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_ter_is_that_of_sacrebleu(normalized, texts):
    output, *references = (f"{text}y x" for text in texts)
    theirs, score = metrics.TER(normalized=normalized), ter_score(normalized=normalized)
    for some in (references[:1], references):
        if output not in some:
            expected = 1 - theirs.sentence_score(output, some).score / 100
            assert score(output, some) == pytest.approx(expected)


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9)


@given(one=st.text("abc é", max_size=80), other=st.text("abc é", max_size=80))
def test_edit_distances_are_those_of_nltk(one, other):
    assert edit_distance(one, other) == nltk_distance.edit_distance(one, other)
    assert edits_without_order(one, other) <= edit_distance(one, other)


@given(one=WORDS, other=WORDS)
def test_shifts_only_help(one, other):
    texts = " ".join(one), [" ".join(other)]
    assert WER(*texts) <= ter_score()(*texts) + 1e-12


@each_case(
    ("exponent", "output", "reference", "size"),
    [
        (1, "a b c d", "a b x c d", 4),
        (2, "a b c d", "a b x c d", sqrt(2**2 + 2**2)),
        (3, "a b c d", "x c d a b c", (3**3 + 1) ** (1 / 3)),
        (2, "b a", "a b", sqrt(1 + 1)),
        (2, "a a a", "a a", 2),
        (2, "a", "b", 0),
    ],
)
def test_sizes_of_matches(exponent, output, reference, size):
    found = match_overlap(output.split(), reference.split(), exponent)
    assert found.matches == pytest.approx(size)
    assert (found.output, found.reference) == (len(output.split()), len(reference.split()))


def longest_first(one: list[str], other: list[str]) -> list[int]:
    """Runs as they are defined: of all common runs the longest, until none is left."""
    for size in range(min(len(one), len(other)), 0, -1):
        for start in range(len(one) - size + 1):
            for at in range(len(other) - size + 1):
                run = one[start : start + size]
                if run == other[at : at + size] and None not in run:
                    rest = one[:start] + [None] * size + one[start + size :]
                    return [
                        size,
                        *longest_first(rest, other[:at] + [""] * size + other[at + size :]),
                    ]
    return []


@given(one=WORDS, other=WORDS)
def test_the_longest_run_is_matched_first(one, other):
    runs = list(matched_runs(one, other))
    assert runs == longest_first(one, other)
    sizes = [match_overlap(one, other, exponent).matches for exponent in (1, 1.5, 2, 10)]
    assert all(more >= less - 1e-12 for more, less in pairwise(sizes))
    assert sizes[-1] >= max(runs, default=0)
    assert match_overlap(one, one, 3).f() == 1


def test_too_many_equal_words_have_no_runs():
    many = ["a"] * (isqrt(MOST_PAIRS) + 1)
    with pytest.raises(ValuesError, match=r"equal words would take too long; .*exponent=1"):
        match_overlap(many, many, 2)
    assert match_overlap(many, many, 1).f() == 1


@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_scores_are_those_of_nltk(texts):
    output, *references = (f"x y. {text} x" for text in texts)
    words, *others = map(lower_tokens, (output, *references))
    expected = nltk_meteor.meteor_score(others, words, wordnet=SynonymLookup())
    assert score_every_pair([output], references, meteor_score()).max() == pytest.approx(expected)
    expected = nltk_nist.corpus_nist([others], [words], 4)
    assert nist_score(4)(output, references) == pytest.approx(expected)


def test_long_texts_are_refused_unless_they_are_the_same():
    long, score = "a " * (LONGEST_TEXT + 1), ter_score()
    assert score(long, [long]) == 1
    for output, reference in ((long, "a"), ("a", long)):
        with pytest.raises(ValuesError, match=r"TER of a text of 1,001 words .*cut texts to 1,000"):
            score(output, [reference])
    assert score("b", ["a " * LONGEST_TEXT]) == 0


@pytest.mark.parametrize(
    ("make_score", "module"),
    [
        (bleu_score, "sacrebleu.metrics"),
        (chrf_score, "sacrebleu.metrics"),
        (ter_score, "sacrebleu.metrics"),
        (meteor_score, "nltk.translate.meteor_score"),
        (nist_score, "nltk.translate.nist_score"),
    ],
)
def test_a_library_that_is_not_installed(monkeypatch, make_score, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(LanguageError, match=f"^{module.partition('.')[0]} is not installed; pip "):
        make_score()


def lengths(output: str, references: Sequence[str]) -> float:
    """A number of its own for every output and every list of references."""
    return float(100 * len(output) + len("".join(references)))


def test_every_output_meets_every_reference():
    scores = score_every_pair(["a", "", "bbb"], ["cc", " \n"], lengths)
    assert scores.tolist() == [[102, 0], [0, 1], [302, 0]]


@each_case(
    ("references", "expected"),
    [(["c", "dd"], [103, 0]), (["c", " ", ""], [101, 0]), (["", "\t"], [0, 1])],
)
def test_empty_references_count_only_among_themselves(references, expected):
    assert score_pooled(["a", "  "], references, lengths).tolist() == expected


@pytest.mark.parametrize("name", SCORES)
@given(outputs=SOME, references=SOME)
def test_every_pair_stands_alone(name, outputs, references):
    scores = score_every_pair(outputs, references, SCORES[name])
    for row, output in enumerate(outputs):
        for column, reference in enumerate(references):
            alone = score_every_pair([output], [reference], SCORES[name])
            assert alone.tolist() == [[scores[row, column]]]


@pytest.mark.parametrize("name", POOLED)
@given(outputs=SOME, references=SOME)
def test_outputs_and_references_may_be_permuted(name, outputs, references):
    scores = score_pooled(outputs, references, SCORES[name])
    turned = score_pooled(outputs[::-1], references[::-1], SCORES[name])
    assert turned[::-1] == pytest.approx(scores)


@pytest.mark.parametrize("name", SCORES)
@given(output=st.text(max_size=40), reference=st.text(max_size=40))
def test_scores_are_numbers_within_bounds(name, output, reference):
    score = score_every_pair([output], [reference], SCORES[name]).item()
    assert math.isfinite(score)
    low, high = (
        -np.inf if name.startswith(("ter", "wer", "per")) else 0,
        np.inf if name == "nist" else 1,
    )
    assert low <= score <= high


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("fire", "shoot", 0.5),
        ("dismiss", "fires", 0.5),
        ("fire", "finish", 0),
        ("fire", "terminate", 0),  # its stem is no lemma
    ],
)
def test_synonyms(tmp_path, output, reference, expected):
    assert meteor_score(tiny(tmp_path))(output, [reference]) == pytest.approx(expected)


def words_of(synonyms: SynonymLookup, word: str) -> list[list[str]]:
    return [[lemma.name() for lemma in synset.lemmas()] for synset in synonyms.synsets(word)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Officer", [["officer", "soldier"], ["officer", "policeman"]]),
        ("policemen", [["officer", "policeman"]]),
        ("fires", [["fire", "shoot"], ["dismiss", "fire", "terminate"]]),
        ("unknown", []),
    ],
)
def test_synsets_know_their_words(tmp_path, word, expected):
    assert words_of(SynonymLookup(tiny(tmp_path)), word) == expected


@pytest.mark.slow
def test_the_published_database():
    wordnet, references = published(), ["the autos stopped", "the automobiles stopped"]
    assert sorted(words_of(SynonymLookup(wordnet), "cars")[0]) == [
        *("auto", "automobile", "car", "machine", "motorcar")
    ]
    found = score_every_pair(["the car stopped"], references, meteor_score(wordnet))
    assert found[0] == pytest.approx([1 - 0.5 / 3**3, 2 / 3 * (1 - 0.5)])
    found = score_every_pair(["the car stopped"], references, meteor_score())
    assert found[0] == pytest.approx([2 / 3 * (1 - 0.5)] * 2)
