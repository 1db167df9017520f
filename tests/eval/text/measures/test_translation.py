"""Scores by sacrebleu and nltk: worked examples, the libraries called directly, empty texts."""

from functools import partial
from itertools import pairwise
from math import isqrt, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.text.made_up_topic import topic
from weps.errors import ValuesError
from weps_eval.text.declaration import Measure
from weps_eval.text.measures.translation import (
    LONGEST_TEXT,
    MOST_PAIRS,
    SynonymLookup,
    _lower_tokens,
    _matched_runs,
    bleu_score,
    chrf_score,
    edit_distance,
    match_overlap,
    nist_score,
    ter_score,
)
from weps_eval.text.scoring import _measure_scores, measure_similarities
from weps_eval.text.topic import TextTools, TopicTexts

metrics = pytest.importorskip("sacrebleu.metrics")
nltk_distance = pytest.importorskip("nltk.metrics.distance")
nltk_meteor = pytest.importorskip("nltk.translate.meteor_score")
nltk_nist = pytest.importorskip("nltk.translate.nist_score")

PARTS = ["a", "b ", "run ", "running ", " the", ".", "-", "\n", "é", "東京", "<skipped>", "&amp;"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)
"""Some of them are blank."""
SPOKE = "the president spoke to the audience"
NAMES = (
    *("bleu", "chrf", "chrf++", "ter", "ter(normalized=true)", "wer", "per"),
    *("meteor", "nist", "gtm"),
)


def score(name: str, output: str, *references: str, tools: TextTools | None = None) -> float:
    """The score of a measure by its name, of all references at once if it is defined so."""
    made = topic([output], references)
    return float(_measure_scores(Measure.parse(name), TopicTexts(made, tools or TextTools()))[0])


def mean(precision: float, recall: float) -> float:
    return 10 * precision * recall / (recall + 9 * precision)


@each_case(
    ("name", "output", "reference", "expected"),
    [
        ("bleu-2", "the cat sat", "the cat is", sqrt(2 / 3 * 1 / 2)),
        ("bleu(lowercase=true)", "A B c", "a b C", 1),
        ("chrf", "ab", "ac", (1 / 2 + 0) / 2),
        ("chrF++", "ab", "ac", (1 / 2 + 0 + 0) / 3),
        ("chrf(lowercase=true)", "AB", "ab", 1),
        ("ter", "a b c d", "a b c e", 1 - 1 / 4),
        ("ter(normalized=true)", "a b,", "a b c,", 1 - 1 / 4),
        ("wer", "a b x d", "a b c d", 1 - 1 / 4),
        ("wer", "c a b", "a b c", 1 - 2 / 3),
        ("wer", "x y z", "a", 1 - 3 / 1),
        ("wer(unit=character)", "kitten", "sitting", 1 - 3 / 7),
        ("wer(unit=character)", " a  B", "a\nb", 1 - 1 / 3),
        ("per", "c a b", "a b c", 1),
        ("per", "a x", "a b c", 1 - 2 / 3),
        ("nist", "a b c d", "a b c d", 2 + 0 + 0 + 0),
        (
            "meteor",
            SPOKE,
            "The president then spoke to the audience",
            mean(1, 6 / 7) * (1 - 0.5 / 27),
        ),
        ("meteor", "running", "runs", 0.5),
        ("meteor", "fire", "shoot", 0),
        ("meteor", "a b", "a b a", mean(1, 2 / 3) * 0.5),  # two chunks, though one would do
        (
            "meteor(alpha=0.5, beta=1, gamma=0.25)",
            "a b",
            "a c d e",
            (1 - 0.25 * 1) * (2 * 1 / 2 * 1 / 4) / (1 / 2 + 1 / 4),
        ),
    ],
)
def test_worked_examples(name, output, reference, expected):
    assert score(name, output, reference) == pytest.approx(expected)


