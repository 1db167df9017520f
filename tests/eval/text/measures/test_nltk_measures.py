import math
from math import log2
from pathlib import Path

import pytest
from hypothesis import given

from eval.text.measures.nltk_measures import (
    SynonymLookup,
    library_signature,
    meteor,
    nist,
    nist_pooled,
)
from eval.text.measures.overlap import maximum_over_references
from eval.text.measures.sacrebleu_measures import lower_tokens
from tests.eval.text.measures.made_up import TEXTS
from tests.eval.text.wordnet.database import published, tiny
from weps.errors import FeatureError, ValuesError

meteor_score = pytest.importorskip("nltk.translate.meteor_score")


def mean(precision: float, recall: float) -> float:
    return 10 * precision * recall / (recall + 9 * precision)


SPOKE = "the president spoke to the audience"


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        (SPOKE, "The president then spoke to the audience", mean(1, 6 / 7) * (1 - 0.5 / 27)),
        ("a", "a", 0.5),
        ("a b c d", "a b c d", 1 - 0.5 / 4**3),
        ("running", "runs", 0.5),
        ("fire", "shoot", 0),
        ("!", "!", 0.5),
        ("a", "!", 0),
        ("東京 は", "東京 は", 1 - 0.5 / 8),
        ("a b", "a b a", mean(1, 2 / 3) * 0.5),  # two chunks, though one would do
    ],
)
def test_worked_examples(output: str, reference: str, expected: float) -> None:
    assert meteor([output], [reference]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("fire", "shoot", 0.5),
        ("dismiss", "fires", 0.5),
        ("fire", "finish", 0),
        ("fire", "terminate", 0),  # its stem is no lemma
    ],
)
def test_synonyms(tmp_path: Path, output: str, reference: str, expected: float) -> None:
    assert meteor([output], [reference], tiny(tmp_path)) == pytest.approx(expected)


@pytest.mark.slow
def test_published_synonyms() -> None:
    references = ["the autos stopped", "the automobiles stopped"]
    found = meteor(["the car stopped"], references, published())
    assert found[0] == pytest.approx([1 - 0.5 / 3**3, 2 / 3 * (1 - 0.5)])
    assert meteor(["the car stopped"], references)[0] == pytest.approx([2 / 3 * (1 - 0.5)] * 2)


def test_parameters() -> None:
    found = meteor(["a b"], ["a c d e"], alpha=0.5, beta=1, gamma=0.25)
    assert found == pytest.approx((1 - 0.25 * 1) * (2 * 1 / 2 * 1 / 4) / (1 / 2 + 1 / 4))


@pytest.mark.parametrize(
    "wrong", [{"alpha": -0.1}, {"alpha": math.nan}, {"beta": -1.0}, {"gamma": 1.5}]
)
def test_parameters_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(ValuesError, match="alpha and gamma are from 0 to 1"):
        meteor(["a"], ["a"], **wrong)


@given(output=TEXTS, first=TEXTS, second=TEXTS)
def test_the_best_reference_is_what_nltk_scores(output: str, first: str, second: str) -> None:
    texts = [f"{text} x" for text in (output, first, second)]
    words, *others = map(lower_tokens, texts)
    theirs = meteor_score.meteor_score(others, words, wordnet=SynonymLookup())
    assert maximum_over_references(meteor(texts[:1], texts[1:])) == pytest.approx(theirs)


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
def test_worked_examples_nist(output: str, reference: str, expected: float) -> None:
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


nltk, sacrebleu = pytest.importorskip("nltk"), pytest.importorskip("sacrebleu")


@pytest.mark.parametrize(
    ("measure", "settings", "expected"),
    [
        ("bleu", {}, "case:mixed|eff:yes|tok:13a|smooth:exp"),
        ("bleu", {"order": 2, "lowercase": True}, "case:lc|eff:yes|tok:13a|smooth:exp"),
        ("chrf", {"words": 2}, "case:mixed|eff:yes|nc:6|nw:2|space:no"),
        ("ter", {"normalized": True}, "case:lc|tok:tercom|norm:yes|punct:yes|asian:no"),
    ],
)
def test_what_sacrebleu_tells(measure: str, settings: dict[str, object], expected: str) -> None:
    version = sacrebleu.__version__
    assert library_signature(measure, **settings) == f"sacrebleu {expected}|version:{version}"


@pytest.mark.parametrize("measure", ["meteor", "nist"])
def test_what_nltk_tells(measure: str) -> None:
    assert library_signature(measure) == f"nltk version:{nltk.__version__}"


def test_a_measure_of_ours() -> None:
    with pytest.raises(FeatureError, match="choose from bleu, chrf, meteor, nist, ter"):
        library_signature("rouge")


def words(synonyms: SynonymLookup, word: str) -> list[list[str]]:
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
def test_synsets_know_their_words(tmp_path: Path, word: str, expected: list[list[str]]) -> None:
    assert words(SynonymLookup(tiny(tmp_path)), word) == expected


def test_two_databases_are_not_mixed_up(tmp_path: Path) -> None:
    one, other = SynonymLookup(tiny(tmp_path / "one")), SynonymLookup(tiny(tmp_path / "other"))
    assert one.synsets("gun")[0] is one.synsets("guns")[0]
    assert one.synsets("gun")[0] is not other.synsets("gun")[0]


def test_without_a_database_no_word_has_synonyms() -> None:
    assert SynonymLookup().synsets("fire") == ()


@pytest.mark.slow
def test_the_published_database() -> None:
    found = words(SynonymLookup(published()), "cars")
    assert sorted(found[0]) == ["auto", "automobile", "car", "machine", "motorcar"]
