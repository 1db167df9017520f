import math
from pathlib import Path

import pytest
from hypothesis import given

from eval.text.references import maximum
from eval.text.wrapped import meteor
from eval.text.wrapped.synonyms import Synonyms
from eval.text.wrapped.tokens import lower_tokens
from tests.eval.text.wordnet.database import published, tiny
from tests.eval.text.wrapped.made_up import TEXTS
from weps.errors import ValuesError

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
    theirs = meteor_score.meteor_score(others, words, wordnet=Synonyms())
    assert maximum(meteor(texts[:1], texts[1:])) == pytest.approx(theirs)
