from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eval.text.measures import grouge
from eval.text.measures.grouge import (
    GROUGE_1,
    GROUGE_2,
    GROUGE_SU4,
    Grouge,
    GrougeScores,
    SenseReader,
)
from eval.text.measures.senses import Alignment, Signature, Word, Words, weighted_overlap
from eval.text.wordnet.pagerank import PageRanks, mean_vector
from tests.eval.text.wordnet.database import tiny
from weps.errors import ValuesError

ALL = [GROUGE_1, GROUGE_2, GROUGE_SU4]
FORMS = "the officers policeman fired terminated job gun sterling boss".split()
TEXTS = st.lists(st.sampled_from(FORMS), max_size=8).map(lambda forms: text(" ".join(forms)))


def text(words: str) -> Words:
    return tuple(Word(word, "x" if word == "the" else "") for word in words.split())


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> PageRanks:
    return PageRanks(tiny(tmp_path_factory.mktemp("wordnet")))


def scores(
    measure: Grouge, outputs: Sequence[Words], references: Sequence[Words], ranks: PageRanks
) -> GrougeScores:
    return SenseReader.of([*outputs, *references], ranks).scores(measure, outputs, references)


@pytest.fixture(scope="module")
def score(ranks: PageRanks) -> Callable[[Grouge, Words, Words], float]:
    def of(measure: Grouge, output: Words, reference: Words) -> float:
        return float(scores(measure, [output], [reference], ranks).over_all()[0])

    return of


@pytest.mark.parametrize(
    ("measure", "grams"),
    [
        (GROUGE_1, "a b a c"),
        (GROUGE_2, "ab ba ac"),
        (Grouge(3), "aba bac"),
        (Grouge(5), ""),
        (Grouge(2, skip=0), "a b a c ab ba ac"),
        (Grouge(2, skip=1), "a b a c ab aa ba bc ac"),
        (GROUGE_SU4, "a b a c ab aa ac ba bc ac"),
    ],
)
def test_the_grams_of_a_text(measure: Grouge, grams: str) -> None:
    found = ["".join(word.form for word in gram) for gram in measure.grams(text("a b a c"))]
    assert found == grams.split()


def test_four_words_at_most_are_skipped() -> None:
    assert len(GROUGE_SU4.grams(text("a b c d e f g"))) == 7 + 5 + 5 + 4 + 3 + 2 + 1


def test_by_letters_alone_it_is_the_recall_of_rouge(
    score: Callable[[Grouge, Words, Words], float],
) -> None:
    reference = text("the officers fired the gun")
    assert score(Grouge(1, beta=1), text("the gun the the"), reference) == pytest.approx(3 / 5)
    assert score(Grouge(2, beta=1), text("officers fired gun"), reference) == pytest.approx(1 / 4)


def test_stems_are_compared_by_letters(score: Callable[[Grouge, Words, Words], float]) -> None:
    fires, fired = (Word("fires", "v", "fire"),), (Word("fired", "v", "fire"),)
    assert score(Grouge(1, beta=1), fires, fired) == 1.0
    assert score(Grouge(1, beta=1), text("fires"), text("fired")) == 0.0


def by_the_book(ranks: PageRanks, measure: Grouge, output: Words, reference: Words) -> float:
    """Equations 3.3 and 3.4, n-gram by n-gram."""
    alignment = Alignment.of([output, reference], ranks)

    def signature(words: Words, read: dict[Word, int | None]) -> Signature:
        open_words = [word for word in words if word.part != "x"]
        unknown = frozenset(word.form for word in open_words if read[word] is None)
        senses = {sense for word in open_words if (sense := read[word]) is not None}
        vectors = [alignment.vectors[sense] for sense in sorted(senses)]
        return Signature(mean_vector(vectors), unknown) if vectors else Signature(unknown=unknown)

    whole = signature(output, alignment.read(output, reference))
    read = alignment.read(reference, output)
    theirs, ours = Counter(measure.grams(reference)), Counter(measure.grams(output))
    gained = sum(
        measure.beta * min(count, ours[gram])
        + (1 - measure.beta) * weighted_overlap(whole, signature(gram, read))
        for gram, count in theirs.items()
    )
    return gained / theirs.total() if theirs else float(output == reference)


