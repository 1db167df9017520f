import numpy as np
import pytest

from eval.text.declarations import kernels
from eval.text.measures.grouge import Grouge, SenseReader
from eval.text.measures.kernel_matching import best_matches
from eval.text.measures.kernels import Kernel, sense_nodes, word_nodes
from eval.text.measures.senses import Alignment, Word, Words
from eval.text.measures.topic import TextTools, TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_scores, measure_similarities
from tests.eval.text.declarations.made_up import topic
from tests.eval.text.wordnet.database import numbered
from weps.errors import ValuesError

OUTPUTS = ["The officer fired. It rained!", "The boss lost the job"]
REFERENCES = ["It rained, and the officer lost his job."]


def found(measure: str, desk: TopicTexts) -> list[float]:
    values = measure_similarities(Measure.parse(measure), desk, OUTPUTS, REFERENCES)
    return [round(float(each), 12) for each in values[:, 0]]


@pytest.mark.parametrize(
    ("told", "kernel", "beta"),
    [("", Kernel(2, 0.5), 3), ("length=3, decay=0.25, beta=1", Kernel(3, 0.25), 1)],
)
def test_wsk_is_the_kernel_of_words_in_lower_case(told: str, kernel: Kernel, beta: float) -> None:
    split = (
        [["the officer fired", "it rained"], ["the boss lost the job"]],
        [["it rained and the officer lost his job"]],
    )
    texts = [[[word_nodes(each.split()) for each in text] for text in side] for side in split]
    matches = best_matches(texts[0], texts[1], kernel)
    desk = TopicTexts(topic(OUTPUTS, REFERENCES))
    comma = ", " if told else ""
    for part, values in (
        ("f", matches.f(beta)),
        ("recall", matches.recall),
        ("precision", matches.precision),
    ):
        wanted = values[:, 0].round(12).tolist()
        assert found(f"wsk(part={part}{comma}{told})", desk) == pytest.approx(wanted)


def test_several_references_are_equation_9() -> None:
    desk = TopicTexts(topic(OUTPUTS, [*REFERENCES, "It rained."]))
    measure = Measure.parse("wsk")
    texts = [each.text for each in desk.topic.references]
    assert measure_scores(measure, desk).tolist() == (
        measure_similarities(measure, desk, OUTPUTS, texts).mean(axis=1).tolist()
    )


def test_stop_words_are_left_out_if_told() -> None:
    desk = TopicTexts(topic(OUTPUTS, REFERENCES))
    assert found("wsk(stop=true)", desk) != found("wsk", desk)
    [[same]] = measure_similarities(Measure.parse("wsk(stop=true)"), desk, ["The job"], ["His job"])
    assert same == 1


def test_esk_adds_the_senses_of_open_words(tools: TextTools) -> None:
    said, other = "The officer fired.", "The policeman fired."
    number = numbered(tools.words(), "n3 n4 v1 v2")
    policeman, soldier, shoot, dismiss = ((each,) for each in number)
    fired = [*shoot, *dismiss]
    nodes = [
        sense_nodes(form.split(), [[], senses, fired])
        for form, senses in (
            ("the officer fired", [*soldier, *policeman]),
            ("the policeman fired", policeman),
        )
    ]
    matches = best_matches([nodes[:1]], [nodes[1:]], Kernel())
    desk = TopicTexts(topic([said], [other]), tools)
    [[value]] = measure_similarities(Measure.parse("esk"), desk, [said], [other])
    assert value == pytest.approx(matches.f(3).item())


def test_the_most_frequent_sense_alone_may_be_another(tools: TextTools) -> None:
    desk = TopicTexts(topic(["An officer."], ["The policeman."]), tools)
    texts = ["An officer."], ["The policeman."]
    values = [
        measure_similarities(Measure.parse(f"esk(senses={senses})"), desk, *texts).item()
        for senses in ("all", "first")
    ]
    assert values[0] > values[1] == 0