@each_case(
    ("name", "output", "references", "expected"),
    [
        ("bleu-2", "a b c", ["a x", "b c d e f"], sqrt(1 / 2)),
        ("ter", "a b", ["a b c", "x"], 1 - 1 / 2),
        ("wer", "a b", ["a b c d", "a x"], 1 - 1 / 3),
        ("per", "b a", ["a b c", "a"], 1 - 1 / 2),
        ("nist", "a b", ["a b", "a c"], (1 + 2) / 2 + 1),
    ],
)
def test_references_at_once(name, output, references, expected):
    assert score(name, output, *references) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (partial(bleu_score, order=3), metrics.BLEU(effective_order=True, max_ngram_order=3)),
        (chrf_score, metrics.CHRF(char_order=6, word_order=0, beta=2)),
        (partial(chrf_score, words=2), metrics.CHRF(char_order=6, word_order=2, beta=2)),
    ],
    ids=["bleu", "chrf", "chrf++"],
)
@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_scores_are_those_of_sacrebleu(ours, theirs, texts):
    output, *references = (f"{text} x" for text in texts)
    for some in (references[:1], references[: 2 if "bleu" in str(ours) else 1]):
        assert ours(output, *some) == pytest.approx(theirs.sentence_score(output, some).score / 100)


@pytest.mark.parametrize("normalized", [False, True])
@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_ter_is_that_of_sacrebleu(normalized, texts):
    output, *references = (f"{text}y x" for text in texts)
    theirs = metrics.TER(normalized=normalized)
    for some in (references[:1], references):
        if output not in some:
            expected = 1 - theirs.sentence_score(output, some).score / 100
            found = ter_score(output, *some, normalized=normalized)
            assert found == pytest.approx(expected)


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9)


@given(one=st.text("abc é", max_size=80), other=st.text("abc é", max_size=80))
def test_edit_distances_are_those_of_nltk(one, other):
    assert edit_distance(one, other) == nltk_distance.edit_distance(one, other)


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
    runs = list(_matched_runs(one, other))
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
    words, *others = map(_lower_tokens, (output, *references))
    expected = nltk_meteor.meteor_score(others, words, wordnet=SynonymLookup())
    assert score("meteor", output, *references) == pytest.approx(expected)
    assert nist_score(words, *others, n=4) == pytest.approx(
        nltk_nist.corpus_nist([others], [words], 4)
    )


def test_long_texts_are_refused_unless_they_are_the_same():
    long = "a " * (LONGEST_TEXT + 1)
    assert ter_score(long, long) == 1
    for output, reference in ((long, "a"), ("a", long)):
        with pytest.raises(ValuesError, match=r"TER of a text of 1,001 words .*cut texts to 1,000"):
            ter_score(output, reference)
    assert ter_score("b", "a " * LONGEST_TEXT) == 0


@pytest.mark.parametrize("name", NAMES)
@given(
    outputs=st.lists(st.text(max_size=40), min_size=1, max_size=3),
    references=st.lists(st.text(max_size=40), min_size=1, max_size=3),
)
def test_scores_are_numbers_within_bounds_and_every_pair_stands_alone(name, outputs, references):
    measure = Measure.parse(name)
    texts = TopicTexts(topic(outputs, ["x"]))
    table = measure_similarities(measure, texts, outputs, references)
    low = -np.inf if name.startswith(("ter", "wer", "per")) else 0
    high = np.inf if name == "nist" else 1
    assert np.isfinite(table).all()
    assert ((low <= table) & (table <= high)).all()
    last = measure_similarities(measure, texts, outputs[-1:], references[-1:])
    assert last.tolist() == [[table[-1, -1]]]


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("fire", "shoot", 0.5),
        ("dismiss", "fires", 0.5),
        ("fire", "finish", 0),
        ("fire", "terminate", 0),  # its stem is no lemma
    ],
)
def test_synonyms(tools, output, reference, expected):
    found = score("meteor(synonyms=WordNet)", output, reference, tools=tools)
    assert found == pytest.approx(expected)