@given(TEXTS, TEXTS, st.sampled_from(ALL), st.sampled_from([0.0, 0.5, 0.9]))
@example(text("officers"), text("the officers"), GROUGE_2, 0.0)
def test_all_are_equations_3_3_and_3_4(
    ranks: PageRanks, output: Words, reference: Words, measure: Grouge, beta: float
) -> None:
    weighed = Grouge(measure.n, measure.skip, beta)
    found = scores(weighed, [output], [reference], ranks)
    wanted = by_the_book(ranks, weighed, output, reference)
    assert found.over_all() == pytest.approx([wanted])
    assert found.each() == pytest.approx(np.array([[wanted]]))
    assert 0 <= wanted <= 1 + 1e-9


def test_other_words_for_the_same_gain_by_sense_alone(
    score: Callable[[Grouge, Words, Words], float],
) -> None:
    reference, near, far = map(text, ("officers fired", "policeman dismissed", "axis finished"))
    assert score(GROUGE_1, near, reference) > score(GROUGE_1, far, reference)
    assert score(Grouge(1, beta=1), near, reference) == 0.0


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=3))
def test_neither_order_nor_company_matters(
    ranks: PageRanks, outputs: list[Words], references: list[Words]
) -> None:
    reader = SenseReader.of([*outputs, *references], ranks)
    for measure in ALL:
        here = reader.scores(measure, outputs, references)
        there = scores(measure, outputs[::-1], references[::-1], ranks)
        assert there.matches[::-1, ::-1] == pytest.approx(here.matches)
        assert there.over_all()[::-1] == pytest.approx(here.over_all())
        alone = scores(measure, outputs[:1], references[:1], ranks)
        assert alone.matches[0] == pytest.approx(here.matches[0, :1])


def test_long_references_weigh_more() -> None:
    found = GrougeScores(np.array([[1.0, 2.0]]), np.array([[1.0, 7.0]]))
    assert found.over_all().tolist() == [3 / 8]
    assert found.each().tolist() == [[1.0, 2 / 7]]


@pytest.mark.parametrize(
    ("output", "reference", "wanted"), [("", "gun job", 0.0), ("", "", 1.0), ("gun job", "", 0.0)]
)
@pytest.mark.parametrize("measure", ALL)
def test_texts_without_words(
    score: Callable[[Grouge, Words, Words], float],
    measure: Grouge,
    output: str,
    reference: str,
    wanted: float,
) -> None:
    assert score(measure, text(output), text(reference)) == wanted


@pytest.mark.parametrize(("output", "wanted"), [("gun", 1.0), ("job", 0.0), ("the gun", 0.0)])
def test_texts_too_short_for_an_n_gram_match_as_wholes(
    score: Callable[[Grouge, Words, Words], float], output: str, wanted: float
) -> None:
    assert score(GROUGE_2, text(output), text("gun")) == wanted


@pytest.mark.parametrize("words", ["gun", "sterling"])
def test_a_single_word_is_wholly_like_itself(
    score: Callable[[Grouge, Words, Words], float], words: str
) -> None:
    assert score(GROUGE_1, text(words), text(words)) == 1.0


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"n": 0}, "0-grams"),
        ({"n": 2, "skip": -1}, "skip 0 words or more"),
        ({"n": 1, "skip": 4}, "1-grams that skip 4"),
        ({"beta": 1.5}, "from 0 to 1"),
        ({"beta": float("nan")}, "from 0 to 1"),
    ],
)
def test_impossible_measures_are_refused(wrong: dict[str, float], told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        Grouge(**wrong)  # type: ignore[arg-type]


def test_long_texts_are_compared_in_batches(
    ranks: PageRanks, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [text(" ".join(FORMS)), text(" ".join(FORMS[::-1]))]
    whole = scores(GROUGE_SU4, texts, texts, ranks)
    monkeypatch.setattr(grouge, "_BATCH", 2)
    monkeypatch.setattr(grouge, "_CACHE_SIZE", 1)
    parts = scores(GROUGE_SU4, texts, texts, ranks)
    assert parts.matches == pytest.approx(whole.matches)