@pytest.mark.parametrize(
    ("measure", "output", "wanted"),
    [
        ("esk(length=1)", "The jobs.", 2 / 3),
        ("esk(length=1)", "Her job.", 2 / 3),
        ("esk(length=1, stop=true)", "Her job.", 1.0),
    ],
)
def test_nodes_of_esk_are_forms_with_senses(
    tools: TextTools, measure: str, output: str, wanted: float
) -> None:
    desk = TopicTexts(topic([output], ["The job."]), tools)
    [[value]] = measure_similarities(Measure.parse(measure), desk, [output], ["The job."])
    assert value == pytest.approx(wanted)


def test_parts_are_drawn_from_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(*texts: object) -> object:
        calls.append(1)
        return best_matches(*texts)  # type: ignore[arg-type]

    monkeypatch.setattr(kernels, "best_matches", counted)
    desk = TopicTexts(topic(OUTPUTS, REFERENCES))
    for part in ("f", "recall", "precision"):
        found(f"wsk(part={part})", desk)
    found("wsk(decay=1.0)", desk)
    assert len(calls) == 2


SAID = {
    "The officers fired.": "the.x officers.n fired.v",
    "The boss finished quickly!": "the.x boss.n finished.v quickly.r",
    "The policeman lost his job.": "the.x policeman.n lost.v his.x job.n",
}
TEXTS = list(SAID)
OUTPUTS_SENSES, REFERENCES_SENSES = TEXTS[:2], TEXTS[1:]


def words_senses(text: str) -> Words:
    return tuple(Word(form, part, form) for form, part in map(split, SAID[text].split()))


def split(word: str) -> list[str]:
    return word.split(".")


@pytest.fixture
def desk(tools: TextTools) -> TopicTexts:
    return TopicTexts(topic(OUTPUTS_SENSES, REFERENCES_SENSES), tools)


@pytest.fixture
def reader(tools: TextTools) -> SenseReader:
    return SenseReader.of(map(words_senses, TEXTS), tools.ranks())


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
    desk: TopicTexts, reader: SenseReader, told: str, measure: Grouge
) -> None:
    ours, theirs = (
        list(map(words_senses, OUTPUTS_SENSES)),
        list(map(words_senses, REFERENCES_SENSES)),
    )
    direct = reader.scores(measure, ours, theirs)
    assert measure_scores(Measure.parse(f"grouge({told})"), desk) == pytest.approx(
        direct.over_all()
    )
    each = measure_similarities(
        Measure.parse(f"grouge({told})"), desk, OUTPUTS_SENSES, REFERENCES_SENSES
    )
    assert each == pytest.approx(direct.each())
    turned = Measure.parse(f"grouge({told}, inverted=true)")
    back = reader.scores(measure, theirs, ours)
    inverted = measure_similarities(turned, desk, OUTPUTS_SENSES, REFERENCES_SENSES)
    assert inverted == pytest.approx(back.each().T)
    assert measure_scores(turned, desk) == pytest.approx(inverted.mean(axis=1))


def test_stems_are_compared_by_letters(desk: TopicTexts) -> None:
    pytest.importorskip("nltk")
    texts = ["Fires."], ["Fired."]
    values = [
        measure_similarities(
            Measure.parse(f"grouge(n=1, beta=1.0, stem={stem})"), desk, *texts
        ).item()
        for stem in ("false", "true")
    ]
    assert values == [0.0, 1.0]


def test_texts_are_aligned_once_for_all_measures(
    desk: TopicTexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    aligned: list[int] = []
    real = Alignment.of

    def counted(texts: object, ranks: object) -> Alignment:
        aligned.append(1)
        return real(texts, ranks)  # type: ignore[arg-type]

    monkeypatch.setattr(Alignment, "of", counted)
    for told in ("n=1", "n=2", "n=2, skip=4", "n=1, inverted=true", "n=1, references=mean"):
        assert np.isfinite(measure_scores(Measure.parse(f"grouge({told})"), desk)).all()
    measure_similarities(Measure.parse("grouge(n=1)"), desk, REFERENCES_SENSES, REFERENCES_SENSES)
    assert len(aligned) == 1


def test_only_pairs_skip_words(desk: TopicTexts) -> None:
    with pytest.raises(ValuesError, match="1-grams that skip 4 words"):
        measure_scores(Measure.parse("grouge(n=1, skip=4)"), desk)
