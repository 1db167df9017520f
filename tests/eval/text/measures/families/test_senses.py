import numpy as np
import pytest

from eval.text.desk import Desk, Tools
from eval.text.measures import Measure, scores, similarities
from eval.text.senses import Grouge, Reader, Text, Word
from eval.text.senses.alignment import Alignment
from tests.eval.text.measures.families.made_up import topic
from weps.errors import ValuesError

SAID = {
    "The officers fired.": "the.x officers.n fired.v",
    "The boss finished quickly!": "the.x boss.n finished.v quickly.r",
    "The policeman lost his job.": "the.x policeman.n lost.v his.x job.n",
}
TEXTS = list(SAID)
OUTPUTS, REFERENCES = TEXTS[:2], TEXTS[1:]


def words(text: str) -> Text:
    return tuple(Word(form, part, form) for form, part in map(split, SAID[text].split()))


def split(word: str) -> list[str]:
    return word.split(".")


@pytest.fixture
def desk(tools: Tools) -> Desk:
    return Desk(topic(OUTPUTS, REFERENCES), tools)


@pytest.fixture
def reader(tools: Tools) -> Reader:
    return Reader.of(map(words, TEXTS), tools.ranks())


@pytest.mark.parametrize(
    ("told", "measure"),
    [
        ("n=1", Grouge(1)),
        ("n=2, beta=0.25", Grouge(2, beta=0.25)),
        ("n=2, skip=4", Grouge(2, skip=4)),
        ("n=2, skip=0", Grouge(2, skip=0)),
    ],
)
def test_it_is_grouge_of_the_words_of_the_pipeline(
    desk: Desk, reader: Reader, told: str, measure: Grouge
) -> None:
    ours, theirs = list(map(words, OUTPUTS)), list(map(words, REFERENCES))
    direct = reader.scores(measure, ours, theirs)
    assert scores(Measure.parse(f"grouge({told})"), desk) == pytest.approx(direct.over_all())
    each = similarities(Measure.parse(f"grouge({told})"), desk, OUTPUTS, REFERENCES)
    assert each == pytest.approx(direct.each())
    turned = Measure.parse(f"grouge({told}, inverted=true)")
    back = reader.scores(measure, theirs, ours)
    inverted = similarities(turned, desk, OUTPUTS, REFERENCES)
    assert inverted == pytest.approx(back.each().T)
    assert scores(turned, desk) == pytest.approx(inverted.mean(axis=1))


def test_stems_are_compared_by_letters(desk: Desk) -> None:
    pytest.importorskip("nltk")
    texts = ["Fires."], ["Fired."]
    values = [
        similarities(Measure.parse(f"grouge(n=1, beta=1.0, stem={stem})"), desk, *texts).item()
        for stem in ("false", "true")
    ]
    assert values == [0.0, 1.0]


def test_texts_are_aligned_once_for_all_measures(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    aligned: list[int] = []
    real = Alignment.of

    def counted(texts: object, ranks: object) -> Alignment:
        aligned.append(1)
        return real(texts, ranks)  # type: ignore[arg-type]

    monkeypatch.setattr(Alignment, "of", counted)
    for told in ("n=1", "n=2", "n=2, skip=4", "n=1, inverted=true", "n=1, references=mean"):
        assert np.isfinite(scores(Measure.parse(f"grouge({told})"), desk)).all()
    similarities(Measure.parse("grouge(n=1)"), desk, REFERENCES, REFERENCES)
    assert len(aligned) == 1


def test_only_pairs_skip_words(desk: Desk) -> None:
    with pytest.raises(ValuesError, match="1-grams that skip 4 words"):
        scores(Measure.parse("grouge(n=1, skip=4)"), desk)
